"""Paces: how much time a seat has."""

import re
from functools import lru_cache

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
