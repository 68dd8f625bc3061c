"""The cards, numbers and options of Ribbon Tangle, and checks of ``ribbon.toml``.

Nothing here depends on the faces themselves: whoever owns the printed game can replace the cards in
the data file, and everything else follows.
"""

from collections.abc import Iterator
from itertools import combinations
from string import ascii_uppercase
from typing import Literal

import msgspec

from engines.components import CannotLeaveOut, Data, KnownComponents, load_components

Mode = Literal["versus", "coop", "solo"]
Difficulty = Literal["easy", "medium", "hard"]
RibbonChoice = Literal["blind", "after_hand", "random"]
First = Literal["random", "host"]


class RibbonOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `difficulty` matters in solo only, `ribbon_choice` in versus only, `first` not in solo.

    >>> RibbonOptions().mode
    'versus'
    >>> msgspec.json.decode(b'{"mode": "coop"}', type=RibbonOptions).ribbon_choice
    'blind'
    """

    mode: Mode = "versus"
    difficulty: Difficulty = "easy"
    ribbon_choice: RibbonChoice = "blind"
    first: First = "random"


Card = str
"""A card's id, a letter from A to R."""

Colour = Literal["green", "orange", "purple"]
Crossing = Literal["low", "high", "rise", "fall"]
Level = Literal[0, 1]
"""The side of a ribbon at a card's edge: 0 is low, the dark side; 1 is high, the light side."""


class Sides(msgspec.Struct, frozen=True):
    """A kind of crossing: its side at the left edge, at the right edge, and its sign in text."""

    left: Level
    right: Level
    sign: str


class CardFace(msgspec.Struct, frozen=True):
    """The printed side of one card: how each ribbon crosses it from left to right.

    >>> FACES["A"].crossing("green")
    'rise'
    >>> FACES["A"].signs
    '/_^'
    """

    id: Card
    green: Crossing
    orange: Crossing
    purple: Crossing

    def crossing(self, colour: Colour) -> Crossing:
        match colour:
            case "green":
                return self.green
            case "orange":
                return self.orange
            case "purple":
                return self.purple

    @property
    def signs(self) -> str:
        """The three crossings as signs, in the order of the colours from the rim inwards."""
        return "".join(COMPONENTS.crossings[self.crossing(colour)].sign for colour in COLOURS)


class SoloHands(msgspec.Struct, frozen=True):
    """A solo player's number of hands, cards in each, and cards set aside."""

    hands: int
    size: int
    aside: int


class RibbonLimits(msgspec.Struct, frozen=True):
    """The house rules that make every game end."""

    repetition_tie: int
    repetition_offer: int
    full_turns_versus: int
    full_turns_coop: int


class Ring(msgspec.Struct, frozen=True):
    """The circle on the table."""

    places: int


class Colours(msgspec.Struct, frozen=True):
    """The colours from the rim inwards, and the letter of each."""

    order: tuple[Colour, ...]
    letter: dict[Colour, str]


class RibbonComponents(msgspec.Struct, frozen=True):
    """The content of ``ribbon.toml``."""

    title: str
    circle: Ring
    colours: Colours
    crossings: dict[Crossing, Sides]
    hands: dict[Literal["versus", "coop"], dict[int, int]]
    solo: dict[Difficulty, SoloHands]
    limits: RibbonLimits
    cards: tuple[CardFace, ...]


COMPONENTS = load_components("ribbon", RibbonComponents)
COLOURS = COMPONENTS.colours.order
LETTERS = COMPONENTS.colours.letter
PLACES = COMPONENTS.circle.places
LIMITS = COMPONENTS.limits
CARDS: tuple[Card, ...] = tuple(face.id for face in COMPONENTS.cards)
FACES: dict[Card, CardFace] = {face.id: face for face in COMPONENTS.cards}


