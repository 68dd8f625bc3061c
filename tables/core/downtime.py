"""The bot's downtime: it notes that it is alive, and finds the gaps in which it was not.

Where several processes share the servers, each notes so for its shards, and a gap is one of a shard.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from cachetools import LRUCache

from db.processes.shards import shard_of
from db.records import GapRow
from db.store import Store
from tables.clocks.pace import HOUR
from tables.clocks.rest import Span
from tables.runtime.cache import Cache

log = logging.getLogger(__name__)
ALIVE = "alive"
"""So begin the facts that say when a shard was heard of."""
BEATS_APART = 30.0
"""Seconds between two notes that the bot is alive."""
SHORTEST = 120.0
"""A silence of more seconds is a gap."""
LONG = HOUR
"""After a gap of more seconds people are told how things stand."""


def fact_of(name: str, shard: int, count: int) -> str:
    """What a fact about a shard is called; of one shard alone it is one about the bot.

    >>> fact_of("alive", 0, 1), fact_of("alive", 2, 4)
    ('alive', 'alive 2/4')
    """
    return name if count == 1 else f"{name} {shard}/{count}"


class Downtime:
    """Knows when the bot was away. Of what has happened since the last beat before a gap it knows nothing."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._shards = store.shards
        self._clock = clock
        self._alive: dict[int, float | None] = {}
        self._begun = False
        self._gaps: Cache[str, list[GapRow]] = Cache(LRUCache(1))

    async def gaps(self, guild_id: int | None = None) -> tuple[Span, ...]:
        """The gaps in a server, or in all, in order; that before this start included."""
        return tuple(
            (gap.begin, gap.end)
            for gap in await self._known()
            if guild_id is None or shard_of(guild_id, gap.count) == gap.shard
        )

    async def latest(self) -> GapRow | None:
        """The last gap in the servers for which this process acts."""
        held, count = self._shards.held, self._shards.count
        here = [gap for gap in await self._known() if gap.count != count or gap.shard in held]
        return max(here, key=lambda gap: gap.end, default=None)

    async def _known(self) -> list[GapRow]:
        if not self._begun:
            await self.beat()
        return await self._gaps.read("gaps", self._store.downtime.gaps)

    def invalidate(self) -> None:
        """Read the gaps from the database the next time."""
        self._gaps.invalidate()

    async def beat(self) -> None:
        """Note that the bot is alive, and the gap that has just ended, if one has.

        A clock that was set back makes no gap; it is believed, and what waited to be shown by the old one
        waits no longer.
        """
        self._begun = True
        await self._look_up()
        now = self._clock()
        silent = {
            shard: last
            for shard, last in self._alive.items()
            if shard in self._shards.reachable and (last is None or not 0 <= now - last < BEATS_APART)
        }
        if not silent:
            return
        self._alive |= dict.fromkeys(silent, now)
        count = self._shards.count
        facts = {fact_of(ALIVE, shard, count): repr(now) for shard in silent}
        ahead = max((last for last in silent.values() if last is not None), default=now) - now
        if ahead > BEATS_APART:
            log.warning("the clock was set back by %.0f s; what was due by the old one is due now", ahead)
            await self._store.downtime.hasten(now + ahead + 2 * BEATS_APART, now, facts)
            return
        ended = [
            GapRow(last, now, shard, count)
            for shard, last in silent.items()
            if last is not None and now - last > SHORTEST
        ]
        await self._store.downtime.note(facts, ended)
        if ended:
            self.invalidate()

    async def _look_up(self) -> None:
        """Find out when those shards were last heard of that this process has held since its last beat."""
        held, count = self._shards.held, self._shards.count
        self._alive = {shard: last for shard, last in self._alive.items() if shard in held}
        if held <= self._alive.keys():
            return
        heard = await self._store.downtime.heard(ALIVE)
        for shard in held - self._alive.keys():
            self._alive.setdefault(shard, _last(heard, fact_of(ALIVE, shard, count)))


def _last(heard: Mapping[str, str], fact: str) -> float | None:
    """When a shard was last heard of; where the servers were divided otherwise, when any was."""
    if fact in heard:
        return float(heard[fact])
    return max(map(float, heard.values()), default=None)
