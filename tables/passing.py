"""What the passing of time makes happen: reminders, lateness, pauses and proposals that end, lobbies."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from db.records import ActionRow
from db.store import Store
from engines.game import Seat
from tables.background import Background
from tables.clocks.clock import next_reminder, reminders_due
from tables.clocks.turns import Rests, deadlines, rest_of
from tables.downtime import LONG
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
        self, repository: Repository, lobby: Lobby, lateness: Lateness, pauses: Pauses, habits: Habits
    ) -> None:
        self._repository = repository
        self._store: Store = repository.store
        self._clock: Callable[[], float] = repository.clock
        self._lobby = lobby
        self._lateness = lateness
        self._pauses = pauses
        self._habits = habits
        self._downtime = repository.time.downtime
        self._background = Background()

    async def sweep(self) -> None:
        """Do all that is due; a table whose turn fails is told once, and tried again the next time."""
        await self._downtime.beat()
        await self._tell_of_gap()
        for table_id in await self._store.due_by(self._clock()):
            await self._background.run(f"what is due at table {table_id}", self.pass_at(table_id))

    async def _tell_of_gap(self) -> None:
        """After a long gap, have everybody told once how their tables stand."""
        gaps = await self._downtime.gaps()
        if not gaps or gaps[-1][1] - gaps[-1][0] <= LONG:
            return
        told = await self._store.fact(TOLD)
        if told is None or float(told) < gaps[-1][1]:
            await self._store.call_together(self._clock(), (TOLD, repr(gaps[-1][1])))
            self._repository.time.people.forget()

    async def pass_at(self, table_id: int) -> None:
        """Do what is due at one table; nothing where somebody was faster."""
        table = await self._repository.table(table_id)
        now = self._clock()
        if table.due_at is None or table.due_at > now:
            # Somebody was faster, or it was made due beside us: the next look is at the database.
            return self._repository.forget(table_id)
        if table.phase is Phase.LOBBY:
            return await self._lobby.expire(table_id)
        if table.paused_until is not None and table.paused_until <= now:
            try:
                await self._pauses.resume(table_id, None)
            except Refused:
                return None
        await self._habits.tell_away(table_id)
        await self._clocks(table_id)
        await self._lateness.forfeit(table_id)

    async def _clocks(self, table_id: int) -> None:
        """Note who is late and remind who will be; else say when to look again."""
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, now = loaded.table, self._clock()
            if table.phase is not Phase.PLAY:
                return None
            if table.proposal is not None and table.proposal.until <= now:
                loaded = await self._withdrawn(loaded)
                table = loaded.table
            rests = await self._repository.time.rests(table)
            late = [seat for seat, at in deadlines(table, rests).items() if at <= now]
            if late:
                return await self._lateness.note(loaded, late)
            reminded, told = await self._reminded(table, rests, now)
            await self._repository.commit(loaded, reminded, [], loaded.position, [], later=told)

    async def _withdrawn(self, loaded: Loaded) -> Loaded:
        table = loaded.table
        about = table.proposal
        payload = [None, None if about is None else about.matter, None]
        entry: ActionRow = self._repository.entry(loaded, EntryKind.DECLINE, None, payload=payload)
        await self._repository.commit(
            loaded, replace(table, proposal=None), [entry], loaded.position, [("board", 0, False)]
        )
        return await self._repository.load(table.id)

    async def _reminded(self, table: Table, rests: Rests, now: float) -> tuple[Table, list[Due]]:
        people = await self._repository.time.people.of(table.people)
        clocks, told = list(table.clocks), list[Due]()
        for seat in table.awaited:
            clock, rest = table.clock(seat), rest_of(table, seat, rests)
            at = next_reminder(clock, rest, table.pace)
            if at is None or at > now or seat >= len(clocks):
                continue
            clocks[seat] = replace(clock, reminders=max(clock.reminders + 1, reminders_due(clock, rest, now)))
            person = people[_user(table, seat)]
            if person.reminders and person.notices is not Notices.NONE:
                told.append(("reminder", person.user_id, True, person.awake_at(now)))
        return replace(table, clocks=tuple(clocks)), told


def _user(table: Table, seat: Seat) -> int:
    """The person on a seat."""
    return table.seats[seat].user_id or 0
