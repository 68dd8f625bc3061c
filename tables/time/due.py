"""Effects of time at a table: one pure decision about everything due, and its sweep."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

import msgspec
from msgspec.structs import replace

from db.records import TableRow
from tables.clocks.clock import next_reminder, reminders_due
from tables.core import downtime, history, turns
from tables.core.change import (
    BOARD,
    ApplyResult,
    Change,
    Decision,
    DecisionContext,
    Entry,
    PostRequest,
    TableState,
    after_change,
    entry,
    is_agreed,
    merge_changes,
)
from tables.core.people import Notices
from tables.core.repository import Repository
from tables.core.table import Phase, ProposalKind, Refused, Table, UnreadableTable
from tables.lobby.decisions import expire
from tables.play import decisions, plans, seats
from tables.play.play import Play
from tables.runtime import Background, RoundRobin
from tables.time import lateness, proposals

GAP_ANNOUNCED_UNTIL = "told of the gap until"
SWEPT = 200
"""Tables that one sweep checks."""
PASSES = 5
"""Most passes over a table that is due again; the next sweep does the rest."""


class DueContext(msgspec.Struct, frozen=True):
    """What the history of a table says about what is due.

    `told_away` is the last announcement of each person's holiday; `past` reaches back to the last step, if
    all have agreed to undo it.
    """

    told_away: Mapping[int, float | None] = {}
    past: decisions.LastSteps | None = None


def do_what_is_due(loaded: TableState, now: DecisionContext, known: DueContext) -> Change | None:
    """Return everything that time changes at a table now, as one change.

    None if nothing. A lobby expires; in play, pauses end, holidays are announced, proposals lapse or are
    carried out, lateness has its effect, people get reminders, and the next check is set.
    """
    if loaded.table.phase is not Phase.PLAY:
        return expire(loaded, now)
    steps: tuple[Decision, ...] = (
        _begin_future_duties,
        _pause_ended,
        seats.close_offers,
        plans.give_due_answers,
        partial(_announce_holidays, announced=known.told_away),
        proposals.lapse,
        partial(_carry_out_agreement, past=known.past),
        lateness.apply_lateness_rule,
        _remind,
    )
    changes: list[Change | None] = []
    after = loaded
    for step in steps:
        if after.table.phase is Phase.PLAY:
            changes.append(step(after, now))
            after = after_change(after, changes[-1])
    done = merge_changes(changes)
    at = turns.next_due_at(loaded.table, now.rests)
    return Change(replace(loaded.table, due_at=at)) if done is None and at != loaded.table.due_at else done


def _begin_future_duties(loaded: TableState, now: DecisionContext) -> Change | None:
    """Begin duties now that a clock began in the future."""
    table = loaded.table
    if table.due_at != downtime.CLOCK_RAN_AHEAD:
        return None
    clocks = tuple(
        replace(clock, since=now.at, begun=min(clock.begun, now.at))
        if clock.since is not None and clock.since > now.at
        else clock
        for clock in table.clocks
    )
    return None if clocks == table.clocks else Change(replace(table, clocks=clocks))


def _pause_ended(loaded: TableState, now: DecisionContext) -> Change | None:
    until = loaded.table.paused_until
    return None if until is None or until > now.at else proposals.resume(loaded, now, actor_id=None)


def _announce_holidays(
    loaded: TableState, now: DecisionContext, *, announced: Mapping[int, float | None]
) -> Change | None:
    """Announce holidays that the table hasn't seen yet."""
    table = loaded.table
    entries: list[Entry] = []
    for user_id, last in announced.items():
        person, seat = now.person(user_id), table.seat_of(user_id)
        holiday = next((span for span in person.absences if span[0] <= now.at < span[1]), None)
        if seat is not None and holiday is not None and (last is None or last < holiday[0]):
            about = [table.names[seat], holiday[1], person.away_note]
            entries.append(entry(history.EntryKind.AWAY, user_id, seat=seat, payload=about))
    return Change(table, tuple(entries), shows=(BOARD,)) if entries else None


