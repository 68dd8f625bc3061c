"""The computer player: decides from its own view alone, one move at a time.

It has no memory. After each move it plans again, and since its earlier plan is among its options, it carries
its plans out.
"""

from operator import attrgetter
from random import Random

from engines.analysis.search import Attention, pick
from engines.game import ADVISED, Advice, AnyGame, Seat, Strength, Thinking
from engines.tesla.computer import planning, search
from engines.tesla.computer.evaluation import DECIDED, Evaluation, evaluate_circuit
from engines.tesla.computer.search import can_win_with_marker, turns, winning_turn
from engines.tesla.legal.position import position_of
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

ONE_TILE: planning.Widths = ()
"""The search for a win of players that lay one tile and take a marker at most."""


def choose(
    view: TeslaView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: AnyGame,
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
        return search.choose(view, rng, rules, search.DEPTHS[thinking])
    evaluation = Evaluation(position, cashes=True)
    plans = planning.with_best_markers(planning.Planner().plans(position, evaluation, _WIDTHS))
    if not position.acted and all(plan.value <= plans[0].value for plan in plans):
        # All others do no good, so turns on free circuits are among them.
        planner = planning.Planner(has_free=True)
        plans = planning.with_best_markers(planner.plans(position, evaluation, _WIDTHS))
    plans = planning.drop_useless(position, plans)
    best = pick(plans, attrgetter("value"), ATTENTION[strength], rng)
    return best.moves[0] if best.moves else planning.idle_move(position)


def advice(view: TeslaView, seat: Seat, rng: Random, rules: AnyGame) -> list[Advice]:
    """Return the first moves of the best turns, which they lead to. One that wins comes first."""
    if view.over or view.seat != seat:
        raise ValueError("this seat owes no move")
    position = position_of(view)
    idle, won = planning.idle_move(position), winning_turn(position)
    best: dict[Move, tuple[Move, ...]] = {} if won is None else {won[0]: won}
    for _, plan in turns(view, rng, rules):
        best.setdefault(plan.moves[0] if plan.moves else idle, plan.moves)
    return [Advice((move,), whole) for move, whole in list(best.items())[:ADVISED]]


def estimate(view: TeslaView, seat: Seat) -> float | None:
    """Estimate a seat's points, with the expected ones of its markers.

    A win that one marker brings now counts as certain. None if it's out.
    """
    if seat in view.out:
        return None
    board, held = view.board, 0.0
    for number, circuit in board.circuits.items():
        if circuit.markers and board.owner(number) == seat:
            held += evaluate_circuit(board, circuit.length, circuit.ends, len(circuit.markers))
    if view.seat == seat and can_win_with_marker(position_of(view)):
        held += DECIDED
    return view.scores[seat] + (0.0 if view.over else held)
