"""Keeps what people set for themselves, and lists their tables."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from operator import itemgetter
from typing import Protocol
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from db import batch, records
from db.connection.writer import UnreadableRow
from tables.clocks.clock import Clock, deadline
from tables.clocks.pace import DAY, Rest, Span, read_pace
from tables.core import downtime, turns
from tables.core.change import Change, DecisionContext, TableState
from tables.core.people import Notices, Person, end_holiday
from tables.core.repository import MOST_TRIES, Repository
from tables.core.table import NO_SERVER, OPEN, Phase, Stale, Table
from tables.review.record import Notes
from tables.runtime import Background, LogOnce, Retries, RoundRobin, TryLater, wait_for_end
from tables.time.due import DueTables

MESSAGE_KINDS = ("notice", "reminder", "nudge")
"""Kinds of posts that wait for a person's quiet time to end."""


class PersonalSettings:
    """Changes people's settings.

    First the tables' clocks are charged under the old settings. Then one write saves the person, makes their
    tables due and their posts stale; then each table's next instant is recalculated. A crash before the
    write only charges clocks. After it the sweep finds those tables due, and does the rest. A holiday that a
    move ends goes on if the bot dies right after that move; the next one ends it.
    """

    def __init__(self, repository: Repository, due: DueTables) -> None:
        self._repository = repository
        self._due = due
        self._people = repository.time.people
        self._background = Background()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, user_id: int) -> asyncio.Lock:
        return self._locks.setdefault(user_id, asyncio.Lock())

    async def change(self, user_id: int, change: Callable[[Person], Person]) -> Person:
        """Save a person's settings, and apply them to their tables.

        No change writes nothing.

        Raises:
            Refused: what `change` raises; nothing is changed then.
            Stale: if other processes were faster again and again.
        """
        async with self.lock(user_id):
            for _ in range(MOST_TRIES):
                with suppress(batch.Conflict):
                    return await self._change_once(user_id, change)
            raise Stale

    async def _change_once(self, user_id: int, change: Callable[[Person], Person]) -> Person:
        before = await self._people.person(user_id)
        after = change(before)
        if after == before:
            return before
        now = self._repository.clock()
        times = [(one.digest_hour, one.zone, one.absences) for one in (before, after)]
        is_due = after.digest_at is not None and after.digest_at <= now  # stays due
        if times[0] != times[1] and not (is_due and before.digest_hour == after.digest_hour):
            after = replace(after, digest_at=after.next_digest(now))
        if before.rest() == after.rest():
            await self._people.save(before, after)
            return after
        await self._retime(before, after, now)
        return after

    async def _retime(self, before: Person, after: Person, now: float) -> None:
        rows = await self._repository.store.tables_of(after.user_id, (Phase.PLAY,), limit=None)
        tables = [table for table in await self._repository.tables(rows) if not table.pace.one_sitting]
        owed = [table for table in tables if table.seat_of(after.user_id) in table.awaited]
        if before.quiet != after.quiet:
            for table in owed:
                await self._repository.apply(table.id, charge_table_clocks)
        gone = before.away_until(now) != after.away_until(now)
        leaves = gone and after.away_until(now) is not None
        due = [table.id for table in (tables if leaves else owed)]
        shown = [
            (table.id, table.version)
            for table in owed
            if table.paused_at is None and (gone or table.pace.kept)
        ]
        retimed = records.SettingsEffects(tuple(due), tuple(shown), MESSAGE_KINDS, now, after.awake_at(now))
        await self._people.save(before, after, retimed)
        for table_id in due:
            self._repository.invalidate(table_id)  # when something is due there was written beside it
            await self._background.run(f"the clocks of table {table_id}", self._due.look(table_id))
        for table_id, _ in shown:
            self._repository.listener.on_post_change(table_id)

    async def on_action(self, user_id: int) -> None:
        """End the holiday of a person who has moved, if there is one.

        The move is valid whatever happens here.
        """
        now = self._repository.clock()
        if (await self._people.person(user_id)).away_until(now) is not None:
            coming = self.change(user_id, lambda person: end_holiday(person, now))
            await self._background.run(f"the end of the holiday of {user_id}", coming)


def charge_table_clocks(loaded: TableState, now: DecisionContext) -> Change | None:
    clocks = turns.charge_clocks(loaded.table, now.rests, now.at)
    return None if clocks == loaded.table.clocks else Change(replace(loaded.table, clocks=clocks))


