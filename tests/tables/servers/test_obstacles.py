"""A board that can't be shown stops the clocks of its table, and nobody loses anything by it."""

from math import inf

import pytest

from tables.clocks.pace import DAY, HOUR
from tables.core import downtime
from tables.core.table import BoardObstacle, Table, WhenLate, read_obstacle
from tests.conftest import EITHER_DATABASE
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, House, user

DATABASES = EITHER_DATABASE
STEP = 3 * HOUR
"""The seconds between two checks of the bot."""


@pytest.fixture
async def table(house: House, deal_next: Dealt, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Start a game with two days each; late players leave."""
    deal_next(NEARLY)
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", inf)  # time that is jumped over counts as passed
    await house.parlour.resume()
    return await house.start(ANN, BO, mode="coop", pace="daily", when_late=WhenLate.FORFEIT)


async def pass_time(house: House, seconds: float) -> None:
    """Let time pass in steps, as a bot that runs sees it."""
    until = house.clock.now + seconds
    while house.clock.now < until:
        house.clock.now = min(until, house.clock.now + STEP)
        await house.parlour.resume()
    await house.settle()


async def block(house: House, table: Table, obstacle: BoardObstacle = BoardObstacle.LOCKED) -> Table:
    await house.parlour.obstacles.block(table.id, obstacle)
    return await house.parlour.table(table.id)


async def unblock(house: House, table: Table) -> Table:
    await house.parlour.obstacles.unblock(await house.parlour.table(table.id))
    return await house.parlour.table(table.id)


async def seconds_left(house: House, table: Table) -> float:
    [waited] = await house.parlour.waited_people(table)
    return waited.left


async def test_nobody_is_late_or_out_while_the_board_is_hidden_or_because_it_was(
    house: House, table: Table
) -> None:
    before = await seconds_left(house, table)
    await block(house, table)

    await pass_time(house, 4 * DAY)

    now = await house.parlour.table(table.id)
    assert await seconds_left(house, now) == before
    assert now.people == table.people
    assert now.clocks[0].late is None
    assert (await unblock(house, table)).people == table.people


async def test_the_clock_goes_on_when_the_board_can_be_shown(house: House, table: Table) -> None:
    before = await seconds_left(house, table)
    await block(house, table)
    await pass_time(house, DAY)

    shown = await unblock(house, table)
    await pass_time(house, 5 * HOUR)

    assert shown.obstacle is None
    assert await seconds_left(house, await house.parlour.table(table.id)) == before - 5 * HOUR


async def test_everybody_is_told_once(house: House, table: Table) -> None:
    await block(house, table)
    await block(house, table)
    await block(house, table, BoardObstacle.NO_PERMISSION)
    await house.settle()

    numbers = [target for kind, target, _ in house.courier.take_shown() if kind == "blocked"]
    assert sorted(numbers) == sorted(table.people)
    assert (await house.parlour.table(table.id)).obstacle is BoardObstacle.NO_PERMISSION


async def test_a_move_meanwhile_counts_and_starts_no_clock(house: House, table: Table) -> None:
    await block(house, table)

    await house.play_moves(table, "flip 1")
    moved = await house.parlour.table(table.id)
    before = await seconds_left(house, moved)
    await pass_time(house, DAY)

    assert await seconds_left(house, moved) == before


async def test_a_pause_and_an_obstacle_stop_the_clock_until_both_are_over(house: House, table: Table) -> None:
    await block(house, table)
    await house.parlour.pauses.pause(table.id, user(ANN), None)
    before = await seconds_left(house, table)

    await house.parlour.pauses.resume(table.id, user(ANN))
    await pass_time(house, DAY)
    assert await seconds_left(house, await house.parlour.table(table.id)) == before

    await unblock(house, table)
    await pass_time(house, HOUR)
    assert await seconds_left(house, await house.parlour.table(table.id)) == before - HOUR


async def test_an_obstacle_that_ends_in_a_pause_starts_no_clock(house: House, table: Table) -> None:
    await house.parlour.pauses.pause(table.id, user(ANN), None)
    await block(house, table)
    before = await seconds_left(house, table)

    await unblock(house, table)
    await pass_time(house, DAY)

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
