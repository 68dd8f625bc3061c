"""The results of a turn and the prospects of flips, for all computer players."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import msgspec

from engines.ribbon.computer.masks import FACE_DOWN, Clash, can_clear, face_down_places, is_gap, numbers
from engines.ribbon.pieces.components import Card
from engines.ribbon.preview import TurnDraft, apply_draft, drafts
from engines.ribbon.view import RibbonView, hand_to_use

T = TypeVar("T")

_FLIP_SAMPLE = 10


class TurnResult(msgspec.Struct, frozen=True):
    """One way to end a turn: the draft, and the resulting circle and hand, in numbers."""

    draft: TurnDraft
    circle: list[int]
    hand: list[int]


def results(view: RibbonView) -> list[TurnResult]:
    """List every way to end this turn, doing nothing first."""
    hand = numbers(hand_to_use(view))
    return [_result(view, hand, draft) for draft in drafts(view)]


def _result(view: RibbonView, hand: list[int], draft: TurnDraft) -> TurnResult:
    circle = numbers(apply_draft(view.circle, draft))
    if draft.exchange is None:
        return TurnResult(draft, circle, hand)
    place, card = draft.exchange
    (put,) = numbers([card])
    before = view.circle if draft.swap is None else apply_draft(view.circle, TurnDraft(draft.swap))
    (taken,) = numbers([before[place - 1]])
    return TurnResult(draft, circle, [taken if held == put else held for held in hand])


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
