"""What the strong computer player tells a person: its best choices, and how well a seat stands."""

from __future__ import annotations

from random import Random

from engines.game import ADVISED, Advice, Seat
from engines.tesla.computer.evaluation import evaluate_circuit
from engines.tesla.computer.strong import idle_move, plans
from engines.tesla.position import supposed
from engines.tesla.view import View


def advice(view: View, seat: Seat, _rng: Random) -> list[Advice]:
    """What the best plans for the rest of the turn begin with."""
    if view.over or view.seat != seat:
        raise ValueError("this seat owes no move")
    position = supposed(view)
    return [Advice((plan.move or idle_move(position),)) for plan in plans(position)[:ADVISED]]


def estimate(view: View, seat: Seat) -> float | None:
    """A seat's points, and those that its markers may still bring it. Who is out has none."""
    if seat in view.out:
        return None
    board, held = view.board, 0.0
    for number, circuit in board.circuits.items():
        if circuit.markers and board.owner(number) == seat:
            held += evaluate_circuit(board, circuit.length, circuit.ends, len(circuit.markers))
    return view.scores[seat] + (0.0 if view.over else held)
