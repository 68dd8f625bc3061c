"""Lists for autocomplete: asked once in a while, and never behind what happened here."""

from collections.abc import Sequence
from typing import Any

import pytest

from db.store import Store
from tables.core.table import OPEN, Phase
from tables.lobby.invitations import SECONDS, TableLists
from tests.tables.house import ANN, BO, CHANNEL, CY, GUILD, House, user


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the queries that reach the database."""
    asked: list[str] = []

    def counted(name: str) -> Any:
        query = getattr(Store, name)

        def ask(*args: Any, **how: Any) -> Any:
            asked.append(name)
            return query(*args, **how)

        return ask

    for name in ("tables_in", "tables_at", "tables_of", "seats", "seats_of"):
        monkeypatch.setattr(Store, name, counted(name))
    return asked


async def test_seats_are_read_in_one_query_however_many_tables_there_are(
    house: House, queries: list[str]
) -> None:
    for _ in range(5):
        await house.gather(ANN, BO)
    queries.clear()

    tables = await house.parlour.tables_in(GUILD)

    assert [table.names for table in tables] == [["Ann", "Bo"]] * 5
    assert queries == ["tables_in", "seats_of"]


async def test_a_fresh_answer_is_not_asked_for_again(house: House, queries: list[str]) -> None:
    await house.gather(ANN)
    recent = house.parlour.table_lists
    queries.clear()

    for _ in range(3):
        assert len(await recent.tables_in(GUILD)) == 1
        assert len(await recent.tables_at(CHANNEL)) == 1
        assert len(await recent.tables_of(user(ANN))) == 1
        assert await recent.tables_of(user(ANN), [Phase.OVER]) == []

    assert [query for query in queries if query != "seats_of"] == [
        "tables_in",
        "tables_at",
        "tables_of",
        "tables_of",
    ]


async def test_changes_here_show_at_once(house: House) -> None:
    recent = house.parlour.table_lists
    assert await recent.tables_in(GUILD) == []
    assert await recent.tables_of(user(BO)) == []

    table = await house.gather(ANN)
    assert await recent.tables_in(GUILD) == [table]

    table = await house.lobby.join(table.id, user(BO), "Bo")
    assert await recent.tables_of(user(BO)) == [table]
    assert await recent.tables_at(CHANNEL) == [table]
    assert await recent.tables_of(user(CY)) == []


async def test_changes_elsewhere_show_within_seconds() -> None:
    now, answers = [0.0], [["first"], ["second"]]

    async def query(_subject: int, _phases: Sequence[Phase] = OPEN) -> Any:
        return answers.pop(0)

    recent = TableLists(query, query, query, timer=lambda: now[0])
    seen: list[Any] = []
    for seconds in (0.0, SECONDS - 0.1, 0.2):
        now[0] += seconds
        seen.append(await recent.tables_in(GUILD))

    assert seen == [["first"], ["first"], ["second"]]
