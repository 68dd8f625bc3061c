"""Whole games as files, and back: every game, every step, the same bytes."""

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from db.access import IMPORTED, ImportQuota, QuotaReached
from engines.game import Thinking
from engines.workers import Urgency, WorkerOutOfMemory, Workers, WorkerTimeout
from tables.clocks.pace import DAY
from tables.core.table import EVER, Imported, Occupant, Phase, Refused, Table, encode, from_rows
from tables.review.format import LARGEST_FILE
from tables.review.import_export import (
    MOST_HERE,
    MOST_OF_ONE,
    ImportedGame,
    export_file,
    import_file,
    imported_rows,
)
from tests.engines.cases import CASES, GameCase
from tests.engines.cases import TableChoice as Choice
from tests.engines.test_conformance import hypothetical
from tests.often import often
from tests.tables.house import ANN, BO, CHANNEL, GUILD, House, user
from tests.tables.stories import finish_story, keep_story, story

pytestmark = pytest.mark.slow

STEPS = 400
"""Games that take longer are left alone."""
every_game = pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])


@pytest.mark.any_game
@every_game
@pytest.mark.parametrize("number", range(often(1, 2)))
async def test_a_game_that_is_exported_imported_and_exported_is_the_same_file(
    house: House, case: GameCase, number: int
) -> None:
    table = await keep_story(house, finish_story(case, number))
    file = await house.parlour.import_export.export(table.id, None)

    again = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)

    assert await house.parlour.import_export.export(again.id, 0) == file
    assert len(file) < LARGEST_FILE
    assert again.id != table.id


async def test_a_file_says_that_computers_thought_quickly_and_nothing_otherwise(house: House) -> None:
    result = finish_story(next(case for case in CASES if case.slug == "ribbon"), 1)
    usual, table = await keep_story(house, result), await keep_story(house, result, thinking="quick")
    export = house.parlour.import_export.export

    file = await export(table.id, None)
    again = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)

    assert b"thinking" not in await export(usual.id, None)
    assert again.thinking is Thinking.QUICK
    assert await export(again.id, None) == file


@pytest.mark.slow
@pytest.mark.any_game
@every_game
def test_any_game_with_a_result_comes_back_from_its_file_as_the_same_file(case: GameCase) -> None:
    over = 0

    seeds = st.binary(min_size=32, max_size=32)

    @hypothetical(case, often(8, 100))
    @given(st.sampled_from(case.tables), seeds, st.sampled_from([0.9, 1.0]))
    def check(choice: Choice, seed: bytes, care: float) -> None:
        nonlocal over
        result = story(case, choice, seed, care, STEPS)
        if result.row().phase == Phase.OVER:
            over += 1
            file = result.file()
            entries = import_file(file)
            assert isinstance(entries, ImportedGame)
            row, seats = imported_rows(GUILD, CHANNEL, user(ANN), entries, 0.0)
            assert export_file(from_rows(row, seats), entries.rows, None) == file

    check()
    assert over


@pytest.mark.any_game
@every_game
async def test_an_imported_game_is_a_table_of_the_past_that_can_be_browsed(
    house: House, case: GameCase
) -> None:
    table = await keep_story(house, finish_story(case, 5))
    file = await house.parlour.import_export.export(table.id, None)

    again = await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)

    assert (again.phase, again.outcome, again.beat) == (table.phase, table.outcome, table.beat)
    assert (again.names, again.people, again.host_id) == (table.names, [], ANN.user_id)
    assert again.origin == Imported()
    record = house.parlour.record
    turns, of_old = await record.turns(again), await record.turns(table)
    assert [(turn.seats, turn.at) for turn in turns] == [(turn.seats, turn.at) for turn in of_old]
    for turn, old in zip(turns, of_old, strict=True):
        seen = await record.view(again, turn.version, None)
        assert msgspec.json.encode(seen) == msgspec.json.encode(await record.view(table, old.version, None))
        assert [row.events for row in await record.entries(again, turn)] == [
            row.events for row in await record.entries(table, old)
        ]
    await house.settle()
    assert house.courier.take_shown() == [("board", 0, True)]


@pytest.fixture
def file() -> bytes:
    return finish_story(next(case for case in CASES if case.slug == "ribbon"), 1).file()


async def test_one_person_imports_ten_games_a_day(house: House, file: bytes) -> None:
    async def taken(by: House, guild_id: int = GUILD) -> Table:
        return await by.parlour.import_export.open(guild_id, CHANNEL, ANN, file)

    for number in range(MOST_OF_ONE):
        await taken(house, GUILD + number % 2)
        house.clock.now += 60
    tables = len(await house.store.tables_in(GUILD, [Phase.OVER]))

    with pytest.raises(Refused, match="You've imported 10 games in the last 24 hours"):
        await taken(house.restart())
    assert len(await house.store.tables_in(GUILD, [Phase.OVER])) == tables
    await house.parlour.import_export.open(GUILD, CHANNEL, BO, file)

    house.clock.now += DAY - 60 * MOST_OF_ONE + 1
    assert (await taken(house)).phase is Phase.OVER


async def test_in_one_server_fifty_games_are_imported_a_day(house: House, file: bytes) -> None:
    for number in range(MOST_HERE):
        await house.parlour.import_export.open(GUILD, CHANNEL, Occupant("Somebody", 1000 + number // 5), file)

    with pytest.raises(Refused, match="This server has imported 50 games in the last 24 hours"):
        await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)
    assert (await house.parlour.import_export.open(GUILD + 1, CHANNEL, ANN, file)).phase is Phase.OVER


async def test_one_person_has_one_file_read_at_a_time(house: House, file: bytes) -> None:
    opened = await asyncio.gather(
        house.parlour.import_export.open(GUILD, CHANNEL, ANN, file),
        house.parlour.import_export.open(GUILD, CHANNEL, ANN, file),
        return_exceptions=True,
    )

    assert sum(isinstance(one, Table) for one in opened) == 1
    (refused,) = (one for one in opened if isinstance(one, Refused))
    assert "still reading your last file" in str(refused)


async def test_a_file_is_read_after_all_that_people_wait_for_and_not_for_ever(
    house: House, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    urgencies: list[Urgency] = []

    async def slow(_workers: Workers, urgency: Urgency, *_args: object) -> object:
        urgencies.append(urgency)
        raise WorkerTimeout("it took longer than 60 s")

    monkeypatch.setattr(Workers, "run_with", slow)

    with pytest.raises(Refused, match="takes too long, so I can't import it"):
        await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)
    assert urgencies == [Urgency.LONG]
    assert await house.store.tables_in(GUILD, EVER) == []


async def test_a_file_that_takes_too_much_memory_is_refused(
    house: House, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def large(_workers: Workers, _urgency: Urgency, *_args: object) -> object:
        raise WorkerOutOfMemory("it needed more than 2048 MB")

    monkeypatch.setattr(Workers, "run_with", large)

    with pytest.raises(Refused, match="takes too much memory, so I can't import it"):
        await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)
    assert await house.store.tables_in(GUILD, EVER) == []


async def test_the_import_count_matches_the_imports(house: House, file: bytes) -> None:
    await house.parlour.import_export.open(GUILD, CHANNEL, ANN, file)
    await house.gather(ANN)

    assert encode(Imported()).startswith(IMPORTED)
    once = ImportQuota(GUILD, user(ANN), 0.0, most_each=2, most=2)
    await house.store.check_guards([once])
    for reached in (replace(once, most_each=1), replace(once, most=1)):
        with pytest.raises(QuotaReached):
            await house.store.check_guards([reached])
        await house.store.check_guards([replace(reached, since=house.clock.now + 1)])
