"""The strong computer player of versus: stay clean, and leave the next seat little to do."""

from __future__ import annotations

from random import Random

from engines.game import Seat
from engines.ribbon.computer.masks import (
    FACE_DOWN,
    RIBBON,
    can_clear,
    count,
    face_down_places,
    is_gap,
    numbers,
)
from engines.ribbon.pieces.components import CARDS, FACES, Colour
from engines.ribbon.preview import TurnDraft
from engines.ribbon.view import RibbonView
from tests.strength.last.ribbon.results import Result, best, flip_values, results

_CLOSER = 24
_DEALS = 8
_FLIP_HARM = 0.05
_OTHER_HARM = 0.3
_HARM = 0.01
_VARIETY = 0.03


def best_flip(view: RibbonView, rng: Random) -> int:
    """Choose the flip that best clears the own ribbon.

    It should tangle the next seat's ribbon too.
    """
    values = value_flips(view, rng)
    return best(list(values), list(values.values()), rng)


def value_flips(view: RibbonView, rng: Random) -> dict[int, float]:
    """Return the value of turning up each face-down card, by its place."""
    theirs = RIBBON[_colour(view, _next_seat(view))]
    return flip_values(
        view, RIBBON[_colour(view, view.seat)], rng, lambda circle: _FLIP_HARM * count(circle, theirs)
    )


def best_draft(view: RibbonView, rng: Random) -> TurnDraft:
    """Choose the safe arrangement that most likely puts the next seat out."""
    drafts, values = value_drafts(view, rng)
    return best(drafts, values, rng) if drafts else TurnDraft()


def value_drafts(view: RibbonView, rng: Random) -> tuple[list[TurnDraft], list[float]]:
    """Return the most promising safe arrangements with their values."""
    own = _colour(view, view.seat)
    clean = [result for result in results(view) if not count(result.circle, RIBBON[own])]
    if not clean:
        return [], []
    harms = [_harm(view, result.circle) for result in clean]
    order = sorted(range(len(clean)), key=lambda index: (-harms[index], rng.random()))[:_CLOSER]
    deals = [_shuffle_unseen(view, rng) for _ in range(_DEALS)]
    values = [
        _HARM * harms[index]
        + _VARIETY * _variety(clean[index].hand, own)
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
    """Count the next seat's tangles, with less for later seats."""
    victim = _next_seat(view)
    return sum(
        count(circle, RIBBON[_colour(view, seat)]) * (1 if seat == victim else _OTHER_HARM)
        for seat in view.remaining
        if seat != view.seat
    )


def _variety(hand: list[int], colour: Colour) -> int:
    return len({FACES[CARDS[card]].crossing(colour) for card in hand})


def _shuffle_unseen(view: RibbonView, rng: Random) -> list[int]:
    cards = numbers(view.unseen)
    rng.shuffle(cards)
    return cards


def _escape(view: RibbonView, result: Result, deal: list[int]) -> float:
    """Return the next seat's chance to clear its ribbon in this deal.

    It is taken to flip at a place from which no tangle can come, if there is one; else any of its flips
    counts, and a flip that works counts half way to certain, since it may well find it.
    """
    seat = _next_seat(view)
    clash = RIBBON[_colour(view, seat)]
    shown = numbers(view.shown[seat])
    unknown = len(view.hands[seat]) - len(shown)
    hand = shown + deal[:unknown]
    circle = result.circle
    places = face_down_places(circle)
    if not places:
        return can_clear(circle, hand, clash)
    flips = list(zip(places, deal[unknown:], strict=False))
    gaps = [flip for flip in flips if is_gap(circle, flip[0])]
    works = 0
    for place, card in gaps[:1] or flips:
        circle[place] = card
        works += can_clear(circle, hand, clash)
        circle[place] = FACE_DOWN
    if gaps:
        return works
    share = works / len(flips)
    return (share + 1) / 2 if works else 0.0
