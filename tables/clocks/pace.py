"""Paces, days and hours, and what pauses a person's clocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from engines.game import repeat

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
UNITS = {"m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
WORDS = (("day", DAY), ("hour", HOUR), ("minute", MINUTE))
BANKS, INCREMENTS, MOST_CAP = (5 * MINUTE, 30 * DAY), (0.0, 14 * DAY), 60 * DAY
EXAMPLE = "3d+12h cap 5d"
LENGTH_EXAMPLE = "1d12h"


class BadPace(ValueError):
    """Raised if a pace can't be read or isn't allowed; its text says why, with an example."""


class Pace(msgspec.Struct, frozen=True):
    """A clock setting: the bank at the start, the increment for each duty, the bank's cap.

    In seconds. `name` is how it is stored and chosen. A pace that isn't `kept` shows no deadline; its bank
    is the time after which the others can act.
    """

    name: str
    bank: float
    increment: float
    cap: float
    kept: bool = True

    @property
    def one_sitting(self) -> bool:
        """Return True if people sit together. Then no nights or holidays stop a clock."""
        return self.cap <= HOUR


NONE = Pace("none", 3 * DAY, 3 * DAY, 3 * DAY, kept=False)
PACES = {
    pace.name: pace
    for pace in (
        NONE,
        Pace("live", 15 * MINUTE, MINUTE, 15 * MINUTE),
        Pace("brisk", 12 * HOUR, 4 * HOUR, DAY),
        Pace("daily", 2 * DAY, DAY, 3 * DAY),
        Pace("relaxed", 5 * DAY, 2 * DAY, 8 * DAY),
        Pace("weekly", 14 * DAY, 4 * DAY, 21 * DAY),
    )
}
DEFAULT = "daily"
CUSTOM = "custom"
"""The label of custom paces in lists; a custom pace's own name is its plain spelling."""

_LENGTH = r"(?:\d{1,6}(?:\.\d{1,6})?\s*[a-z]+\s*)+"
_FORM = re.compile(
    rf"(?P<bank>{_LENGTH})"
    rf"(?:(?:\+|plus|and)\s*(?P<increment>{_LENGTH}|0\s*))?"
    rf"(?:[,;]?\s*(?:cap|max|at most|most|up to)\s*(?P<cap>{_LENGTH}))?"
)


@lru_cache(maxsize=256)
def read_pace(text: str) -> Pace:
    """Return the pace of that name, or a custom one.

    ``bank+increment cap most``. Without an increment there is none; without a cap the bank holds its start
    and two increments.

    Raises:
        BadPace: with a sentence and an example, if it can't be read or is out of bounds.

    >>> read_pace("Daily").bank / DAY
    2.0
    >>> read_pace("3 days + 12 hours, cap 5d").name
    '3d+12h cap 5d'
    """
    plain = " ".join(text.lower().split())
    if plain in PACES:
        return PACES[plain]
    match = _FORM.fullmatch(plain)
    if match is None:
        named = ", ".join(f"“{name}”" for name in PACES)
        raise BadPace(
            f"“{repeat(text, 40)}” isn't a pace. Choose {named}, or write your own like `{EXAMPLE}`."
        )
    bank = _seconds(match["bank"])
    increment = _seconds(match["increment"]) if match["increment"] else 0.0
    cap = _seconds(match["cap"]) if match["cap"] else min(bank + 2 * increment, MOST_CAP)
    _require(BANKS[0] <= bank <= BANKS[1], "The time to start with must be 5 minutes to 30 days")
    _require(INCREMENTS[0] <= increment <= INCREMENTS[1], "The time added each turn can be 14 days at most")
    _require(
        bank <= cap <= MOST_CAP, "The cap can't be shorter than the starting time or longer than 60 days"
    )
    return Pace(
        f"{_spell_length(bank)}+{_spell_length(increment)} cap {_spell_length(cap)}", bank, increment, cap
    )


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise BadPace(f"{sentence}. For example, write `{EXAMPLE}`.")


def read_length(text: str) -> float:
    """Read a length of time, in seconds.

    Raises:
        BadPace: with a sentence and an example, if it can't be read.

    >>> read_length("1d12h") / HOUR, read_length("2 Days") / DAY
    (36.0, 2.0)
    """
    plain = " ".join(text.lower().split()).removeprefix("+").strip()
    if re.fullmatch(_LENGTH, plain) is None:
        raise BadPace(
            f"I can't read “{repeat(text, 40)}” as a length of time. "
            f"Write it like `{LENGTH_EXAMPLE}` or `3 days`."
        )
    return _seconds(plain, LENGTH_EXAMPLE)


def _seconds(text: str, example: str = EXAMPLE) -> float:
    """Read a length like ``1d 12h`` or ``90 minutes``, in seconds."""
    total = 0.0
    for number, unit in re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]+)", text):
        if unit[0] not in UNITS or unit.startswith("mo"):
            raise BadPace(
                f"“{repeat(unit)}” isn't a unit of time. Use minutes, hours, days or weeks, like `{example}`."
            )
        total += float(number) * UNITS[unit[0]]
    return float(round(total))