class RunningTable(msgspec.Struct, frozen=True):
    """A running table: the people to move, `own` the one who looks."""

    table: Table
    waited: tuple[turns.AwaitedPerson, ...]
    own: turns.AwaitedPerson | None = None


class Overview(msgspec.Struct, frozen=True):
    """A person's tables: those to move first, most urgent first, then the rest.

    `notes` are the person's own notes, by table.
    """

    mine: tuple[RunningTable, ...] = ()
    others: tuple[RunningTable, ...] = ()
    lobbies: tuple[Table, ...] = ()
    ended: tuple[Table, ...] = ()
    notes: dict[int, str] = {}


class WaitingTurn(msgspec.Struct, frozen=True):
    """A table that waits for a person: its number, version, and deadline if its clock is visible."""

    table_id: int
    slug: str
    version: int
    until: float | None


class Digest(msgspec.Struct, frozen=True):
    """An overview to send, identified by its person and its due time.

    `gap` is the long outage of the bot if this is the first digest since.
    """

    user_id: int
    due_at: float
    overview: Overview
    gap: Span | None = None


class Overviews:
    """Builds the overview of a person's tables in a fixed number of queries."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._notes = Notes(repository)

    async def of(self, user_id: int, since: float) -> Overview:
        """Return a person's open tables, and games that ended since an instant."""
        rows = await self._repository.store.tables_lately(user_id, OPEN, since)
        tables = await self._repository.tables(rows)
        # Known together, they aren't asked for one table after another.
        await self._repository.time.people.of({user for table in tables for user in table.people})
        going = [await self._standing(table, user_id) for table in tables if table.phase is Phase.PLAY]
        mine = [(_rank(one.own.late, one.own.until), one) for one in going if one.own is not None]
        return Overview(
            mine=tuple(one for _, one in sorted(mine, key=itemgetter(0))),
            others=tuple(one for one in going if one.own is None),
            lobbies=tuple(table for table in tables if table.phase is Phase.LOBBY),
            ended=tuple(table for table in tables if table.phase not in OPEN and table.deal is not None),
            notes=await self._notes.of(user_id, [table.id for table in tables]),
        )

    async def _standing(self, table: Table, user_id: int) -> RunningTable:
        waited = await self._repository.time.waited_people(table)
        seat = table.seat_of(user_id)
        own = next((one for one in waited if one.seat == seat), None)
        may = seat is not None and table.paused_at is None and not table.clock(seat).deputy
        return RunningTable(table, tuple(waited), own if may else None)

    async def next_turn(self, user_id: int, beside: int) -> WaitingTurn | None:
        """Return the most urgent table that waits for a person, except one. One query."""
        rows = await self._repository.store.turns_of(user_id)
        person = await self._repository.time.people.person(user_id)
        pairs: list[tuple[tuple[int, float], WaitingTurn]] = []
        for row in rows:
            gaps = await self._repository.time.downtime.gaps(row.guild_id)
            with (
                suppress(UnreadableRow),
                self._repository.store.unreadable.watch(f"the turn at table {row.id}"),
            ):
                pair = None if row.id == beside else _turn(row, person.rest(gaps))
                pairs += [] if pair is None else [pair]
        return min(pairs, key=lambda one: one[0])[1] if pairs else None


def _turn(row: records.TurnRow, rest: Rest) -> tuple[tuple[int, float], WaitingTurn] | None:
    """Return a turn with its urgency; None out of turn."""
    clocks = msgspec.json.decode(row.clocks, type=tuple[Clock, ...])
    owes = row.seat in json.loads(row.owing) and row.paused_at is None
    if not owes or row.seat >= len(clocks) or clocks[row.seat].deputy:
        return None
    clock, pace = clocks[row.seat], read_pace(row.pace)
    until = deadline(clock, rest.in_one_sitting() if pace.one_sitting else rest, pace)
    shown = until if pace.kept and clock.late is None else None
    return _rank(clock.late, until), WaitingTurn(row.id, row.game, row.version, shown)


def _rank(late: float | None, until: float | None) -> tuple[int, float]:
    """Return the sort key of a table. Late ones first, longest late first; then by deadline."""
    if late is not None:
        return 0, late
    return (2, 0.0) if until is None else (1, until)


