import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

import pytest
from sqlalchemy import Engine, event

from db.records import AuditRow
from db.store import Store
from tables.clocks.pace import DAY, HOUR, PACES
from tables.core import downtime
from tables.core.table import BoardObstacle, Occupant, Phase, Refused, Table, Terms, WhenLate, read_obstacle
from tables.servers.servers import ERASED, KEPT_DAYS
from tests.conftest import EITHER_DATABASE
from tests.db.rows import change, connect, new_table, step
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, GUILD, House, user

DATABASES = EITHER_DATABASE


ELSEWHERE = 99


@pytest.fixture(autouse=True)
def deck(deal_next: Dealt, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal games that aren't lost at once; the bot is never away."""
    deal_next(NEARLY)
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 1e9)


async def open_lobby(house: House, guild_id: int, *people: Occupant) -> Table:
    host, *others = people
    options = (await house.gather(host, mode="coop", first="host")).options
    terms = Terms(PACES["daily"])
    return await house.lobby.create(guild_id, CHANNEL, host, "ribbon", options, tuple(others), terms=terms)


async def begin_game(house: House, guild_id: int = GUILD) -> Table:
    return await house.lobby.start((await open_lobby(house, guild_id, ANN, BO)).id, user(ANN))


async def left_of(house: House, table: Table) -> float:
    """Return the seconds left for the person to move."""
    (waited,) = await house.parlour.waited_people(await house.parlour.table(table.id))
    return waited.left


async def test_nothing_is_due_in_a_removed_server_and_all_goes_on_after_it(house: House) -> None:
    table, lobby = await begin_game(house), await open_lobby(house, GUILD, ANN)
    other = await begin_game(house, ELSEWHERE)
    before = await left_of(house, table)

    await house.parlour.servers.on_removal(GUILD)
    house.clock.now += 10 * DAY
    await house.parlour.resume()
    await house.settle()

    with pytest.raises(Refused, match="paused"):
        await house.move(table, ANN, "flip 1")
    assert (await house.parlour.table(lobby.id)).phase is Phase.LOBBY
    assert (await house.parlour.table(other.id)).paused_at is None

    again = house.restart()
    await again.parlour.servers.compare([GUILD, ELSEWHERE])
    await again.parlour.resume()

    assert await left_of(again, table) == before
    assert (await again.parlour.table(lobby.id)).phase is Phase.LOBBY
    await again.move(table, ANN, "flip 1")


async def test_a_game_that_somebody_lets_go_on_meanwhile_is_paused_again(house: House) -> None:
    table = await begin_game(house)
    await house.parlour.servers.on_removal(GUILD)

    await house.parlour.pauses.resume(table.id, user(ANN))
    await house.parlour.resume()

    assert (await house.parlour.table(table.id)).paused_at is not None


async def test_a_server_that_is_known_no_more_was_removed_while_nobody_listened(house: House) -> None:
    await begin_game(house)
    await begin_game(house, ELSEWHERE)

    await house.parlour.servers.compare([ELSEWHERE])

    assert list(await house.restart().parlour.servers.removed_servers()) == [GUILD]


async def add_servers(house: House, number: int) -> list[int]:
    servers = [GUILD + (shift << 22) for shift in range(number)]
    for guild_id in servers:
        await open_lobby(house, guild_id, ANN)
    return servers


@pytest.mark.parametrize(("known", "gone"), [(1, 1), (2, 2), (3, 2), (6, 3)])
async def test_few_servers_that_are_gone_have_removed_the_bot(house: House, known: int, gone: int) -> None:
    servers = await add_servers(house, known)

    await house.parlour.servers.compare(servers[gone:])

    assert list(await house.parlour.servers.removed_servers()) == servers[:gone]
    assert not house.parlour.servers.doubtful_servers


@pytest.mark.parametrize(("known", "gone"), [(3, 3), (5, 3), (6, 4)])
async def test_more_than_half_of_all_servers_gone_at_once_is_a_fault_and_no_removal(
    house: House, known: int, gone: int, caplog: pytest.LogCaptureFixture
) -> None:
    servers = await add_servers(house, known)
    table = await begin_game(house)
    house.parlour.servers.kept_days = 0.0

    for _ in range(2):
        await house.parlour.servers.compare(servers[gone:])
        await house.parlour.resume()

    assert await house.parlour.servers.removed_servers() == {}
    assert (await house.parlour.table(table.id)).paused_at is None
    assert house.parlour.servers.doubtful_servers == set(servers[:gone])
    (text,) = (record.getMessage() for record in caplog.records if record.levelname == "ERROR")
    assert f"{gone} of its {known} servers" in text
    assert "DISCORD_TOKEN" in text

    await house.parlour.servers.compare(servers)

    assert not house.parlour.servers.doubtful_servers


