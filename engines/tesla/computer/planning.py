"""Plans a turn to its end, several tiles ahead.

It follows the most promising placements on circuits with markers, fewer with every tile, and considers the
best use of a marker after each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from engines.tesla.computer.evaluation import DECIDED, THREAT, Evaluation, evaluate_circuit, find_reach
from engines.tesla.legal.actions import act
from engines.tesla.legal.moves import own_markers, spot_at, turns_at
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
from engines.tesla.pieces.board import Cell, Circuit, CircuitId, TeslaBoard, beyond, neighbours
from engines.tesla.pieces.circuits import joins_at, pieces_at
from engines.tesla.pieces.components import COMMON, Face, Segment, segments, shape, ways

Widths = tuple[int, ...]
"""The number of placements to follow for the first tile, the second, and so on."""

_TILES_TO_KEEP = 3

_MARGIN = 12
"""Within this many points of elimination, a seat begins to avoid the cost of markers."""

_FEW = 4
"""The promising placements on circuits with markers below which free circuits count, too."""

_WAIT = 0.9
"""Value of a marker for each other one that its seat has on the board: one is taken a turn."""

Promising = tuple[float, TeslaPlace | Replace]
"""A placement, and its gain on circuits with markers, or on a free one with the next marker."""


class TurnPlan(NamedTuple):
    """A way to end a turn: its value, and its moves except the last that passes the turn on."""

    value: float
    moves: tuple[Move, ...]


def with_best_markers(plans: Iterable[TurnPlan]) -> list[TurnPlan]:
    """Keep the best use of a marker for each set of tiles."""
    best: dict[tuple[Move, ...], TurnPlan] = {}
    for plan in plans:
        tiles = plan.moves
        if tiles and isinstance(tiles[-1], Mark | Take | Replay):
            tiles = tiles[:-1]
        if tiles not in best or best[tiles].value < plan.value:
            best[tiles] = plan
    return list(best.values())


def drop_useless(position: TeslaPosition, plans: list[TurnPlan]) -> list[TurnPlan]:
    """Drop turns that lose or do nothing, if others remain."""
    safe = [plan for plan in plans if plan.value > -DECIDED / 2] or plans
    return [plan for plan in safe if plan.moves or position.acted] or safe


class Planner:
    """Plans turns. It caches its findings about a cell for other positions that are alike there.

    With `has_free` it follows free circuits, too, while few placements on marked ones are promising.
    """

    def __init__(self, *, has_free: bool = False) -> None:
        self._has_free = has_free
        self.looks = 0
        self._known: dict[Hashable, _Look] = {}

    def plans(self, position: TeslaPosition, evaluation: Evaluation, widths: Widths) -> Iterator[TurnPlan]:
        """Yield turns that lead to different positions; `looks` counts the positions evaluated."""
        yield from self._plans(position, evaluation, (), widths, set())

    def _plans(
        self,
        position: TeslaPosition,
        evaluation: Evaluation,
        done: tuple[Move, ...],
        widths: Widths,
        seen: set[Hashable],
    ) -> Iterator[TurnPlan]:
        self.looks += 1
        value = evaluation.value(position)
        yield TurnPlan(value, done)
        if position.outcome is not None or position.seat != evaluation.seat:
            return
        if position.phase == "replay" or position.may_mark:
            for gain, move in marker_moves(position, cashes=evaluation.cashes):
                yield TurnPlan(value + gain, (*done, move))
        if position.phase != "tiles" or not widths:
            return
        for _, move in self.promising(position, evaluation)[: widths[0]]:
            after = position.copy()
            act(after, move)
            reached = key(after)
            if reached not in seen:
                seen.add(reached)
                yield from self._plans(after, evaluation, (*done, move), widths[1:], seen)

    def promising(self, position: TeslaPosition, evaluation: Evaluation) -> list[Promising]:
        """Return the placements that improve circuits with markers, the best first."""
        faces = tuple(dict.fromkeys(position.hands[position.seat]))
        pairs: list[Promising] = []
        for cell in _cells_in_play(position.board):
            look = self._look(position, evaluation, cell)
            for face in faces:
                pairs += look.promising(face)
        pairs.sort(key=_least_first)
        if self._has_free and len(pairs) < _FEW:
            pairs += sorted(_free_placements(position, faces), key=_least_first)
        return pairs

    def _look(self, position: TeslaPosition, evaluation: Evaluation, cell: Cell) -> _Look:
        there = sight(position.board, cell)
        if there is None:
            return _Look(position, evaluation, cell)
        seen = evaluation.weights, cell, there
        look = self._known.get(seen)
        if look is None:
            look = self._known[seen] = _Look(position, evaluation, cell)
        return look


class _Look:
    """The effects of tiles on one cell."""

    def __init__(self, position: TeslaPosition, evaluation: Evaluation, cell: Cell) -> None:
        self._position, self._evaluation, self._cell = position, evaluation, cell
        self._found: dict[Face, tuple[Promising, ...]] = {}
        board = position.board
        self._spot, self._pieces = spot_at(board, cell), pieces_at(board, cell)
        self._before, self._owners = evaluation.before(board, self._pieces)
        self._at = {port: piece for piece in self._pieces for port in piece.ports}
        self._ports = [port for port, piece in self._at.items() if piece.circuit in self._owners]

    def promising(self, face: Face) -> tuple[Promising, ...]:
        pairs = self._found.get(face)
        if pairs is None:
            found = []
            for turn, lie in turns_at(self._position.board, self._spot, face, self._pieces):
                joins = joins_at(self._cell, lie, self._at, self._ports)
                gain = self._evaluation.after(self._position, joins, self._owners) - self._before
                if gain > 0:
                    found.append((gain, self._spot.move(face, turn)))
            pairs = self._found[face] = tuple(found)
        return pairs


def _free_placements(position: TeslaPosition, faces: tuple[Face, ...]) -> Iterator[Promising]:
    """Yield the placements that lengthen free circuits and touch no others."""
    board = position.board
    for cell in _cells_at_ends(
        board, (circuit for circuit in board.circuits.values() if not circuit.markers)
    ):
        spot, pieces = spot_at(board, cell), pieces_at(board, cell)
        if any(piece.markers for piece in pieces):
            continue
        at = {port: piece for piece in pieces for port in piece.ports}
        for face in faces:
            for turn, lie in turns_at(board, spot, face, pieces):
                joins = joins_at(cell, lie, at, tuple(at))
                gains = (
                    evaluate_circuit(board, join.length, join.ends, 1)
                    - join.length * (COMMON.closed_factor if join.closed else 1)
                    for join in joins
                )
                yield max(gains), spot.move(face, turn)


def _least_first(one: Promising) -> float:
    return -one[0]


def sight(board: TeslaBoard, cell: Cell) -> Hashable | None:
    """Return a key for a tile's effect on a cell."""
    tiles, circuits, opposites = board.tiles, board.circuits, shape(board.shape).opposites
    met: list[CircuitId | None] = []
    laid = tiles.get(cell)
    for side, behind in enumerate(neighbours(board.shape, cell)):
        other = tiles.get(behind)
        way = None if other is None else ways(other.lie).get(opposites[side])
        met.append(None if other is None else -1 if way is None else other.circuits[way[1]])
    numbers = {number for number in met if number is not None and number >= 0}
    if laid is not None:
        numbers.update(laid.circuits)
    facts = [(number, circuits[number], board.owner(number)) for number in sorted(numbers)]
    if laid is not None and any(not circuit.ends for _, circuit, _ in facts):
        return None
    return laid, tuple(met), tuple(facts)


