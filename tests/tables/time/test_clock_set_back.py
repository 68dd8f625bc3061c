"""The clock of the machine is set back an hour: nobody gains or loses by it, and nothing waits for it."""

import pytest
from msgspec.structs import replace

from engines.engine import Engine
from engines.game import Strength
from tables.clocks.clock import PINGS_APART, Clock, with_grace
from tables.clocks.pace import DAY, HOUR, MINUTE, PACES, Rest
from tables.core import downtime
from tables.core.table import Table
from tables.core.turns import can_be_pinged
from tables.runtime.background import TryLater
from tests.db.incidents import log_lines
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.core.test_outbox import failing
from tests.tables.house import ANN, BO, House, user

DAILY = PACES["daily"]


@pytest.fixture
async def table(house: House, deal_next: Dealt) -> Table:
    deal_next(NEARLY)
    await house.parlour.resume()
    return await house.start(ANN, BO, mode="coop")


async def set_back(house: House, seconds: float = HOUR) -> None:
    """Set the clock back, and let the bot look for due work."""
    house.clock.now -= seconds
    await house.parlour.resume()
    await house.settle()


@pytest.mark.parametrize("restarted", [False, True])
async def test_waiting_posts_are_not_delayed(
    house: House, table: Table, restarted: bool, caplog: pytest.LogCaptureFixture
) -> None:
    house.courier.before = failing(1, TryLater("Discord is down"))
    await house.play_moves(table, "flip 1")
    await house.settle()
    after = house.restart() if restarted else house

    after.clock.now -= HOUR
    await after.parlour.resume()
    await after.settle()

    assert after.courier.take_shown() == [("board", 0, True)]
    assert log_lines(caplog)[1:] == [
        "the clock went back by 3600 s; anything due by the old clock is due now"
    ]


async def test_later_rows_stay_where_they_are(house: House, table: Table) -> None:
    await house.store.ask(table.id, "notice", user(BO), table.version, True, house.clock.now + 8 * HOUR)

    await set_back(house)

    assert house.courier.take_shown() == []
    assert await house.waiting(table) == [("notice", user(BO), True)]


async def test_a_second_or_two_are_not_worth_a_word(
    house: House, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    await set_back(house, 2.0)

    assert log_lines(caplog) == []


async def test_no_bank_grows_and_nothing_is_negative(house: House, table: Table) -> None:
    house.clock.now += HOUR
    await house.parlour.resume()
    table = await house.play_moves(table, "flip 1; flip 2; pass")
    (seat,) = table.awaited
    held = table.clock(seat).left

    await set_back(house)
    (waited,) = await house.parlour.waited_people(await house.parlour.table(table.id))
    assert waited.left == held
    await house.parlour.pauses.pause(table.id, None, None)
    house.clock.now += MINUTE
    await house.parlour.pauses.resume(table.id, None)

    table = await house.parlour.table(table.id)
    assert 0 <= table.clock(seat).left <= held
    assert all(clock.left <= DAILY.cap for clock in table.clocks)


def test_a_gap_that_is_given_back_gives_no_more_than_that_for_it() -> None:
    noon = 1_000_000.0
    clock = Clock(left=DAY, since=noon, had=DAY, begun=noon)

    assert with_grace(clock, Rest(), DAILY, noon - HOUR) == replace(clock, since=noon - HOUR)


async def test_nobody_is_reminded_twice(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 3 * DAY)
    house.clock.now += DAY + MINUTE
    await house.parlour.resume()
    await house.settle()
    assert [row.kind for row, _ in house.courier.shown] == ["reminder"]

    await set_back(house)
    house.clock.now += HOUR + MINUTE
    await house.parlour.resume()
    await house.settle()

    assert [row.kind for row, _ in house.courier.shown] == ["reminder"]


async def test_a_computer_that_failed_is_tried_again_no_later(
    house: House, deal_next: Dealt, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_next(NEARLY)

    async def fail(*_args: object) -> None:
        raise RuntimeError("out of ideas")

    await house.parlour.resume()
    table = await house.gather(ANN, mode="coop", first="host")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    await house.lobby.start(table.id, user(ANN))
    with monkeypatch.context() as patched:
        patched.setattr(Engine, "think", fail)
        await house.play_moves(table, "flip 1")
        await house.settle()
    before = await house.parlour.table(table.id)
    assert before.computers_owing

    await set_back(house)

    assert (await house.parlour.table(table.id)).version > before.version


async def test_nobody_gets_a_second_digest(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 3 * DAY)
    await house.parlour.personal_settings.change(user(ANN), lambda known: replace(known, digest_hour=8))
    due = (await house.parlour.people.person(user(ANN))).digest_at
    assert due is not None
    house.clock.now = due + MINUTE
    await house.parlour.resume()
    await house.settle()
    assert len(house.courier.digests) == 1

    await set_back(house)
    house.clock.now += HOUR + MINUTE
    await house.parlour.resume()
    await house.settle()

    assert len(house.courier.digests) == 1


def test_in_one_sitting_the_next_turn_is_mentioned(table: Table) -> None:
    live = replace(table, pace=PACES["live"])
    mentioned = Clock(left=DAY, pinged=1_000_000.0)

    assert not can_be_pinged(live, mentioned, 1_000_000.0 + PINGS_APART / 2)
    assert can_be_pinged(live, mentioned, 1_000_000.0 - HOUR)