def _spell_length(seconds: float) -> str:
    """Spell a length as people type it.

    >>> _spell_length(1.5 * DAY), _spell_length(0)
    ('1d12h', '0m')
    """
    parts = []
    left = round(seconds / MINUTE) * MINUTE
    for unit, size in (("d", DAY), ("h", HOUR), ("m", MINUTE)):
        number, left = divmod(left, size)
        if number:
            parts.append(f"{number:.0f}{unit}")
    return "".join(parts) or "0m"


def length_words(seconds: float) -> str:
    """Word a length of time in its two largest units.

    >>> length_words(2 * DAY), length_words(1.5 * HOUR), length_words(3)
    ('2 days', '1 hour 30 minutes', '1 minute')
    """
    left = max(MINUTE, round(seconds / MINUTE) * MINUTE)
    parts = []
    for word, size in WORDS:
        number, left = divmod(left, size)
        if number:
            parts.append(f"{number:.0f} {word}{'' if number == 1 else 's'}")
    return " ".join(parts[:2])


def pace_words(pace: Pace) -> str:
    """Word a pace in one plain line.

    >>> pace_words(PACES["daily"])
    'each player starts with 2 days of time and gets 1 day more each turn, up to 3 days'
    """
    if not pace.kept:
        return "no clock, but if somebody doesn't play for 3 days, the others can go on"
    bank = length_words(pace.bank)
    if not pace.increment:
        return f"each player has {bank} of time for the whole game"
    more = f"{length_words(pace.increment)} more each turn"
    return f"each player starts with {bank} of time and gets {more}, up to {length_words(pace.cap)}"


KEPT = 1024
"""Cached hours."""


def day_of(now: float) -> str:
    """Return the day of an instant.

    >>> day_of(0.0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def begins(day: str) -> float:
    return datetime.combine(date.fromisoformat(day), time(), UTC).timestamp()


def ends(day: str) -> float:
    return begins(day) + DAY


def add_days(day: str, days: int) -> str:
    """Return a day some days after another; negative for before.

    >>> add_days("2026-03-01", -1)
    '2026-02-28'
    """
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def week_of(day: str) -> tuple[str, str]:
    """Return the Monday and the Sunday of a day's week.

    >>> week_of("2026-11-25")
    ('2026-11-23', '2026-11-29')
    """
    weekday = date.fromisoformat(day).weekday()
    return add_days(day, -weekday), add_days(day, 6 - weekday)


def month_of(day: str) -> tuple[str, str]:
    """Return the first and the last day of a day's month.

    >>> month_of("2028-02-05")
    ('2028-02-01', '2028-02-29')
    """
    first = date.fromisoformat(day).replace(day=1)
    following = (first + timedelta(days=31)).replace(day=1)
    return first.isoformat(), (following - timedelta(days=1)).isoformat()


def read_day(text: str) -> str | None:
    """Read a day like ``2026-11-23``; return None if it is anything else.

    >>> read_day(" 2026-11-23 "), read_day("2026-02-30"), read_day("20261123")
    ('2026-11-23', None, None)
    """
    try:
        result = date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return None
    return result if result == text.strip() else None


@lru_cache(KEPT)
def hour_within(day: str, hour: int, zone: str) -> float:
    """Return the instant at which a place's clocks reach an hour within a day.

    A skipped hour is the next moment that exists, a doubled one the first. If the clock change removes the
    hour from the day, it is the day's beginning.
    """
    begin, place = begins(day), ZoneInfo(zone)
    around = (date.fromisoformat(day) + timedelta(days=shift) for shift in (-1, 0, 1))
    values = (_moment(one, hour, place) for one in around)
    return next((at for at in values if begin <= at < begin + DAY), begin)


def next_hour(now: float, hour: int, zone: str) -> float:
    """Return the next instant at which a place's clocks reach an hour.

    >>> next_hour(0.0, 18, "UTC") == 18 * 3600, next_hour(18 * 3600.0, 18, "UTC") == 42 * 3600
    (True, True)
    """
    today = day_of(now)
    return next(at for day in range(3) if (at := hour_within(add_days(today, day), hour, zone)) > now)


def _moment(day: date, hour: int, place: ZoneInfo) -> float:
    """Return the first moment of a date at which a place's clocks show or skip the hour."""
    at = datetime.combine(day, time(hour), place).timestamp()
    if datetime.fromtimestamp(at, place).hour == hour:
        return at
    # The hour was jumped over: what comes first after it is where the clocks changed.
    low, high = at - 2 * HOUR, at
    before = datetime.fromtimestamp(low, place).utcoffset()
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, place).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


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
        return datetime.combine(day, time(minutes // 60, minutes % 60), _zone(self.zone)).timestamp()


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
        if self.quiet is None:
            return None
        return next((b for a, b in self.quiet.between(now, now + 1) if a <= now < b), None)

    def away_until(self, now: float) -> float | None:
        return next((b for a, b in self.away if a <= now < b), None)


def _merge(spans: Sequence[Span]) -> list[Span]:
    joined: list[Span] = []
    for begin, end in spans:
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined
