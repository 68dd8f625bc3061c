"""How a commit changes a table's clocks, what pauses them, and when time acts next."""

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from db.store import Store
from engines.game import Seat
from tables.clocks.clock import PINGS_APART, Clock, deadline, next_reminder, time_left, with_grace
from tables.clocks.pace import DAY, Rest
from tables.core.change import DecisionContext, PostRequest, is_agreed, is_obsolete
from tables.core.downtime import OutageTracker
from tables.core.history import MOVES, EntryKind, EntryLike
from tables.core.people import Notices, People, Person
from tables.core.table import Phase, Table, WhenLate

EXPIRES_AFTER = 7 * DAY
"""Seconds that a lobby waits without any action."""
Rests = Mapping[int, Rest]
"""What pauses each person's clocks, by user id; others never rest."""


def rest_for_seat(table: Table, seat: Seat, rests: Rests) -> Rest:
    user_id = table.seats[seat].user_id
    rest = Rest() if user_id is None else rests.get(user_id, Rest())
    return rest.in_one_sitting() if table.pace.one_sitting else rest


def clocks_after(
    before: Table, after: Table, rows: Sequence[EntryLike], rests: Rests, now: float
) -> tuple[Clock, ...]:
    """Return the clocks after a commit with these entries.

    An undo gives no time: what a duty added goes with it. A rollback gives everybody at least an increment,
    and a new occupant two.
    """
    kinds = {row.kind for row in rows}
    has_clocks = len(after.clocks) == len(after.seats)
    clocks = after.clocks if has_clocks else [Clock(after.pace.bank)] * len(after.seats)
    return tuple(
        _clock_after(clock, seat, before, after, rows, kinds, rest_for_seat(after, seat, rests), now)
        for seat, clock in enumerate(clocks)
    )


def _clock_after(
    clock: Clock,
    seat: Seat,
    before: Table,
    after: Table,
    rows: Sequence[EntryLike],
    kinds: set[str],
    rest: Rest,
    now: float,
) -> Clock:
    pace = after.pace
    owed, owes = seat in before.awaited, seat in after.awaited
    if EntryKind.ROLLBACK in kinds:
        clock = clock.fill_to(pace.increment, now, rest).stop(now, rest)
        return _begin_duty(clock, after, now) if owes else clock
    if EntryKind.UNDO in kinds:
        if owes == owed:
            return clock
        return _running(clock.reopen(now), after) if owes else clock.forget()
    acted = any(row.seat == seat and row.kind == EntryKind.MOVE for row in rows)
    if EntryKind.PLANNED in kinds and not owed and not owes:
        planned = any(row.seat == seat and row.kind == EntryKind.PLANNED for row in rows)
        return clock.begin(now).finish(now, rest, pace, acted=True) if planned else clock
    if owed and not owes:
        return clock.finish(now, rest, pace, acted=acted)
    if owed and acted and before.beat != after.beat:
        return _begin_duty(clock.finish(now, rest, pace, acted=True), after, now)
    if owed and acted and clock.deputy and any(row.actor_id is not None for row in rows):
        return replace(clock, deputy=False)
    if owes and not owed:
        return _begin_duty(clock, after, now)
    return clock


def _begin_duty(clock: Clock, table: Table, now: float) -> Clock:
    return _running(clock.begin(now), table)


def _running(clock: Clock, table: Table) -> Clock:
    return replace(clock, since=None) if table.is_stopped else clock


def stop_clocks(table: Table, rests: Rests, now: float) -> tuple[Clock, ...]:
    """Stop the clocks of a table, unless they are stopped already."""
    if table.is_stopped:
        return table.clocks
    return tuple(replace(clock, since=None) for clock in charge_clocks(table, rests, now))


def start_clocks(table: Table, now: float) -> tuple[Clock, ...]:
    """Start the clocks of the seats to move, unless the table is stopped."""
    if table.is_stopped:
        return table.clocks
    waited = table.awaited
    return tuple(
        clock.run(now) if seat in waited and not clock.runs else clock
        for seat, clock in enumerate(table.clocks)
    )


