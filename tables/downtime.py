"""The gaps in which the bot was away: it notes that it is alive, and finds out when it was not."""

from __future__ import annotations

import logging
from collections.abc import Callable

from db.store import Store
from tables.clocks.pace import HOUR
from tables.clocks.rest import Span

log = logging.getLogger(__name__)
ALIVE = "alive"
BEATS_APART = 30.0
"""Seconds between two notes that the bot is alive."""
SHORTEST = 120.0
"""A silence of more seconds is a gap."""
LONG = HOUR
"""After a gap of more seconds people are told how things stand."""


class Downtime:
    """Knows when the bot was away. Of what has happened since the last beat before a gap it knows nothing."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._alive_at: float | None = None
        self._opened = False
        self._gaps: tuple[Span, ...] = ()

    async def gaps(self) -> tuple[Span, ...]:
        """All gaps, that before this start included, in order."""
        if not self._opened:
            await self.beat()
        return self._gaps

    async def beat(self) -> None:
        """Note that the bot is alive, and the gap that has just ended, if one has.

        A clock that was set back makes no gap; it is believed, and what waited to be shown by the old one
        waits no longer.
        """
        if not self._opened:
            await self._open()
        now, last = self._clock(), self._alive_at
        if last is not None and 0 <= now - last < BEATS_APART:
            return
        self._alive_at = now
        if last is not None and last - now > BEATS_APART:
            log.warning(
                "the clock was set back by %.0f s; what was due by the old one is due now", last - now
            )
            await self._store.hasten(last + 2 * BEATS_APART, now, (ALIVE, repr(now)))
        elif last is not None and now - last > SHORTEST:
            self._gaps = (*self._gaps, (last, now))
            await self._store.add_gap(last, now, (ALIVE, repr(now)))
        else:
            await self._store.save_fact(ALIVE, repr(now))

    async def _open(self) -> None:
        gaps = await self._store.gaps()
        alive = await self._store.fact(ALIVE)
        if not self._opened:
            self._gaps = tuple(gaps)
            self._alive_at = None if alive is None else float(alive)
            self._opened = True
