"""Finds the time zone that somebody means: a place, a country, an abbreviation or an offset."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

from engines.game import repeat
from tables.core.table import Refused

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
    return {**_countries(), **known["names"], **known["abbreviations"]}


def _countries() -> dict[str, list[str]]:
    """Return the zones of each country, by its English name in small letters."""
    folder = files("tzdata") / "zoneinfo"
    names = dict(line.split("\t") for line in _lines((folder / "iso3166.tab").read_text("utf-8")))
    result: dict[str, list[str]] = {}
    for line in _lines((folder / "zone.tab").read_text("utf-8")):
        code, _, zone, *_ = line.split("\t")
        result.setdefault(names[code].lower(), []).append(zone)
    return result


def _lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line and not line.startswith("#")]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


@cache
def _words_of(zone: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a zone's name, and those of its last part."""
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
    fixed = _offset(text)
    return list(dict.fromkeys([*fixed, *exact, *begun, *(called if wanted else [])]))


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


def _hour_zones() -> list[str]:
    return [f"{_FIXED}{-hours:+d}" for hours in FURTHEST if hours]


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
    fixed = [text] if text in _hour_zones() else _offset(text)
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
