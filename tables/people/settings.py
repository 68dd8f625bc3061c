"""People's settings during games: their clocks follow, and their tables are updated."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakValueDictionary

from msgspec.structs import replace

from db.batch import Conflict
from db.records import SettingsEffects
from tables.core import turns
from tables.core.change import Change, DecisionContext, TableState
from tables.core.people import Person, end_holiday
from tables.core.repository import MOST_TRIES, Repository
from tables.core.table import Phase, Stale, Table
from tables.runtime.background import Background
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
                with suppress(Conflict):
                    return await self._changed(user_id, change)
            raise Stale

    async def _changed(self, user_id: int, change: Callable[[Person], Person]) -> Person:
        before = await self._people.person(user_id)
        after = change(before)
        if after == before:
            return before
        now = self._repository.clock()
        after = _with_next_digest(before, after, now)
        if before.rest() == after.rest():
            await self._people.save(before, after)
            return after
        await self._retime(before, after, now)
        return after

    async def _retime(self, before: Person, after: Person, now: float) -> None:
        tables = [table for table in await self._tables(after.user_id) if not table.pace.one_sitting]
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
        retimed = SettingsEffects(tuple(due), tuple(shown), MESSAGE_KINDS, now, after.awake_at(now))
        await self._people.save(before, after, retimed)
        for table_id in due:
            self._repository.invalidate(table_id)  # when something is due there was written beside it
            await self._background.run(f"the clocks of table {table_id}", self._due.look(table_id))
        for table_id, _ in shown:
            self._repository.listener.on_post_change(table_id)

    async def _tables(self, user_id: int) -> list[Table]:
        rows = await self._repository.store.tables_of(user_id, (Phase.PLAY,), limit=None)
        return await self._repository.tables(rows)

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


def _with_next_digest(before: Person, after: Person, now: float) -> Person:
    """Return the person with the next digest's time. One that is due stays due."""
    same = (before.digest_hour, before.zone, before.absences) == (
        after.digest_hour,
        after.zone,
        after.absences,
    )
    due = after.digest_at is not None and after.digest_at <= now
    if same or (due and before.digest_hour == after.digest_hour):
        return after
    return replace(after, digest_at=after.next_digest(now))
