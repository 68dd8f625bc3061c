"""The computer player: decides from its own view, weak or strong."""

from __future__ import annotations

from random import Random

from engines.game import Seat, Strength
from engines.ribbon.cards import COLOURS
from engines.ribbon.moves import AnswerTie, ChooseHand, ChooseRibbon, EndTurn, Exchange, Flip, Move, Swap
from engines.ribbon.view import View, drafted, drafts, losing


def choose(view: View, seat: Seat, rng: Random, strength: Strength) -> Move:
    """A legal move for a seat that owes one: at random, but among those that keep it in."""
    match view.phase:
        case "choose_ribbon":
            return ChooseRibbon(rng.choice([colour for colour in COLOURS if colour not in view.ribbons]))
        case "choose_hand":
            return ChooseHand(rng.randrange(len(view.hands)) + 1)
        case "flip":
            return Flip(rng.choice([place for place, card in enumerate(view.circle, 1) if card is None]))
        case "tie_vote":
            return AnswerTie(True)
    safe = [draft for draft in drafts(view) if not losing(view, drafted(view.circle, draft))]
    draft = rng.choice(safe) if safe else None
    if draft is not None and draft.swap is not None:
        return Swap(draft.swap)
    return Exchange(*draft.exchange) if draft is not None and draft.exchange else EndTurn()