async def test_a_server_that_says_goodbye_is_believed_whatever_else_seems_gone(house: House) -> None:
    servers = await add_servers(house, 3)
    await house.parlour.servers.compare([])

    await house.parlour.servers.on_removal(servers[0])

    assert list(await house.parlour.servers.removed_servers()) == servers[:1]
    assert house.parlour.servers.doubtful_servers == set(servers[1:])


async def test_each_process_compares_the_servers_of_its_own_shards(house: House) -> None:
    servers = await add_servers(house, 8)
    house.store.shards.divide(2)
    house.store.shards.hold({0})

    await house.parlour.servers.compare(servers[::2])
    assert not house.parlour.servers.doubtful_servers
    assert await house.parlour.servers.removed_servers() == {}

    await house.parlour.servers.compare(servers[6::2])
    assert house.parlour.servers.doubtful_servers == set(servers[:6:2])


async def test_erasing_a_server_goes_step_by_step_and_touches_nothing_else(house: House) -> None:
    other = await begin_game(house, ELSEWHERE)
    for number in range(ERASED):
        await house.gather(Occupant("Eve", 1000 + number))
    table = await begin_game(house)
    await house.parlour.servers.on_removal(GUILD)

    house.clock.now += (KEPT_DAYS + 1) * DAY
    await house.parlour.servers.sweep()

    assert await house.store.servers.known_servers() == {ELSEWHERE}
    assert (await house.parlour.table(other.id)).phase is Phase.PLAY
    with pytest.raises(Refused, match="There's no table"):
        await house.parlour.table(table.id)
    assert await house.parlour.servers.removed_servers() == {}


STRANGER = 987_654_321_012_345_678
Asked = list[tuple[str, Any]]
SMALL = re.compile(r"SCAN (anon_1|erasures.*|CONSTANT ROW|\(subquery-\d\))")
"""Tables that may be read as a whole: erasures that are under way, and what a query itself has found."""


@contextmanager
def record_statements() -> Iterator[Asked]:
    """Record every statement to the database with its values."""
    asked: Asked = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def scans(database: str, asked: Asked) -> list[str]:
    """Return what SQLite would scan to answer."""
    result = []
    async with connect(database) as connection:
        for statement, values in asked:
            one = values[0] if isinstance(values, list) else values  # a list is one statement for many rows
            plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", one)
            result += [row.detail for row in plan if "SCAN" in row.detail]
    return result


@pytest.mark.databases(["sqlite"])
async def test_no_table_is_read_as_a_whole_to_tell_what_is_kept(house: House, database: str) -> None:
    await house.play_moves(await house.start(ANN, BO, mode="coop"), "flip 1")

    with record_statements() as asked:
        await house.parlour.data_export.count_data(user(ANN))
        await house.parlour.data_export.file(user(ANN))

    assert len(asked) > 20
    assert [line for line in await scans(database, asked) if not SMALL.fullmatch(line)] == []


@pytest.mark.databases(["sqlite"])
async def test_no_table_is_read_as_a_whole_to_erase_somebody(house: House, database: str) -> None:
    table = await house.start(ANN, BO, mode="coop")
    await house.parlour.kick(table.id, user(BO), ADMIN)
    kick = AuditRow(GUILD, table.id, ADMIN, "kick", f'{{"person":{user(ANN)}}}', house.clock.now)
    await house.store.administration.add_audit(kick)

    with record_statements() as asked:
        await house.parlour.eraser.erase(user(ANN))

    assert len(asked) > 50
    assert [line for line in await scans(database, asked) if not SMALL.fullmatch(line)] == []


@pytest.mark.databases(["sqlite"])
async def test_a_person_named_only_in_a_history_is_found(store: Store) -> None:
    began, came, left, other = [await new_table(store) for _ in range(4)]
    entries = {
        began: step(1, kind="start", payload=f'{{"people":[101,{STRANGER},null],"names":["Ann","Z","Ada"]}}'),
        came: step(1, kind="take_over", payload=f'{{"old":"Ada","new":"Z","came":{STRANGER}}}'),
        left: step(1, kind="take_over", payload=f'{{"old":"Z","new":"Bo","left":{STRANGER},"came":102}}'),
        other: step(1),
    }

    for table, entry in entries.items():
        await store.commit(change(table, actions=(entry,)))

    assert [row.id for row in await store.personal.tables_about(STRANGER)] == [began, came, left]
    assert [row.id for row in await store.personal.tables_about(102)] == [left]


