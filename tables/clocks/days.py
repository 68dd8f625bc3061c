"""Days from midnight to midnight in UTC, and local hours within one."""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from tables.clocks.pace import DAY, HOUR

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
    wall = datetime.combine(day, time(hour), place)
    at = wall.timestamp()
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
