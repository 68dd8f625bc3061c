"""What a placement does to scores and markers, weighed for the seat that makes it.

Only the circuits that the placement touches are looked at, so hundreds of placements can be compared.
"""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tesla.legal.position import Position
from engines.tesla.pieces.board import Board
from engines.tesla.pieces.circuits import Join, Survey, Verdict, verdict
from engines.tesla.pieces.components import COMMON

HELD = 0.85
"""What a point that a marker could be taken for is worth next to one that is scored."""

THEIRS = 0.8
"""What such a point of somebody else's counts against an own one."""

RIVAL = 0.7
"""What a scored point of the best opponent counts against an own one; half of it for the others."""


class Effect(msgspec.Struct, frozen=True):
    """What a placement changes.

    Attributes:
        gains: of each seat the points scored, as long as nobody wins or goes out on the way.
        stakes: of each seat what its markers on the board could be taken for.
        verdicts: who owns each of the placement's circuits; None where no marker is involved.
    """

    gains: tuple[int, ...]
    stakes: tuple[int, ...]
    verdicts: tuple[Verdict | None, ...]


def effect_of(position: Position, placement: Survey) -> Effect:
    """The changes that a placement brings to every seat."""
    board, seats = position.board, position.seats
    verdicts = tuple(_decided(board, join, seats) for join in placement.joins)
    if not any(verdicts):
        return Effect((0,) * seats, (0,) * seats, verdicts)
    gains, stakes = [0] * seats, [0] * seats
    for number in {piece.circuit for piece in placement.pieces}:
        circuit, owner = board.circuits[number], board.owner(number)
        if owner is not None:
            stakes[owner] -= circuit.value * len(circuit.markers)
    for join, decided in zip(placement.joins, verdicts, strict=True):
        if decided is not None and decided.owner is not None:
            points = join.length * (COMMON.closed_factor if join.closed else 1) * len(decided.kept)
            (gains if join.pays else stakes)[decided.owner] += points
    return Effect(tuple(gains), tuple(stakes), verdicts)


def _decided(board: Board, join: Join, seats: int) -> Verdict | None:
    if not any(piece.markers for piece in join.pieces):
        return None
    return verdict(board.markers, join, seats)


def evaluate_placement(position: Position, effect: Effect) -> float:
    """How good the changes look to the seat to act; 0 when they concern nobody. Rules: Computer players."""
    own, gains, stakes = position.seat, effect.gains, effect.stakes
    if not any(stakes) and not any(gains):
        return 0.0
    others = sum(weight * gains[seat] for seat, weight in rivals(position))
    return gains[own] - others + HELD * (stakes[own] - THEIRS * (sum(stakes) - stakes[own]))


def rivals(position: Position) -> list[tuple[Seat, float]]:
    """The other remaining seats with what a point of theirs counts: the best one most."""
    others = [seat for seat in position.remaining if seat != position.seat]
    best = max((position.scores[seat] for seat in others), default=0)
    return [(seat, RIVAL if position.scores[seat] == best else RIVAL / 2) for seat in others]
