import pytest
from msgspec.structs import replace

from engines.engine import Engine
from engines.game import Strength
from tables.clocks.clock import BELIEVED_AFTER, PINGS_APART, Clock, TrustedClock, with_grace
from tables.clocks.pace import DAY, HOUR, MINUTE, NONE, PACES, Rest
from tables.core import downtime
from tables.core.table import Phase, Table
from tables.core.turns import can_be_pinged
from tables.cups.cups import CupTerms
from tables.cups.schedule import Cup
from tables.runtime import TryLater
from tests.conftest import EVERY_DATABASE
from tests.db.incidents import log_lines
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CHANNEL, CY, DEE, GUILD, House, HouseClock, failing, user

DATABASES = EVERY_DATABASE

JUMPS = [2 * HOUR, 30 * DAY, 365 * DAY]


@pytest.fixture
async def table(house: House, deal_next: Dealt) -> Table:
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


async def begin_cup(house: House) -> Cup:
    """Begin a cup of four, with rounds of a day."""
    cup = await house.parlour.cups.open(GUILD, CHANNEL, CY, "ribbon", CupTerms(8, NONE, days=1))
    for one in (ANN, BO, DEE):
        await house.parlour.cups.join(cup.id, user(one), one.name)
    return await house.parlour.cups.start(cup.id, user(CY))


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seconds", [sign * jump for jump in JUMPS for sign in (1, -1)])
async def test_a_clock_that_ran_ahead_or_behind_moves_no_deadline(
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
    assert seconds < 0 or await after.store.downtime.gaps() == []
    assert seconds < 0 or (now.due_at is not None and now.due_at <= waited.until)


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


@pytest.mark.parametrize("seconds", JUMPS)
async def test_a_fast_clock_ends_no_round_and_keeps_all(house: House, table: Table, seconds: float) -> None:
    cup = await begin_cup(house)
    await house.parlour.looking.look(GUILD, 7, "Gil", ["tesla"], ())
    await house.parlour.resume()

    after = await jump(house, seconds, restarted=True)

    assert (await after.parlour.cups.cup(cup.id)).round == 1
    assert await after.store.relations.wishes_of(GUILD, 7, 0.0)


async def test_a_round_ends_a_day_after_a_long_outage(house: House) -> None:
    cup = await begin_cup(house)
    await house.parlour.resume()

    house.clock.now += 2 * DAY
    await house.parlour.resume()
    waited = (await house.parlour.cups.cup(cup.id)).round
    for _ in range(25):
        house.clock.now += HOUR - 1
        await house.parlour.resume()

    assert waited == 1
    assert (await house.parlour.cups.cup(cup.id)).round == 2


@pytest.mark.parametrize("seconds", JUMPS)
async def test_a_duty_and_a_round_begun_by_a_clock_that_ran_ahead_begin_when_it_is_right_again(
    house: House, table: Table, deal_next: Dealt, seconds: float
) -> None:
    house.clock.now += seconds
    ahead = house.restart()
    await ahead.parlour.resume()
    deal_next(NEARLY)
    begun = await ahead.start(BO, CY, mode="coop")
    cup = await begin_cup(ahead)
    await ahead.settle()

    house.clock.now -= seconds
    right = house.restart()
    await right.parlour.resume()
    await right.parlour.resume()

    now = await right.parlour.table(begun.id)
    (waited,) = await right.parlour.waited_people(now)
    assert waited.until is not None
    assert waited.until <= house.clock.now + now.pace.bank + 2 * HOUR
    began_at = (await right.parlour.cups.cup(cup.id)).began_at
    assert began_at is not None
    assert began_at <= house.clock.now


class Machine(HouseClock):
    """A machine whose wall clock can be set; its ticks can't."""

    def __init__(self) -> None:
        super().__init__()
        self.ticks, self.off = 1_000_000.0, 0.0
        self.clock = TrustedClock(lambda: self.ticks + self.off, lambda: self.ticks)

    def __call__(self) -> float:
        return self.clock()


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.mark.parametrize("seconds", [jump * sign for jump in JUMPS for sign in (1, -1)])
def test_a_jump_while_running_is_not_believed_for_ten_minutes(machine: Machine, seconds: float) -> None:
    machine.off = seconds
    assert machine.clock() == machine.ticks

    machine.ticks += BELIEVED_AFTER - 1
    assert machine.clock() == machine.ticks
    machine.off = 0.0
    assert machine.clock() == machine.ticks

    machine.off = seconds
    machine.clock()
    machine.ticks += BELIEVED_AFTER
    assert machine.clock() == machine.ticks + seconds


def test_a_second_jump_begins_the_ten_minutes_anew(machine: Machine) -> None:
    machine.off = 30 * DAY
    machine.clock()
    machine.ticks += BELIEVED_AFTER - 1
    machine.off = 2 * DAY
    machine.clock()
    machine.ticks += BELIEVED_AFTER - 1

    assert machine.clock() == machine.ticks


@pytest.mark.parametrize("seconds", [jump * sign for jump in JUMPS for sign in (1, -1)])
def test_discords_time_corrects_a_clock_that_is_wrong_from_the_start(seconds: float) -> None:
    machine = Machine()
    machine.off = seconds
    clock = TrustedClock(lambda: machine.ticks + machine.off, lambda: machine.ticks)
    assert clock() == machine.ticks + seconds

    clock.compare(machine.ticks)
    machine.ticks += DAY

    assert clock() == machine.ticks
    machine.off = 3.0
    assert clock() == machine.ticks + 3


def test_discords_time_confirms_a_jump_at_once(machine: Machine) -> None:
    machine.off = 2 * DAY
    assert machine.clock() == machine.ticks

    machine.clock.compare(machine.ticks + 2 * DAY + 1)

    assert machine.clock() == machine.ticks + 2 * DAY


def test_small_steps_are_believed_at_once(machine: Machine) -> None:
    machine.off = -HOUR + 1
    assert machine.clock() == machine.ticks - HOUR + 1


@pytest.mark.parametrize("seconds", [jump * sign for jump in JUMPS for sign in (1, -1)])
async def test_nothing_follows_from_an_unbelieved_jump(house: House, table: Table, seconds: float) -> None:
    machine = Machine()
    house.clock.now = machine.ticks
    steady = House(house.store, house.workers, machine)
    house._later.append(steady)
    await steady.parlour.resume()
    day = steady.parlour.daily.today
    (before,) = await steady.parlour.waited_people(await steady.parlour.table(table.id))

    for off in (seconds, seconds, 0.0):
        machine.off = off
        machine.ticks += MINUTE
        await steady.parlour.resume()
        assert steady.parlour.daily.today == day

    (after,) = await steady.parlour.waited_people(await steady.parlour.table(table.id))
    assert after.until == before.until
    assert await steady.store.downtime.gaps() == []


DAILY = PACES["daily"]


async def set_back(house: House, seconds: float = HOUR) -> None:
    """Set the clock back, and let the bot look for due work."""
    house.clock.now -= seconds
    await house.parlour.resume()
    await house.settle()


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.databases(["sqlite"])
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


@pytest.mark.databases(["sqlite"])
async def test_two_seconds_are_not_worth_a_word_and_later_rows_stay(
    house: House, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    await set_back(house, 2.0)

    assert log_lines(caplog) == []

    await house.store.ask(table.id, "notice", user(BO), table.version, True, house.clock.now + 8 * HOUR)

    await set_back(house)

    assert house.courier.take_shown() == []
    assert await house.waiting(table) == [("notice", user(BO), True)]


@pytest.mark.databases(["sqlite"])
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


@pytest.mark.databases(["sqlite"])
def test_a_gap_that_is_given_back_gives_no_more_than_that_for_it() -> None:
    noon = 1_000_000.0
    clock = Clock(left=DAY, since=noon, had=DAY, begun=noon)

    assert with_grace(clock, Rest(), DAILY, noon - HOUR) == replace(clock, since=noon - HOUR)


@pytest.mark.databases(["sqlite"])
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


@pytest.mark.databases(["sqlite"])
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


@pytest.mark.databases(["sqlite"])
async def test_no_digest_comes_twice(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.databases(["sqlite"])
def test_in_one_sitting_the_next_turn_is_mentioned(table: Table) -> None:
    live = replace(table, pace=PACES["live"])
    mentioned = Clock(left=DAY, pinged=1_000_000.0)

    assert not can_be_pinged(live, mentioned, 1_000_000.0 + PINGS_APART / 2)
    assert can_be_pinged(live, mentioned, 1_000_000.0 - HOUR)
