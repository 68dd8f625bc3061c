import asyncio
import math

import pytest
from msgspec.structs import replace
from sqlalchemy import event

from engines.game import Strength
from tables.clocks.pace import DAY, HOUR
from tables.core.people import Notices, begin_holiday, with_quiet
from tables.core.table import Occupant, ProposalKind, Table
from tables.lobby import decisions as lobby_decisions
from tables.people import Digest
from tables.runtime import TryLater
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CY, DEE, House, failing, user

MORNING = 1_000_000 // 86400 * 86400 + DAY + 8 * HOUR
"""The first eight o'clock after the clock of the house begins."""


@pytest.fixture(autouse=True)
async def deck(deal_next: Dealt, house: House) -> None:
    """Deal games that are not lost at once; keep the bot alive."""
    deal_next(NEARLY)
    await house.parlour.resume()


async def start_co_op(house: House, *occupants: Occupant, pace: str = "daily") -> Table:
    return await house.start(*occupants, mode="coop", pace=pace)


async def at_eight(house: House, occupant: Occupant = ANN) -> None:
    """Order a digest at eight."""
    await house.parlour.personal_settings.change(user(occupant), lambda known: replace(known, digest_hour=8))


async def alive_until(house: House, instant: float) -> None:
    """Keep the bot alive until an instant, and ignore its work."""
    house.clock.now = instant
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tables.core.downtime.SHORTEST_OUTAGE", math.inf)
        await swept(house)


async def swept(house: House) -> None:
    await house.parlour.resume()
    await house.parlour.digests.sweep()
    await house.settle()


async def take_sent(house: House) -> list[Digest]:
    """Return the digests that were sent since the last look."""
    taken, house.courier.digests = [digest for digest, _ in house.courier.digests], []
    return taken


async def test_a_digest_lists_what_waits_the_most_urgent_first(house: House) -> None:
    slow = await start_co_op(house, ANN, BO, pace="weekly")
    quick = await start_co_op(house, ANN, BO)
    await start_co_op(house, BO, ANN)
    await at_eight(house)
    await alive_until(house, MORNING - 1)
    assert await take_sent(house) == []

    await alive_until(house, MORNING + 5)

    (digest,) = await take_sent(house)
    assert (digest.user_id, digest.due_at, digest.gap) == (user(ANN), MORNING, None)
    assert [standing.table.id for standing in digest.overview.mine] == [quick.id, slow.id]


async def test_it_comes_once_a_day_and_not_at_night_or_on_a_holiday(house: House) -> None:
    await start_co_op(house, ANN, BO, pace="weekly")
    await at_eight(house)
    now = house.clock.now
    await house.parlour.personal_settings.change(
        user(ANN), lambda known: begin_holiday(known, now + 3 * DAY, "", now)
    )

    await alive_until(house, MORNING + 2 * DAY)
    assert await take_sent(house) == []
    morning = MORNING + 3 * DAY
    await alive_until(house, morning)
    await swept(house)
    await alive_until(house, morning + DAY - 1)
    assert len(await take_sent(house)) == 1

    await alive_until(house, morning + DAY)

    assert [digest.due_at for digest in await take_sent(house)] == [morning + DAY]

    await house.parlour.personal_settings.change(user(ANN), lambda known: with_quiet(known, 23 * 60, 9 * 60))
    await alive_until(house, morning + 2 * DAY + HOUR - 1)
    assert await take_sent(house) == []

    await alive_until(house, morning + 2 * DAY + HOUR)

    assert [digest.due_at for digest in await take_sent(house)] == [morning + 2 * DAY]


async def test_it_tells_what_has_ended_since_the_last(house: House) -> None:
    table = await start_co_op(house, ANN, BO)
    await at_eight(house)
    await house.play.resign(table.id, user(BO))
    await alive_until(house, MORNING)
    (first,) = await take_sent(house)
    assert [ended.id for ended in first.overview.ended] == [table.id]

    await alive_until(house, MORNING + DAY)

    assert await take_sent(house) == []


