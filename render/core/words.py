"""Words that the captions of all games share: names, numbers with their nouns, places, changes."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Seat
from engines.names import player_name
from render.core.text import graphemes


def named(names: Sequence[str], seat: Seat) -> str:
    """A seat's name without anything that can't be seen; "Seat 3" where there is none."""
    if seat >= len(names):
        return f"Seat {seat + 1}"
    return player_name(names, seat)


def short(name: str, most: int = 16) -> str:
    """A name that is cut where it gets too long.

    >>> short("Bartholomew the Elder")
    'Bartholomew the…'
    """
    clusters = graphemes(name)
    return name if len(clusters) <= most else "".join(clusters[: most - 1]).rstrip() + "…"


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "tangle"), plural(3, "tangle")
    ('1 tangle', '3 tangles')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def opening(headline: str, changed: Sequence[str], *, over: bool) -> list[str]:
    """How an alt text begins: with what changed last, after a game with how it ended.

    >>> opening("Turn 3.", ["Placed last: Z50."], over=False)
    ['Placed last: Z50.', 'Turn 3.']
    """
    return [headline, *changed] if over else [*changed, headline]


def ordinal(place: int) -> str:
    """A place in short.

    >>> ordinal(1), ordinal(3), ordinal(5)
    ('1st', '3rd', '5th')
    """
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"
