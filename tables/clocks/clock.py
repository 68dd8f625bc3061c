"""One seat's clock, and the bot's, which believes no sudden jump.

A machine that wakes without network time can be wrong by days for a few minutes. What is written in these
minutes can't be taken back, so a jump is believed only once a second clock agrees: the time since the
machine was started, or Discord's.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from math import inf

import msgspec
from msgspec.structs import replace

from tables.clocks.pace import HOUR, MINUTE, Pace, Rest

GRACE = HOUR
"""Seconds after a duty's beginning, or after an outage, without reminders or lateness."""
UNNOTICED = MINUTE
"""Seconds before an outage within which a deadline can have passed unnoticed."""
REMINDED_AT = (0.5, 0.1)
"""Shares of a duty's bank that are left when reminders are due."""
PINGS_APART = MINUTE
"""Seconds between two mentions at a table of one sitting."""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's clock; times in seconds, instants since 1970.

    `left` is the bank at `since`, from when on it runs; None: stopped. `had` is the bank at the duty's
    start, `begun`. `added` is what the last finished duty added. `reminders` were sent for this duty. `late`
    is when lateness was noted; `deputy`: a computer makes this turn; `missed` counts such turns in a row.
    `quiet`: the notice goes another way than by a mention in the post. `pinged` is the seat's last mention,
    `nudged` the last by another player's wish. Until `offered`, its computer waits for somebody who takes it.
    """

    left: float
    since: float | None = None
    had: float = 0.0
    begun: float = 0.0
    added: float = 0.0
    reminders: int = 0
    late: float | None = None
    deputy: bool = False
    missed: int = 0
    quiet: bool = False
    pinged: float = 0.0
    nudged: float = 0.0
    offered: float = 0.0

    @property
    def runs(self) -> bool:
        return self.since is not None

    def begin(self, now: float) -> Clock:
        return replace(
            self, since=now, had=self.left, begun=now, reminders=0, late=None, deputy=False, quiet=False
        )

    def settle(self, now: float, rest: Rest) -> Clock:
        """Take the time that has run from the bank."""
        if self.since is None:
            return self
        return replace(self, left=max(0.0, self.left - rest.count_seconds(self.since, now)), since=now)

    def stop(self, now: float, rest: Rest) -> Clock:
        return replace(self.settle(now, rest), since=None)

    def run(self, now: float) -> Clock:
        return replace(self, since=now)

    def finish(self, now: float, rest: Rest, pace: Pace, *, acted: bool) -> Clock:
        """End the duty; if `acted`, add the increment up to the cap."""
        stood = self.stop(now, rest)
        added = max(0.0, min(pace.increment, pace.cap - stood.left)) if acted else 0.0
        missed = stood.missed + 1 if stood.deputy else 0 if acted else stood.missed
        return replace(
            stood, left=stood.left + added, added=added, late=None, deputy=False, missed=missed, reminders=0
        )

    def reopen(self, now: float) -> Clock:
        """Take the last finished duty back, with what it added."""
        return replace(self, left=max(0.0, self.left - self.added), since=now, added=0.0)

    def forget(self) -> Clock:
        """Forget a duty, as if it had never begun."""
        return replace(self, since=None, left=self.had if self.runs else self.left, late=None)

    def add_time(self, seconds: float, now: float, rest: Rest) -> Clock:
        """Add time to the bank, and forget lateness."""
        settled = self.settle(now, rest)
        return replace(settled, left=settled.left + seconds, late=None, deputy=False)

    def fill_to(self, seconds: float, now: float, rest: Rest) -> Clock:
        """Fill the bank to at least that much, and forget lateness."""
        settled = self.settle(now, rest)
        return replace(settled, left=max(settled.left, seconds), late=None, deputy=False)


def deadline(clock: Clock, rest: Rest, pace: Pace) -> float | None:
    """Return the instant at which a running clock is empty.

    None if it is stopped. What would run out in the first hour after an outage, or ran out unnoticed at its
    beginning, moves to that hour's end; in one sitting, by as long as the bank at the start.
    """
    if clock.since is None:
        return None
    at = rest.runs_out(clock.since, clock.left)
    mercy = min(GRACE, pace.bank)
    for begin, end in rest.gaps:
        if clock.since < end and begin - UNNOTICED < at < end + mercy:
            at = end + mercy
    return at


def with_grace(clock: Clock, rest: Rest, pace: Pace, now: float) -> Clock:
    """Settle a clock, with the grace that an outage gives."""
    ends = deadline(clock, rest, pace)
    if clock.since is None or ends is None or clock.late is not None:
        return clock.settle(now, rest)
    return replace(clock, left=rest.count_seconds(max(now, clock.since), ends), since=now)


def time_left(clock: Clock, rest: Rest, now: float) -> float:
    """Return the seconds left in the bank."""
    return clock.settle(now, rest).left


def next_reminder(clock: Clock, rest: Rest, pace: Pace) -> float | None:
    """Return the time of a duty's next reminder. None if none comes before the deadline."""
    ends = deadline(clock, rest, pace)
    if clock.since is None or ends is None or not pace.kept or clock.late is not None:
        return None
    for part in REMINDED_AT[clock.reminders :]:
        at = max(rest.runs_out(clock.since, max(0.0, clock.left - clock.had * part)), clock.begun + GRACE)
        if at < ends:
            return at
    return None


def reminders_due(clock: Clock, rest: Rest, now: float) -> int:
    """Count a duty's reminders that are due; those missed together are one."""
    left = time_left(clock, rest, now)
    return sum(left <= clock.had * part + 1e-6 for part in REMINDED_AT)


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