async def test_with_nothing_to_tell_there_is_no_message(house: House) -> None:
    await start_co_op(house, BO, ANN)
    await at_eight(house)

    await alive_until(house, MORNING + 1)

    assert await take_sent(house) == []
    assert (await house.parlour.people.person(user(ANN))).digest_at == MORNING + DAY


@pytest.mark.parametrize("error", [TryLater("an outage"), ZeroDivisionError("a bug")], ids=["later", "bug"])
async def test_a_failed_post_is_retried_and_looked_for_first(house: House, error: Exception) -> None:
    await start_co_op(house, ANN, BO, pace="weekly")
    await at_eight(house)
    house.courier.sending = failing(2, error)

    await alive_until(house, MORNING)
    await alive_until(house, MORNING + 4)
    assert house.courier.digests == []
    await alive_until(house, MORNING + 6)
    await alive_until(house, MORNING + 30)
    await alive_until(house, MORNING + 300)

    assert [(digest.due_at, maybe) for digest, maybe in house.courier.digests] == [(MORNING, True)]


async def test_one_who_cannot_be_reached_keeps_no_other_waiting(house: House) -> None:
    await start_co_op(house, ANN, CY, pace="weekly")
    await start_co_op(house, CY, ANN, pace="weekly")
    await at_eight(house)
    await at_eight(house, CY)

    async def only_ann(digest: Digest) -> None:
        if digest.user_id == user(ANN):
            raise TryLater("a rate limit", 100)

    house.courier.sending = only_ann
    await alive_until(house, MORNING)

    assert [digest.user_id for digest in await take_sent(house)] == [user(CY)]


async def test_a_death_between_the_message_and_its_note_is_looked_for_at_the_next_start(house: House) -> None:
    await start_co_op(house, ANN, BO, pace="weekly")
    await at_eight(house)

    async def dies(_digest: Digest) -> None:
        raise asyncio.CancelledError

    house.courier.sending = dies
    await alive_until(house, MORNING)
    house.clock.now += 60
    again = house.restart()
    await swept(again)
    await swept(again)

    assert [(digest.due_at, maybe) for digest, maybe in again.courier.digests] == [(MORNING, True)]


async def test_after_a_long_gap_everybody_who_is_waited_for_is_told_once(house: House) -> None:
    await start_co_op(house, ANN, BO, pace="weekly")
    await start_co_op(house, CY, ANN, pace="weekly")
    gone = house.clock.now
    house.clock.now += 3 * DAY
    again = house.restart()

    for _ in range(3):
        await swept(again)
        again.clock.now += 60

    digests = await take_sent(again)
    assert sorted(digest.user_id for digest in digests) == [user(ANN), user(CY)]
    assert [digest.gap for digest in digests] == [(gone, gone + 3 * DAY)] * 2
    assert (await again.parlour.people.person(user(ANN))).digest_at is None


async def test_after_a_gap_who_wants_no_notice_gets_none(house: House) -> None:
    await start_co_op(house, ANN, BO, pace="weekly")
    await house.parlour.personal_settings.change(
        user(ANN), lambda known: replace(known, notices=Notices.NONE)
    )
    house.clock.now += DAY
    again = house.restart()

    await swept(again)

    assert await take_sent(again) == []


async def test_after_a_gap_who_has_an_hour_is_told_at_once_and_then_at_that_hour(house: House) -> None:
    await start_co_op(house, ANN, BO, pace="weekly")
    await at_eight(house)
    house.clock.now = MORNING + 2 * DAY + HOUR
    again = house.restart()
    await swept(again)
    (first,) = await take_sent(again)
    assert first.gap is not None

    await alive_until(again, MORNING + 3 * DAY)

    (second,) = await take_sent(again)
    assert (second.due_at, second.gap) == (MORNING + 3 * DAY, None)


async def test_an_hour_set_anew_while_a_digest_is_sent_stays(house: House) -> None:
    await start_co_op(house, ANN, BO, pace="weekly")
    await at_eight(house)

    async def meanwhile(_digest: Digest) -> None:
        await house.parlour.personal_settings.change(user(ANN), lambda known: replace(known, digest_hour=20))

    house.courier.sending = meanwhile
    await alive_until(house, MORNING)

    assert (await house.parlour.people.person(user(ANN))).digest_at == MORNING + 12 * HOUR