def _carry_out_agreement(
    loaded: TableState, now: DecisionContext, *, past: decisions.LastSteps | None
) -> Change | None:
    """Carry out an agreement once everybody asked has gone; or withdraw it."""
    try:
        return proposals.carry_out(loaded, now, past)
    except Refused:
        return proposals.withdraw(loaded.table, None)


def _remind(loaded: TableState, now: DecisionContext) -> Change | None:
    """Remind people whose bank has run low; reminders missed together are one."""
    table, rests = loaded.table, now.rests
    clocks, shows = list(table.clocks), list[PostRequest]()
    for seat in table.awaited:
        clock, rest = table.clock(seat), turns.rest_for_seat(table, seat, rests)
        at = next_reminder(clock, rest, table.pace)
        if at is None or at > now.at or seat >= len(clocks):
            continue
        reminded = max(clock.reminders + 1, reminders_due(clock, rest, now.at))
        clocks[seat] = replace(clock, reminders=reminded)
        person = now.person(table.seats[seat].user_id or 0)
        if person.reminders and person.notices is not Notices.NONE:
            shows.append(PostRequest("reminder", person.user_id, fresh=True, at=person.awake_at(now.at)))
    if tuple(clocks) == table.clocks:
        return None
    return Change(replace(table, clocks=tuple(clocks)), shows=tuple(shows))


class DueTables:
    """Checks the tables at which something is due, and no others."""

    def __init__(self, repository: Repository, play: Play) -> None:
        self._repository = repository
        self._store = repository.store
        self._play = play
        self._downtime = repository.time.downtime
        self._background = Background()
        self._due: RoundRobin[TableRow, tuple[float, int]] = RoundRobin(
            SWEPT, lambda row: (row.due_at or 0.0, row.id)
        )

    async def sweep(self) -> None:
        """Do everything due; a failure is logged once and retried next time.

        It reads all due rows at once, and writes in as few commits as possible.
        """
        await self._downtime.record_heartbeat()
        await self._announce_outage()
        rows = list(await self._due.next_rows(partial(self._store.due_by, self._repository.clock())))
        tables = await self._repository.tables(rows)
        await self._repository.time.people.of({user for table in tables for user in table.people})
        for row in rows:
            self._repository.recheck_unless(row)
        await asyncio.gather(
            *(self._background.run(f"checking table {one.id}", self._look_if_readable(one)) for one in tables)
        )

    async def _look_if_readable(self, table: Table) -> None:
        with suppress(UnreadableTable):  # it is in the log
            await self.look(table.id)

    async def _announce_outage(self) -> None:
        """Send everybody a digest once after a long outage."""
        gap = await self._downtime.latest()
        if gap is None or gap.end - gap.begin <= downtime.LONG_OUTAGE:
            return
        fact = downtime.fact_of(GAP_ANNOUNCED_UNTIL, gap.shard, gap.count)
        text = await self._store.fact(fact)
        told = None if text is None else downtime.read_instant(text)
        if told is None or told < gap.end:
            await self._store.downtime.call_together(self._repository.clock(), (fact, repr(gap.end)))
            self._repository.time.people.invalidate()

    async def look(self, table_id: int) -> Table:
        """Do everything due at one table, and set its next check."""
        for _ in range(PASSES):
            applied: ApplyResult = await self._repository.apply(table_id, do_what_is_due, self._read_context)
            at = applied.table.due_at
            if applied.change is None or at is None or at > self._repository.clock():
                break
        return applied.table

    async def _read_context(self, loaded: TableState) -> DueContext:
        table = loaded.table
        if table.phase is not Phase.PLAY:
            return DueContext()
        values: dict[int, float | None] = {}
        if not table.pace.one_sitting:
            now, people = self._repository.clock(), await self._repository.time.people.of(table.people)
            for user_id, person in people.items():
                if person.away_until(now) is not None:
                    values[user_id] = await self._store.last_entry(table.id, history.EntryKind.AWAY, user_id)
        undoes = is_agreed(table) and table.proposal is not None and table.proposal.kind is ProposalKind.UNDO
        return DueContext(values, await self._play.last_steps(loaded, 1) if undoes else None)
