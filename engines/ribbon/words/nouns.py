"""Names of Ribbon Tangle's things, with their signs."""

from collections.abc import Sequence
from typing import NamedTuple

from engines.game import Seat
from engines.marks import quote_player, sign, with_icon
from engines.ribbon.pieces.board import RibbonTangle, after
from engines.ribbon.pieces.components import LIMITS, Card, Colour
from engines.ribbon.view import RibbonView
from engines.words import Names, group_by, join_phrases, join_words

SWATCH: dict[Colour, str] = {
    "green": sign("ribbon_green", "🟢"),
    "orange": sign("ribbon_orange", "🟠"),
    "purple": sign("ribbon_purple", "🟣"),
}


class RibbonEnding(NamedTuple):
    """Words for one ending: a caption, a clause after a colon, and the result."""

    short: str
    clause: str
    sentence: str


VERSUS, COOP = LIMITS.full_turns_versus, LIMITS.full_turns_coop
ENDINGS = {
    "last_untangled": RibbonEnding(
        "only one player is left", "only 1 player is left", "{winners} wins, because {are_out}."
    ),
    "tie_agreed": RibbonEnding("agreed by all", "all players agreed to a tie", "{winners} agree on a tie."),
    "tie_repetition": RibbonEnding(
        "same position 3 times",
        "a tie, because a third turn began with the same position",
        "{winners} tie, because a third turn began with the same position.",
    ),
    "tie_limit": RibbonEnding(
        f"{VERSUS} turns with all cards up",
        f"a tie, because {VERSUS} turns ended with all cards up",
        f"{{winners}} tie, because {VERSUS} turns ended with all cards up.",
    ),
    "untangled": RibbonEnding(
        "all 12 cards up, no tangle",
        "it was won, because all 12 cards are face up without a tangle",
        "You win! All 12 cards are face up, and nothing is tangled.",
    ),
    "limit": RibbonEnding(
        f"{COOP} turns with all cards up",
        f"it was lost, because {COOP} turns ended with all cards up",
        f"{{loses}}, because {COOP} turns ended with all cards up.",
    ),
    "tangled": RibbonEnding(
        "tangled", "it was lost, as a ribbon was tangled", "{loses}, because a turn ended with {tangles}."
    ),
    "resigned": RibbonEnding(
        "a player left", "it was lost, because a player left", "{loses}, because a player left the game."
    ),
}
"""The texts of each `Outcome.how`; the result names `winners` and who is out, or what was `tangled`."""


def seat_sign(view: RibbonView, seat: Seat) -> str:
    """Return a seat's sign: its shape in its ribbon's colour."""
    colour = view.ribbons[seat] if view.mode == "versus" else None
    return f"ribbon_hand_{seat + 1}" + ("" if colour is None else f"_{colour}")


def player(view: RibbonView, names: Names, seat: Seat) -> str:
    """Return a player's name, with the sign unless alone."""
    name = quote_player(names, seat)
    return name if view.mode == "solo" else with_icon(seat_sign(view, seat), name)


def face_up(card: Card) -> str:
    return with_icon(f"ribbon_card_{card.lower()}", card)


def between(tangles: Sequence[RibbonTangle]) -> str:
    """Return the junctions of some tangles: "between 4 and 5", "at 4-5 and 9-10"; empty for none."""
    places = list(dict.fromkeys(tangle.junction for tangle in tangles))
    if len(places) == 1:
        return f"between {places[0]} and {after(places[0])}"
    return f"at {join_words(f'{place}-{after(place)}' for place in places)}" if places else ""


def describe_tangles(tangles: Sequence[RibbonTangle], verb: str = "") -> str:
    """Return tangles by their colours: "orange and purple between 4 and 5"."""
    groups = [
        f"{join_words(with_icon(f'ribbon_{colour}', colour) for colour in colours)} {verb}{between(ones)}"
        for colours, ones in group_tangles(tangles)
    ]
    return join_phrases(groups)


def group_tangles(tangles: Sequence[RibbonTangle]) -> list[tuple[list[Colour], list[RibbonTangle]]]:
    """Group colours with the same junctions, with one colour's tangles."""
    by_colour = group_by(tangles, lambda one: one.colour)
    same = group_by(by_colour, lambda colour: tuple(one.junction for one in by_colour[colour]))
    return [(colours, by_colour[colours[0]]) for colours in same.values()]
