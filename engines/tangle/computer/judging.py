"""Values of one placement, one card or the upkeep to a seat, tried on a copy of its view."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
from engines.tangle.view import TangleView

Conditions = tuple[ConditionId, ...]
Decide = Callable[[Context, Decision, Conditions], Move]

_CARD_WANTED = 1.25
"""Value of one more card in front of a seat while the plan needs cards."""

_PRICE = 0.2
"""Cost of a resource paid for upkeep."""


class TrialLike(Protocol):
    """A copy of a seat's view to try moves on. See `engines.tangle.truth.trial`."""

    def context(self, seat: Seat) -> Context:
        """Return the context of that seat's decisions."""

    def after(self, move: Move, decide: Decide) -> tuple[Context, int]:
        """Return the context after a move and its follow-ups."""

    def without(self, seat: Seat, item: str) -> Context:
        """Return a seat's context without an item of its upkeep."""


class TrialFactory(Protocol):
    """Creates trials."""

    def of(self, view: TangleView, rng: Random) -> TrialLike:
        """Return a trial on a state sampled from the view."""

    def at(self, state: Any) -> TrialLike:
        """Return a trial on a state as it is."""


def placements(legal: Iterable[Move]) -> list[Move]:
    """Return the moves without a change of upkeep.

    What it paid automatically is what it would pay if asked.
    """
    return [move for move in legal if not isinstance(move, moves.ChangeUpkeep)]


def after(trial: TrialLike, conditions: Conditions, move: Move) -> float:
    """Evaluate a placement or a card, with follow-ups by rules of thumb."""
    context, extra = trial.after(move, decide)
    return value(context, conditions, extra=extra)


def is_idle(trial: TrialLike, seat: Seat, move: Move) -> bool:
    """Return True if a placement brings its seat nothing.

    That is no tile, seed, card or resource.
    """
    before, (then, extra) = trial.context(seat), trial.after(move, decide)
    if extra or before.public.tiles != then.public.tiles or before.public.trackers != then.public.trackers:
        return False
    more = any(now < later for now, later in zip(before.stash, then.stash, strict=True))
    was, is_now = before.player, then.player
    return not more and (was.seeds, was.held, was.front) == (is_now.seeds, is_now.held, is_now.front)


def gain_of_card(trial: TrialLike, seat: Seat, conditions: Conditions, move: Move) -> float:
    """Evaluate casting a card, in rounds; casting none gains 0."""
    if isinstance(move, moves.TangleDone):
        return 0.0
    context = trial.context(seat)
    wanted = _CARD_WANTED if plans(conditions, holdings(context))[0].cards else 0.0
    return after(trial, conditions, move) + wanted - value(context, conditions)


def decide_upkeep(trial: TrialLike, decision: decisions.Upkeep, seat: Seat, conditions: Conditions) -> Move:
    """Keep affordable items that the plan needs.

    Drop those worth less than their price.
    """
    items, free, context = decision.items[seat], decision.free[seat], trial.context(seat)
    now = value(context, conditions)
    losses = {item: now - value(trial.without(seat, item), conditions) for item in items}
    payable = free + context.stash[RESOURCES.index(PAID_IN[decision.track])]
    dear = sorted(items, key=lambda item: -losses[item])
    kept = [item for number, item in enumerate(dear) if losses[item] > (_PRICE if number >= free else 0.0)]
    if len(kept[:payable]) == len(items):
        return moves.PayRest()
    return moves.Drop(dear[-1]) if kept[:payable] and len(items) > 1 else moves.DropRest()
