"""One seat's clock: a value, and what happens to it when a duty begins, is done, is taken back or stands."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from tables.clocks.pace import HOUR, MINUTE, Pace
from tables.clocks.rest import Rest

UNHURRIED = HOUR
"""For so long after a duty has begun, or after a gap, nobody is reminded or becomes late by it."""
BEAT = MINUTE
"""What ran out so shortly before a gap may not have been noted before it."""
REMINDED_AT = (0.5, 0.1)
"""What part of the bank that a duty began with is left when its reminders are due."""
PINGS_APART = MINUTE
"""At a table of one sitting nobody is mentioned more often."""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's clock; times in seconds, instants since 1970.

    `left` is what the bank held at `since`, from when on it runs; None: it stands. `had` is what it held
    when the duty began, at `begun`. `added` is what the last duty that was done has brought. `reminders`
    were sent for this duty. `late` is since when the duty is late, once that is noted; `deputy`: a computer
    makes this turn instead; `missed` are the turns in a row that one has made. `quiet`: the notice goes
    another way than by a mention in the post. `pinged` is when the seat was mentioned last, `nudged` when
    another player has asked for it.
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

    @property
    def runs(self) -> bool:
        """Whether its time runs."""
        return self.since is not None

    def begin(self, now: float) -> Clock:
        """A duty begins."""
        return replace(
            self, since=now, had=self.left, begun=now, reminders=0, late=None, deputy=False, quiet=False
        )

    def settle(self, now: float, rest: Rest) -> Clock:
        """The time that has run so far is taken from the bank, for what stops the clock changes now."""
        if self.since is None:
            return self
        return replace(self, left=max(0.0, self.left - rest.counted(self.since, now)), since=now)

    def stand(self, now: float, rest: Rest) -> Clock:
        """The clock stops in the middle of a duty."""
        return replace(self.settle(now, rest), since=None)

    def go_on(self, now: float) -> Clock:
        """The clock runs again in the middle of a duty."""
        return replace(self, since=now)

    def finish(self, now: float, rest: Rest, pace: Pace, *, acted: bool) -> Clock:
        """The duty is over; who has `acted` gets the increment, up to the cap."""
        stood = self.stand(now, rest)
        added = max(0.0, min(pace.increment, pace.cap - stood.left)) if acted else 0.0
        missed = stood.missed + 1 if stood.deputy else 0 if acted else stood.missed
        return replace(
            stood, left=stood.left + added, added=added, late=None, deputy=False, missed=missed, reminders=0
        )

    def reopen(self, now: float) -> Clock:
        """The duty that was done last is taken back, with what it has brought."""
        left = max(0.0, self.left - self.added)
        return replace(self, left=left, since=now, added=0.0)

    def forget(self) -> Clock:
        """A duty that began is taken back by who caused it: as if it had never begun."""
        return replace(self, since=None, left=self.had if self.runs else self.left, late=None)

    def give(self, seconds: float, now: float, rest: Rest) -> Clock:
        """The bank holds so much more, and what was late is not."""
        settled = self.settle(now, rest)
        return replace(settled, left=settled.left + seconds, late=None, deputy=False)

    def at_least(self, seconds: float, now: float, rest: Rest) -> Clock:
        """The bank holds that much at least, and what was late is not."""
        settled = self.settle(now, rest)
        return replace(settled, left=max(settled.left, seconds), late=None, deputy=False)


def deadline(clock: Clock, rest: Rest, pace: Pace) -> float | None:
    """The instant at which a clock that runs is empty; None for one that stands.

    What would run out in the first hour after a gap, or ran out unnoticed with its beginning, is moved to
    that hour's end; in one sitting, as long as its bank at the start.
    """
    if clock.since is None:
        return None
    at = rest.runs_out(clock.since, clock.left)
    mercy = min(UNHURRIED, pace.bank)
    for begin, end in rest.gaps:
        if clock.since < end and begin - BEAT < at < end + mercy:
            at = end + mercy
    return at


def spared(clock: Clock, rest: Rest, pace: Pace, now: float) -> Clock:
    """The clock, settled with the time that a gap has left it besides its own."""
    ends = deadline(clock, rest, pace)
    if clock.since is None or ends is None or clock.late is not None:
        return clock.settle(now, rest)
    return replace(clock, left=rest.counted(max(now, clock.since), ends), since=now)


def time_left(clock: Clock, rest: Rest, now: float) -> float:
    """The seconds that are left in the bank now."""
    return clock.settle(now, rest).left


def next_reminder(clock: Clock, rest: Rest, pace: Pace) -> float | None:
    """When the next reminder of a duty is due; None when there is none before the deadline."""
    ends = deadline(clock, rest, pace)
    if clock.since is None or ends is None or not pace.kept or clock.late is not None:
        return None
    for part in REMINDED_AT[clock.reminders :]:
        spent = rest.runs_out(clock.since, max(0.0, clock.left - clock.had * part))
        at = max(spent, clock.begun + UNHURRIED)
        if at < ends:
            return at
    return None


def reminders_due(clock: Clock, rest: Rest, now: float) -> int:
    """How many of a duty's reminders should have been sent by now; what is missed together is one."""
    left = time_left(clock, rest, now)
    return sum(left <= clock.had * part + 1e-6 for part in REMINDED_AT)
