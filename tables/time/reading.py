"""Parses what people type about time: days, lengths, times of the day."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from engines.game import repeat
from tables.clocks.pace import DAY, HOUR, MINUTE
from tables.core.table import Refused

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
UNITS = {"m": MINUTE, "min": MINUTE, "minute": MINUTE, "h": HOUR, "hr": HOUR, "hour": HOUR}
UNITS |= {"d": DAY, "day": DAY, "w": 7 * DAY, "wk": 7 * DAY, "week": 7 * DAY}
DAY_EXAMPLES = "`2026-12-24`, `24.12.`, `24 Dec`, `10 days`, `2w`, `friday 18:00` or `tomorrow`"
TIME_EXAMPLES = "`22:00`, `22` or `10pm`"

_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_DOTTED = re.compile(r"(?P<day>\d{1,2})\.\s*(?P<month>\d{1,2})(?:\.\s*(?P<year>\d{4}|\d{2})?)?")
_NAMED = re.compile(
    r"(?P<day>\d{1,2})(?:\.|st|nd|rd|th)?(?: of)? (?P<month>[a-z]{3,9})\.?,?(?: (?P<year>\d{4}))?"
)
_NAMED_FIRST = re.compile(
    r"(?P<month>[a-z]{3,9})\.? (?P<day>\d{1,2})(?:\.|st|nd|rd|th)?,?(?: (?P<year>\d{4}))?"
)
_LENGTH = re.compile(r"(\d+(?:\.\d+)?(?=\s*[a-z])|[a-z]+(?= ))\s*([a-z]+)")
_TIME = re.compile(r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?\s*(?P<half>am|pm|a\.m\.|p\.m\.)?(?:h)?")


class Unreadable(Refused):
    """Raised if a text can't be read; its text says so, with an example."""


def read_until(text: str, now: float, zone: str) -> float:
    """Read an end.

    The beginning of a day in a time zone, or a length from now. A day without a year is the next one of that
    date; a time of the day can follow it.

    Raises:
        Unreadable: with a sentence and examples.

    >>> read_until("10 days", 0.0, "UTC") / DAY
    10.0
    >>> read_until("2. 1.", 0.0, "UTC") / DAY, read_until("tomorrow 18:00", 0.0, "UTC") / HOUR
    (1.0, 42.0)
    """
    plain = _plain(text).removeprefix("until ").removeprefix("in ").removeprefix("for ")
    length = _length(plain)
    if length is not None:
        return now + length
    today = datetime.fromtimestamp(now, ZoneInfo(zone)).date()
    for words, clock in _day_and_time(plain):
        day = _day(words, today)
        if day is not None:
            at = time(clock // 60, clock % 60)
            return datetime.combine(day, at, ZoneInfo(zone)).timestamp()
    raise Unreadable(f"I can't read “{repeat(text, 40)}” as a day. Write it like {DAY_EXAMPLES}.")


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("t00:00", " ").split())


def _day_and_time(plain: str) -> Iterator[tuple[str, int]]:
    """Yield a text as a day, and as a day with a time in minutes."""
    yield plain, 0
    words, _, last = plain.rpartition(" ")
    if words:
        try:
            yield words.removesuffix(" at").rstrip(","), read_time(last)
        except Unreadable:
            return


def _length(plain: str) -> float | None:
    """Read ``10 days`` or ``1w 3d`` in seconds; None if it is anything else."""
    total, at = 0.0, 0
    for match in _LENGTH.finditer(plain):
        number = NUMBERS.get(match[1]) if match[1].isalpha() else float(match[1])
        unit = UNITS.get(match[2]) or UNITS.get(match[2].removesuffix("s"))
        if number is None or unit is None or plain[at : match.start()].strip(" ,"):
            return None
        total, at = total + number * unit, match.end()
    return total if at and not plain[at:].strip() else None


def _day(words: str, today: date) -> date | None:
    if words in ("today", "tomorrow"):
        return today + timedelta(days=words == "tomorrow")
    weekday = words.removeprefix("next ")[:3]
    if weekday in WEEKDAYS and re.fullmatch(
        r"(mon|tues?|wed(nes)?|thu(rs?)?|fri|sat(ur)?|sun)(day)?", words.removeprefix("next ")
    ):
        return today + timedelta(days=(WEEKDAYS.index(weekday) - today.weekday() - 1) % 7 + 1)
    for form in (_ISO, _DOTTED, _NAMED, _NAMED_FIRST):
        match = form.fullmatch(words)
        if match is not None:
            return _date_of(match, today)
    return None


def _date_of(match: re.Match[str], today: date) -> date | None:
    """Return a date's day, the next one without a year. None if the calendar has none."""
    named = match["month"][:3]
    if not named.isdigit() and named not in MONTHS:
        return None
    month = int(named) if named.isdigit() else MONTHS.index(named) + 1
    said = match["year"]
    years = [int(said) % 100 + 2000] if said else range(today.year, today.year + 9)
    for year in years:
        try:
            day = date(year, month, int(match["day"]))
        except ValueError:  # the 29th of February, or a day that no month has
            continue
        if said or day >= today:
            return day
    return None


def read_time(text: str) -> int:
    """Read a time of the day, in minutes since midnight.

    Raises:
        Unreadable: with a sentence and examples.

    >>> [read_time(text) for text in ("22:30", "7", "10 pm", "12am", "midnight", "0730")]
    [1350, 420, 1320, 0, 0, 450]
    """
    plain = _plain(text)
    plain = {"midnight": "0:00", "noon": "12:00", "24:00": "0:00", "24": "0"}.get(plain, plain)
    if re.fullmatch(r"\d{4}", plain):
        plain = f"{plain[:2]}:{plain[2:]}"
    match = _TIME.fullmatch(plain)
    hour, minute = (-1, 0) if match is None else (int(match["hour"]), int(match["minute"] or 0))
    if match is not None and match["half"]:
        hour = hour % 12 + (12 if match["half"].startswith("p") else 0) if 1 <= hour <= 12 else -1
    if not (0 <= hour < 24 and 0 <= minute < 60):
        raise Unreadable(
            f"I can't read “{repeat(text, 40)}” as a time of day. Write it like {TIME_EXAMPLES}."
        )
    return hour * 60 + minute
