"""Autocomplete's suggestions while somebody types, and what they have typed in the end."""

import re
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TypeVar

from discord import app_commands

from engines.marks import to_plain

MOST, LONGEST = 25, 100
"""Lines that Discord shows, and the characters of each."""
SHORT = 2
"""Characters that are sought at the beginnings of words only: nearly every name has an e."""
CODE, NAME, PLACE, BEGINNING, WORD, PART, WORDS, MIXED, NOTHING = range(9)
"""The fits of a typed text: the whole code or name, a code in the name, then beginnings and all words of it.

The words of a MIXED one are in another order; it counts if nothing else fits.
"""
V = TypeVar("V", str, int)


def suggest_choices(named: Mapping[V, str], typed: str) -> list[app_commands.Choice[V]]:
    """Return the values that a typed text can mean, under their names."""
    matches = find_matches(named, typed)[:MOST]
    return [app_commands.Choice(name=to_plain(named[value])[:LONGEST], value=value) for value in matches]


def find_matches(named: Mapping[V, str], typed: str) -> list[V]:
    """Return the values that a text can mean, the best first.

    A code, which has no small letters, is meant alone.

    >>> regions = {"A": "Acorn Rise (A)", "E": "Elder Grove (E)", "H": "Hazel Bank (H)"}
    >>> find_matches(regions, "e"), find_matches(regions, "Z"), find_matches(regions, "gro")
    (['E'], [], ['E'])
    >>> find_matches({"ribbon": "Ribbon Tangle", "tangle": "Tangle"}, "tangle")
    ['tangle', 'ribbon']
    >>> find_matches({1: "place 1 marker in Dusk Hollow (D)", 2: "place 1 marker in Hazel Bank (H)"}, "h")
    [2, 1]
    """
    found = _find(named, typed)
    is_code = bool(found) and found[0][0] == CODE
    return [value for _, value in (found[:1] if is_code else found)]


def read_choice(named: Mapping[V, str], typed: str) -> V | None:
    """Return the value that was typed; None if several fit.

    Several whole words are enough, in another order if nothing else fits.

    >>> games = {"ribbon": "Ribbon Tangle", "tangle": "Tangle"}
    >>> read_choice(games, "Tangle"), read_choice(games, "rib"), read_choice(games, "ang")
    ('tangle', 'ribbon', None)
    """
    found = _find(named, typed) if typed.strip() else []
    is_clear = bool(found) and (found[0][0] <= NAME or len(found) == 1)
    return found[0][1] if is_clear else None


def _find(named: Mapping[V, str], typed: str) -> list[tuple[int, V]]:
    """Return how well each value fits, the best first."""
    wanted = _fold(typed)
    ranks = [(_rank(str(value), to_plain(name), wanted), value) for value, name in named.items()]
    best = min((rank for rank, _ in ranks), default=NOTHING)
    least = MIXED if best < MIXED else NOTHING
    return sorted((pair for pair in ranks if pair[0] < least), key=itemgetter(0))


def _rank(value: str, written: str, wanted: str) -> int:
    """Return how well a text fits, best first."""
    name = _fold(written)
    if wanted == _fold(value):
        return CODE if value == value.upper() else NAME
    if wanted in (name, name[:LONGEST]):
        return NAME
    if wanted and re.search(rf"(?<!\w){re.escape(wanted.upper())}(?!\w)", written):
        return PLACE
    if name.startswith(wanted):
        return BEGINNING
    if re.search(rf"(?<!\w){re.escape(wanted)}", name):
        return WORD
    if len(wanted) > SHORT and wanted in name:
        return PART
    return _rank_words(name, _words(wanted))


def _rank_words(name: str, wanted: Sequence[str]) -> int:
    """Return how well several words fit, in this order or another.

    What a name adds after a colon counts if nothing else fits.

    >>> _rank_words("swap 3 and 4: a and b", ["swap", "4"]) == WORDS
    True
    >>> _rank_words("swap 3 and 4: a and b", ["swap", "4", "and"]) == MIXED
    True
    """
    if len(wanted) < 2 or not set(wanted) <= set(_words(name)):
        return NOTHING
    rest = iter(_words(name.partition(":")[0]))
    return WORDS if all(word in rest for word in wanted) else MIXED


def _words(text: str) -> list[str]:
    return re.findall(r"[\w?+−-]+", text)


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
