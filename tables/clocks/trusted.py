"""The bot's clock: the machine's, unless a second look contradicts it.

A machine that wakes without network time can be wrong by days for a few minutes. What is written in these
minutes can't be taken back, so a jump is believed only once a second clock agrees: the time since the
machine was started, or Discord's.
"""

import logging
import time
from collections.abc import Callable
from math import inf

from tables.clocks.pace import HOUR, MINUTE

log = logging.getLogger(__name__)
LARGEST_JUMP = HOUR
"""Seconds by which the machine's clock may jump without a second look."""
BELIEVED_AFTER = 10 * MINUTE
"""Seconds after which a jump is believed that nobody has contradicted."""


def seconds_since_boot() -> float:
    """Return seconds of a clock that nobody sets. On Linux it counts on while the machine sleeps."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class TrustedClock:
    """Tells the time, in seconds since 1970, without unconfirmed jumps.

    Until a jump of more than an hour is confirmed, the time goes on from before it. Discord's time decides
    at once: it confirms a jump, and corrects a clock that is wrong from the start.
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, ticks: Callable[[], float] = seconds_since_boot
    ) -> None:
        self._wall = wall
        self._ticks = ticks
        self._known = wall(), ticks()
        self._doubted: tuple[float, float] | None = None
        """The machine's error in seconds, and its first tick.

        That is inf if Discord has contradicted the machine.
        """

    def __call__(self) -> float:
        """Return the present instant."""
        wall, ticks = self._wall(), self._ticks()
        expected = self._known[0] + ticks - self._known[1]
        off = wall - expected
        if abs(off) <= LARGEST_JUMP:
            self._trust(wall, ticks)
            return wall
        if self._doubted is None or abs(off - self._doubted[0]) > LARGEST_JUMP:
            log.warning("the machine's clock has jumped by %.0f s; waiting for a second look", off)
            self._doubted = off, ticks
        if ticks - self._doubted[1] < BELIEVED_AFTER:
            return expected
        log.warning("the machine's clock still differs by %.0f s, so it is believed", off)
        self._trust(wall, ticks)
        return wall

    def compare(self, instant: float) -> None:
        """Compare with Discord's time; follow it if it differs much."""
        wall, ticks = self._wall(), self._ticks()
        if abs(wall - instant) <= LARGEST_JUMP:
            self._trust(wall, ticks)
            return
        if self._doubted is None:
            log.warning(
                "the machine's clock differs from Discord's by %.0f s; using Discord's", wall - instant
            )
        self._known = instant, ticks
        self._doubted = wall - instant, inf

    def _trust(self, instant: float, ticks: float) -> None:
        self._known = instant, ticks
        self._doubted = None
