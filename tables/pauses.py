"""A table that stands still: by the consent of its people, or an administrator's wish."""

from __future__ import annotations

from msgspec.structs import replace

from tables.clocks.pace import DAY
from tables.clocks.turns import paused, resumed
from tables.history import EntryKind
from tables.model import Refused, Table
from tables.repository import Repository, require_play
from tables.timekeeping import Due, noticed

LONGEST = 60 * DAY


class Pauses:
    """Begins and ends pauses. No call is made under a table's lock."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def pause(
        self, table_id: int, actor_id: int | None, until: float | None, *, admin: bool = False, why: str = ""
    ) -> Table:
        """Let a table stand still, until an instant or until somebody ends it.

        `why` is ``removed`` where its server has removed the bot, and empty where people want it so.

        Raises:
            Refused: when no game is going on, it stands already, or the end is not ahead or too far.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, now = loaded.table, self._repository.clock()
            require_play(table)
            if table.paused_at is not None:
                raise Refused("The table is paused already.")
            if until is not None and not now < until <= now + LONGEST:
                raise Refused("A pause ends at a time ahead, within 60 days; like `3 days` or `2026-12-24`.")
            rests = await self._repository.time.rests(table)
            still = replace(
                table,
                clocks=paused(table, rests, now),
                paused_at=now,
                paused_until=until,
                proposal=None,
            )
            entry = self._repository.entry(
                loaded, EntryKind.PAUSE, actor_id, payload=[until, admin, *([why] if why else [])]
            )
            return await self._repository.commit(
                loaded, still, [entry], loaded.position, [("board", 0, True)]
            )

    async def resume(
        self, table_id: int, actor_id: int | None, *, admin: bool = False, why: str = ""
    ) -> Table:
        """End a pause; `actor_id` None for one whose time is over. Who is waited for is told anew.

        `why` is ``back`` where the bot is in the table's server again.

        Raises:
            Refused: when the table isn't paused, or the person doesn't play there.
        """
        async with self._repository.lock(table_id):
            loaded = await self._repository.load(table_id)
            table, now = loaded.table, self._repository.clock()
            if table.paused_at is None:
                raise Refused("The table isn't paused.")
            seat = None if actor_id is None else table.seat_of(actor_id)
            if actor_id is not None and seat is None and not admin:
                raise Refused("That is for those who play at this table.")
            people = await self._repository.time.people.of(table.people)
            clocks, told = list(resumed(table, now)), list[Due]()
            for awaited in table.awaited:
                person = people[table.seats[awaited].user_id or 0]
                clocks[awaited], dues = noticed(table, clocks[awaited], person, now)
                told += dues
            running = replace(table, clocks=tuple(clocks), paused_at=None, paused_until=None)
            who = None if seat is None or admin else table.names[seat]
            entry = self._repository.entry(
                loaded, EntryKind.RESUME, actor_id, payload=[who, admin, *([why] if why else [])]
            )
            return await self._repository.commit(
                loaded, running, [entry], loaded.position, [("board", 0, True)], later=told
            )
