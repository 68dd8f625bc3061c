"""Advice of the strong computer player: its best choices, and estimates of a seat's prospects."""

from random import Random
from typing import Any

from engines.game import ADVISED, Advice, Game, Seat
from engines.tesla.computer.ahead import turns
from engines.tesla.computer.evaluation import DECIDED, evaluate_circuit
from engines.tesla.computer.planning import idle_move
from engines.tesla.computer.winning import can_win_with_marker, winning_turn
from engines.tesla.legal.position import position_of
from engines.tesla.moves import Move
from engines.tesla.view import TeslaView


def advice(
    view: TeslaView, seat: Seat, rng: Random, rules: Game[Any, Any, Any, Any, Any, Any]
) -> list[Advice]:
    """Return the first moves of the best turns, which they lead to. One that wins comes first."""
    if view.over or view.seat != seat:
        raise ValueError("this seat owes no move")
    position = position_of(view)
    idle, won = idle_move(position), winning_turn(position)
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
