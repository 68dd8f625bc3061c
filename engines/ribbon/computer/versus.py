"""The computer players in versus that don't look ahead: stay clean, and leave the next seat little to do.

The strong one begins with the same values.
"""

from collections.abc import Sequence
from random import Random

from engines.analysis.search import FULL, Attention, notice, pick
from engines.game import Seat, Strength
from engines.ribbon.computer import evaluation
from engines.ribbon.pieces.components import CARDS, FACES, Colour
from engines.ribbon.preview import TurnDraft
from engines.ribbon.view import RibbonView

_CLOSER = 24
_DEALS = 8
_FLIP_HARM = 0.05
_OTHER_HARM = 0.3
_HARM = 0.01
_VARIETY = 0.03
ATTENTION = {
    Strength.EASY: Attention(overlooked=0.9, misjudged=6.0),
    Strength.CASUAL: Attention(overlooked=0.3, misjudged=0.9),
    Strength.MEDIUM: Attention(misjudged=0.4),
}
"""The attention of the players that don't look ahead; a misjudgement of 1 is a certain escape."""


def best_flip(view: RibbonView, rng: Random, strength: Strength) -> int:
    values = value_flips(view, rng)
    return pick(list(values), values.__getitem__, ATTENTION[strength], rng)


def value_flips(view: RibbonView, rng: Random) -> dict[int, float]:
    theirs = evaluation.RIBBON[_colour(view, _next_seat(view))]
    own = evaluation.RIBBON[_colour(view, view.seat)]
    return evaluation.flip_values(view, own, rng, lambda one: _FLIP_HARM * evaluation.count(one, theirs))


def best_draft(view: RibbonView, rng: Random, strength: Strength) -> TurnDraft:
    attention = ATTENTION[strength]
    drafts, values = value_drafts(view, rng, attention=attention)
    if not drafts:
        return TurnDraft()
    return drafts[pick(range(len(drafts)), values.__getitem__, Attention(misjudged=attention.misjudged), rng)]


def value_drafts(
    view: RibbonView,
    rng: Random,
    entries: Sequence[evaluation.TurnResult] | None = None,
    attention: Attention = FULL,
) -> tuple[list[TurnDraft], list[float]]:
    """Evaluate the most promising arrangements that keep the seat in.

    `entries` are all ways to end the turn, if they are known already.
    """
    own = _colour(view, view.seat)
    entries, ribbon = evaluation.results(view) if entries is None else entries, evaluation.RIBBON[own]
    clean = [result for result in entries if not evaluation.count(result.circle, ribbon)]
    if not clean:
        return [], []
    clean = notice(clean, attention, rng)
    harms = [_harm(view, result.circle) for result in clean]
    order = sorted(range(len(clean)), key=lambda index: (-harms[index], rng.random()))[:_CLOSER]
    deals = [evaluation.numbers(view.unseen) for _ in range(_DEALS)]
    for deal in deals:
        rng.shuffle(deal)
    values = [
        _HARM * harms[index]
        + _VARIETY * len({FACES[CARDS[card]].crossing(own) for card in clean[index].hand})
        - sum(_escape(view, clean[index], deal) for deal in deals) / _DEALS
        for index in order
    ]
    return [clean[index].draft for index in order], values


def _colour(view: RibbonView, seat: Seat) -> Colour:
    colour = view.ribbons[seat]
    assert colour is not None
    return colour


def _next_seat(view: RibbonView) -> Seat:
    others = view.remaining
    return others[(others.index(view.seat) + 1) % len(others)]


def _harm(view: RibbonView, circle: list[int]) -> float:
    """Count the tangles of other seats' ribbons, the next seat's most."""
    victim = _next_seat(view)
    return sum(
        evaluation.count(circle, evaluation.RIBBON[_colour(view, seat)])
        * (1 if seat == victim else _OTHER_HARM)
        for seat in view.remaining
        if seat != view.seat
    )


def _escape(view: RibbonView, result: evaluation.TurnResult, deal: list[int]) -> float:
    """Estimate how likely the next seat clears its ribbon.

    It assumes a flip where no tangle can arise, if there is such a place; else any of its flips counts, and
    a flip that works counts half way to certain, since the seat may well find it.
    """
    seat = _next_seat(view)
    clash = evaluation.RIBBON[_colour(view, seat)]
    shown = evaluation.numbers(view.shown[seat])
    unknown = len(view.hands[seat]) - len(shown)
    hand = shown + deal[:unknown]
    circle = result.circle
    places = evaluation.face_down_places(circle)
    if not places:
        return evaluation.can_clear(circle, hand, clash)
    flips = list(zip(places, deal[unknown:], strict=False))
    gaps = [flip for flip in flips if evaluation.is_gap(circle, flip[0])]
    works = 0
    for place, card in gaps[:1] or flips:
        circle[place] = card
        works += evaluation.can_clear(circle, hand, clash)
        circle[place] = evaluation.FACE_DOWN
    if gaps:
        return works
    share = works / len(flips)
    return (share + 1) / 2 if works else 0.0
