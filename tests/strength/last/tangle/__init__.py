"""Tangle as the strong player of the last version plays it."""

from __future__ import annotations

from random import Random

from engines.game import Seat
from engines.tangle import decisions, moves
from engines.tangle.legal.moves import choices
from engines.tangle.moves import Move
from engines.tangle.pieces.amounts import RESOURCES
from engines.tangle.pieces.components import PAID_IN, ConditionId
from engines.tangle.truth.trial import TangleTrial
from engines.tangle.view import TangleView
from tests.strength.last.tangle.evaluation import value
from tests.strength.last.tangle.plans import holdings, plans
from tests.strength.last.tangle.policy import decide

Conditions = tuple[ConditionId, ...]

_CARD_WANTED = 1.25
"""The worth of one card more before one, while the plan wants cards."""

_PRICE = 0.2
"""The worth of a resource paid for upkeep."""


def choose(view: TangleView, seat: Seat, rng: Random) -> Move:
    """Choose a legal move for a seat to move. Rules: Computer players.

    Raises ValueError for a seat that isn't to move.
    """
    legal = choices(view)
    if view.viewer != seat or view.decision is None or view.conditions is None or not legal:
        raise ValueError("this seat owes no move")
    trial, conditions = TangleTrial.of(view, rng), view.conditions
    match view.decision:
        case decisions.Placing():
            return max(legal, key=lambda move: after(trial, conditions, move))
        case decisions.Casting():
            return _cast(trial, seat, conditions, legal)
        case decisions.Upkeep():
            return _upkeep(trial, view.decision, seat, conditions)
        case _:
            return decide(trial.context(seat), view.decision, conditions)


def after(trial: TangleTrial, conditions: Conditions, move: Move) -> float:
    """Return a placement's or a card's worth with its follow-ups.

    Rules of thumb choose what follows.
    """
    context, extra = trial.after(move, decide)
    return value(context, conditions, extra=extra)


def _cast(trial: TangleTrial, seat: Seat, conditions: Conditions, legal: list[Move]) -> Move:
    """Choose the card that gains most, if it gains anything."""
    return max(legal, key=lambda move: gain_of_card(trial, seat, conditions, move))


def gain_of_card(trial: TangleTrial, seat: Seat, conditions: Conditions, move: Move) -> float:
    """Return a card's gain, in rounds; casting none gains nothing."""
    if isinstance(move, moves.TangleDone):
        return 0.0
    context = trial.context(seat)
    wanted = _CARD_WANTED if plans(conditions, holdings(context))[0].cards else 0.0
    return after(trial, conditions, move) + wanted - value(context, conditions)


def _upkeep(trial: TangleTrial, decision: decisions.Upkeep, seat: Seat, conditions: Conditions) -> Move:
    """Keep what the plan needs, and drop what isn't worth its price."""
    items, free, context = decision.items[seat], decision.free[seat], trial.context(seat)
    now = value(context, conditions)
    losses = {item: now - value(trial.without(seat, item), conditions) for item in items}
    payable = free + context.stash[RESOURCES.index(PAID_IN[decision.track])]
    dear = sorted(items, key=lambda item: -losses[item])
    kept = [item for number, item in enumerate(dear) if losses[item] > (_PRICE if number >= free else 0.0)]
    if len(kept[:payable]) == len(items):
        return moves.PayRest()
    return moves.Drop(dear[-1]) if kept[:payable] and len(items) > 1 else moves.DropRest()
