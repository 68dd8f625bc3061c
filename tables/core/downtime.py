"""The bot's outages: records a heartbeat, and finds the gaps in it.

Processes that share the servers record one for each of their shards, and an outage is one of a shard.
"""

import logging
from collections.abc import Callable, Iterable
from math import isfinite

from cachetools import LRUCache

from db import processes, records
from db.store import Store
from tables.clocks.pace import DAY, HOUR, Span
from tables.runtime import Cache

log = logging.getLogger(__name__)
ALIVE = "alive"
"""The beginning of the keys of heartbeat facts."""
LATEST = "clock set back from"
"""The fact that holds the latest instant of a clock that was set back."""
HEARTBEAT_EVERY = 30.0
"""Seconds between heartbeats."""
SHORTEST_OUTAGE = 120.0
"""Seconds of silence that count as an outage."""
CLOCK_RAN_AHEAD = -1.0
"""When a table is due whose duties may have begun by a clock that ran ahead."""
LONG_OUTAGE = HOUR
"""Seconds of an outage after which people get a digest."""


def fact_of(name: str, shard: int, count: int) -> str:
    """Return the key of a shard's fact.

    A lone shard's is the bot's.

    >>> fact_of("alive", 0, 1), fact_of("alive", 2, 4)
    ('alive', 'alive 2/4')
    """
    return name if count == 1 else f"{name} {shard}/{count}"


def read_instant(text: str) -> float | None:
    """Return the instant in a fact; None if it's damaged.

    >>> read_instant("12.5"), read_instant("?"), read_instant("nan")
    (12.5, None, None)
    """
    try:
        instant = float(text)
    except ValueError:
        return None
    return instant if isfinite(instant) else None


def is_steady(gaps: Iterable[Span], now: float) -> bool:
    """Return True a day after the last long outage or jump ahead.

    Nothing that can't be undone happens before.

    >>> gaps = [(0.0, 2 * HOUR)]
    >>> is_steady(gaps, 2 * HOUR), is_steady(gaps, 26 * HOUR)
    (False, True)
    """
    return not any(end - begin > LONG_OUTAGE and now < end + DAY for begin, end in gaps)


class OutageTracker:
    """Knows the bot's outages. Between the last heartbeat and an outage it knows nothing."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._shards = store.shards
        self._clock = clock
        self._alive: dict[int, float | None] = {}
        self._begun = False
        self._latest = 0.0
        self._gaps: Cache[str, list[records.OutageRow]] = Cache(LRUCache(1))

    async def gaps(self, guild_id: int | None = None) -> tuple[Span, ...]:
        """Return the outages in a server, or all, in order, with the one before this start."""
        known, now = await self._read_gaps(), self._clock()
        return tuple(
            (gap.begin, min(gap.end, now))
            for gap in known
            if gap.begin < now and (guild_id is None or processes.shard_of(guild_id, gap.count) == gap.shard)
        )

    async def is_steady(self) -> bool:
        """Return True if what can't be undone may happen here."""
        return is_steady(await self.gaps(), self._clock())

    async def latest(self) -> records.OutageRow | None:
        """Return the last outage in this process's servers."""
        held, count = self._shards.held, self._shards.count
        here = [gap for gap in await self._read_gaps() if gap.count != count or gap.shard in held]
        return max(here, key=lambda gap: gap.end, default=None)

    async def _read_gaps(self) -> list[records.OutageRow]:
        if not self._begun:
            await self.record_heartbeat()
        return await self._gaps.read("gaps", self._store.downtime.gaps)

    def invalidate(self) -> None:
        self._gaps.invalidate()

    async def record_heartbeat(self) -> None:
        """Record a heartbeat, and the outage that has just ended, if any.

        A clock that was set back makes no outage; it is believed, and posts due by the old clock are due
        now.
        """
        self._begun = True
        await self._look_up()
        now = self._clock()
        silent = {
            shard: last
            for shard, last in self._alive.items()
            if shard in self._shards.reachable and (last is None or not 0 <= now - last < HEARTBEAT_EVERY)
        }
        if not silent:
            return
        self._alive |= dict.fromkeys(silent, now)
        count = self._shards.count
        facts = {fact_of(ALIVE, shard, count): repr(now) for shard in silent}
        ahead = max((last for last in silent.values() if last is not None), default=now) - now
        if ahead > HEARTBEAT_EVERY:
            log.warning("the clock went back by %.0f s; anything due by the old clock is due now", ahead)
            if taken := await self._store.downtime.take_back_future(now, CLOCK_RAN_AHEAD):
                log.warning("the clock had run ahead: %d outages that end in the future are gone", taken)
                self.invalidate()
            self._latest = max(self._latest, now + ahead)
            facts[LATEST] = repr(self._latest)
            await self._store.downtime.hasten(now + ahead + 2 * HEARTBEAT_EVERY, now, facts)
            return
        latest = self._latest if self._latest <= now else 0.0  # of a clock set back it says nothing
        ended = [
            records.OutageRow(begin, now, shard, count)
            for shard, last in silent.items()
            if last is not None and now - (begin := max(last, latest)) > SHORTEST_OUTAGE
        ]
        await self._store.downtime.note(facts, ended)
        if ended:
            self.invalidate()

    async def _look_up(self) -> None:
        """Read the last heartbeats of shards taken since the last one."""
        held, count = self._shards.held, self._shards.count
        self._alive = {shard: last for shard, last in self._alive.items() if shard in held}
        if held <= self._alive.keys():
            return
        heard = await self._store.downtime.heard(ALIVE)
        self._latest = read_instant(await self._store.fact(LATEST) or "") or self._latest
        for shard in held - self._alive.keys():
            fact = fact_of(ALIVE, shard, count)
            values = [heard[fact]] if fact in heard else heard.values()
            self._alive.setdefault(shard, max(filter(None, map(read_instant, values)), default=None))
