"""What the passing of time makes happen: reminders, lateness, pauses and proposals that end, lobbies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from db.records import ActionRow
from db.store import Store
from engines.game import Seat
from tables.agreement import Agreement, told
from tables.background import Background
from tables.clocks.clock import next_reminder, reminders_due
from tables.clocks.turns import Rests, deadlines, forfeiting, rest_of
from tables.consent import agreed
from tables.downtime import LONG, fact_of
from tables.habits import Habits
from tables.history import EntryKind
from tables.lateness import Lateness
from tables.lobby import Lobby
from tables.model import Phase, Refused, Table
from tables.pauses import Pauses
from tables.people import Notices
from tables.repository import Loaded, Repository
from tables.timekeeping import Due

TOLD = "told of the gap until"


class Passing:
    """Looks at the tables at which something is due, and at no others."""

    def __init__(
        self,
        repository: Repository,
        lobby: Lobby,
        lateness: Lateness,
        pauses: Pauses,
        agreement: Agreement,
        habits: Habits,
    ) -> None:
        self._repository = repository
        self._store: Store = repository.store
        self._clock: Callable[[], float] = repository.clock
        self._lobby = lobby
        self._lateness = lateness
        self._pauses = pauses
        self._agreement = agreement
        self._habits = habits
        self._downtime = repository.time.downtime
        self._background = Background()

    async def sweep(self) -> None:
        """Do all that is due; a table whose turn fails is told once, and tried again the next time.

        What is due is read at once, and written in as few commits as the writer can make of it.
        """
        await self._downtime.beat()
        await self._tell_of_gap()
        due = await self._repository.tables(await self._store.due_by(self._clock()))
        await self._repository.time.people.of({user for table in due for user in table.people})
        await asyncio.gather(
            *(self._background.run(f"what is due at table {table.id}", self.pass_at(table)) for table in due)
        )

    async def _tell_of_gap(self) -> None:
        """After a long gap, have everybody told once how their tables stand."""
        gap = await self._downtime.latest()
        if gap is None or gap.end - gap.begin <= LONG:
            return
        fact = fact_of(TOLD, gap.shard, gap.count)
        told = await self._store.fact(fact)
        if told is None or float(told) < gap.end:
            await self._store.downtime.call_together(self._clock(), (fact, repr(gap.end)))
            self._repository.time.people.forget()

    async def pass_at(self, table: Table) -> None:
        """Do what is due at one table; nothing where somebody was faster."""
        if table.phase is Phase.LOBBY:
            return await self._lobby.expire(table.id)
        if table.paused_until is not None and table.paused_until <= self._clock():
            with suppress(Refused):
                await self._pauses.resume(table.id, None)
        people = await self._repository.time.people.of(table.people)
        if any(person.away_until(self._clock()) is not None for person in people.values()):
            await self._habits.tell_away(table.id)
        async with self._repository.lock(table.id):
            late = await self._remind(self._repository.newest(table))
        if agreed(table):
            await self._agreement.carry_out(table)
        if late:
            await self._decide(table.id)
        if late or forfeiting(table):
            await self._lateness.forfeit(table.id)

    async def _remind(self, table: Table) -> bool:
        """Remind who will be late, and say when to look again; whether there is something to decide.

        What was made due beside us, as by what somebody has set, gets its next instant here.
        """
        now = self._clock()
        if table.phase is not Phase.PLAY:
            return False
        rests = await self._repository.time.rests(table)
        if any(at <= now for at in deadlines(table, rests).values()) or _expired(table, now):
            return True
        reminded, told = await self._reminded(table, rests, now)
        await self._repository.keep(table, reminded, told)
        return False

    async def _decide(self, table_id: int) -> None:
        """Withdraw a proposal whose time is over, and note who is late."""
        async with self._repository.lock(table_id):
            loaded, now = await self._repository.load(table_id), self._clock()
            if _expired(loaded.table, now):
                loaded = await self._withdrawn(loaded)
            if loaded.table.phase is not Phase.PLAY:
                return
            rests = await self._repository.time.rests(loaded.table)
            late = [seat for seat, at in deadlines(loaded.table, rests).items() if at <= now]
            if late:
                await self._lateness.note(loaded, late)

    async def _withdrawn(self, loaded: Loaded) -> Loaded:
        table = loaded.table
        payload = told(table, table.proposal, None)
        entry: ActionRow = self._repository.entry(loaded, EntryKind.DECLINE, None, payload=payload)
        await self._repository.commit(
            loaded, replace(table, proposal=None), [entry], loaded.position, [("board", 0, True)]
        )
        return await self._repository.load(table.id)

    async def _reminded(self, table: Table, rests: Rests, now: float) -> tuple[Table, list[Due]]:
        people = await self._repository.time.people.of(table.people)
        clocks, dues = list(table.clocks), list[Due]()
        for seat in table.awaited:
            clock, rest = table.clock(seat), rest_of(table, seat, rests)
            at = next_reminder(clock, rest, table.pace)
            if at is None or at > now or seat >= len(clocks):
                continue
            clocks[seat] = replace(clock, reminders=max(clock.reminders + 1, reminders_due(clock, rest, now)))
            person = people[_user(table, seat)]
            if person.reminders and person.notices is not Notices.NONE:
                dues.append(("reminder", person.user_id, True, person.awake_at(now)))
        return replace(table, clocks=tuple(clocks)), dues


def _expired(table: Table, now: float) -> bool:
    """Whether the others had time enough to agree to what is proposed."""
    return table.proposal is not None and table.proposal.until <= now


def _user(table: Table, seat: Seat) -> int:
    """The person on a seat."""
    return table.seats[seat].user_id or 0