async def overview(house: House, who: Occupant = ANN) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return somebody's tables: own moves, others' moves, lobbies, ended. Ended ones are of the last week."""
    result = await house.parlour.overviews.of(user(who), house.clock.now - 7 * DAY)
    return (
        [standing.table.id for standing in result.mine],
        [standing.table.id for standing in result.others],
        [table.id for table in result.lobbies],
        [table.id for table in result.ended],
    )


async def next_id(house: House, beside: int = 0, who: Occupant = ANN) -> int | None:
    """Return somebody's most urgent table, except `beside`."""
    turn = await house.parlour.overviews.next_turn(user(who), beside)
    return None if turn is None else turn.table_id


async def test_tables_are_told_apart_and_who_has_no_duty_has_no_next_one(house: House) -> None:
    mine = await start_co_op(house, ANN, BO)
    others = await start_co_op(house, BO, ANN)
    lobby = await house.gather(CY, ANN)
    ended = await start_co_op(house, ANN, CY)
    await house.play.resign(ended.id, user(ANN))
    await start_co_op(house, BO, CY)
    cancelled = await house.gather(ANN)
    await house.decide(cancelled.id, lobby_decisions.cancel, user_id=user(ANN))

    assert await overview(house) == ([mine.id], [others.id], [lobby.id], [ended.id])
    assert await next_id(house, mine.id) is None
    assert await next_id(house, who=DEE) is None
    house.clock.now += 8 * DAY
    assert (await overview(house))[3] == []


async def test_the_most_urgent_comes_first(house: House) -> None:
    slow = await start_co_op(house, ANN, BO, pace="weekly")
    quick = await start_co_op(house, ANN, BO, pace="brisk")
    free = await start_co_op(house, ANN, BO, pace="none")

    assert (await overview(house))[0] == [quick.id, free.id, slow.id]
    assert await next_id(house) == quick.id
    assert await next_id(house, quick.id) == free.id


async def test_where_one_is_late_comes_before_all(house: House) -> None:
    late = await start_co_op(house, ANN, BO, pace="brisk")
    house.clock.now += 12 * HOUR + 1
    await house.parlour.due.look(late.id)
    live = await start_co_op(house, ANN, BO, pace="live")

    assert (await overview(house))[0] == [late.id, live.id]
    assert await next_id(house) == late.id
    turn = await house.parlour.overviews.next_turn(user(ANN), 0)
    assert turn is not None
    assert turn.until is None


async def test_paused_tables_wait_for_nobody_and_quiet_hours_count_in_what_is_next(house: House) -> None:
    paused = await start_co_op(house, ANN, BO)
    for who in (ANN, BO):
        await house.parlour.proposals.propose(paused.id, user(who), ProposalKind.PAUSE)

    assert await overview(house) == ([], [paused.id], [], [])
    assert await next_id(house) is None

    table = await start_co_op(house, ANN, BO)
    turn = await house.parlour.overviews.next_turn(user(ANN), 0)
    assert turn is not None
    (waited,) = await house.parlour.waited_people(table)

    assert turn.until == waited.until
    assert (turn.slug, turn.version) == ("ribbon", table.version)


class ReadCounts:
    """Counts the statements that a store reads by."""

    def __init__(self, house: House) -> None:
        self.number = 0
        engine = house.store._reader.connections.engine
        event.listen(engine, "before_cursor_execute", self._count)

    def _count(self, *_args: object) -> None:
        self.number += 1


async def test_however_many_tables_there_are_it_takes_a_few_queries(house: House) -> None:
    for number in range(6):
        table = await start_co_op(house, ANN, replace(BO, user_id=200 + number))
        if number % 2:
            await house.lobby.add_computer((await house.gather(ANN)).id, user(ANN), Strength.MEDIUM)
        assert table.version
    again = house.restart()
    await again.parlour.waited_people(table)
    counted = ReadCounts(again)

    result = await again.parlour.overviews.of(user(ANN), 0.0)

    assert len(result.mine) == 6
    assert counted.number == 4
    counted.number = 0
    assert await next_id(again) is not None
    assert counted.number == 1
