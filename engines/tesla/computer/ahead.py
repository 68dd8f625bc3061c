"""Look-ahead of the strong computer player: plays its best turns out, with the replies of the others.

It plans several ways to play its turn to the end, samples the hidden tiles several times, and plays each
turn out in each of these worlds, with a few turns of everybody after it.
"""

from random import Random
from typing import Any, NamedTuple

from engines.analysis.search import Playout, Ranked, rank_candidates
from engines.game import Game, Seat, Thinking
from engines.tesla.computer.evaluation import DECIDED, Evaluation
from engines.tesla.computer.planning import Planner, TurnPlan, drop_useless, idle_move, marker_moves
from engines.tesla.legal.position import TeslaPosition, position_of
from engines.tesla.moves import Move
from engines.tesla.view import TeslaView

AnyGame = Game[Any, Any, Any, Any, Any, Any]


class TeslaDepth(NamedTuple):
    """The limits of a look-ahead.

    Attributes:
        widths: the number of placements to follow for each tile of its own turn.
        narrow: the same for the turns that are played out.
        turns: the number of its own turns to compare.
        ahead: the number of turns to play out after each.
        budget: roughly the number of positions to evaluate in total.
    """

    widths: tuple[int, ...] = (10, 5, 2, 1)
    narrow: tuple[int, ...] = (2, 1)
    turns: int = 8
    ahead: int = 2
    budget: int = 240


STRONG = TeslaDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: TeslaDepth(widths=(6, 3, 1), turns=4, budget=60)}


def choose(view: TeslaView, rng: Random, rules: AnyGame, depth: TeslaDepth = STRONG) -> Move:
    """Choose the first move of the turn that did best. Rules: Computer players."""
    best = turns(view, rng, rules, depth)[0].candidate
    return best.moves[0] if best.moves else idle_move(position_of(view))


def turns(view: TeslaView, rng: Random, rules: AnyGame, depth: TeslaDepth = STRONG) -> list[Ranked[TurnPlan]]:
    position, planner = position_of(view), Planner(has_free=True)
    evaluation = Evaluation(position)
    every = sorted(planner.plans(position, evaluation, depth.widths), key=lambda plan: -plan.value)
    pairs = drop_useless(position, every)[: depth.turns]
    if pairs[0].value > DECIDED / 2 or len(pairs) == 1:
        return [Ranked(plan.value, plan) for plan in pairs]
    search = _Search(rules, planner, evaluation.seat, depth)
    return rank_candidates(
        pairs,
        lambda luck: rules.sample_state(view, luck),
        search.play_out,
        rng,
        depth.budget,
        [plan.value for plan in pairs],
    )


class _Search:
    """Plays turns out in worlds."""

    def __init__(self, rules: AnyGame, planner: Planner, seat: Seat, depth: TeslaDepth) -> None:
        self._rules, self._planner, self._seat, self._depth = rules, planner, seat, depth

    def play_out(self, world: Any, plan: TurnPlan, _: Random) -> Playout:
        """Evaluate a turn a few turns later.

        It takes the mean of the last two turns' ends, so that no side profits from having moved last.
        """
        state: Any = self._rules.copy(world)
        looks, last = self._planner.looks, state.turn + self._depth.ahead
        self._end_turn(state, plan.moves)
        before = value = self._evaluate(state)
        while state.outcome is None and state.turn <= last:
            evaluation = Evaluation(state)
            plans = self._planner.plans(state, evaluation, self._depth.narrow)
            self._end_turn(state, max(plans, key=_value).moves)
            before, value = value, self._evaluate(state)
        if state.outcome is None:
            value = (before + value) / 2
        return Playout(value, self._planner.looks - looks)

    def _evaluate(self, state: Any) -> float:
        return Evaluation(state, self._seat).value(state, has_next_turn=state.seat == self._seat)

    def _end_turn(self, state: Any, moves: tuple[Move, ...]) -> None:
        seat, number = state.seat, state.turn
        for move in moves:
            self._rules.play(state, seat, move)
        while state.outcome is None and state.turn == number:
            self._rules.play(state, seat, _finishing(state))


def _value(plan: TurnPlan) -> float:
    return plan.value


def _finishing(position: TeslaPosition) -> Move:
    """Return the move that ends a turn without another placement."""
    best, most = idle_move(position), 0.0
    if position.phase == "replay":
        for gain, move in marker_moves(position):
            if gain > most:
                best, most = move, gain
    return best
