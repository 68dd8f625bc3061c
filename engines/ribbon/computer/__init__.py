"""The computer player: decides from its own view alone.

It has no memory. Between the swap and the exchange of a turn it evaluates its remaining options again, and
since its planned result is among them, it never ends up worse than it planned.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from engines.game import ADVISED, Advice, AnyGame, Seat, Strength, Thinking
from engines.ribbon import moves
from engines.ribbon.computer import evaluation, search, versus
from engines.ribbon.computer.evaluation import EVERY_RIBBON, RIBBON, can_clear, flip_values, numbers
from engines.ribbon.pieces.components import COLOURS, FACES
from engines.ribbon.preview import TurnDraft, apply_draft, drafts, is_winning, losing_tangles
from engines.ribbon.view import RibbonView, hand_to_use

_PATIENCE = 6
"""Full-circle turns after which the strong player agrees to a tie."""


def choose(
    view: RibbonView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: AnyGame,
    thinking: Thinking = Thinking.USUAL,
) -> moves.Move:
    """Choose a legal move for a seat that owes one. Rules: Computer player."""
    strong = strength is Strength.STRONG
    thinks = strong or view.mode == "versus"
    depth = search.DEPTHS[thinking] if strong else None
    match view.phase:
        case "choose_ribbon":
            # The ribbon that the hand turns in most ways; a random one if the hand is unknown.
            hand = [card for card in view.hands[seat] if card is not None]
            free_colours = [colour for colour in COLOURS if colour not in view.ribbons]
            rng.shuffle(free_colours)
            return moves.ChooseRibbon(
                max(free_colours, key=lambda colour: len({FACES[card].crossing(colour) for card in hand}))
            )
        case "choose_hand":
            return moves.ChooseHand(rng.randrange(len(view.hands)) + 1)
        case "flip":
            if not thinks:
                down = [place for place, card in enumerate(view.circle, start=1) if card is None]
                return moves.Flip(rng.choice(down))
            if view.mode != "versus":
                return moves.Flip(best_flip(view, rng))
            if depth is not None:
                return moves.Flip(search.flips(view, rng, rules, depth)[0].candidate)
            return moves.Flip(versus.best_flip(view, rng, strength))
        case "tie_vote":
            return moves.AnswerTie(not strong or view.begun > 1 or view.full_turns >= _PATIENCE)
        case "arrange":
            if strong and view.may_offer and view.begun > 1:
                return moves.OfferTie()
            won = search.winning_draft(view)
            if won is not None:
                return _first_step(won)
            if thinks:
                return _first_step(_draft(view, rng, strength, depth, rules))
            safe = [
                draft for draft in drafts(view) if not losing_tangles(view, apply_draft(view.circle, draft))
            ]
            return _first_step(rng.choice(safe) if safe else TurnDraft())
    raise ValueError("nobody owes a move in a game that is over")


def _draft(
    view: RibbonView, rng: Random, strength: Strength, depth: search.RibbonDepth | None, rules: AnyGame
) -> TurnDraft:
    if view.mode != "versus":
        return best_draft(view, rng)
    if depth is not None:
        pairs = search.drafts(view, rng, rules, depth)
        return pairs[0].candidate if pairs else TurnDraft()
    return versus.best_draft(view, rng, strength)


def _first_step(draft: TurnDraft) -> moves.Move:
    if draft.swap is not None:
        return moves.RibbonSwap(draft.swap)
    return moves.RibbonEndTurn() if draft.exchange is None else moves.Exchange(*draft.exchange)


T = TypeVar("T")

SURE = 100.0
"""The estimate of a seat that is certain to stay clean, in per cent."""


def advice(view: RibbonView, seat: Seat, rng: Random, rules: AnyGame) -> list[Advice]:
    """Return the best places to flip or ways to end the turn. Else the one choice."""
    match view.phase:
        case "flip":
            if view.mode == "versus":
                places = [place for _, place in search.flips(view, rng, rules)]
            else:
                values = value_flips(view, rng)
                places = _sort_by_value(list(values), list(values.values()))
            return [Advice((moves.Flip(place),)) for place in places[:ADVISED]]
        case "arrange":
            drafts = (
                [draft for _, draft in search.drafts(view, rng, rules)]
                if view.mode == "versus"
                else _sort_by_value(*value_drafts(view, rng))
            )[:ADVISED] or [TurnDraft()]
            return [Advice(moves_of_draft(view, draft)) for draft in drafts]
        case _:
            return [Advice((choose(view, seat, rng, Strength.STRONG, rules),))]


def _sort_by_value(choices: Sequence[T], values: Sequence[float]) -> list[T]:
    """Sort choices by value, highest first; ties keep their order."""
    return [choices[index] for index in sorted(range(len(choices)), key=lambda index: -values[index])]


def moves_of_draft(view: RibbonView, draft: TurnDraft) -> tuple[moves.Move, ...]:
    """Return the moves of a draft and the turn's end. A step that wins at once is the last."""
    made: list[moves.Move] = []
    if draft.swap is not None:
        made.append(moves.RibbonSwap(draft.swap))
        if is_winning(view, apply_draft(view.circle, TurnDraft(draft.swap))):
            return tuple(made)
    if draft.exchange is not None:
        made.append(moves.Exchange(*draft.exchange))
        if is_winning(view, apply_draft(view.circle, draft)):
            return tuple(made)
    return (*made, moves.RibbonEndTurn())


def count_clearable(view: RibbonView, place: int) -> int:
    """Count the unseen cards after whose flip the turn can end clean."""
    own = view.ribbons[view.seat] if view.mode == "versus" else None
    clash = EVERY_RIBBON if own is None else RIBBON[own]
    circle, hand, clearable = numbers(view.circle), numbers(hand_to_use(view)), 0
    for card in numbers(view.unseen):
        circle[place - 1] = card
        clearable += can_clear(circle, hand, clash)
    return clearable


def estimate(view: RibbonView, seat: Seat) -> float | None:
    """Estimate in per cent how likely a seat clears the next flip.

    It uses the hand in the view, and the best flip for it. A seat that is out has no estimate.
    """
    if view.outcome is not None:
        won = view.outcome.won if view.mode != "versus" else view.outcome.places[seat] == 1
        return SURE if won else 0.0
    if view.over or view.phase in ("choose_ribbon", "choose_hand"):
        return None
    if seat in view.out:
        return 0.0
    colour = view.ribbons[seat]
    clash = EVERY_RIBBON if view.mode != "versus" or colour is None else RIBBON[colour]
    place = seat if view.mode != "solo" else view.next_hand or 0
    hand = [card for card in view.hands[place] if card is not None]
    if view.full:
        return SURE * can_clear(numbers(view.circle), numbers(hand), clash)
    values = flip_values(view, clash, Random(0), lambda _: 0.0, hand)
    return SURE * max(values.values())


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
