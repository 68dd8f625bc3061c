"""The facts open to everybody, and the view of one viewer.

A `TeslaView` holds nothing that its viewer may not know, so pictures, panels and the computer player can't
show or use it. The functions here read views only.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec

from engines.game import BoardChange, Outcome, Seat, fields_of, join_turns
from engines.tesla.pieces.board import Cell, CircuitId, TeslaBoard
from engines.tesla.pieces.components import Face, Segment, TeslaOptions, segments

Phase = Literal["tiles", "replay", "end", "over"]


class TeslaPublic(msgspec.Struct, kw_only=True):
    """The common fields of position and view. Seats count from 0, turns from 1.

    Attributes:
        phase: ``tiles``: place, or use a marker, or end; ``replay``: put paid markers back on the board;
            ``end``: a marker was used, so discard or end; ``over``.
        turn: the number of the turn, over all seats; `seat` has it.
        replays: how many markers may be replayed now.
        acted: True if the seat to act has laid a tile or used a marker in this turn.
        may_mark: True if the seat may still use a marker this turn.
        board: the tiles, circuits and markers.
        scores: of every seat; `started` is the acting seat's at the beginning of its turn.
        supplies: the markers that each seat may still place.
        discards: the tiles thrown away or replaced, the oldest first.
        out: the seats that are out, first one first.
        places: the place of each seat that is out, None if still in; at the end, of every seat.
        idle: for each seat the number of its last turns without a tile or a marker, in a row.
        turns: for each seat the number of turns that it has ended.
        outcome: how the game ended, None during the game.
    """

    options: TeslaOptions
    seats: int
    phase: Phase = "tiles"
    turn: int = 1
    seat: Seat
    replays: int = 0
    may_mark: bool = True
    acted: bool = False
    board: TeslaBoard
    scores: list[int]
    started: int
    supplies: list[int]
    discards: list[Face] = []
    out: list[Seat] = []
    places: list[int | None]
    idle: list[int]
    turns: list[int]
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TeslaPublic)

    @property
    def remaining(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if seat not in self.out]


class MarkerReturn(msgspec.Struct, frozen=True):
    """A marker that left the board: whose it was, and the points that it earned."""

    cell: Cell
    seat: Seat
    points: int


class TeslaChanges(msgspec.Struct, frozen=True):
    """The changes of one turn on the board.

    Attributes:
        placed: the cells of tiles laid, in order; `marked` and `taken` those where markers came and went.
        returned: the markers of `taken`; nothing in an older position.
        gone: the circuits that are in others now; no new one gets their numbers during the turn.
        replaced: those cells of `placed` that had another tile before; nothing in an older position.
        lengths: the earlier lengths of touched circuits, 0 for a new one; nothing in an older position.
    """

    placed: tuple[Cell, ...] = ()
    marked: tuple[Cell, ...] = ()
    taken: tuple[Cell, ...] = ()
    gone: tuple[CircuitId, ...] = ()
    returned: tuple[MarkerReturn, ...] = ()
    replaced: tuple[Cell, ...] = ()
    lengths: tuple[tuple[CircuitId, int], ...] = ()


class TeslaView(TeslaPublic, kw_only=True):
    """A position as one viewer may know it: open facts, and the viewer's own.

    Attributes:
        viewer: the seat that looks; None if it is a spectator.
        held: the number of tiles in each hand.
        hands: the tiles in each hand in the order drawn, None if the viewer may not see a hand.
        bag: the number of tiles in the bag; `bag_tiles` which, next one first, when the game is over.
        behind: a seat this many points behind the leader is out.
        changes: those of the turn in progress, or of the turn before if there are none.
        news: the changes since an earlier view by who made them; unset without one.
    """

    viewer: Seat | None
    held: tuple[int, ...]
    hands: tuple[tuple[Face, ...] | None, ...]
    bag: int
    bag_tiles: tuple[Face, ...] | None
    behind: int
    changes: TeslaChanges
    news: tuple[BoardChange, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def leader(self) -> int:
        """The highest score of the seats that are in."""
        return max((self.scores[seat] for seat in self.remaining), default=0)

    def is_far_behind(self, seat: Seat) -> bool:
        """Return True from half of the way to being out on."""
        return not self.over and seat not in self.out and 2 * self.gap(seat) >= self.behind

    def gap(self, seat: Seat) -> int:
        """Return how many points a seat is behind the leader."""
        return self.leader - self.scores[seat]


def tally(view: TeslaView) -> tuple[int | None, ...]:
    """Return the scores, None if a seat is out."""
    return tuple(None if seat in view.out else score for seat, score in enumerate(view.scores))


def since(view: TeslaView, seen: Sequence[TeslaView]) -> TeslaView:
    """Mark each tile and marker that an earlier view shows otherwise."""
    changes = _differences(seen[0], view, seen[1:])
    if len(seen) == 1 and set(changes.placed) == set(view.changes.placed):
        changes = msgspec.structs.replace(changes, placed=view.changes.placed)
    pairs = [(was, one.after) for one in compare_circuits(seen[0].board, view.board) for was in one.before]
    kept = [was for was, after in pairs if after is not None and after.circuit == was.circuit]
    lengths = tuple((was.circuit, was.length) for was in kept)
    changes = msgspec.structs.replace(changes, lengths=lengths)
    shown = {*changes.placed, *changes.marked, *changes.taken}
    turns = [_turn_changes(before, after) for before, after in pairwise((*seen, view))]
    news = tuple(one for one in join_turns(turns) if one.place in shown or one.points)
    return msgspec.structs.replace(view, changes=changes, news=news)


def _differences(before: TeslaView, after: TeslaView, between: Sequence[TeslaView]) -> TeslaChanges:
    now, then = after.board, before.board
    placed = [
        cell for cell, laid in now.tiles.items() if cell not in then.tiles or then.tiles[cell].lie != laid.lie
    ]
    marked = [cell for cell, marker in now.markers.items() if then.markers.get(cell) != marker]
    taken = [cell for cell in then.markers if cell not in now.markers]
    known = {one.cell: one for view in (*between, after) for one in view.changes.returned}
    returned = [known[cell] for cell in taken if cell in known]
    replaced = tuple(cell for cell in placed if cell in then.tiles)
    return TeslaChanges(
        tuple(placed), tuple(marked), tuple(taken), returned=tuple(returned), replaced=replaced
    )


class CircuitState(msgspec.Struct, frozen=True):
    """A circuit at one moment: its owner, the number of markers, and the points of each."""

    circuit: CircuitId
    length: int
    is_ring: bool
    owner: Seat | None
    markers: int
    value: int


class CircuitChange(msgspec.Struct, frozen=True):
    """A circuit now (None if it is gone), and the earlier ones with wires of it.

    `kept` are the numbers of each earlier one's wires that are in it.
    """

    before: tuple[CircuitState, ...]
    after: CircuitState | None
    kept: dict[CircuitId, int] = {}


def compare_circuits(before: TeslaBoard, after: TeslaBoard) -> list[CircuitChange]:
    old, new = dict(_wires(before)), dict(_wires(after))
    origins: dict[CircuitId, Counter[CircuitId]] = {number: Counter() for number in after.circuits}
    for wire in new.keys() & old.keys():
        origins[new[wire]][old[wire]] += 1
    changes = [
        CircuitChange(_circuit_states(before, was), _circuit_states(after, [number])[0], was)
        for number, was in origins.items()
    ]
    gone = before.circuits.keys() - {old[wire] for wire in new.keys() & old.keys()}
    changes += [CircuitChange(_circuit_states(before, [number]), None) for number in sorted(gone)]
    return [change for change in changes if change.before != (change.after,)]


def _wires(board: TeslaBoard) -> Iterator[tuple[tuple[Cell, Segment], CircuitId]]:
    for cell, laid in board.tiles.items():
        for segment, circuit in zip(segments(laid.lie), laid.circuits, strict=True):
            yield (cell, segment), circuit


def _circuit_states(board: TeslaBoard, circuits: Iterable[CircuitId]) -> tuple[CircuitState, ...]:
    states = [
        CircuitState(number, one.length, one.closed, board.owner(number), len(one.markers), one.value)
        for number in circuits
        for one in [board.circuits[number]]
    ]
    return tuple(sorted(states, key=lambda one: (one.owner is None, -one.length, one.circuit)))


def _turn_changes(before: TeslaView, after: TeslaView) -> list[BoardChange]:
    """Return a turn's changes between two views.

    Points are at the marker that was taken, else at the last tile.
    """
    changes, seat = (
        _differences(before, after, ()),
        before.seat if 0 <= after.turn - before.turn <= 1 else None,
    )
    result = [
        BoardChange(cell, kind, seat)
        for kind, cells in (("placed", changes.placed), ("marked", changes.marked), ("taken", changes.taken))
        for cell in cells
    ]
    scorers = [one for one in range(after.seats) if after.scores[one] > before.scores[one]]
    if result and seat is not None:
        own = [cell for cell in changes.taken if before.board.markers[cell].seat == seat]
        where = [*changes.placed, *changes.marked, *own][-1:]
        for scorer in scorers if where else []:
            gain = after.scores[scorer] - before.scores[scorer]
            result.append(BoardChange(where[0], f"points {scorer}", scorer, points=gain))
    return result
