"""A position as plain text, for tests, logs and stored games."""

from __future__ import annotations

from collections.abc import Iterable

from engines.game import Seat
from engines.tesla.pieces.board import CircuitId, circuit_name
from engines.tesla.pieces.cells import Cell
from engines.tesla.view import TeslaView


def readable(view: TeslaView) -> str:
    """Write all that the view says of the position, and nothing else."""
    lines = [
        f"{view.options.tiles}, turn {view.turn}, {_phase(view)}",
        f"tiles {_words(_tile(view, cell) for cell in view.board.tiles)}",
        *(_circuit(view, number) for number in sorted(view.board.circuits) if _telling(view, number)),
        *(_seat(view, seat) for seat in range(view.seats)),
        f"bag {view.bag}{_list_tiles(view.bag_tiles)}, "
        f"discards {len(view.discards)}{_list_tiles(view.discards)}",
    ]
    return "\n".join(lines)


def _phase(view: TeslaView) -> str:
    if view.outcome is not None:
        places = ", ".join(str(place) for place in view.outcome.places)
        return f"over: {view.outcome.how}, places {places}"
    marker = ", no marker" if view.phase == "tiles" and not view.may_mark else ""
    replays = f" ({view.replays})" if view.replays else ""
    return f"{view.phase}{replays} owed by seat {view.seat}{marker}"


def _words(words: Iterable[str]) -> str:
    return " ".join(words)


def _list_tiles(tiles: Iterable[str] | None) -> str:
    return f": {_words(tiles)}" if tiles else ""


def _tile(view: TeslaView, cell: Cell) -> str:
    laid = view.board.tiles[cell]
    return f"{cell}={laid.lie}:{'.'.join(map(circuit_name, laid.circuits))}"


def _telling(view: TeslaView, number: CircuitId) -> bool:
    """Return True if a circuit deserves a line.

    It is owned, closed, or longer than one tile.
    """
    circuit = view.board.circuits[number]
    return bool(circuit.markers) or circuit.closed or circuit.length > 1


def _circuit(view: TeslaView, number: CircuitId) -> str:
    circuit, owner = view.board.circuits[number], view.board.owner(number)
    kind = "ring" if circuit.closed else "circuit"
    owned = f", seat {owner} at {_words(circuit.markers)}" if circuit.markers else ""
    return f"{kind} {circuit_name(number)}: {circuit.length}{owned}"


def _seat(view: TeslaView, seat: Seat) -> str:
    place = view.places[seat]
    out = f", place {place}" if place is not None and not view.over else ""
    idle = f", idle {view.idle[seat]}" if view.idle[seat] else ""
    held = view.hands[seat]
    hand = f"{view.held[seat]} tiles{_list_tiles(held)}"
    return f"seat {seat}{out}: {view.scores[seat]}, {view.supplies[seat]} markers, {hand}{idle}"
