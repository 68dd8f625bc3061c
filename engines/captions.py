"""Parts of the captions and alt texts of all games."""

from collections.abc import Sequence

from engines.game import Seat
from engines.graphemes import graphemes
from engines.names import player_name

ALT_LIMIT = 1024
"""Discord's limit for the description of an attachment."""


def seat_name(names: Sequence[str], seat: Seat) -> str:
    """Return a seat's name without invisible characters. "Seat 3" if there is none."""
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


STATES = {
    "ready": "has answered",
    "left": "has left",
    "turn": "has the turn",
    "to replay": "can put markers back",
    "to play": "must draw or place markers",
    "to place": "must place a root",
    "to push": "must push the upkeep trackers",
    "to draw": "must draw cards",
    "to grow": "must let plants grow",
    "to plant": "must plant seeds",
    "to lower": "must move the upkeep trackers down",
    "pays toll": "must pay for the roots below",
    "owes upkeep": "must pay upkeep",
}


def verb_of(status: str) -> str:
    """Turn a plate's status into a verb with what follows it.

    >>> [verb_of(status) for status in ("to move", "out", "2nd", "has left")]
    ['must move', 'is out', 'comes 2nd', 'has left']
    """
    if status.startswith("to ") and status not in STATES:
        return f"must {status[3:]}"
    if status.startswith("out"):
        return f"is {status.replace(', ', ' and ')}"
    return f"comes {status}" if status[:1].isdigit() else STATES.get(status, status)


def describe_seat(who: str, status: str, owned: str) -> str:
    """Say a seat's status and what it has.

    >>> describe_seat("Ann", "to move", "3 points"), describe_seat("Bo", "", "3 points")
    ('Ann must move. Ann has 3 points.', 'Bo has 3 points.')
    """
    return f"{who} {verb_of(status)}. {who} has {owned}." if status else f"{who} has {owned}."


def alt_text(sentences: list[str]) -> str:
    """Join the sentences within the limit.

    Drop the last ones if it gets too long.

    >>> alt_text(["Turn 3.", "Ann must move."])
    'Turn 3. Ann must move.'
    """
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > ALT_LIMIT:
            break
        text = longer
    return text or sentences[0][: ALT_LIMIT - 1] + "…"