def idle_move(position: TeslaPosition) -> Move:
    """Return the move that ends a turn or a replay."""
    return EndReplay() if position.phase == "replay" else discard_down(position, _TILES_TO_KEEP)


def discard_down(position: TeslaPosition, keep: int) -> Discard | TeslaEndTurn:
    """End the turn with at most that many tiles, those with the most wires."""
    order = shape(position.options.tiles).order

    def by_wires(face: Face) -> tuple[int, int]:
        return -len(segments(face)), order[face]

    away = sorted(position.hands[position.seat], key=by_wires)[keep:]
    return Discard(tuple(sorted(away, key=order.__getitem__))) if away else TeslaEndTurn()


def key(position: TeslaPosition) -> Hashable:
    """Return a key for a position within a turn. It includes the hand, which replacing changes."""
    laid = tuple(sorted((cell, position.board.tiles[cell].lie) for cell in position.changes.placed))
    hand = tuple(sorted(position.hands[position.seat]))
    return laid, hand, tuple(sorted(position.board.markers)), position.phase


def _cells_in_play(board: TeslaBoard) -> Iterator[Cell]:
    """Yield the cells where circuits with markers end or cross."""
    marked = {number: circuit for number, circuit in board.circuits.items() if circuit.markers}
    yield from _cells_at_ends(board, marked.values())
    for cell, laid in board.tiles.items():
        if cell not in board.markers and not marked.keys().isdisjoint(laid.circuits):
            yield cell


def _cells_at_ends(board: TeslaBoard, circuits: Iterable[Circuit]) -> Iterable[Cell]:
    ends = (end for circuit in circuits for end in circuit.ends)
    return dict.fromkeys(beyond(board.shape, end.cell, end.side) for end in ends)


def marker_moves(position: TeslaPosition, *, cashes: bool = False) -> Iterator[tuple[float, Move]]:
    """Yield markers to put and to take, with their gain. See `Evaluation.cashes`."""
    board, seat, replaying = position.board, position.seat, position.phase == "replay"
    highest = find_reach(position) if cashes else None
    others = [one for one in position.remaining if one != seat]
    reach = None if highest is None else max((highest[one] for one in others), default=0)
    own = {board.circuit_of_marker(cell): cell for cell in own_markers(position)}
    factor = _WAIT if cashes else 1.0
    wait = factor ** sum(marker.seat == seat for marker in board.markers.values())
    # A free segment of each circuit that the seat to act could mark.
    spots: dict[CircuitId, tuple[Cell, Segment]] = {}
    foreign = {number for number in board.circuits if board.owner(number) not in (None, seat)}
    for cell, laid in board.tiles.items() if position.supplies[seat] else ():
        if cell not in board.markers:
            for index, number in enumerate(laid.circuits):
                if number not in foreign:
                    spots[number] = cell, segments(laid.lie)[index]
    for number, (cell, segment) in spots.items():
        cost = board.circuits[number].value
        gain = wait * _with_markers(board, number, 1) - cost - _danger(position, cost, reach)
        yield gain, Replay(cell, segment) if replaying else Mark(cell, segment)
    if replaying:
        return
    for number, cell in own.items():
        value = board.circuits[number].value
        wins = position.scores[seat] + value >= position.options.win
        safer = _exposure(position, 0, reach) - _exposure(position, -value, reach)
        held = wait / factor * _with_markers(board, number, -1)
        yield held + value + safer + DECIDED * wins, Take(cell)


def _with_markers(board: TeslaBoard, number: CircuitId, more: int) -> float:
    circuit = board.circuits[number]
    count = len(circuit.markers)
    now = evaluate_circuit(board, circuit.length, circuit.ends, count)
    return evaluate_circuit(board, circuit.length, circuit.ends, count + more) - now


def _danger(position: TeslaPosition, cost: int, reach: int | None) -> float:
    """Return the penalty for a marker that costs too much."""
    scores = position.scores
    lead = max(scores[seat] for seat in position.remaining)
    left = COMMON.behind - (lead - (scores[position.seat] - cost))
    if left <= 0:
        return DECIDED
    more = _exposure(position, cost, reach) - _exposure(position, 0, reach)
    return more + max(0, _MARGIN + 1 - left)


def _exposure(position: TeslaPosition, cost: int, reach: int | None) -> float:
    """Return the penalty if another's next marker decides the game."""
    score = position.scores[position.seat] - cost
    return THREAT if reach is not None and reach - score >= COMMON.behind else 0.0
