"""The strong computer player's values of positions and placements.

The value of a position is a sum over circuits, so the change by a placement comes from the circuits that it
touches.

A placement's own evaluation looks only at those circuits, so it can compare hundreds of placements.
"""

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from engines.game import Seat
from engines.tesla.legal.position import TeslaPosition
from engines.tesla.pieces.board import Circuit, CircuitId, End, TeslaBoard, beyond, steps
from engines.tesla.pieces.circuits import CircuitPiece, Join, OwnerVerdict, Survey, verdict
from engines.tesla.pieces.components import COMMON, Tiles

DECIDED = 1000.0
"""The value of a game that is won; less than that of one that is lost."""

_OPEN, _RING = 0.9, 0.95
"""Value of a point that a marker could be taken for, on an open circuit and on a ring."""

_GROWTH = 3.5
"""Expected growth of an open circuit with a marker on it."""

_FADE = 0.85
"""Value of each further marker of a circuit, relative to the one before: one is taken a turn."""

_CLOSING = (0.3, 0.1)
"""Chance that a circuit is closed soon, with no cell, or one step, between its ends."""

_SHORTEST_RING = 3

_THEIRS = 0.9
"""Value of the others' markers to them: they may be cut off or taken over first."""

_OTHERS = 0.4
"""Weight of a point of any opponent but the best one."""

_LAST_STEP = 4.0
THREAT = 30.0
"""Value of being one marker from winning, for those who must wait and for those who have the next turn."""

_GONE = 15.0
"""Value of a seat's elimination."""


class Evaluation:
    """Values positions and placements for one seat. Rules: Computer players.

    Attributes:
        cashes: True for a player that doesn't look ahead: it counts that a seat uses one marker a turn,
            and can put another out by it.
    """

    def __init__(self, position: TeslaPosition, seat: Seat | None = None, *, cashes: bool = False) -> None:
        """Prepare the values for a seat; by default the one to act."""
        self.seat, self.cashes = position.seat if seat is None else seat, cashes
        others = [seat for seat in position.remaining if seat != self.seat]
        best = max((position.scores[seat] for seat in others), default=0)
        weights = [0.0] * position.seats
        for other in others:
            weights[other] = -1.0 if position.scores[other] == best else -_OTHERS
        weights[self.seat] = 1.0
        self.weights = tuple(weights)

    def value(self, position: TeslaPosition, *, has_next_turn: bool = False) -> float:
        """Value a position before any marker is used in it.

        A marker that could win does so for whoever has the next turn.
        """
        if position.outcome is not None:
            return DECIDED if position.outcome.places[self.seat] == 1 else -DECIDED
        if self.seat in position.out:
            return -DECIDED
        board, total = position.board, 0.0
        for number, circuit in board.circuits.items():
            owner = board.owner(number) if circuit.markers else None
            if owner is not None:
                total += self.stake(board, circuit, owner)
        reach = find_reach(position)
        for seat, score in enumerate(position.scores):
            if seat in position.out:
                total += _GONE
                continue
            total += self.weights[seat] * score
            if reach[seat] >= self._goal(position, seat):
                near = THREAT if has_next_turn is (seat == self.seat) else _LAST_STEP
                total += near if seat == self.seat else -near
        return total

    def _goal(self, position: TeslaPosition, seat: Seat) -> int:
        """Return the score with which a seat decides the game. It wins, or it puts the evaluated seat out."""
        if not self.cashes:
            return position.options.win
        scores, rivals = position.scores, [self.seat]
        if seat == self.seat:
            rivals = [other for other in position.remaining if other != seat]
        return min(position.options.win, COMMON.behind + max(scores[one] for one in rivals))

    def stake(self, board: TeslaBoard, circuit: Circuit, owner: Seat) -> float:
        return self._stake(board, owner, circuit.length, circuit.ends, len(circuit.markers))

    def _stake(self, board: TeslaBoard, owner: Seat, length: int, ends: tuple[End, ...], count: int) -> float:
        held = evaluate_circuit(board, length, ends, count)
        return self.weights[owner] * (held if owner == self.seat else _THEIRS * held)

    def before(
        self, board: TeslaBoard, pieces: Iterable[CircuitPiece]
    ) -> tuple[float, dict[CircuitId, Seat]]:
        """Return the value of the circuits around a cell, and marked ones' owners."""
        owners: dict[CircuitId, Seat] = {}
        for piece in pieces:
            owner = board.owner(piece.circuit)
            if owner is not None:
                owners[piece.circuit] = owner
        return sum(self.stake(board, board.circuits[one], seat) for one, seat in owners.items()), owners

    def after(self, position: TeslaPosition, joins: Iterable[Join], owners: dict[CircuitId, Seat]) -> float:
        """Value the circuits around a cell once a tile joins them."""
        return sum(self._join_value(position, join, owners) for join in joins)

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
            return self.weights[owner] * count * join.length * COMMON.closed_factor
        return self._stake(position.board, owner, join.length, join.ends, count)