@pytest.mark.databases(["sqlite"])
async def test_a_move_notes_nobody(store: Store) -> None:
    table = await new_table(store)

    with record_statements() as asked:
        await store.commit(change(table))

    assert not [statement for statement, _ in asked if "named" in statement]


@pytest.fixture
async def table(house: House, deal_next: Dealt, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Start a game with two days each; late players leave."""
    deal_next(NEARLY)
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", inf)  # time that is jumped over counts as passed
    await house.parlour.resume()
    return await house.start(ANN, BO, mode="coop", pace="daily", when_late=WhenLate.FORFEIT)


async def block(house: House, table: Table, obstacle: BoardObstacle = BoardObstacle.LOCKED) -> Table:
    await house.parlour.obstacles.block(table.id, obstacle)
    return await house.parlour.table(table.id)


async def unblock(house: House, table: Table) -> Table:
    await house.parlour.obstacles.unblock(await house.parlour.table(table.id))
    return await house.parlour.table(table.id)


async def seconds_left(house: House, table: Table) -> float:
    [waited] = await house.parlour.waited_people(table)
    return waited.left


async def test_nobody_is_late_while_the_board_is_hidden_and_the_clock_goes_on(
    house: House, table: Table
) -> None:
    before = await seconds_left(house, table)
    await block(house, table)

    await house.pass_time(4 * DAY)

    now = await house.parlour.table(table.id)
    assert await seconds_left(house, now) == before
    assert now.people == table.people
    assert now.clocks[0].late is None
    assert (await unblock(house, table)).people == table.people

    shown = await unblock(house, table)
    await house.pass_time(5 * HOUR)

    assert shown.obstacle is None
    assert await seconds_left(house, await house.parlour.table(table.id)) == before - 5 * HOUR


async def test_all_are_told_once_and_a_move_meanwhile_starts_no_clock(house: House, table: Table) -> None:
    await block(house, table)
    await block(house, table)
    await block(house, table, BoardObstacle.NO_PERMISSION)
    await house.settle()

    numbers = [target for kind, target, _ in house.courier.take_shown() if kind == "blocked"]
    assert sorted(numbers) == sorted(table.people)
    assert (await house.parlour.table(table.id)).obstacle is BoardObstacle.NO_PERMISSION

    await house.play_moves(table, "flip 1")
    moved = await house.parlour.table(table.id)
    before = await seconds_left(house, moved)
    await house.pass_time(DAY)

    assert await seconds_left(house, moved) == before


async def test_a_pause_and_an_obstacle_stop_the_clock_until_both_are_over(house: House, table: Table) -> None:
    await block(house, table)
    await house.parlour.pauses.pause(table.id, user(ANN), None)
    before = await seconds_left(house, table)

    await house.parlour.pauses.resume(table.id, user(ANN))
    await house.pass_time(DAY)
    assert await seconds_left(house, await house.parlour.table(table.id)) == before

    await unblock(house, table)
    await house.pass_time(HOUR)
    assert await seconds_left(house, await house.parlour.table(table.id)) == before - HOUR


async def test_an_obstacle_that_ends_in_a_pause_starts_no_clock(house: House, table: Table) -> None:
    await house.parlour.pauses.pause(table.id, user(ANN), None)
    await block(house, table)
    before = await seconds_left(house, table)

    await unblock(house, table)
    await house.pass_time(DAY)

    assert await seconds_left(house, await house.parlour.table(table.id)) == before


async def test_the_code_of_a_refusal_survives_a_restart_and_ends_with_it(house: House, table: Table) -> None:
    for obstacle in BoardObstacle:
        await house.parlour.obstacles.block(table.id, obstacle, 160006)
        again = await house.restart().parlour.table(table.id)
        assert (again.obstacle, again.refusal) == (obstacle, 160006)

    shown = await unblock(house, table)
    assert (shown.obstacle, shown.refusal) == (None, 0)


@pytest.mark.parametrize("obstacle", BoardObstacle)
def test_an_obstacle_that_an_earlier_version_saved_is_read(obstacle: BoardObstacle) -> None:
    assert read_obstacle(str(obstacle)) == (obstacle, 0)


async def test_a_lobby_has_no_clock_to_stop(house: House) -> None:
    lobby = await house.gather(ANN, mode="coop")

    assert (await block(house, lobby)).obstacle is None
