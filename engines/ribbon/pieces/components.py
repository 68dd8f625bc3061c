"""The eighteen cards and the numbers of the game, read once from ``ribbon.toml``.

Nothing here depends on the faces themselves: whoever owns the printed game can replace the cards in
the data file, and everything else follows.
"""

from typing import Literal

import msgspec

from engines.component_data import load_components
from engines.ribbon.options import Difficulty

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