def find_reach(position: TeslaPosition) -> list[int]:
    """Return the score of each seat after its most valuable marker."""
    board, reach = position.board, list(position.scores)
    for number, circuit in board.circuits.items():
        owner = board.owner(number) if circuit.markers else None
        if owner is not None:
            reach[owner] = max(reach[owner], position.scores[owner] + circuit.value)
    return reach


def evaluate_circuit(board: TeslaBoard, length: int, ends: tuple[End, ...], count: int) -> float:
    return _circuit_value(board.shape, length, ends, count)


@lru_cache(maxsize=1 << 15)
def _circuit_value(tiles: Tiles, length: int, ends: tuple[End, ...], count: int) -> float:
    if not count:
        return 0.0
    series = (1 - _FADE**count) / (1 - _FADE)
    ring = length * COMMON.closed_factor
    if not ends:
        return series * _RING * ring
    one, two = (beyond(tiles, end.cell, end.side) for end in ends)
    gap = steps(tiles, one, two)
    held = series * (_OPEN * length + _GROWTH)
    if gap < len(_CLOSING) and length >= _SHORTEST_RING:
        held += _CLOSING[gap] * count * ((length + gap + 1) * COMMON.closed_factor - _OPEN * length)
    return held


HELD = 0.85
"""Value of a point that a marker could be taken for, relative to a scored one."""

THEIRS = 0.8
"""Weight of such a point of somebody else, relative to an own one."""

RIVAL = 0.7
"""Weight of a scored point of the best opponent, relative to an own one; half of it for the others."""


class PlacementEffect(msgspec.Struct, frozen=True):
    """The changes by a placement.

    Attributes:
        gains: of each seat the points scored, as long as nobody wins or goes out on the way.
        stakes: of each seat the points that its markers could be taken for.
        verdicts: the owner of each of the placement's circuits; None if no marker is involved.
    """

    gains: tuple[int, ...]
    stakes: tuple[int, ...]
    verdicts: tuple[OwnerVerdict | None, ...]


def effect_of(position: TeslaPosition, placement: Survey) -> PlacementEffect:
    board, seats = position.board, position.seats
    verdicts = tuple(
        None if not any(piece.markers for piece in join.pieces) else verdict(board.markers, join, seats)
        for join in placement.joins
    )
    if not any(verdicts):
        return PlacementEffect((0,) * seats, (0,) * seats, verdicts)
    gains, stakes = [0] * seats, [0] * seats
    for number in {piece.circuit for piece in placement.pieces}:
        circuit, owner = board.circuits[number], board.owner(number)
        if owner is not None:
            stakes[owner] -= circuit.value * len(circuit.markers)
    for join, decided in zip(placement.joins, verdicts, strict=True):
        if decided is not None and decided.owner is not None:
            points = join.length * (COMMON.closed_factor if join.closed else 1) * len(decided.kept)
            (gains if join.pays else stakes)[decided.owner] += points
    return PlacementEffect(tuple(gains), tuple(stakes), verdicts)


def evaluate_placement(position: TeslaPosition, effect: PlacementEffect) -> float:
    """Value the changes for the seat to act. 0 if they concern nobody. Rules: Computer players."""
    own, gains, stakes = position.seat, effect.gains, effect.stakes
    if not any(stakes) and not any(gains):
        return 0.0
    others = sum(weight * gains[seat] for seat, weight in rivals(position))
    return gains[own] - others + HELD * (stakes[own] - THEIRS * (sum(stakes) - stakes[own]))


def rivals(position: TeslaPosition) -> list[tuple[Seat, float]]:
    """Return the other remaining seats with the weights of their points. The best one most."""
    others = [seat for seat in position.remaining if seat != position.seat]
    best = max((position.scores[seat] for seat in others), default=0)
    return [(seat, RIVAL if position.scores[seat] == best else RIVAL / 2) for seat in others]
