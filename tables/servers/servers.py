"""Servers that remove the bot: their tables freeze, and come back or are erased."""

import asyncio
import logging
from collections.abc import Collection, Mapping
from contextlib import suppress
from weakref import WeakValueDictionary

from cachetools import LRUCache

from tables.clocks.pace import DAY
from tables.core.history import EntryKind, payload_of
from tables.core.repository import Repository
from tables.core.table import Refused
from tables.core.turns import EXPIRES_AFTER
from tables.cups.cups import CupService
from tables.lobby.table_lists import TableLists
from tables.runtime.background import Background
from tables.runtime.cache import Cache
from tables.runtime.retries import RoundRobin
from tables.time.pauses import Pauses

log = logging.getLogger(__name__)
REMOVED = "removed"
"""The reason of pauses in servers that removed the bot."""
KEPT_DAYS = 30.0
"""Days for which a removed server's data is kept, unless a setting says otherwise."""
PAUSED = 100
"""Games paused in one check."""
ERASED, ROUNDS = 20, 10
"""Tables erased in one transaction, and transactions in one check."""
SHOWN = 20
"""The most missing servers named in the log."""
FEW = 2
"""Servers that can go missing at once, in any case, before it counts as a fault."""


class RemovedServers:
    """Notes which servers have removed the bot, and which have invited it again.

    Their running games are paused: no clock runs, no computer moves, nobody is notified; lobbies don't
    expire, cups wait. Everything goes on when the bot is back. After `kept_days` it is erased.
    """

    def __init__(
        self, repository: Repository, pauses: Pauses, cups: CupService, table_lists: TableLists
    ) -> None:
        self._repository = repository
        self._store = repository.store.servers
        self._pauses = pauses
        self._cups = cups
        self._table_lists = table_lists
        self._background = Background()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._known: Cache[str, Mapping[int, float]] = Cache(LRUCache(1))
        self._to_pause: RoundRobin[int, int] = RoundRobin(PAUSED, lambda table_id: table_id)
        self._doubted: frozenset[int] = frozenset()
        self.kept_days = KEPT_DAYS

    @property
    def doubtful_servers(self) -> frozenset[int]:
        """Return missing servers, too many at once to believe it."""
        return self._doubted

    def _lock(self, guild_id: int) -> asyncio.Lock:
        return self._locks.setdefault(guild_id, asyncio.Lock())

    async def removed_servers(self) -> Mapping[int, float]:
        """Return the servers that removed the bot, each with the time."""
        return await self._known.read(REMOVED, self._store.removed_servers)

    def look_again(self) -> None:
        """Read from the database next time which servers removed the bot."""
        self._known.invalidate()

    async def compare(self, present: Collection[int]) -> None:
        """Note what changed while offline, from the servers in which the bot is now.

        A server that can't be reached counts as present. Servers of other processes are ignored. If more
        than half of the known servers seem gone at once, that is a fault, such as a wrong token or database:
        it is logged, and none of them counts as removed.
        """
        removed = await self.removed_servers()
        for guild_id in sorted(removed.keys() & set(present)):
            await self.on_return(guild_id)
        known = await self._store.known_servers() - removed.keys()
        gone = known - set(present)
        self._doubt(gone if len(gone) > max(FEW, len(known) / 2) else set(), len(known))
        for guild_id in sorted(gone - self._doubted):
            await self.on_removal(guild_id)

    def _doubt(self, gone: Collection[int], known: int) -> None:
        """Ignore servers that seem gone. Log them unless they are the same as before."""
        before, self._doubted = self._doubted, frozenset(gone)
        if self._doubted and self._doubted != before:
            log.error(
                "the bot is in none of %d of its %d servers, which looks like an outage; check "
                "whether DISCORD_TOKEN and DATABASE_URL belong together (%s)",
                len(gone),
                known,
                ", ".join(str(guild_id) for guild_id in sorted(gone)[:SHOWN]),
            )
        elif before and not gone:
            log.info("the missing servers are back or have removed the bot")

    async def on_removal(self, guild_id: int) -> None:
        """React to a removal of the bot. Nothing is tried in that server."""
        async with self._lock(guild_id):
            if guild_id in await self.removed_servers():
                return
            self._doubted -= {guild_id}
            now = self._repository.clock()
            log.info("server %s has removed the bot; its data is kept for %g days", guild_id, self.kept_days)
            self._forget(await self._store.note_removed(guild_id, now))
            self._known.invalidate()
        await self._pause()

    async def on_return(self, guild_id: int) -> None:
        """React to the bot's return: everything goes on as it was."""
        self._doubted -= {guild_id}
        async with self._lock(guild_id):
            removed = await self.removed_servers()
            if guild_id not in removed:
                return
            log.info("the bot is in server %s again", guild_id)
            # From now on no look pauses its games.
            self._known.put(REMOVED, {other: at for other, at in removed.items() if other != guild_id})
            for table_id in await self._store.paused_games(guild_id):
                going = self._resume(table_id)
                await self._background.run(f"the end of the pause of table {table_id}", going)
            now = self._repository.clock()
            self._forget(await self._store.come_back(guild_id, now, EXPIRES_AFTER))
            self._known.invalidate()
            for cup in await self._cups.running_cups(guild_id):
                self._cups.touch(cup.id)
                self._repository.listener.on_cup_change(cup.id)

    async def _resume(self, table_id: int) -> None:
        """End the pause of a game, unless its people had paused it themselves."""
        entries = await self._repository.store.entries(table_id, [EntryKind.PAUSE])
        if entries and payload_of(entries[-1])[2:] == [REMOVED]:
            with suppress(Refused):  # somebody was faster
                await self._pauses.resume(table_id, None, why="back")

    async def sweep(self) -> None:
        """Pause running games of removed servers, and erase data kept long enough."""
        removed = await self.removed_servers()
        if not removed:
            return
        await self._pause()
        now, is_steady = self._repository.clock(), await self._repository.time.downtime.is_steady()
        for guild_id, at in list(removed.items()):
            if now >= at + self.kept_days * DAY and is_steady:
                await self._background.run(f"erasing server {guild_id}", self._erase(guild_id))

    async def _pause(self) -> None:
        for table_id in await self._to_pause.next_rows(self._store.running_games):
            await self._background.run(f"pausing table {table_id}", self._pause_one(table_id))

    async def _pause_one(self, table_id: int) -> None:
        guild_id = (await self._repository.table(table_id)).guild_id
        if guild_id in await self.removed_servers():
            with suppress(Refused):  # it has ended
                await self._pauses.pause(table_id, None, None, why=REMOVED)

    async def _erase(self, guild_id: int) -> None:
        """Erase some of a server's data; the next check goes on."""
        async with self._lock(guild_id):
            for _ in range(ROUNDS):
                if guild_id not in await self.removed_servers():  # it is back
                    return
                ids = await self._store.erase_tables(guild_id, ERASED)
                self._forget(ids)
                if not ids:
                    await self._store.erase_rest(guild_id)
                    self._known.invalidate()
                    log.info("server %s: erased all its data", guild_id)
                    return

    def _forget(self, table_ids: Collection[int]) -> None:
        for table_id in table_ids:
            self._repository.forget(table_id)
        self._table_lists.invalidate()