def left_side(card: Card, colour: Colour) -> Level:
    """Return the side of a ribbon where the card meets the place before.

    >>> left_side("A", "green"), right_side("A", "green")
    (0, 1)
    """
    return COMPONENTS.crossings[FACES[card].crossing(colour)].left


def right_side(card: Card, colour: Colour) -> Level:
    """Return the side of a ribbon where the card meets the next place."""
    return COMPONENTS.crossings[FACES[card].crossing(colour)].right


CARD_COUNT, PLACE_COUNT = 18, 12
IDS = ascii_uppercase[:CARD_COUNT]
SIDES = {"low": (0, 0), "high": (1, 1), "rise": (0, 1), "fall": (1, 0)}


def _errors(data: RibbonComponents) -> Iterator[str]:
    if len(data.cards) != CARD_COUNT:
        yield f"cards: the game has {CARD_COUNT} cards, not {len(data.cards)}."
    for face in data.cards:
        if face.id not in IDS or len(face.id) != 1:
            yield f"Card {face.id}: a card's id is a letter from A to {IDS[-1]}."
    if data.circle.places != PLACE_COUNT:
        yield f"circle, places: the circle has {PLACE_COUNT} places, not {data.circle.places}."
    if sorted(data.colours.order) != ["green", "orange", "purple"]:
        yield "colours, order: green, orange and purple must be there once each."
    for name, sides in SIDES.items():
        here = data.crossings.get(name)  # type: ignore[call-overload]  # a name that the file may lack
        if here is None or (here.left, here.right) != sides:
            yield f"crossings, {name}: must be left {sides[0]}, right {sides[1]}."
    for mode in ("versus", "coop"):
        for seats in (2, 3):
            size = data.hands.get(mode, {}).get(seats)
            if size is None or PLACE_COUNT + seats * size != CARD_COUNT:
                others = CARD_COUNT - PLACE_COUNT
                yield f"hands, {mode}, {seats}: {seats} hands must use the other {others} cards."
    for level in ("easy", "medium", "hard"):
        solo = data.solo.get(level)
        if solo is None or PLACE_COUNT + solo.hands * solo.size + solo.aside != CARD_COUNT:
            yield f"solo, {level}: hands and cards aside must use the other {CARD_COUNT - PLACE_COUNT} cards."


def _doubts(data: RibbonComponents) -> Iterator[str]:
    for one, two in combinations(data.cards, 2):
        if (one.green, one.orange, one.purple) == (two.green, two.orange, two.purple):
            yield f"Cards {one.id} and {two.id} are alike; the {CARD_COUNT} cards are all different."


def _parts(data: Data, options: Data, seats: int) -> list[str]:
    cards = [face["id"] for face in data["cards"]]
    return [*cards, *map(str, range(1, PLACE_COUNT + 1)), *data["colours"]["order"]]


def _leave_out(data: Data, options: Data, seats: int, name: str) -> None:
    if name in data["colours"]["order"]:
        raise CannotLeaveOut(f"Ribbon Tangle can't do without {name}: every card has all three ribbons.")
    if name.isdigit():
        raise CannotLeaveOut(f"Ribbon Tangle can't do without place {name}: the circle has 12.")
    solo = data["solo"]["hard"]
    is_hard = seats == 1 and options["difficulty"] == "hard"
    if not is_hard or solo["aside"] == 0:
        room = "circle and hands need every card" if not is_hard else "no card is set aside any more"
        raise CannotLeaveOut(
            f"Ribbon Tangle can't do without card {name}: {room}. "
            "Only hard solo games set 2 aside (--players 1 --option difficulty=hard)."
        )
    solo["aside"] -= 1
    data["cards"] = [face for face in data["cards"] if face["id"] != name]


KNOWN = KnownComponents(
    kind=RibbonComponents,
    labels={"cards": lambda face: f"Card {face['id']}"},
    errors=_errors,
    doubts=_doubts,
    parts=_parts,
    leave_out=_leave_out,
)
