"""What one placement, one card or the upkeep is worth to a seat, tried on a copy of what it sees."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from engines.game import Seat
from engines.tangle import decisions, moves
from engines.tangle.computer.evaluation import value
from engines.tangle.computer.plans import holdings, plans
from engines.tangle.computer.policy import decide
from engines.tangle.decisions import Decision
from engines.tangle.legal.context import Context
from engines.tangle.moves import Move
from engines.tangle.pieces.amounts import RESOURCES
from engines.tangle.pieces.components import PAID_IN, ConditionId
from engines.tangle.view import View

Conditions = tuple[ConditionId, ...]
Decide = Callable[[Context, Decision, Conditions], Move]

_CARD_WANTED = 1.25
"""What it is worth to have one card more before one, while the plan wants cards."""

_PRICE = 0.2
"""What a resource paid for upkeep is worth."""


class Trial(Protocol):
    """Where moves are tried: a copy of what a seat sees. See `engines.tangle.truth.trial`."""

    def context(self, seat: Seat) -> Context:
        """What a decision of that seat depends on."""

    def after(self, move: Move, decide: Decide) -> tuple[Context, int]:
        """What lies before the seat to act after a move and all that follows, and its extra placements."""

    def without(self, seat: Seat, item: str) -> Context:
        """What lies before a seat that has lost an item of its upkeep."""


class Trials(Protocol):
    """Where trials come from."""

    def of(self, view: View, rng: Random) -> Trial:
        """A trial on a position that the viewer can't rule out."""

    def at(self, state: Any) -> Trial:
        """A trial on a state."""


def after(trial: Trial, conditions: Conditions, move: Move) -> float:
    """What a placement or a card is worth to the seat to act, with all that follows by rules of thumb."""
    context, extra = trial.after(move, decide)
    return value(context, conditions, extra=extra)


def gain_of_card(trial: Trial, seat: Seat, conditions: Conditions, move: Move) -> float:
    """What casting a card gains a seat, in rounds; casting none gains nothing."""
    if isinstance(move, moves.Done):
        return 0.0
    context = trial.context(seat)
    wanted = _CARD_WANTED if plans(conditions, holdings(context))[0].cards else 0.0
    return after(trial, conditions, move) + wanted - value(context, conditions)


def kept(trial: Trial, decision: decisions.Upkeep, seat: Seat, conditions: Conditions) -> Move:
    """Keep what the plan needs, as far as it can be paid for, and drop what is worth less than its price."""
    items, free, context = decision.items[seat], decision.free[seat], trial.context(seat)
    now = value(context, conditions)
    losses = {item: now - value(trial.without(seat, item), conditions) for item in items}
    payable = free + context.stash[RESOURCES.index(PAID_IN[decision.track])]
    dear = sorted(items, key=lambda item: -losses[item])
    kept = [item for number, item in enumerate(dear) if losses[item] > (_PRICE if number >= free else 0.0)]
    if len(kept[:payable]) == len(items):
        return moves.PayRest()
    return moves.Drop(dear[-1]) if kept[:payable] and len(items) > 1 else moves.DropRest()
