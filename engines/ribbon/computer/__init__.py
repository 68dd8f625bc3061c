"""The computer player: decides from its own view alone.

It has no memory. Between the swap and the exchange of a turn it evaluates its remaining options again, and
since its planned result is among them, it never ends up worse than it planned.
"""

from random import Random
from typing import Any

from engines.game import Game, Seat, Strength, Thinking
from engines.ribbon.computer import ahead, team, versus
from engines.ribbon.moves import (
    AnswerTie,
    ChooseHand,
    ChooseRibbon,
    Exchange,
    Flip,
    Move,
    OfferTie,
    RibbonEndTurn,
    RibbonSwap,
)
from engines.ribbon.pieces.components import COLOURS, FACES, Colour
from engines.ribbon.preview import TurnDraft, apply_draft, drafts, losing_tangles
from engines.ribbon.view import RibbonView

_PATIENCE = 6
"""Full-circle turns after which the strong player agrees to a tie."""


def choose(
    view: RibbonView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: Game[Any, Any, Any, Any, Any, Any],
    thinking: Thinking = Thinking.USUAL,
) -> Move:
    """Choose a legal move for a seat that owes one. Rules: Computer player."""
    strong = strength is Strength.STRONG
    thinks = strong or view.mode == "versus"
    depth = ahead.DEPTHS[thinking] if strong else None
    match view.phase:
        case "choose_ribbon":
            return ChooseRibbon(_ribbon(view, seat, rng))
        case "choose_hand":
            return ChooseHand(rng.randrange(len(view.hands)) + 1)
        case "flip":
            return Flip(_place(view, rng, strength, depth, rules) if thinks else _any_place(view, rng))
        case "tie_vote":
            return AnswerTie(not strong or view.begun > 1 or view.full_turns >= _PATIENCE)
        case "arrange":
            if strong and view.may_offer and view.begun > 1:
                return OfferTie()
            won = ahead.winning_draft(view)
            if won is not None:
                return _first_step(won)
            if thinks:
                return _first_step(_draft(view, rng, strength, depth, rules))
            return _first_step(_any_safe_draft(view, rng))
    raise ValueError("nobody owes a move in a game that is over")


def _ribbon(view: RibbonView, seat: Seat, rng: Random) -> Colour:
    """Return the ribbon that the hand turns in most ways. A random one if the hand is unknown."""
    hand = [card for card in view.hands[seat] if card is not None]
    free = [colour for colour in COLOURS if colour not in view.ribbons]
    rng.shuffle(free)
    return max(free, key=lambda colour: len({FACES[card].crossing(colour) for card in hand}))


def _place(
    view: RibbonView,
    rng: Random,
    strength: Strength,
    depth: ahead.RibbonDepth | None,
    rules: Game[Any, Any, Any, Any, Any, Any],
) -> int:
    if view.mode != "versus":
        return team.best_flip(view, rng)
    if depth is not None:
        return ahead.flips(view, rng, rules, depth)[0].candidate
    return versus.best_flip(view, rng, strength)


def _any_place(view: RibbonView, rng: Random) -> int:
    return rng.choice([place for place, card in enumerate(view.circle, start=1) if card is None])


def _draft(
    view: RibbonView,
    rng: Random,
    strength: Strength,
    depth: ahead.RibbonDepth | None,
    rules: Game[Any, Any, Any, Any, Any, Any],
) -> TurnDraft:
    if view.mode != "versus":
        return team.best_draft(view, rng)
    if depth is not None:
        pairs = ahead.drafts(view, rng, rules, depth)
        return pairs[0].candidate if pairs else TurnDraft()
    return versus.best_draft(view, rng, strength)


def _any_safe_draft(view: RibbonView, rng: Random) -> TurnDraft:
    safe = [draft for draft in drafts(view) if not losing_tangles(view, apply_draft(view.circle, draft))]
    return rng.choice(safe) if safe else TurnDraft()


def _first_step(draft: TurnDraft) -> Move:
    if draft.swap is not None:
        return RibbonSwap(draft.swap)
    return RibbonEndTurn() if draft.exchange is None else Exchange(*draft.exchange)
