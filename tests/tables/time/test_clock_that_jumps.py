"""A clock that jumps and is put right: deadlines stay, and nothing that can't be undone happens."""

from __future__ import annotations

import pytest

from tables.clocks.pace import DAY, HOUR, MINUTE, PACES
from tables.core.table import Phase, Table
from tests.conftest import EVERY_DATABASE
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CY, GUILD, House

DATABASES = EVERY_DATABASE
JUMPS = [2 * HOUR, 30 * DAY, 365 * DAY]


@pytest.fixture
async def table(house: House, deal_next: Dealt) -> Table:
    """Start a game with a clock, with a live bot."""
    deal_next(NEARLY)
    await house.parlour.resume()
    return await house.start(ANN, BO, mode="coop")


async def jump(house: House, seconds: float, *, restarted: bool) -> House:
    """Let the clock be wrong for two minutes, then right again."""
    for change in (seconds, MINUTE, MINUTE, -seconds):
        house = house.restart() if restarted else house
        house.clock.now += change
        await house.parlour.resume()
        await house.settle()
    await house.parlour.resume()
    return house


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seconds", JUMPS)
async def test_a_clock_that_ran_ahead_moves_no_deadline(
    house: House, table: Table, seconds: float, restarted: bool
) -> None:
    assert table.pace == PACES["daily"]
    (before,) = await house.parlour.waited_people(table)

    after = await jump(house, seconds, restarted=restarted)

    now = await after.parlour.table(table.id)
    (waited,) = await after.parlour.waited_people(now)
    assert before.until is not None
    assert waited.until is not None
    assert abs(waited.until - before.until) <= 5 * MINUTE
    assert now.due_at is not None
    assert now.due_at <= waited.until
    assert await after.store.downtime.gaps() == []


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seconds", JUMPS)
async def test_a_clock_that_ran_behind_moves_no_deadline(
    house: House, table: Table, seconds: float, restarted: bool
) -> None:
    (before,) = await house.parlour.waited_people(table)

    after = await jump(house, -seconds, restarted=restarted)

    (waited,) = await after.parlour.waited_people(await after.parlour.table(table.id))
    assert before.until is not None
    assert waited.until is not None
    assert abs(waited.until - before.until) <= 5 * MINUTE


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seconds", JUMPS)
async def test_no_lobby_expires_and_no_server_is_erased_by_a_clock_that_ran_ahead(
    house: House, table: Table, seconds: float, restarted: bool
) -> None:
    lobby = await house.gather(CY)
    await house.parlour.servers.on_removal(GUILD)

    after = await jump(house, seconds, restarted=restarted)

    assert (await after.parlour.table(lobby.id)).phase is Phase.LOBBY
    assert (await after.parlour.table(table.id)).phase is Phase.PLAY
