"""The easy computer player: any immediate gain, and one marker at a time."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from engines.tesla.computer.placements import effect_of, evaluate_placement
from engines.tesla.legal.moves import marker_spots, own_markers, spots, turns_at
from engines.tesla.legal.position import TeslaPosition
from engines.tesla.moves import (
    Discard,
    EndReplay,
    Mark,
    Move,
    Replace,
    Replay,
    Take,
    TeslaEndTurn,
    TeslaPlace,
)
from engines.tesla.pieces.circuits import Survey, pieces_at, survey
from engines.tesla.pieces.components import Face, segments, shape

_LENGTH_TO_MARK = 2
_TILES_TO_KEEP = 2


class Care(NamedTuple):
    """The number of placements to try for each tile, and the least value of a marker to take."""

    looks: int
    worth_taking: int


EASY = Care(looks=2, worth_taking=5)


def choose(position: TeslaPosition, rng: Random, care: Care) -> Move:
    """Choose a legal move for the seat to act, from what it knows. Rules: Computer players."""
    if position.phase == "replay":
        return _mark(position, rng, Replay) or EndReplay()
    if position.phase == "tiles":
        move = _placement(position, rng, care.looks)
        if move is None and position.may_mark:
            move = _take(position, care.worth_taking) or _mark(position, rng, Mark)
        if move is not None:
            return move
    return discard_down(position, _TILES_TO_KEEP)


def _placement(position: TeslaPosition, rng: Random, looks: int) -> Move | None:
    """Return the best of some placements of each tile, if it helps."""
    board = position.board
    around = [(spot, pieces_at(board, spot.cell)) for spot in spots(board)]
    best, most = None, 0.0
    for face in dict.fromkeys(position.hands[position.seat]):
        pairs: list[tuple[TeslaPlace | Replace, Survey]] = [
            (spot.move(face, turn), survey(board, spot.cell, lie, pieces))
            for spot, pieces in around
            for turn, lie in turns_at(board, spot, face, pieces)
        ]
        for move, placement in rng.sample(pairs, min(looks, len(pairs))):
            value = evaluate_placement(position, effect_of(position, placement))
            if value > most:
                best, most = move, value
    return best


def _take(position: TeslaPosition, worth_taking: int) -> Take | None:
    """Take the most valuable marker, if that wins or is worth a turn."""
    board, score = position.board, position.scores[position.seat]
    values = {
        cell: board.circuits[board.circuit_at(cell, board.markers[cell].segment)].value
        for cell in own_markers(position)
    }
    best = max(values, key=values.__getitem__, default=None)
    if best is None or (values[best] < worth_taking and score + values[best] < position.options.win):
        return None
    return Take(best)


def _mark(position: TeslaPosition, rng: Random, move: type[Mark | Replay]) -> Mark | Replay | None:
    """Put a marker on a free open circuit that is about two long."""
    board = position.board
    free = []
    for cell, segment in marker_spots(position):
        circuit = board.circuits[board.circuit_at(cell, segment)]
        if circuit.ends and not circuit.markers:
            free.append((abs(circuit.length - _LENGTH_TO_MARK), rng.random(), cell, segment))
    if not free:
        return None
    _, _, cell, segment = min(free)
    return move(cell, segment)


def discard_down(position: TeslaPosition, keep: int) -> Discard | TeslaEndTurn:
    """End the turn with at most that many tiles, those with the most wires."""
    order = shape(position.options.tiles).order

    def by_wires(face: Face) -> tuple[int, int]:
        return -len(segments(face)), order[face]

    away = sorted(position.hands[position.seat], key=by_wires)[keep:]
    return Discard(tuple(sorted(away, key=order.__getitem__))) if away else TeslaEndTurn()
