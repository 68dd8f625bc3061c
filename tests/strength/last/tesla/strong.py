"""The strong computer player: it plans its turn to the end, several tiles ahead.

Of the placements that touch anybody's circuit it follows the most promising ones, fewer with every tile, and
looks at the best use of a marker after each. It makes the first move of the best plan.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from random import Random
from typing import NamedTuple

from engines.tesla.legal.actions import act
from engines.tesla.legal.moves import marker_spots, own_markers, spot_at, turns_at
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
from engines.tesla.pieces.board import CircuitId, TeslaBoard
from engines.tesla.pieces.cells import Cell, beyond
from engines.tesla.pieces.circuits import pieces_at, survey
from engines.tesla.pieces.components import COMMON, Face, segments, shape
from tests.strength.last.tesla.evaluation import DECIDED, LastEvaluation, evaluate_circuit

_WIDTHS = (6, 4, 2, 1)
"""The number of placements that are followed for the first tile, the second, and so on."""

_TILES_TO_KEEP = 3

_MARGIN = 12
"""A seat that would be so close to going out begins to mind what a marker costs."""


class LastTeslaPlan(NamedTuple):
    """A result of the rest of a turn, and the move that it begins with; None ends the turn."""

    value: float
    move: Move | None


def choose(position: TeslaPosition, rng: Random) -> Move:
    """Choose a legal move for the mover, from its own knowledge.

    Rules: Computer players.
    """
    evaluation = LastEvaluation(position)
    if position.phase == "replay":
        return _marker(position, evaluation).move or idle_move(position)
    plan = _plan(position, evaluation, _WIDTHS, set())
    return plan.move or idle_move(position)


def _plan(
    position: TeslaPosition, evaluation: LastEvaluation, widths: tuple[int, ...], seen: set[Hashable]
) -> LastTeslaPlan:
    """Return the best rest of the turn.

    `seen` are positions that other orders have led to.
    """
    best = _marker(position, evaluation)
    if (
        position.outcome is not None
        or position.seat != evaluation.seat
        or position.phase != "tiles"
        or not widths
    ):
        return best
    for _, move in _promising(position, evaluation)[: widths[0]]:
        after = position.copy()
        act(after, move)
        reached = _key(after)
        if reached not in seen:
            seen.add(reached)
            value = _plan(after, evaluation, widths[1:], seen).value
            if value > best.value:
                best = LastTeslaPlan(value, move)
    return best


def idle_move(position: TeslaPosition) -> Move:
    """Return the move that ends a turn, or the replaying of markers."""
    return EndReplay() if position.phase == "replay" else discard_down(position, _TILES_TO_KEEP)


def _key(position: TeslaPosition) -> Hashable:
    laid = tuple(sorted((cell, position.board.tiles[cell].lie) for cell in position.changes.placed))
    return laid, tuple(sorted(position.board.markers)), position.phase


def _promising(
    position: TeslaPosition, evaluation: LastEvaluation
) -> list[tuple[float, TeslaPlace | Replace]]:
    """Return placements that improve circuits with markers, the best first."""
    board = position.board
    faces = tuple(dict.fromkeys(position.hands[position.seat]))
    pairs: list[tuple[float, TeslaPlace | Replace]] = []
    for cell in _cells_in_play(board):
        spot, pieces = spot_at(board, cell), pieces_at(board, cell)
        before, owners = evaluation.before(board, pieces)
        for face in faces:
            for turn, lie in turns_at(board, spot, face, pieces):
                placement = survey(board, cell, lie, pieces)
                gain = evaluation.after(position, placement, owners) - before
                if gain > 0:
                    pairs.append((gain, spot.move(face, turn)))
    pairs.sort(key=lambda one: -one[0])
    return pairs


def _cells_in_play(board: TeslaBoard) -> Iterator[Cell]:
    """Yield the cells at the ends of marked circuits, and along them."""
    marked = {number: circuit for number, circuit in board.circuits.items() if circuit.markers}
    ends = (end for circuit in marked.values() for end in circuit.ends)
    yield from dict.fromkeys(beyond(board.shape, end.cell, end.side) for end in ends)
    for cell, laid in board.tiles.items():
        if cell not in board.markers and not marked.keys().isdisjoint(laid.circuits):
            yield cell


def _marker(position: TeslaPosition, evaluation: LastEvaluation) -> LastTeslaPlan:
    """Return the best use of a marker now, or none."""
    idle = LastTeslaPlan(evaluation.value(position), None)
    if position.outcome is not None or position.seat != evaluation.seat:
        return idle
    if position.phase != "replay" and not position.may_mark:
        return idle
    uses = (LastTeslaPlan(idle.value + gain, move) for gain, move in _marker_moves(position))
    return max([idle, *uses], key=lambda plan: plan.value)


def _marker_moves(position: TeslaPosition) -> Iterator[tuple[float, Move]]:
    """Yield markers to put on or take from circuits, with the change."""
    board, replaying = position.board, position.phase == "replay"
    spots = {board.circuit_at(cell, segment): (cell, segment) for cell, segment in marker_spots(position)}
    for number, (cell, segment) in spots.items():
        cost = board.circuits[number].value
        gain = _with_markers(board, number, 1) - cost - _danger(position, cost)
        yield gain, Replay(cell, segment) if replaying else Mark(cell, segment)
    if replaying:
        return
    own = {board.circuit_at(cell, board.markers[cell].segment): cell for cell in own_markers(position)}
    for number, cell in own.items():
        value = board.circuits[number].value
        wins = position.scores[position.seat] + value >= position.options.win
        yield _with_markers(board, number, -1) + value + DECIDED * wins, Take(cell)


def _with_markers(board: TeslaBoard, number: CircuitId, more: int) -> float:
    """Return a circuit's added promise with `more` markers on it."""
    circuit = board.circuits[number]
    count = len(circuit.markers)
    now = evaluate_circuit(board, circuit.length, circuit.ends, count)
    return evaluate_circuit(board, circuit.length, circuit.ends, count + more) - now


def _danger(position: TeslaPosition, cost: int) -> float:
    """Return the loss from a marker's cost near going out.

    It may put the seat out.
    """
    scores = position.scores
    lead = max(scores[seat] for seat in position.remaining)
    left = COMMON.behind - (lead - (scores[position.seat] - cost))
    if left <= 0:
        return DECIDED
    return float(max(0, _MARGIN + 1 - left))


def discard_down(position: TeslaPosition, keep: int) -> Discard | TeslaEndTurn:
    """End the turn with at most `keep` tiles, the most wired."""
    order = shape(position.options.tiles).order

    def by_wires(face: Face) -> tuple[int, int]:
        return -len(segments(face)), order[face]

    away = sorted(position.hands[position.seat], key=by_wires)[keep:]
    return Discard(tuple(sorted(away, key=order.__getitem__))) if away else TeslaEndTurn()
