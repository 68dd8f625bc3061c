"""The notes that a player of Tesla's Tangle meets, by the keys of `lessons.toml`."""

from engines.game import Seat
from engines.tesla.pieces.board import Circuit
from engines.tesla.view import TeslaView
from engines.tesla.words.event_lines import is_close_to_out, winners_next_turn

WORTHWHILE_LENGTH = 4
"""The length of a circuit from which a marker is worth considering."""


def applicable_notes(view: TeslaView, seat: Seat) -> list[str]:
    """Return the notes for a seat to move, the most urgent first."""
    texts = ["start"]
    if view.phase == "replay":
        texts.append("replay")
    if view.phase == "end":
        texts.append("end")
    others = [one for one in range(view.seats) if one != seat and one not in view.out]
    if is_close_to_out(view, seat):
        texts.append("behind")
    if winners_next_turn(view, seat):
        texts.insert(0, "winning")
    elif any(_potential_score(view, one) >= view.options.win for one in others):
        texts.append("winning")
    if view.phase == "tiles":
        if view.may_mark and any(circuit.value >= WORTHWHILE_LENGTH for circuit in _own_circuits(view, seat)):
            texts.append("cash")
        texts.append("lay")
        if view.may_mark and view.acted:
            texts.append("mark")
        if _own_circuits(view, seat) and any(_own_circuits(view, one) for one in others):
            texts.append("join")
        if len(view.board.tiles) > 2 * view.seats:
            texts.append("replace")
    return texts


def _own_circuits(view: TeslaView, seat: Seat) -> list[Circuit]:
    board = view.board
    return [circuit for number, circuit in board.circuits.items() if board.owner(number) == seat]


def _potential_score(view: TeslaView, seat: Seat) -> int:
    """Return a seat's score with all its markers taken back."""
    return view.scores[seat] + sum(one.value * len(one.markers) for one in _own_circuits(view, seat))
