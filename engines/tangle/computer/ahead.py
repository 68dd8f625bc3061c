"""Look-ahead of the strong computer player: plays its best choices on in several deals.

All seats play on by judging one placement at a time. The value of the own position is then compared with the
best of the others'.
"""

from heapq import nlargest
from random import Random
from typing import Any, NamedTuple

from engines.analysis.search import Playout, Ranked, rank_candidates
from engines.game import Game, Seat, Thinking
from engines.tangle import decisions
from engines.tangle.computer.evaluation import COMPLETE, value
from engines.tangle.computer.policy import (
    TrialFactory,
    after,
    decide,
    decide_upkeep,
    gain_of_card,
    placements,
)
from engines.tangle.computer.policy import rank_moves as by_appeal
from engines.tangle.legal.moves import choices, legal
from engines.tangle.moves import Move
from engines.tangle.view import TangleView


class TangleDepth(NamedTuple):
    """The limits of a look-ahead.

    Attributes:
        choices: the number of choices to compare.
        turns: the number of turns to play on, including the present one.
        placements: the number of placements to choose from in those turns: the ones that looked best to the
            seat at its first turn.
        budget: the placements and cards to judge in total.
    """

    choices: int = 6
    turns: int = 4
    placements: int = 7
    budget: int = 600


STRONG = TangleDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: TangleDepth(choices=3, turns=3, budget=150)}

_THEIRS = 0.6
"""Weight of the best other position, compared with the own one."""


def best(
    view: TangleView,
    seat: Seat,
    rng: Random,
    rules: Game[Any, Any, Any, Any, Any, Any],
    trials: TrialFactory,
    depth: TangleDepth = STRONG,
) -> list[Ranked[Move]]:
    """Compare the choices, best first; not of upkeep.

    It plays placements and cards on. Rules of thumb decide what a space asks then.
    """
    trial, conditions = trials.of(view, rng), view.conditions
    assert conditions is not None
    match view.decision:
        case decisions.Placing():
            worth = {move: after(trial, conditions, move) for move in placements(choices(view))}
        case decisions.Casting():
            worth = {move: gain_of_card(trial, seat, conditions, move) for move in choices(view)}
        case decision:
            assert decision is not None
            return [Ranked(0.0, move) for move in by_appeal(trial.context(seat), decision, conditions)]
    moves = sorted(worth, key=lambda move: -worth[move])[: depth.choices]
    search = _Search(rules, trials, seat, depth)
    if isinstance(view.decision, decisions.Placing):
        search.looked[seat] = worth
    return rank_candidates(
        moves,
        lambda luck: rules.sample_state(view, luck),
        search.play_out,
        rng,
        depth.budget,
        [worth[move] for move in moves],
    )


class _Search:
    """Plays choices out in worlds.

    Attributes:
        looked: the value of each placement to a seat when all were judged.
    """

    def __init__(
        self, rules: Game[Any, Any, Any, Any, Any, Any], trials: TrialFactory, seat: Seat, depth: TangleDepth
    ) -> None:
        self._rules, self._trials, self._seat, self._depth = rules, trials, seat, depth
        self.looked: dict[Seat, dict[Move, float]] = {}
        self._nodes = 0

    def play_out(self, world: Any, move: Move, _: Random) -> Playout:
        state: Any = self._rules.copy(world)
        self._nodes = 1
        last = state.turn + self._depth.turns
        self._rules.play(state, self._seat, move)
        while state.outcome is None and state.turn < last:
            mover = next(iter(self._rules.prompts(state)))
            self._rules.play(state, mover, self._move(state, mover))
        return Playout(self._worth(state), self._nodes)

    def _move(self, state: Any, seat: Seat) -> Move:
        unasked: Move | None = self._rules.automatic_move(state, seat)
        if unasked is not None:
            return unasked
        trial, conditions = self._trials.at(state), state.conditions[seat]
        context = trial.context(seat)
        match state.decision:
            case decisions.Placing():
                moves = self._worth_a_look(seat, placements(legal(context, state.decision)))
                self._nodes += len(moves)
                worth = {move: after(trial, conditions, move) for move in moves}
                self.looked.setdefault(seat, worth)
                return max(moves, key=worth.__getitem__)
            case decisions.Casting():
                moves = list(legal(context, state.decision))
                self._nodes += len(moves)
                return max(moves, key=lambda move: gain_of_card(trial, seat, conditions, move))
            case decisions.Upkeep():
                return decide_upkeep(trial, state.decision, seat, conditions)
            case _:
                return decide(context, state.decision, conditions)

    def _worth_a_look(self, seat: Seat, moves: list[Move]) -> list[Move]:
        """Select the placements that looked best, and those that are new."""
        looked = self.looked.get(seat)
        if looked is None:
            return moves
        return nlargest(self._depth.placements, moves, key=lambda move: looked.get(move, COMPLETE))

    def _worth(self, state: Any) -> float:
        if state.outcome is not None:
            return COMPLETE if state.outcome.places[self._seat] == 1 else -COMPLETE
        trial = self._trials.at(state)
        own = value(trial.context(self._seat), state.conditions[self._seat])
        others = (
            value(trial.context(seat), state.conditions[seat])
            for seat in range(state.seats)
            if seat != self._seat and seat not in state.out
        )
        return own - _THEIRS * max(others)
