"""Rows that can't be read, and databases of older versions."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import Table as SqlTable
from sqlalchemy import insert, text

from db import schema
from db.records import NoteRow
from db.store import Store
from engines.game import Strength
from engines.registry import SLUGS
from engines.ribbon.pieces.components import RibbonOptions
from engines.workers import Workers
from tables.clocks.pace import DAY, PACES
from tables.core import downtime
from tables.core.people import begin_holiday
from tables.core.table import EVER, NoTable, Phase, StudyKind, Table, UnreadableTable
from tables.review.inspect import find_unreadable
from tests.conftest import EVERY_DATABASE
from tests.db.incidents import log_lines
from tests.engines.ribbon.games import NEARLY
from tests.often import often
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CHANNEL, CY, DEE, GUILD, House, HouseClock, user

DATABASES = EVERY_DATABASE

NAMED = ("plans", "pace", "clocks", "options", "standing", "origin", "proposal")
"""The columns of tables that a broken value of once stopped everybody's deadlines."""


@pytest.fixture
async def pair(house: House, deal_next: Dealt, monkeypatch: pytest.MonkeyPatch) -> tuple[Table, Table]:
    """Start two games with clocks; the first one will be damaged."""
    deal_next(NEARLY)
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 1e9)
    games = [await begin(house, ANN, BO), await begin(house, CY, DEE)]
    await house.store.save_note(NoteRow(games[0].id, user(BO), "beware"))
    await house.parlour.personal_settings.change(
        user(BO),
        lambda known: replace(
            begin_holiday(known, house.clock.now + DAY, "sea", house.clock.now), digest_hour=8
        ),
    )
    await house.settle()
    return games[0], games[1]


async def begin(house: House, host: Any, guest: Any) -> Table:
    opened = await house.lobby.create(
        GUILD, CHANNEL, host, "ribbon", RibbonOptions(mode="coop", first="host"), (guest,)
    )
    await house.lobby.set_terms(opened.id, user(host), pace=PACES["daily"])
    return await house.lobby.start(opened.id, user(host))


async def damage(store: Store, table: str, column: str, value: Any, where: str = "true") -> None:
    await store._execute(text(f'update {table} set "{column}" = :value where {where}'), {"value": value})


async def everybody_else_plays_on(house: House, healthy: Table) -> None:
    """Check deadlines, lists and overviews of a table that is well."""
    for _ in range(3):
        house.clock.now += DAY + 60
        await house.parlour.resume()
        await house.settle()
    now = await house.parlour.table(healthy.id)
    assert now.clocks[now.awaited[0]].late is not None
    assert [one.id for one in await house.parlour.tables_in(GUILD) if one.id == healthy.id] == [healthy.id]
    overview = await house.parlour.overviews.of(user(CY), 0.0)
    assert [one.table.id for one in (*overview.mine, *overview.others)] == [healthy.id]
    await house.play_moves(healthy, "flip 1")
    await house.settle()
    assert ("board", 0) in {
        (row.kind, row.target) for row, _ in house.courier.shown if row.table_id == healthy.id
    }


