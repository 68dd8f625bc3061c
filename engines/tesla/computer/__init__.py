"""The computer player: decides from its own view alone, one move at a time.

It has no memory. After each move it plans again, and since its earlier plan is among its options, it carries
its plans out.
"""

from operator import attrgetter
from random import Random
from typing import Any

from engines.attention import Attention, pick
from engines.game import Game, Seat, Strength, Thinking
from engines.tesla.computer import ahead
from engines.tesla.computer.evaluation import Evaluation
from engines.tesla.computer.planning import (
    Planner,
    TurnPlan,
    Widths,
    drop_useless,
    idle_move,
    with_best_markers,
)
from engines.tesla.computer.winning import winning_turn
from engines.tesla.legal.position import TeslaPosition, position_of
from engines.tesla.moves import Move
from engines.tesla.view import TeslaView

_WIDTHS = (5, 3, 1)
"""Placements that the medium player follows for the first tile, the second, and so on."""

ATTENTION = {
    Strength.EASY: Attention(overlooked=0.73, misjudged=17.0),
    Strength.CASUAL: Attention(overlooked=0.5, misjudged=9.0),
    Strength.MEDIUM: Attention(),
}
"""The attention of the players that don't look ahead, in points."""

ONE_TILE: Widths = ()
"""The search for a win of players that lay one tile and take a marker at most."""


def choose(
    view: TeslaView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: Game[Any, Any, Any, Any, Any, Any],
    thinking: Thinking = Thinking.USUAL,
) -> Move:
    """Choose a legal move for a seat that owes one. Rules: Computer players."""
    if view.over or view.seat != seat:
        raise ValueError("this seat owes no move")
    position = position_of(view)
    sees_all = strength in (Strength.MEDIUM, Strength.STRONG)
    won = winning_turn(position) if sees_all else winning_turn(position, ONE_TILE)
    if won is not None:
        return won[0]
    if strength is Strength.STRONG:
        return ahead.choose(view, rng, rules, ahead.DEPTHS[thinking])
    plans = drop_useless(position, _plans(position))
    best = pick(plans, attrgetter("value"), ATTENTION[strength], rng)
    return best.moves[0] if best.moves else idle_move(position)


def _plans(position: TeslaPosition) -> list[TurnPlan]:
    """List the turns to choose from. Those on free circuits are among them if all others do no good."""
    evaluation = Evaluation(position, cashes=True)
    plans = with_best_markers(Planner().plans(position, evaluation, _WIDTHS))
    if position.acted or any(plan.value > plans[0].value for plan in plans):
        return plans
    return with_best_markers(Planner(has_free=True).plans(position, evaluation, _WIDTHS))
