"""The strong computer player in co-op and solo: never a tangle, and room for the hands to come."""

from random import Random

from engines.ribbon.computer import evaluation
from engines.ribbon.preview import TurnDraft, apply_draft, losing_tangles
from engines.ribbon.view import RibbonView

_SAMPLED_DRAFTS = 24
_SAMPLED_CARDS = 6


def best_flip(view: RibbonView, rng: Random) -> int:
    """Return the place where a card most likely leaves every ribbon clearable."""
    values = value_flips(view, rng)
    return evaluation.best(list(values), list(values.values()), rng)


def value_flips(view: RibbonView, rng: Random) -> dict[int, float]:
    return evaluation.flip_values(view, evaluation.EVERY_RIBBON, rng, lambda circle: 0.0)


def best_draft(view: RibbonView, rng: Random) -> TurnDraft:
    """Return the arrangement with the best prospects. Doing nothing if all of them lose."""
    drafts, values = value_drafts(view, rng)
    return evaluation.best(drafts, values, rng) if drafts else TurnDraft()


def value_drafts(view: RibbonView, rng: Random) -> tuple[list[TurnDraft], list[float]]:
    """Evaluate the most promising arrangements that don't lose."""
    return _when_full(view) if view.full else _before(view, rng)


def _before(view: RibbonView, rng: Random) -> tuple[list[TurnDraft], list[float]]:
    entries, every = evaluation.results(view), evaluation.EVERY_RIBBON
    clean = [result for result in entries if not evaluation.count(result.circle, every)]
    if not clean:
        return [], []
    if len(clean) > _SAMPLED_DRAFTS:
        clean = rng.sample(clean, _SAMPLED_DRAFTS)
    unseen = evaluation.numbers(view.unseen)
    cards = rng.sample(unseen, min(_SAMPLED_CARDS, len(unseen)))
    values = [
        _prospects(result.circle, _hands_after(view, result), _next_hand(view), cards) for result in clean
    ]
    return [result.draft for result in clean], values


def _when_full(view: RibbonView) -> tuple[list[TurnDraft], list[float]]:
    """Prefer no tangle, else few of them that the next hand can clear."""
    entries, circle = evaluation.results(view), view.circle
    allowed = [result for result in entries if not losing_tangles(view, apply_draft(circle, result.draft))]
    if not allowed:
        return [], []
    tangles = [evaluation.count(result.circle, evaluation.EVERY_RIBBON) for result in allowed]
    fewest = [result for result, n in zip(allowed, tangles, strict=True) if n == min(tangles)]
    following = _next_hand(view)
    easy = [
        float(evaluation.can_clear(r.circle, _hands_after(view, r)[following], evaluation.EVERY_RIBBON))
        for r in fewest
    ]
    return [result.draft for result in fewest], easy


def _next_hand(view: RibbonView) -> int:
    return (view.seat + 1) % view.seats if view.next_hand is None else view.next_hand


def _hands_after(view: RibbonView, result: evaluation.TurnResult) -> list[list[int]]:
    hands = [evaluation.numbers(hand) for hand in view.hands]
    if view.hand_in_use is not None:
        hands[view.hand_in_use] = result.hand
    return hands


def _prospects(circle: list[int], hands: list[list[int]], following: int, cards: list[int]) -> float:
    """Estimate how well the hands can clear the tangles of the next flip.

    The best place for the hand that comes next, plus for each hand the mean over the places; places between
    two face-down cards are certain, so they say nothing about a hand.
    """
    places = evaluation.face_down_places(circle)
    risky = [place for place in places if not evaluation.is_gap(circle, place)]
    shares = [[_share(circle, place, hand, cards) for place in risky] for hand in hands]
    sure = len(risky) < len(places)
    chance = 1.0 if sure else max(shares[following])
    return chance + sum(sum(share) / len(share) if share else 1.0 for share in shares)


def _share(circle: list[int], place: int, hand: list[int], cards: list[int]) -> float:
    works = 0
    for card in cards:
        circle[place] = card
        works += evaluation.can_clear(circle, hand, evaluation.EVERY_RIBBON)
    circle[place] = evaluation.FACE_DOWN
    return works / len(cards)
