"""Lists of tables for autocomplete, which asks at every key."""

import time
from collections.abc import Awaitable, Callable, Sequence

from cachetools import TTLCache

from tables.core.table import OPEN, Phase, Table
from tables.runtime.cache import Cache

SECONDS = 3.0
LISTS = 2000
Subject = tuple[str, int]
Phases = tuple[Phase, ...]


class TableLists:
    """Caches lists of tables by server, place or person for three seconds.

    Changes of this process show at once; another process's within those seconds.
    """

    def __init__(
        self,
        tables_in: Callable[[int, Sequence[Phase]], Awaitable[list[Table]]],
        tables_at: Callable[[int, Sequence[Phase]], Awaitable[list[Table]]],
        tables_of: Callable[[int, Sequence[Phase]], Awaitable[list[Table]]],
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queries = {"in": tables_in, "at": tables_at, "of": tables_of}
        self._lists: Cache[tuple[Subject, Phases], list[Table]] = Cache(TTLCache(LISTS, SECONDS, timer))
        self._asked: set[Phases] = set()

    async def tables_in(self, guild_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return a server's tables, last touched first."""
        return await self._list(("in", guild_id), tuple(phases))

    async def tables_at(self, place_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return the tables of a thread or a channel, last touched first."""
        return await self._list(("at", place_id), tuple(phases))

    async def tables_of(self, user_id: int, phases: Sequence[Phase] = OPEN) -> list[Table]:
        """Return the tables at which a person sits, last touched first."""
        return await self._list(("of", user_id), tuple(phases))

    async def _list(self, subject: Subject, phases: Phases) -> list[Table]:
        self._asked.add(phases)
        kind, number = subject
        return await self._lists.read((subject, phases), lambda: self._queries[kind](number, phases))

    def invalidate(self) -> None:
        self._lists.invalidate()

    def forget_lists_of(self, table: Table) -> None:
        people = [("of", user_id) for user_id in (table.host_id, *table.people)]
        places = [("at", table.thread_id or table.channel_id), ("at", table.channel_id)]
        for subject in [("in", table.guild_id), *places, *people]:
            for phases in self._asked:
                self._lists.invalidate((subject, phases))
