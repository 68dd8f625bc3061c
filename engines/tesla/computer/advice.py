"""What the strong computer player tells a person: its best choices, and how well a seat stands."""

from __future__ import annotations

from random import Random
from typing import Any

from engines.game import ADVISED, Advice, Game, Seat
from engines.tesla.computer.ahead import turns
from engines.tesla.computer.evaluation import evaluate_circuit
from engines.tesla.computer.planning import idle_move
from engines.tesla.computer.winning import winning_turn
from engines.tesla.legal.position import supposed
from engines.tesla.view import View


def advice(view: View, seat: Seat, rng: Random, rules: Game[Any, Any, Any, Any, Any, Any]) -> list[Advice]:
    """What the best turns begin with; one that wins comes first."""
    if view.over or view.seat != seat:
        raise ValueError("this seat owes no move")
    position = supposed(view)
    idle, won = idle_move(position), winning_turn(position)
    best = [] if won is None else [won[0]]
    best += [plan.moves[0] if plan.moves else idle for _, plan in turns(view, rng, rules)]
    return [Advice((move,)) for move in list(dict.fromkeys(best))[:ADVISED]]


def estimate(view: View, seat: Seat) -> float | None:
    """A seat's points, and those that its markers may still bring it. Who is out has none."""
    if seat in view.out:
        return None
    board, held = view.board, 0.0
    for number, circuit in board.circuits.items():
        if circuit.markers and board.owner(number) == seat:
            held += evaluate_circuit(board, circuit.length, circuit.ends, len(circuit.markers))
    return view.scores[seat] + (0.0 if view.over else held)
