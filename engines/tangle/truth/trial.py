"""Tries moves on a copy of a seat's view, so that the computer player looks ahead without the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engines.game import Seat
from engines.tangle.decisions import Casting, Decision, Placing, Upkeep
from engines.tangle.legal.check import price_of
from engines.tangle.legal.context import Context
from engines.tangle.legal.moves import legal
from engines.tangle.moves import Move, TangleDone
from engines.tangle.pieces.components import ConditionId
from engines.tangle.truth import upkeep
from engines.tangle.truth.agenda import carry_out, settle
from engines.tangle.truth.state import TangleState, context_for
from engines.tangle.truth.visibility import sample_state
from engines.tangle.view import TangleView

Decide = Callable[[Context, Decision, tuple[ConditionId, ...]], Move]

_TOO_LONG = 60
"""Most decisions to think ahead in one placement."""


class TangleTrial:
    """A position to try moves on; it never changes."""

    def __init__(self, state: TangleState) -> None:
        self._state = state

    @classmethod
    def of(cls, view: TangleView, rng: Random) -> TangleTrial:
        """Sample a position from a view. Raises ValueError for the view of a spectator."""
        state = sample_state(view, rng)
        state.agenda = [] if view.decision is None else [view.decision]
        return cls(state)

    @classmethod
    def at(cls, state: TangleState) -> TangleTrial:
        return cls(state)

    def context(self, seat: Seat) -> Context:
        return context_for(self._state, seat)

    def after(self, move: Move, decide: Decide) -> tuple[Context, int]:
        """Return the context after a placement or a card. `decide` makes all decisions on the way."""
        trial = self._state.copy()
        seat, decision = trial.seat, trial.agenda[-1]
        carry_out(trial, decision, move, price_of(context_for(trial, seat), decision, move))
        trial.agenda = [Placing(), *(later for later in trial.agenda if not isinstance(later, Casting))]
        for _ in range(_TOO_LONG):
            settle(trial)
            asked, context = trial.agenda[-1], context_for(trial, seat)
            if isinstance(asked, Placing):
                return context, trial.extra + asked.extra
            chosen = decide(context, asked, trial.conditions[seat])
            carry_out(trial, asked, chosen, price_of(context, asked, chosen))
        return context_for(trial, seat), 0

    def ends(self, seat: Seat, moves: Sequence[Move], agenda: Sequence[Decision]) -> bool:
        """Return True if these moves end the acting seat's turn.

        False if the seat could cast an enchantment and pay for it, or has steps to share out.
        """
        trial, turn = self._state.copy(), self._state.turn
        if trial.seat != seat or not trial.agenda or isinstance(trial.agenda[-1], Upkeep):
            return False
        trial.agenda = list(agenda)
        for move in (*moves, None):
            if trial.turn != turn or trial.phase == "over":
                return True
            decision, context = trial.agenda[-1], context_for(trial, seat)
            if move is None and (
                not isinstance(decision, Casting) or list(legal(context, decision)) != [TangleDone()]
            ):
                return False
            made = TangleDone() if move is None else move
            carry_out(trial, decision, made, price_of(context, decision, made))
            settle(trial)
        return trial.turn != turn or trial.phase == "over"

    def without(self, seat: Seat, item: str) -> Context:
        trial = self._state.copy()
        upkeep.lose(trial, seat, (item,))
        return context_for(trial, seat)
