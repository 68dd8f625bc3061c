"""A database of the first release opens, and its games go on where they stood."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from db.store import Store
from engines.game import Strength
from engines.registry import SLUGS
from engines.workers import Workers
from tables.core.table import EVER, Phase, StudyKind
from tests.tables.house import ANN, BO, CY, DEE, GUILD, House, HouseClock, user

DUMPS = sorted((Path(__file__).parents[2] / "fixtures" / "databases").glob("*.sql"))
MOVES = 12
DATABASES = ["sqlite"]


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
async def old(request: pytest.FixtureRequest, tmp_path: Path, workers: Workers) -> AsyncIterator[House]:
    file = tmp_path / "old.db"
    with sqlite3.connect(file) as database:
        database.executescript(request.param.read_text(encoding="utf-8"))
    database.close()
    store = await Store.open(f"sqlite:///{file}")
    house = House(store, workers, HouseClock())
    yield house
    await house.stop()
    await store.close()


async def test_every_table_is_seen_by_everybody(old: House) -> None:
    tables = await old.parlour.tables_in(GUILD, EVER)

    assert {table.slug for table in tables} == set(SLUGS)
    for table in tables:
        if table.deal is not None:
            for viewer in [None, *table.people]:
                assert (await old.play.perspective(table.id, viewer)).view is not None


async def test_every_history_leads_to_the_position_that_stands(old: House) -> None:
    for table in await old.parlour.tables_in(GUILD, EVER):
        if table.deal is not None:
            loaded = await old.parlour._repository.load(table.id)
            assert loaded.position is not None
            kind = table.game.State
            replayed, stands = await old.state(table), loaded.position.state
            assert msgspec.msgpack.decode(replayed, type=kind) == msgspec.msgpack.decode(stands, type=kind)
            assert [row.version for row in await old.parlour.history.active_history(table)][
                -1
            ] == table.version


async def test_pauses_plans_deals_cups_puzzles_and_searches_are_still_there(old: House) -> None:
    tables = await old.parlour.tables_in(GUILD, [Phase.PLAY])
    sent = [(table.slug, plan.seat) for table in tables for plan in table.plans if plan.is_sent]
    day = old.parlour.daily.today
    deals = [await old.parlour.daily.counting_play(user(DEE), day, slug) for slug in ("tesla", "ribbon")]
    (cup,) = await old.parlour.cups.running_cups(GUILD)
    puzzles = [await old.parlour.studies.newest(user(one), StudyKind.PUZZLE) for one in (ANN, BO, CY)]
    sandbox = await old.parlour.studies.newest(user(ANN), StudyKind.SANDBOX)

    assert [table.slug for table in tables if table.paused_at is not None] == ["tangle"]
    assert sent == [("tanglewood", 1)]
    assert {table.pace.name for table in tables} == {"none", "daily"}
    assert all(play is not None and play.ended_at is None for play in deals)
    assert [one.table_id is not None for one in cup.tables_of_round(1)] == [True, True]
    assert [one is not None and one.slug for one in puzzles] == ["tesla", "ribbon", "tangram"]
    assert sandbox is not None
    assert [wish.game for wish in await old.parlour.looking.of(GUILD, user(DEE))] == ["tangle"]


@pytest.mark.slow
async def test_every_game_goes_on(old: House) -> None:
    for table in await old.parlour.tables_in(GUILD, [Phase.PLAY]):
        for _ in range(MOVES):
            if table.phase is not Phase.PLAY:
                break
            seat = table.owing[0]
            loaded = await old.parlour._repository.load(table.id)
            move = await old.play.choose_move(loaded, seat, Strength.MEDIUM)
            await old.play.make_computer_move(loaded.table, seat, move, table.seats[seat].user_id)
            table = await old.parlour.table(table.id)
        await old.settle()
        assert await old.state(table) == await old.restart().state(table)


async def test_a_lobby_can_still_be_joined_and_started(old: House) -> None:
    for table in await old.parlour.tables_in(GUILD, [Phase.LOBBY]):
        joined = await old.lobby.join(table.id, 900, "Max")
        while len(joined.seats) < joined.game.seats_for(joined.options)[0]:
            joined = await old.lobby.add_computer(table.id, table.host_id, Strength.MEDIUM)
        assert (await old.lobby.start(table.id, table.host_id)).phase is Phase.PLAY
