"""Pure functions on the circle of twelve places: neighbours, tangles, a swap, an exchange.

A circle is a sequence with one entry a place, first to last: the face-up card, or None if the card is face
down. Places and junctions are numbered from 1; junction j is where place j meets the next place.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import product

import msgspec

from engines.game import IllegalMove
from engines.ribbon.legal import sentences
from engines.ribbon.pieces.components import (
    CARDS,
    COLOURS,
    LETTERS,
    PLACES,
    Card,
    Colour,
    left_side,
    right_side,
)

Circle = Sequence[Card | None]


class RibbonTangle(msgspec.Struct, frozen=True, order=True):
    """A ribbon that meets itself on different sides at one junction.

    >>> RibbonTangle(12, "orange").label, RibbonTangle(12, "orange").between
    ('12O', '12-1')
    """

    junction: int
    colour: Colour

    @property
    def label(self) -> str:
        """The short form for logs and tests. Players read `between` and the colour's name."""
        return f"{self.junction}{LETTERS[self.colour]}"

    @property
    def between(self) -> str:
        return f"{self.junction}-{after(self.junction)}"


def after(place: int) -> int:
    """Return the next place clockwise.

    >>> after(3), after(12)
    (4, 1)
    """
    return place % PLACES + 1


def before(place: int) -> int:
    """Return the next place anticlockwise.

    >>> before(4), before(1)
    (3, 12)
    """
    return (place - 2) % PLACES + 1


def clashing(one: Card, two: Card) -> tuple[Colour, ...]:
    """Return the ribbons that are tangled if `one` comes just before `two`.

    >>> clashing("M", "R")
    ('green', 'purple')
    """
    return tuple(colour for colour in COLOURS if right_side(one, colour) != left_side(two, colour))


_CLASHES: dict[tuple[Card | None, Card | None], tuple[Colour, ...]] = {
    (one, two): clashing(one, two) if one and two else () for one, two in product((*CARDS, None), repeat=2)
}
_TANGLES = {(j, colour): RibbonTangle(j, colour) for j in range(1, PLACES + 1) for colour in COLOURS}


def tangles(circle: Circle) -> tuple[RibbonTangle, ...]:
    """Return every tangle of the circle, by junction and colour.

    >>> [tangle.label for tangle in tangles(parse("QIEGKBPMDNCA"))]
    ['2O', '4O']
    """
    return tuple(iterate_tangles(circle))


def iterate_tangles(circle: Circle) -> Iterator[RibbonTangle]:
    for j in range(1, PLACES + 1):
        for colour in _CLASHES[circle[j - 1], circle[j % PLACES]]:
            yield _TANGLES[j, colour]


def is_full(circle: Circle) -> bool:
    return None not in circle


def swap_cards(circle: Circle, place: int) -> tuple[Card | None, ...]:
    """Return the circle after a swap at a place and the next place.

    >>> spell(swap_cards(parse("QIGEKBPMDNCA"), 12))
    'AIGEKBPMDNCQ'
    """
    cards = list(circle)
    one, two = place - 1, place % PLACES
    cards[one], cards[two] = cards[two], cards[one]
    return tuple(cards)


def exchange_card(circle: Circle, place: int, card: Card) -> tuple[Card | None, ...]:
    """Return the circle with `card` at a place instead of the former card.

    >>> spell(exchange_card(parse("QIGEKBPMDNCA"), 5, "L"))
    'QIGELBPMDNCA'
    """
    return (*circle[: place - 1], card, *circle[place:])


def place_after_swap(place: int, swap: int | None) -> int:
    """Return the new place of a card after the swap.

    >>> place_after_swap(3, 3), place_after_swap(4, 3), place_after_swap(5, 3), place_after_swap(3, None)
    (4, 3, 5, 3)
    """
    if swap is None:
        return place
    if place == swap:
        return after(swap)
    return swap if place == after(swap) else place


def check_place(place: int) -> None:
    if not 1 <= place <= PLACES:
        raise IllegalMove(sentences.NO_PLACE)


def swaps(circle: Circle) -> Iterator[int]:
    """Yield the places of possible swaps.

    One of the two cards must be face up.

    >>> list(swaps(parse("????????QJ??")))
    [8, 9, 10]
    """
    return (
        place
        for place in range(1, PLACES + 1)
        if circle[place - 1] is not None or circle[place % PLACES] is not None
    )


def check_swap(circle: Circle, place: int, *, has_swapped: bool, has_exchanged: bool) -> None:
    check_place(place)
    if has_swapped:
        raise IllegalMove(sentences.HAS_SWAPPED)
    if has_exchanged:
        raise IllegalMove(sentences.NO_SWAP_AFTER_EXCHANGE)
    if circle[place - 1] is None and circle[place % PLACES] is None:
        raise IllegalMove(sentences.BOTH_FACE_DOWN)


def check_exchange(
    circle: Circle,
    place: int,
    card: Card,
    *,
    has_exchanged: bool,
    hand: Collection[Card | None],
    resting: Collection[Card | None] = (),
) -> None:
    """Refuse an exchange that the rules don't allow.

    `hand` is the hand in use; `resting` are the cards of a solo player's other hands.

    Raises:
        IllegalMove: with the reason.
    """
    check_place(place)
    if has_exchanged:
        raise IllegalMove(sentences.HAS_EXCHANGED)
    if circle[place - 1] is None:
        raise IllegalMove(sentences.FACE_DOWN)
    if card in hand:
        return
    if card in resting:
        raise IllegalMove(sentences.OTHER_HAND)
    raise IllegalMove(sentences.NOT_HELD)


def parse(text: str) -> tuple[Card | None, ...]:
    """Parse a circle from one letter a place, with ``?`` for a face-down card.

    >>> parse("??????????QA")[9:]
    (None, 'Q', 'A')
    """
    return tuple(None if letter == "?" else letter for letter in text)


def spell(circle: Circle) -> str:
    """Write the circle with one letter a place; the opposite of `parse`."""
    return "".join(card or "?" for card in circle)