@pytest.mark.parametrize(
    ("rows", "key", "column"),
    [*(("tables", "id", name) for name in NAMED), ("seats", "table_id", "strength")],
)
async def test_an_unreadable_table_or_seat_stops_nobody_elses_deadlines(
    house: House,
    pair: tuple[Table, Table],
    rows: str,
    key: str,
    column: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, healthy = pair
    await damage(house.store, rows, column, '{"broken', f"{key} = {broken.id}")
    after = house.restart()

    await everybody_else_plays_on(after, healthy)

    with pytest.raises(
        UnreadableTable, match=r"^I can't read this table\. I've told the people who run this bot\.$"
    ):
        await after.parlour.table(broken.id)
    assert len(house.store.unreadable) >= 1
    assert await find_unreadable(house.store) != []
    told = [line for line in log_lines(caplog) if f"table {broken.id} can't be read" in line]
    assert len([line for line in told if line.startswith(f"table {broken.id} ")]) == 1


async def test_a_person_without_readable_settings_plays_on(house: House, pair: tuple[Table, Table]) -> None:
    broken, healthy = pair
    await damage(house.store, "people", "absences", "[[1,", f"user_id = {user(BO)}")
    after = house.restart()

    await everybody_else_plays_on(after, healthy)

    assert (await after.parlour.people.person(user(BO))).digest_hour is None
    assert (await after.parlour.people.person(user(BO))).absences == ()
    assert (await after.parlour.table(broken.id)).clocks[0].late is not None
    assert any(name.startswith("row person") for name in await find_unreadable(house.store))


async def test_a_row_that_was_repaired_is_read_again(house: House, pair: tuple[Table, Table]) -> None:
    broken, _ = pair
    await damage(house.store, "tables", "clocks", "?", f"id = {broken.id}")
    after = house.restart()
    await after.parlour.tables_in(GUILD)
    assert len(house.store.unreadable) == 1
    await damage(house.store, "tables", "clocks", "[]", f"id = {broken.id}")

    assert len(await after.parlour.tables_in(GUILD)) == 2

    assert len(house.store.unreadable) == 0


def list_damage(column: Any, is_file: bool) -> Sequence[Any]:
    """Return values that the bot never writes and this database takes."""
    kind = str if isinstance(column.type, schema.JsonTuple) else column.type.python_type
    if kind is str:
        return ["?", "{", "[[["]
    if is_file:
        return ["?", b"\xff\xfe", -7]
    values: dict[type, list[Any]] = {int: [-7], float: [float("nan"), -7.0], bytes: [b"\xff\xfe"], bool: []}
    return values[kind]


ELSEWHERE = 4711
"""Another server."""
KEYS = {"id", "table_id", "user_id", "guild_id", "seat"}
"""Keys say which row it is, so a change of one damages nothing."""
CELLS = [
    (table.name, column.name)
    for table in schema.metadata.sorted_tables
    for column in table.columns
    if not (column.primary_key or column.name in KEYS)
]


def any_row(table: SqlTable, broken: Table) -> dict[str, Any]:
    """Return a row about the damaged table and Bo."""
    own = {"table_id": broken.id, "user_id": user(BO), "guild_id": ELSEWHERE, "cup_id": 1, "id": 1, "seat": 1}
    row = dict[str, Any]()
    for column in table.columns:
        if column.name in own:
            row[column.name] = own[column.name]
        elif isinstance(column.type, schema.JsonTuple):
            row[column.name] = ()
        elif not column.nullable:
            row[column.name] = {str: "x", int: 1, float: 1.0, bool: False, bytes: b"x"}[
                column.type.python_type
            ]
    return row


@pytest.mark.parametrize(("table", "column"), often(CELLS[::12], CELLS))
async def test_a_damaged_value_anywhere_reaches_nobody_else(
    house: House, pair: tuple[Table, Table], table: str, column: str
) -> None:
    broken, healthy = pair
    sql = schema.metadata.tables[table]
    is_own = f"table_id = {broken.id}" if "table_id" in sql.columns else f"user_id = {user(BO)}"
    where = (
        f"id = {broken.id}"
        if table == "tables"
        else is_own
        if {"table_id", "user_id"} & {*sql.c.keys()}
        else "true"
    )
    if not await house.store._scalar(text(f"select count(*) from {table} where {where}")):
        if table == "cup_players" or table == "cup_tables":
            await house.store._execute(insert(schema.cups), any_row(schema.cups, broken))
        if table == "audit_people":
            await house.store._execute(insert(schema.audit), any_row(schema.audit, broken))
        await house.store._execute(insert(sql), any_row(sql, broken))
    is_file = "sqlite" in str(house.store._write_engine.url)
    after = house
    for value in list_damage(sql.columns[column], is_file):
        await damage(house.store, table, column, value, where)
        after = house.restart()
        await after.parlour.resume()
        assert healthy.id in {one.id for one in await after.parlour.tables_in(GUILD)}

    await everybody_else_plays_on(after, healthy)

    await find_unreadable(house.store)


@pytest.mark.parametrize("reads", ["seats", "seats_of"])
async def test_a_table_that_is_deleted_between_two_reads_is_gone_and_not_damaged(
    house: House, pair: tuple[Table, Table], reads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = house.restart()
    row = await again.store.table(pair[0].id)
    assert row is not None
    read_seats = getattr(again.store, reads)

    async def delete_first(wanted: Any) -> Any:
        await house.store.servers.erase_tables(GUILD, 1)
        return await read_seats(wanted)

    monkeypatch.setattr(again.store, reads, delete_first)
    if reads == "seats":
        with pytest.raises(NoTable):
            await again.parlour.table(row.id)
    else:
        assert await again.parlour._repository.tables([row]) == []

    assert len(again.store.unreadable) == 0


DUMPS = sorted((Path(__file__).parents[2] / "fixtures" / "databases").glob("*.sql"))
MOVES = 12


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


@pytest.mark.databases(["sqlite"])
async def test_every_table_is_seen_by_everybody_and_a_lobby_joined_and_started(old: House) -> None:
    tables = await old.parlour.tables_in(GUILD, EVER)

    assert {table.slug for table in tables} == set(SLUGS)
    for table in tables:
        if table.deal is not None:
            for viewer in [None, *table.people]:
                assert (await old.play.perspective(table.id, viewer)).view is not None
    for table in await old.parlour.tables_in(GUILD, [Phase.LOBBY]):
        joined = await old.lobby.join(table.id, 900, "Max")
        while len(joined.seats) < joined.game.seats_for(joined.options)[0]:
            joined = await old.lobby.add_computer(table.id, table.host_id, Strength.MEDIUM)
        assert (await old.lobby.start(table.id, table.host_id)).phase is Phase.PLAY


@pytest.mark.databases(["sqlite"])
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


@pytest.mark.databases(["sqlite"])
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


@pytest.mark.databases(["sqlite"])
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
