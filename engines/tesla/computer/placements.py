"""The effect of a placement on scores and markers, weighed for the seat that makes it.

It looks only at the circuits that the placement touches, so it can compare hundreds of placements.
"""

import msgspec

from engines.game import Seat
from engines.tesla.legal.position import TeslaPosition
from engines.tesla.pieces.board import TeslaBoard
from engines.tesla.pieces.circuits import Join, OwnerVerdict, Survey, verdict
from engines.tesla.pieces.components import COMMON

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
    """Return a placement's changes for every seat."""
    board, seats = position.board, position.seats
    verdicts = tuple(_find_verdict(board, join, seats) for join in placement.joins)
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


def _find_verdict(board: TeslaBoard, join: Join, seats: int) -> OwnerVerdict | None:
    if not any(piece.markers for piece in join.pieces):
        return None
    return verdict(board.markers, join, seats)


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
