"""Keeps the clocks: what pauses them, and how a change of a table affects them."""

from collections.abc import Callable, Collection, Sequence

import msgspec
from msgspec.structs import replace

from db.store import Store
from engines.game import Seat
from tables.clocks.clock import Clock, time_left
from tables.core.change import DecisionContext, PostRequest
from tables.core.consent import is_obsolete
from tables.core.downtime import OutageTracker
from tables.core.history import EntryLike
from tables.core.people import Notices, People, Person
from tables.core.table import Phase, Table
from tables.core.turns import (
    Rests,
    can_be_pinged,
    clocks_after,
    deadlines,
    is_mid_turn,
    next_event,
    rest_for_seat,
)


class AwaitedPerson(msgspec.Struct, frozen=True):
    """Somebody that the table waits for: their deadline, lateness, or return.

    `left` are the seconds in the bank.
    """

    seat: Seat
    until: float | None
    late: float | None
    away: float | None
    left: float


class Timekeeping:
    """Knows what pauses each clock."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.people = People(store)
        self.downtime = OutageTracker(store, clock)

    async def rests(self, table: Table) -> Rests:
        """Return what pauses the clocks of the people at a table."""
        gaps = await self.downtime.gaps(table.guild_id)
        people = await self.people.of(table.people)
        return {user_id: person.rest(gaps) for user_id, person in people.items()}

    async def waited_people(self, table: Table) -> list[AwaitedPerson]:
        """Return the people that a table waits for, in seat order."""
        rests, now = await self.rests(table), self._clock()
        ends = deadlines(table, rests)
        result = []
        for seat in table.awaited:
            clock, rest = table.clock(seat), rest_for_seat(table, seat, rests)
            left = time_left(clock, rest, now)
            result.append(AwaitedPerson(seat, ends.get(seat), clock.late, rest.away_until(now), left))
        return result

    async def now(self, table: Table, people: Collection[int] = ()) -> DecisionContext:
        """Return this instant with the settings of everybody concerned."""
        kept_for = (occupant.kept_for for occupant in table.seats)
        comes = None if table.proposal is None else table.proposal.to
        known = {user_id for user_id in (*table.people, *kept_for, comes, *people) if user_id is not None}
        gaps = await self.downtime.gaps(table.guild_id)
        return DecisionContext(self._clock(), await self.people.of(sorted(known)), gaps)


def with_clocks(
    before: Table, after: Table, entries: Sequence[EntryLike], now: DecisionContext
) -> tuple[Table, list[PostRequest]]:
    """Return the table with its clocks after a change, and notices to send.

    `entries` are those of the change; without any, only time has passed.
    """
    if Phase.PLAY not in (before.phase, after.phase):
        return replace(after, due_at=next_event(after, {})), []
    if entries and is_mid_turn(before, after, entries):
        return after, []
    rests = now.rests
    clocks = list(clocks_after(before, after, entries, rests, now.at))
    requests: list[PostRequest] = []
    for seat in after.awaited:
        begun = clocks[seat].begun == now.at
        if begun and (seat not in before.awaited or clocks[seat] != before.clock(seat)):
            person = now.person(after.seats[seat].user_id or 0)
            clocks[seat], notices = notify_of_duty(after, clocks[seat], person, now.at)
            requests += notices
    timed = replace(after, clocks=tuple(clocks))
    if is_obsolete(timed, entries):
        timed = replace(timed, proposal=None)
    if timed.phase is not Phase.PLAY:
        timed = replace(timed, paused_at=None, paused_until=None, obstacle=None, refusal=0)
    return replace(timed, due_at=next_event(timed, rests)), requests


def notify_of_duty(table: Table, clock: Clock, person: Person, now: float) -> tuple[Clock, list[PostRequest]]:
    """Return the clock of a new duty, and its notices. In a quiet time the notice waits until its end."""
    if not can_be_pinged(table, clock, now):
        return replace(clock, quiet=True), []
    at = now if table.pace.one_sitting else person.awake_at(now)
    mentioned = person.notices in (Notices.THREAD, Notices.BOTH) and at == now
    apart = person.notices is not Notices.NONE and not (mentioned and person.notices is Notices.THREAD)
    clock = replace(clock, quiet=not mentioned, pinged=clock.pinged if person.notices is Notices.NONE else at)
    return clock, [PostRequest("notice", person.user_id, fresh=True, at=at)] if apart else []
