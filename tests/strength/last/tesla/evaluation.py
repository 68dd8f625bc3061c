"""Values of positions for the strong computer player: what every seat may still make of its markers.

The value of a position is a sum over circuits, so what a placement changes is read off the circuits that it
touches.
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.game import Seat
from engines.tesla.legal.position import TeslaPosition
from engines.tesla.pieces.board import Circuit, CircuitId, End, TeslaBoard
from engines.tesla.pieces.cells import beyond, steps
from engines.tesla.pieces.circuits import CircuitPiece, Join, Survey, verdict
from engines.tesla.pieces.components import COMMON

DECIDED = 1000.0
"""The value of a game that is won; less than that of one that is lost."""

_OPEN, _RING = 0.9, 0.95
"""The worth of a point that a marker could be taken for, on an open circuit and on a ring."""

_GROWTH = 3.5
"""The expected growth of an open circuit while a marker is on it."""

_FADE = 0.85
"""The worth of each further marker of a circuit next to the one before: one is taken a turn."""

_CLOSING = (0.3, 0.1)
"""The chance that a circuit is closed soon whose ends have no cell, or one step, between them."""

_SHORTEST_RING = 3

_THEIRS = 0.9
"""The worth of others' markers to them: they may be cut off or taken over first."""

_OTHERS = 0.4
"""The weight of a point of any opponent who isn't the best one."""

_LAST_STEP = 4.0
_THREAT = 30.0
"""The worth of being one marker from winning, and the cost of somebody else's being so."""

_GONE = 15.0
"""The worth of a seat's being out."""


class LastEvaluation:
    """The values of positions and placements as one seat sees them. Rules: Computer players."""

    def __init__(self, position: TeslaPosition) -> None:
        self.seat = position.seat
        others = [seat for seat in position.remaining if seat != self.seat]
        best = max((position.scores[seat] for seat in others), default=0)
        self._weights = [0.0] * position.seats
        for seat in others:
            self._weights[seat] = -1.0 if position.scores[seat] == best else -_OTHERS
        self._weights[self.seat] = 1.0

    def value(self, position: TeslaPosition) -> float:
        """Return a position's worth before any marker is used."""
        if position.outcome is not None:
            return DECIDED if position.outcome.places[self.seat] == 1 else -DECIDED
        if self.seat in position.out:
            return -DECIDED
        board, total = position.board, 0.0
        reach = list(position.scores)
        for number, circuit in board.circuits.items():
            owner = board.owner(number) if circuit.markers else None
            if owner is not None:
                total += self.stake(board, circuit, owner)
                reach[owner] = max(reach[owner], position.scores[owner] + circuit.value)
        for seat, score in enumerate(position.scores):
            if seat in position.out:
                total += _GONE
                continue
            total += self._weights[seat] * score
            if reach[seat] >= position.options.win:
                total += _LAST_STEP if seat == self.seat else -_THREAT
        return total

    def stake(self, board: TeslaBoard, circuit: Circuit, owner: Seat) -> float:
        """Return the worth of a circuit's markers."""
        return self._stake(board, owner, circuit.length, circuit.ends, len(circuit.markers))

    def _stake(self, board: TeslaBoard, owner: Seat, length: int, ends: tuple[End, ...], count: int) -> float:
        held = evaluate_circuit(board, length, ends, count)
        return self._weights[owner] * (held if owner == self.seat else _THEIRS * held)

    def before(
        self, board: TeslaBoard, pieces: Iterable[CircuitPiece]
    ) -> tuple[float, dict[CircuitId, Seat]]:
        """Return the worth of the circuits around a cell, and their owners.

        Only circuits with markers have owners.
        """
        owners: dict[CircuitId, Seat] = {}
        for piece in pieces:
            owner = board.owner(piece.circuit)
            if owner is not None:
                owners[piece.circuit] = owner
        return sum(self.stake(board, board.circuits[one], seat) for one, seat in owners.items()), owners

    def after(self, position: TeslaPosition, placement: Survey, owners: dict[CircuitId, Seat]) -> float:
        """Return a cell's circuits' worth with the tile, and its pay."""
        return sum(
            self._join_value(position, join, owners)
            for join in placement.joins
            if any(piece.circuit in owners for piece in join.pieces)
        )

    def _join_value(self, position: TeslaPosition, join: Join, owners: dict[CircuitId, Seat]) -> float:
        seats = {owners[piece.circuit] for piece in join.pieces if piece.markers}
        if not seats:
            return 0.0
        owner: Seat | None
        if len(seats) == 1:
            (owner,) = seats
            count = sum(len(piece.markers) for piece in join.pieces)
        else:
            decided = verdict(position.board.markers, join, position.seats)
            owner, count = decided.owner, len(decided.kept)
        if owner is None:
            return 0.0
        if join.pays:
            return self._weights[owner] * count * join.length * COMMON.closed_factor
        return self._stake(position.board, owner, join.length, join.ends, count)


def evaluate_circuit(board: TeslaBoard, length: int, ends: tuple[End, ...], count: int) -> float:
    """Return what `count` markers on a circuit may bring their owner."""
    if not count:
        return 0.0
    series = (1 - _FADE**count) / (1 - _FADE)
    ring = length * COMMON.closed_factor
    if not ends:
        return series * _RING * ring
    gap = _gap(board, ends)
    held = series * (_OPEN * length + _GROWTH)
    if gap < len(_CLOSING) and length >= _SHORTEST_RING:
        held += _CLOSING[gap] * count * ((length + gap + 1) * COMMON.closed_factor - _OPEN * length)
    return held


def _gap(board: TeslaBoard, ends: tuple[End, ...]) -> int:
    """Return the steps between a circuit's ends.

    At 0 one tile closes it.
    """
    one, two = (beyond(board.shape, end.cell, end.side) for end in ends)
    return steps(board.shape, one, two)