def charge_clocks(table: Table, rests: Rests, now: float) -> tuple[Clock, ...]:
    """Charge all clocks before something that pauses one of them changes."""
    return tuple(
        with_grace(clock, rest_for_seat(table, seat, rests), table.pace, now)
        for seat, clock in enumerate(table.clocks)
    )


def deadlines(table: Table, rests: Rests) -> dict[Seat, float]:
    """Return the deadlines of people to move who aren't late yet."""
    result = {}
    for seat in table.awaited:
        clock = table.clock(seat)
        at = deadline(clock, rest_for_seat(table, seat, rests), table.pace)
        if clock.late is None and at is not None:
            result[seat] = at
    return result


def does_anybody_wait(table: Table, seat: Seat) -> bool:
    """Return True if other people sit at the table; computers don't wait."""
    return any(not occupant.computer for other, occupant in enumerate(table.seats) if other != seat)


def lateness_rule(table: Table) -> WhenLate:
    """Return what happens to late seats; without a clock the others decide."""
    return table.when_late if table.pace.kept else WhenLate.OTHERS


def forfeiting_seats(table: Table) -> list[Seat]:
    """Return late seats that lose by it and haven't left the game yet."""
    if lateness_rule(table) is not WhenLate.FORFEIT:
        return []
    late = (seat for seat in table.awaited if table.clock(seat).late is not None)
    return [seat for seat in late if does_anybody_wait(table, seat)]


def next_due_at(table: Table, rests: Rests) -> float | None:
    """Return the next instant at which time changes a table. None if there is none."""
    if table.phase is Phase.LOBBY:
        return table.touched_at + EXPIRES_AFTER
    if table.phase is not Phase.PLAY or table.is_alone:
        return None
    proposed_until = None if table.proposal is None else 0.0 if is_agreed(table) else table.proposal.until
    instants = [at for at in (table.paused_until, proposed_until) if at is not None]
    instants += [table.clock(seat).offered for seat in table.offered_seats]
    if not table.is_stopped:
        instants += [table.clock(seat).late or 0.0 for seat in forfeiting_seats(table)]
        instants += deadlines(table, rests).values()
        instants += [one.at for one in table.standing if one.at and one.seat in table.awaited]
        for seat in table.awaited:
            at = next_reminder(table.clock(seat), rest_for_seat(table, seat, rests), table.pace)
            instants += [] if at is None else [at]
    return min(instants, default=None)


def can_be_pinged(table: Table, clock: Clock, now: float) -> bool:
    """Return True if a mention is allowed now. In one sitting, one a minute."""
    return not table.pace.one_sitting or abs(now - clock.pinged) >= PINGS_APART


def with_clock(table: Table, seat: Seat, clock: Clock) -> tuple[Clock, ...]:
    return (*table.clocks[:seat], clock, *table.clocks[seat + 1 :])


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
        return replace(after, due_at=next_due_at(after, {})), []
    if entries and (  # a step inside a turn changes no clock
        all(row.kind in MOVES for row in entries)
        and (before.phase, before.owing, before.beat, before.clocks, before.seats)
        == (after.phase, after.owing, after.beat, after.clocks, after.seats)
        and not any(clock.deputy for clock in after.clocks)
        and before.proposal is None
    ):
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
    return replace(timed, due_at=next_due_at(timed, rests)), requests


def notify_of_duty(table: Table, clock: Clock, person: Person, now: float) -> tuple[Clock, list[PostRequest]]:
    """Return the clock of a new duty, and its notices. In a quiet time the notice waits until its end."""
    if not can_be_pinged(table, clock, now):
        return replace(clock, quiet=True), []
    at = now if table.pace.one_sitting else person.awake_at(now)
    mentioned = person.notices in (Notices.THREAD, Notices.BOTH) and at == now
    apart = person.notices is not Notices.NONE and not (mentioned and person.notices is Notices.THREAD)
    clock = replace(clock, quiet=not mentioned, pinged=clock.pinged if person.notices is Notices.NONE else at)
    return clock, [PostRequest("notice", person.user_id, fresh=True, at=at)] if apart else []
