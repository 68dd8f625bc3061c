"""Parts of the captions and alt texts of all games."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Seat
from engines.graphemes import graphemes
from engines.names import player_name

ALT_LIMIT = 1024
"""Discord's limit for the description of an attachment."""


def seat_name(names: Sequence[str], seat: Seat) -> str:
    """Return a seat's name without invisible characters.

    "Seat 3" if there is none.
    """
    if seat >= len(names):
        return f"Seat {seat + 1}"
    return player_name(names, seat)


def short(name: str, most: int = 16) -> str:
    """Cut a name that is too long.

    >>> short("Bartholomew the Elder")
    'Bartholomew the…'
    """
    clusters = graphemes(name)
    return name if len(clusters) <= most else "".join(clusters[: most - 1]).rstrip() + "…"


def opening(headline: str, changed: Sequence[str], *, over: bool) -> list[str]:
    """Begin an alt text.

    With the last changes, after a game with the result.

    >>> opening("Turn 3.", ["Placed last: Z50."], over=False)
    ['Placed last: Z50.', 'Turn 3.']
    """
    return [headline, *changed] if over else [*changed, headline]


def ordinal(place: int) -> str:
    """Abbreviate a place.

    >>> ordinal(1), ordinal(3), ordinal(5)
    ('1st', '3rd', '5th')
    """
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"


def alt_text(sentences: list[str]) -> str:
    """Join the sentences within the limit.

    Drop the last ones if it gets too long.

    >>> alt_text(["Turn 3.", "Ann to move."])
    'Turn 3. Ann to move.'
    """
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > ALT_LIMIT:
            break
        text = longer
    return text or sentences[0][: ALT_LIMIT - 1] + "…"
