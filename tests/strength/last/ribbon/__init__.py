"""Ribbon Tangle as the strong player of the last version plays it."""

from __future__ import annotations

from random import Random

from engines.game import Seat
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
from engines.ribbon.preview import TurnDraft
from engines.ribbon.view import RibbonView
from tests.strength.last.ribbon import team, versus

_PATIENCE = 6
"""Full-circle turns after which the strong player agrees to a tie."""


def choose(view: RibbonView, seat: Seat, rng: Random) -> Move:
    """Choose a legal move for a seat to move. Rules: Computer player."""
    match view.phase:
        case "choose_ribbon":
            return ChooseRibbon(_ribbon(view, seat, rng))
        case "choose_hand":
            return ChooseHand(rng.randrange(len(view.hands)) + 1)
        case "flip":
            return Flip(_place(view, rng))
        case "tie_vote":
            return AnswerTie(view.begun > 1 or view.full_turns >= _PATIENCE)
        case "arrange":
            if view.may_offer and view.begun > 1:
                return OfferTie()
            return _first_step(_draft(view, rng))
    raise ValueError("nobody owes a move in a game that is over")


def _ribbon(view: RibbonView, seat: Seat, rng: Random) -> Colour:
    """Choose the ribbon that the hand turns best; any if unknown."""
    hand = [card for card in view.hands[seat] if card is not None]
    free = [colour for colour in COLOURS if colour not in view.ribbons]
    rng.shuffle(free)
    return max(free, key=lambda colour: len({FACES[card].crossing(colour) for card in hand}))


def _place(view: RibbonView, rng: Random) -> int:
    return versus.best_flip(view, rng) if view.mode == "versus" else team.best_flip(view, rng)


def _draft(view: RibbonView, rng: Random) -> TurnDraft:
    return versus.best_draft(view, rng) if view.mode == "versus" else team.best_draft(view, rng)


def _first_step(draft: TurnDraft) -> Move:
    if draft.swap is not None:
        return RibbonSwap(draft.swap)
    return RibbonEndTurn() if draft.exchange is None else Exchange(*draft.exchange)
