"""Keeps the clocks: what a commit does to them, and what time makes happen at a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from db.records import ActionRow
from db.store import Store
from engines.game import Seat
from tables.clocks.clock import Clock, time_left
from tables.clocks.turns import (
    Rests,
    advanced,
    deadlines,
    may_be_pinged,
    next_event,
    rest_of,
    unmoved,
)
from tables.consent import moot
from tables.downtime import Downtime
from tables.model import Phase, Table
from tables.people import Notices, People, Person

Due = tuple[str, int, bool, float]
"""What is to be shown from an instant on: kind, target, whether afresh, when."""


class Waited(msgspec.Struct, frozen=True):
    """Somebody who is waited for: until when, or since when they are late, or until when they are away.

    `left` are the seconds in the bank.
    """

    seat: Seat
    until: float | None
    late: float | None
    away: float | None
    left: float


class Timekeeping:
    """What stops whose clock, and what the next version of a table means for its clocks."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.people = People(store)
        self.downtime = Downtime(store, clock)

    async def rests(self, table: Table) -> Rests:
        """What stops the clocks of the people at a table."""
        gaps = await self.downtime.gaps(table.guild_id)
        people = await self.people.of(table.people)
        return {user_id: person.rest(gaps) for user_id, person in people.items()}

    async def waited(self, table: Table) -> list[Waited]:
        """The people who are waited for at a table, in seat order."""
        rests, now = await self.rests(table), self._clock()
        ends = deadlines(table, rests)
        found = []
        for seat in table.awaited:
            clock, rest = table.clock(seat), rest_of(table, seat, rests)
            left = time_left(clock, rest, now)
            found.append(Waited(seat, ends.get(seat), clock.late, rest.gone(now), left))
        return found

    async def kept(self, before: Table, after: Table, rows: Sequence[ActionRow]) -> tuple[Table, list[Due]]:
        """The table with its clocks as they are after a commit, and whom to tell that they are waited for."""
        if Phase.PLAY not in (before.phase, after.phase):
            return replace(after, due_at=next_event(after, {})), []
        if rows and unmoved(before, after, rows):
            return after, []
        now = self._clock()
        rests = await self.rests(after)
        clocks = advanced(before, after, rows, rests, now)
        begun = [
            seat
            for seat in after.awaited
            if clocks[seat].begun == now
            and (seat not in before.awaited or clocks[seat] != before.clock(seat))
        ]
        people = await self.people.of(after.people)
        told: list[Due] = []
        kept = list(clocks)
        for seat in begun:
            person = people[after.seats[seat].user_id or 0]
            kept[seat], dues = noticed(after, clocks[seat], person, now)
            told += dues
        timed = replace(after, clocks=tuple(kept))
        if moot(timed, rows):
            timed = replace(timed, proposal=None)
        if timed.phase is not Phase.PLAY:
            timed = replace(timed, paused_at=None, paused_until=None)
        return replace(timed, due_at=next_event(timed, rests)), told


def noticed(table: Table, clock: Clock, person: Person, now: float) -> tuple[Clock, list[Due]]:
    """The clock of a duty that has just begun, and what tells its person so besides a mention in the post.

    At a time when they don't want to be written to, the notice waits until its end.
    """
    if not may_be_pinged(table, clock, now):
        return replace(clock, quiet=True), []
    at = now if table.pace.one_sitting else person.awake_at(now)
    mentioned = person.notices in (Notices.THREAD, Notices.BOTH) and at == now
    apart = person.notices is not Notices.NONE and not (mentioned and person.notices is Notices.THREAD)
    clock = replace(clock, quiet=not mentioned, pinged=clock.pinged if person.notices is Notices.NONE else at)
    return clock, [("notice", person.user_id, True, at)] if apart else []
