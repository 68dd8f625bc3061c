"""Parses what people type about time: days, lengths, times of the day, zones."""

import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
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
            return datetime.combine(day, time(clock // 60, clock % 60), ZoneInfo(zone)).timestamp()
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
            named = match["month"][:3]
            if not named.isdigit() and named not in MONTHS:
                return None
            month = int(named) if named.isdigit() else MONTHS.index(named) + 1
            said = match["year"]
            for year in [int(said) % 100 + 2000] if said else range(today.year, today.year + 9):
                try:
                    day = date(year, month, int(match["day"]))
                except ValueError:  # the 29th of February, or a day that no month has
                    continue
                if said or day >= today:
                    return day
            return None
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


ZONE_EXAMPLES = "`Europe/Berlin`, `New York`, `CET`, `UTC+2` or `UTC`"
OFFERED = 4
"""Zones that a refusal names if several fit."""
FURTHEST = range(-12, 15)
"""The hours by which a zone can be ahead of UTC."""
_OFFSET = re.compile(r"(?:utc|gmt)?(?P<sign>[+\-−])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?")
_FIXED = "Etc/GMT"


class UnknownZone(Refused):
    """Raised for a text that names no time zone, or several; its words give examples."""


@cache
def zones() -> tuple[str, ...]:
    """Return the time zones that people can choose, in order."""
    # `zoneinfo.available_timezones` opens every file of the system's, which takes a tenth of a second.
    names = (files("tzdata") / "zones").read_text("utf-8").split()
    return ("UTC", *sorted(name for name in names if "/" in name and not name.startswith("Etc/")))


@cache
def _zones_by_name() -> dict[str, list[str]]:
    """Return the zones by their names among people: abbreviations, countries, cities."""
    known = tomllib.loads(Path(__file__).with_name("zones.toml").read_text("utf-8"))
    folder = files("tzdata") / "zoneinfo"
    names = dict(line.split("\t") for line in _lines((folder / "iso3166.tab").read_text("utf-8")))
    result: dict[str, list[str]] = {}
    for line in _lines((folder / "zone.tab").read_text("utf-8")):
        code, _, zone, *_ = line.split("\t")
        result.setdefault(names[code].lower(), []).append(zone)
    return {**result, **known["names"], **known["abbreviations"]}


def _lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line and not line.startswith("#")]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


@cache
def _words_of(zone: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(_words(zone)), tuple(_words(zone.rpartition("/")[2]))


def zones_like(text: str) -> list[str]:
    """Return the zones that match an unfinished text: words can be begun.

    >>> zones_like("berl"), zones_like("new york"), zones_like("cet")[:2]
    (['Europe/Berlin'], ['America/New_York'], ['Europe/Berlin', 'Europe/Paris'])
    """
    wanted = _words(text)
    plain = " ".join(wanted)
    called = [zone for name, those in _zones_by_name().items() if name.startswith(plain) for zone in those]
    exact = _zones_by_name().get(plain, [])
    begun = [name for name in zones() if _has_words(name, wanted, begun=True)]
    begun.sort(key=lambda name: not " ".join(_words_of(name)[1]).startswith(plain))
    return list(dict.fromkeys([*_offset(text), *exact, *begun, *(called if wanted else [])]))


def _has_words(zone: str, wanted: list[str], *, begun: bool = False) -> bool:
    """Return True if a zone's name has these words in a row. The last can be `begun`."""
    words, _ = _words_of(zone)
    for start in range(len(words) - len(wanted) + 1):
        there = list(words[start : start + len(wanted)])
        if there == wanted or (begun and there[:-1] == wanted[:-1] and there[-1].startswith(wanted[-1])):
            return True
    return False


def _offset(text: str) -> list[str]:
    """Return the zone of whole hours like `UTC+2`; empty if it is anything else."""
    match = _OFFSET.fullmatch(text.lower().replace(" ", ""))
    if match is None or int(match["minutes"] or 0):
        return []
    hours = int(match["hours"]) * (1 if match["sign"] == "+" else -1)
    if hours not in FURTHEST:
        return []
    # The names of these zones have their sign the other way round.
    return ["UTC"] if hours == 0 else [f"{_FIXED}{-hours:+d}"]


def zone_name(zone: str) -> str:
    """Return a zone as people write it.

    >>> zone_name("Etc/GMT-2"), zone_name("Europe/Berlin")
    ('UTC+2', 'Europe/Berlin')
    """
    return f"UTC{-int(zone.removeprefix(_FIXED)):+d}" if zone.startswith(_FIXED) else zone


def read_zone(text: str) -> str:
    """Return the one time zone that what was typed means.

    Raises:
        UnknownZone: with a sentence, and with those that it can mean.

    >>> read_zone("europe/berlin"), read_zone("New York"), read_zone("utc"), read_zone("GMT-5")
    ('Europe/Berlin', 'America/New_York', 'UTC', 'Etc/GMT+5')
    """
    texts = _zones_meant(text)
    if not texts:
        raise UnknownZone(f"“{repeat(text, 40)}” isn't a time zone I know. Write it like {ZONE_EXAMPLES}.")
    if len(texts) > 1:
        named = ", ".join(f"`{name}`" for name in texts[:OFFERED])
        raise UnknownZone(
            f"“{repeat(text, 40)}” can mean several time zones: {named}. Write one of them in full."
        )
    return texts[0]


def _zones_meant(text: str) -> list[str]:
    wanted = _words(text)
    plain = " ".join(wanted)
    if plain in ("utc", "gmt", "z"):
        return ["UTC"]
    fixed = [text] if text in [f"{_FIXED}{-hours:+d}" for hours in FURTHEST if hours] else _offset(text)
    if fixed or not wanted:
        return fixed
    for fits in (
        [name for name in zones() if _words_of(name)[0] == tuple(wanted)],
        _zones_by_name().get(plain, []),
        [name for name in zones() if _words_of(name)[1] == tuple(wanted)],
        [name for name in zones() if _has_words(name, wanted)],
    ):
        if fits:
            return fits
    return []