log = logging.getLogger(__name__)
AT_ONCE = 8
"""Digests sent at once; none holds up anything else that is due."""
SWEPT = 1000
"""People whose digest is due that one sweep checks."""
FURTHEST = 7 * DAY
"""Seconds; a digest leaves out games that ended earlier."""


class DigestCourier(Protocol):
    """Sends digests where they belong."""

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        """Send a digest by DM, or give it up if the person's DMs are closed.

        `may_be_duplicate`: an earlier attempt can have got through, so look for its message first. Raise
        TryLater if a retry makes sense after a pause.
        """


class Digests:
    """Sends each due digest once, outside of its person's quiet times."""

    def __init__(self, repository: Repository, settings: PersonalSettings, courier: DigestCourier) -> None:
        self._repository = repository
        self._settings = settings
        self._courier = courier
        self._overviews = Overviews(repository)
        self._clock: Callable[[], float] = repository.clock
        self.verify_before = self._clock()
        self._background = Background()
        self._log_once = LogOnce()
        self._retries: Retries[int] = Retries(self._clock)
        self._queue: RoundRobin[records.PersonRow, tuple[float, int]] = RoundRobin(
            SWEPT, lambda row: (row.digest_at or 0.0, row.user_id)
        )
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def sweep(self) -> None:
        """Start sending what is due. Failures are retried with growing pauses, and hold up no others."""
        now = self._clock()
        if not self._repository.store.shards.owns(NO_SERVER):
            return
        for row in await self._queue.next_rows(partial(self._repository.store.digests_due, now)):
            if row.user_id in self._tasks or not self._retries.is_due(row.user_id):
                continue
            with suppress(UnreadableRow):
                person = self._repository.time.people.read_row(row)
                if person.awake_at(now) <= now:
                    self._begin(person)

    def _begin(self, person: Person) -> None:
        task = asyncio.create_task(self._send(person), name=f"digest of {person.user_id}")
        self._tasks[person.user_id] = task
        task.add_done_callback(lambda _task: self._tasks.pop(person.user_id))

    async def finish(self) -> None:
        while self._tasks:
            await wait_for_end(self._tasks.values())

    async def _send(self, person: Person) -> None:
        async with self._gate:
            await self._background.run(f"the digest of {person.user_id}", self._due(person))

    async def _due(self, person: Person) -> None:
        now = self._clock()
        attempts = self._retries.failures(person.user_id)
        digest = await self._digest(person, now)
        if digest is not None:
            may_be_duplicate = attempts > 0 or digest.due_at < self.verify_before
            # Whatever happens now, it may have got through.
            self._retries.note_failure(person.user_id)
            try:
                await self._courier.digest(digest, may_be_duplicate)
            except TryLater as reason:
                if self._log_once.note_failure(person.user_id, reason):
                    log.warning("the digest of %s: not sent yet: %s", person.user_id, reason)
                self._retries.wait(person.user_id, reason.seconds)
                return
        await self._settings.change(person.user_id, lambda known: _after_digest(known, person, now))
        self._retries.note_success(person.user_id)
        self._log_once.note_success(person.user_id)

    async def _digest(self, person: Person, now: float) -> Digest | None:
        gap = await self._gap(person, now)
        if person.digest_hour is None and (gap is None or person.notices is Notices.NONE):
            return None
        since = max(now - FURTHEST, now - DAY if person.digested_at is None else person.digested_at)
        overview = await self._overviews.of(person.user_id, since)
        if not overview.mine and not overview.ended:
            return None
        return Digest(person.user_id, person.digest_at or now, overview, gap)

    async def _gap(self, person: Person, now: float) -> Span | None:
        """Return the long outage that a person hasn't read about yet."""
        gaps = await self._repository.time.downtime.gaps()
        if not gaps or gaps[-1][1] - gaps[-1][0] <= downtime.LONG_OUTAGE or gaps[-1][1] < now - FURTHEST:
            return None
        result = person.digested_at is not None and person.digested_at >= gaps[-1][1]
        return None if result else gaps[-1]


def _after_digest(known: Person, person: Person, now: float) -> Person:
    """Return the person after a digest, with the next one.

    Settings changed since stay. A person who wants none any more, or was erased, stays unchanged.
    """
    if known.digest_at is None:
        return known
    due = known.digest_at if known.digest_at != person.digest_at else known.next_digest(now)
    return replace(known, digest_at=due, digested_at=now)
