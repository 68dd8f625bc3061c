"""What pauses a person's clocks: nights, holidays, and the bot's outages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from tables.clocks.pace import DAY

Span = tuple[float, float]
"""A beginning and an end, in seconds since 1970."""
LONGEST_NIGHT = 10 * 60
"""The most minutes of quiet hours a day."""


class Quiet(msgspec.Struct, frozen=True):
    """A person's nights: from one minute of the day to another, in a time zone, over midnight or not."""

    begins: int
    ends: int
    zone: str

    @property
    def minutes(self) -> int:
        """Return the length of a night by the wall clock.

        >>> Quiet(22 * 60, 7 * 60, "UTC").minutes
        540
        """
        return (self.ends - self.begins) % (24 * 60)

    def between(self, begin: float, end: float) -> Iterator[Span]:
        """Yield the nights that touch a span, in order and uncut."""
        day = datetime.fromtimestamp(begin, _zone(self.zone)).date() - timedelta(days=1)
        while True:
            night = self._night(day)
            if night[0] >= end:
                return
            if night[1] > begin:
                yield night
            day += timedelta(days=1)

    def _night(self, day: date) -> Span:
        """Return the night that begins on a day.

        A wall time that daylight saving skips is read as if the clock hadn't moved; of a doubled one, the
        first. A night that is skipped whole is empty.

        >>> Quiet(2 * 60, 2 * 60 + 30, "Europe/Berlin")._night(date(2026, 3, 29))
        (1774746000.0, 1774747800.0)
        >>> Quiet(2 * 60 + 30, 3 * 60, "Europe/Berlin")._night(date(2026, 3, 29))
        (1774747800.0, 1774747800.0)
        """
        morning = day if self.ends > self.begins else day + timedelta(days=1)
        begin = self._instant(day, self.begins)
        return begin, max(begin, self._instant(morning, self.ends))

    def _instant(self, day: date, minutes: int) -> float:
        wall = datetime.combine(day, time(minutes // 60, minutes % 60), _zone(self.zone))
        return wall.timestamp()


@lru_cache(maxsize=512)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


class Rest(msgspec.Struct, frozen=True):
    """Everything that pauses a person's clocks: nights, holidays, and outages of the bot."""

    quiet: Quiet | None = None
    away: tuple[Span, ...] = ()
    gaps: tuple[Span, ...] = ()

    def in_one_sitting(self) -> Rest:
        """Return what pauses clocks in one sitting: outages alone."""
        return Rest(gaps=self.gaps)

    def paused_spans(self, begin: float, end: float) -> list[Span]:
        """Return the paused spans between two instants, in order and merged."""
        nights = () if self.quiet is None else self.quiet.between(begin, end)
        pairs = sorted(
            (max(a, begin), min(b, end))
            for a, b in (*nights, *self.away, *self.gaps)
            if a < end and b > begin
        )
        return _merge(pairs)

    def count_seconds(self, begin: float, end: float) -> float:
        """Count the seconds of a span that a clock counts. 0 if it ends before it begins."""
        if end <= begin:
            return 0.0
        return end - begin - sum(b - a for a, b in self.paused_spans(begin, end))

    def runs_out(self, begin: float, seconds: float) -> float:
        """Return the first instant at which that many seconds have counted."""
        now, left = begin, seconds
        reach = begin + 2 * seconds + DAY
        while True:
            for still_from, still_until in self.paused_spans(now, reach):
                if still_from - now >= left:
                    return now + left
                left -= still_from - now
                now = still_until
            if reach - now >= left:
                return now + left
            left -= max(0.0, reach - now)
            now, reach = reach, reach + 2 * left + 30 * DAY

    def quiet_until(self, now: float) -> float | None:
        """Return the end of the current quiet time. None if messages are welcome."""
        if self.quiet is None:
            return None
        return next((b for a, b in self.quiet.between(now, now + 1) if a <= now < b), None)

    def away_until(self, now: float) -> float | None:
        """Return the end of the current holiday; None if there is none."""
        return next((b for a, b in self.away if a <= now < b), None)


def _merge(spans: Sequence[Span]) -> list[Span]:
    joined: list[Span] = []
    for begin, end in spans:
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined
