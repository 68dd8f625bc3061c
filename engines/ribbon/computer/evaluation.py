"""The computer player's arithmetic: circles as numbers, and the results of turns and flips.

It answers one question fast: can a hand clear some ribbons with one swap and one exchange? Cards are
numbers from 0 in the order of the data file, `FACE_DOWN` is a card that nobody can see; places and
junctions count from 0 here, and junction j is bit j of a number.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeVar

import msgspec

from engines.ribbon.pieces.board import clashing
from engines.ribbon.pieces.components import CARDS, COLOURS, PLACES, Card, Colour
from engines.ribbon.preview import TurnDraft, apply_draft, drafts
from engines.ribbon.view import RibbonView, hand_to_use

FACE_DOWN = len(CARDS)
Clash = tuple[tuple[int, ...], ...]
"""The number of tangled ribbons in question for one card just before another."""

_NUMBERS: dict[Card | None, int] = {None: FACE_DOWN, **{card: number for number, card in enumerate(CARDS)}}


def numbers(cards: Iterable[Card | None]) -> list[int]:
    """Convert cards to numbers.

    >>> numbers(["A", None, "C"])
    [0, 18, 2]
    """
    return [_NUMBERS[card] for card in cards]


def _clash_table(colours: Sequence[Colour]) -> Clash:
    rows = [[sum(c in colours for c in clashing(one, two)) for two in CARDS] + [0] for one in CARDS]
    return (*map(tuple, rows), (0,) * (FACE_DOWN + 1))


EVERY_RIBBON = _clash_table(COLOURS)
RIBBON: dict[Colour, Clash] = {colour: _clash_table((colour,)) for colour in COLOURS}

_ALL = (1 << PLACES) - 1
_NEXT = tuple((place + 1) % PLACES for place in range(PLACES))
_BIT = tuple(1 << junction for junction in range(PLACES))
_UNTOUCHED = tuple(_ALL & ~(_BIT[place - 1] | _BIT[place] | _BIT[_NEXT[place]]) for place in range(PLACES))
"""For each swap, the junctions that it doesn't change."""


_SPOTS = tuple(
    tuple(place for place in range(PLACES) if not bits & ~(_BIT[place - 1] | _BIT[place])) or None
    for bits in range(_ALL + 1)
)
"""For each set of junctions, the places that touch all of them, or None."""
_HOPELESS = bytes(
    _SPOTS[bits] is None and all(_SPOTS[bits & untouched] is None for untouched in _UNTOUCHED)
    for bits in range(_ALL + 1)
)
"""The sets of junctions that no swap and exchange can clear, whatever the cards."""


def touching(bits: int) -> tuple[int, ...]:
    """Return the places that touch every junction of a set, given as bits.

    >>> touching(0b11), touching(0b111)
    ((1,), ())
    """
    return _SPOTS[bits] or ()


def count(circle: Sequence[int], clash: Clash) -> int:
    """Count the tangles of the ribbons in question.

    >>> count(numbers("QIEGKBPMDNCA"), EVERY_RIBBON)
    2
    """
    total = 0
    one = circle[-1]
    for two in circle:
        total += clash[one][two]
        one = two
    return total


def find_tangles(circle: Sequence[int], clash: Clash) -> int:
    """Return the junctions where a ribbon in question is tangled, as bits."""
    bits = 0
    one = circle[-1]
    for junction, two in enumerate(circle, start=-1):
        if clash[one][two]:
            bits |= _BIT[junction]
        one = two
    return bits


def can_clear(circle: list[int], hand: Sequence[int], clash: Clash) -> bool:
    """Return True if a swap, an exchange or both clear those ribbons.

    >>> worked = numbers("QIGEKBHMDNCA")
    >>> can_clear(worked, numbers("F"), EVERY_RIBBON), can_clear(worked, numbers("L"), EVERY_RIBBON)
    (True, False)
    """
    bits = find_tangles(circle, clash)
    if not bits:
        return True
    if _HOPELESS[bits]:
        return False
    spots = _SPOTS[bits]
    if spots and _fits(circle, spots, hand, clash):
        return True
    for place, untouched in enumerate(_UNTOUCHED):
        rest = bits & untouched
        if _SPOTS[rest] is not None and _clears_after_swap(circle, place, rest, hand, clash):
            return True
    return False


