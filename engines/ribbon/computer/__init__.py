"""The computer player: decides from its own view alone.

It has no memory. Between the swap and the exchange of a turn it evaluates its remaining options again, and
since its planned result is among them, it never ends up worse than it planned.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from engines.game import ADVISED, Advice, AnyGame, Seat, Strength, Thinking
from engines.ribbon import moves
from engines.ribbon.computer import search, team, versus
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
            return moves.Flip(
                _place(view, rng, strength, depth, rules)
                if thinks
                else rng.choice([place for place, card in enumerate(view.circle, start=1) if card is None])
            )
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


def _place(
    view: RibbonView, rng: Random, strength: Strength, depth: search.RibbonDepth | None, rules: AnyGame
) -> int:
    if view.mode != "versus":
        return team.best_flip(view, rng)
    if depth is not None:
        return search.flips(view, rng, rules, depth)[0].candidate
    return versus.best_flip(view, rng, strength)


def _draft(
    view: RibbonView, rng: Random, strength: Strength, depth: search.RibbonDepth | None, rules: AnyGame
) -> TurnDraft:
    if view.mode != "versus":
        return team.best_draft(view, rng)
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
                values = team.value_flips(view, rng)
                places = _sort_by_value(list(values), list(values.values()))
            return [Advice((moves.Flip(place),)) for place in places[:ADVISED]]
        case "arrange":
            drafts = (
                [draft for _, draft in search.drafts(view, rng, rules)]
                if view.mode == "versus"
                else _sort_by_value(*team.value_drafts(view, rng))
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