def can_escape(
    circle: list[int], known: Sequence[int], holds: Sequence[int], unseen: Sequence[int], clash: Clash
) -> bool:
    """Return True if some hand and some flip clear those ribbons.

    Its hand has the cards `known`, and more that may be any of `holds`; it must flip if a card is face down.
    """
    places = face_down_places(circle)
    if not places:
        return can_clear(circle, [*known, *holds], clash)
    hands = {card: [*known, *(other for other in holds if other != card)] for card in unseen}
    for place in places:
        for card, hand in hands.items():
            circle[place] = card
            clears = can_clear(circle, hand, clash)
            circle[place] = FACE_DOWN
            if clears:
                return True
    return False


def find_tangles_after_swap(circle: Sequence[int], place: int, bits: int, clash: Clash) -> int:
    """Return the tangled junctions after a swap at a place. `bits` are those before it."""
    following = _NEXT[place]
    one, two, rest = circle[place], circle[following], bits & _UNTOUCHED[place]
    if clash[circle[place - 1]][two]:
        rest |= _BIT[place - 1]
    if clash[two][one]:
        rest |= _BIT[place]
    if clash[one][circle[_NEXT[following]]]:
        rest |= _BIT[following]
    return rest


def _clears_after_swap(circle: list[int], place: int, rest: int, hand: Sequence[int], clash: Clash) -> bool:
    following = _NEXT[place]
    one, two = circle[place], circle[following]
    rest = find_tangles_after_swap(circle, place, rest, clash)
    if not rest:
        return True
    spots = _SPOTS[rest]
    if spots is None:
        return False
    circle[place], circle[following] = two, one
    fits = _fits(circle, spots, hand, clash)
    circle[place], circle[following] = one, two
    return fits


def _fits(circle: Sequence[int], spots: Iterable[int], hand: Sequence[int], clash: Clash) -> bool:
    """Return True if a card of the hand fits one of the places.

    A place beside a tangle always holds a face-up card, so there is one to exchange.
    """
    for spot in spots:
        before, after = clash[circle[spot - 1]], circle[_NEXT[spot]]
        for card in hand:
            if not before[card] and not clash[card][after]:
                return True
    return False


def face_down_places(circle: Sequence[int]) -> list[int]:
    return [place for place, card in enumerate(circle) if card == FACE_DOWN]


def is_gap(circle: Sequence[int], place: int) -> bool:
    """Return True if both neighbours of a place are face down."""
    return circle[place - 1] == FACE_DOWN and circle[_NEXT[place]] == FACE_DOWN


T = TypeVar("T")

_FLIP_SAMPLE = 10


class TurnResult(msgspec.Struct, frozen=True):
    """One way to end a turn: the draft, and the resulting circle and hand, in numbers."""

    draft: TurnDraft
    circle: list[int]
    hand: list[int]


def results(view: RibbonView) -> list[TurnResult]:
    """List every way to end this turn, doing nothing first."""
    hand, entries = numbers(hand_to_use(view)), []
    for draft in drafts(view):
        circle, held = numbers(apply_draft(view.circle, draft)), hand
        if draft.exchange is not None:
            place, card = draft.exchange
            (put,) = numbers([card])
            before = view.circle if draft.swap is None else apply_draft(view.circle, TurnDraft(draft.swap))
            (taken,) = numbers([before[place - 1]])
            held = [taken if one == put else one for one in hand]
        entries.append(TurnResult(draft, circle, held))
    return entries


def flip_values(
    view: RibbonView,
    clash: Clash,
    rng: Random,
    bonus: Callable[[Sequence[int]], float],
    held: Sequence[Card] | None = None,
) -> dict[int, float]:
    """Estimate, for each face-down place, how likely a flip there can be cleared.

    The possible cards are those that the viewer can't place, a sample of ten if there are more. `bonus` adds
    to the value of a circle; `held` is the hand, if it isn't that of the turn. A place that touches no
    face-up card is certain.
    """
    circle, hand = numbers(view.circle), numbers(hand_to_use(view) if held is None else held)
    unseen = numbers(view.unseen)
    cards = rng.sample(unseen, min(_FLIP_SAMPLE, len(unseen)))
    values: dict[int, float] = {}
    for place in face_down_places(circle):
        total = 0.0
        safe = is_gap(circle, place)
        for card in cards:
            circle[place] = card
            total += (safe or can_clear(circle, hand, clash)) + bonus(circle)
        circle[place] = FACE_DOWN
        values[place + 1] = total / len(cards)
    return values


def best(choices: Sequence[T], values: Sequence[float], rng: Random) -> T:
    """Return a choice of the highest value, at random among equals.

    >>> best("abc", [1, 3, 2], Random(1))
    'b'
    """
    highest = max(values)
    return rng.choice([choice for choice, value in zip(choices, values, strict=True) if value == highest])
