"""Legal moves, and the sentences that refuse others."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeVar

import msgspec

from engines.game import IllegalMove
from engines.tesla.legal import sentences
from engines.tesla.legal.position import TeslaPosition
from engines.tesla.moves import Mark, Replace, Replay, TeslaPlace
from engines.tesla.pieces import components
from engines.tesla.pieces.board import Cell, CircuitId, TeslaBoard, neighbours
from engines.tesla.pieces.circuits import CircuitPiece, Survey, opens_ring, pieces_at, survey

MarkT = TypeVar("MarkT", Mark, Replay)


class TeslaSpot(msgspec.Struct, frozen=True, gc=False):
    """A cell for a tile.

    Attributes:
        cell: the cell; it touches a tile, or holds one without a marker.
        met: the surrounding tiles and wires.
        old: the lie of the tile there, None if the cell is empty.
        ringed: True if a closed circuit runs through that tile.
    """

    cell: Cell
    met: components.Met
    old: components.Lie | None = None
    ringed: bool = False

    def move(self, face: components.Face, turn: int) -> TeslaPlace | Replace:
        return TeslaPlace(face, turn, self.cell) if self.old is None else Replace(face, turn, self.cell)


def spot_at(board: TeslaBoard, cell: Cell) -> TeslaSpot:
    met, old = board.surroundings_of(cell), board.tiles.get(cell)
    if old is None:
        return TeslaSpot(cell, met)
    ringed = any(not board.circuits[number].ends for number in old.circuits)
    return TeslaSpot(cell, met, old.lie, ringed)


def spots(board: TeslaBoard) -> Iterator[TeslaSpot]:
    """Yield every cell for a tile. The empty ones, then those with a tile, oldest tile first."""
    tiles, around, rings = board.tiles, board.around, _rings(board)
    for cell, met in around.items():
        if cell not in tiles:
            yield TeslaSpot(cell, met)
    for cell, old in tiles.items():
        if cell not in board.markers:
            yield TeslaSpot(cell, around.get(cell, 0), old.lie, not rings.isdisjoint(old.circuits))


def _rings(board: TeslaBoard) -> set[CircuitId]:
    return {number for number, circuit in board.circuits.items() if not circuit.ends}


def turns_at(
    board: TeslaBoard, spot: TeslaSpot, face: components.Face, pieces: tuple[CircuitPiece, ...] | None = None
) -> Sequence[tuple[int, components.Lie]]:
    """Return the turns and lies of a face on a spot.

    `pieces` are those around the spot, if known already. Rules: Placing tiles, Replacing tiles.
    """
    pairs = components.fitting(board.shape, face, spot.met)
    if spot.old is None:
        return pairs
    changing = [(turn, lie) for turn, lie in pairs if lie != spot.old]
    if not (spot.ringed and changing):
        return changing
    if pieces is None:
        pieces = pieces_at(board, spot.cell)
    return [(turn, lie) for turn, lie in changing if not opens_ring(survey(board, spot.cell, lie, pieces))]


class _FittingFaces(dict[components.Met, int]):
    """Caches the faces that fit by the surroundings. A set of bits, in the order of the data."""

    def __init__(self, tiles: components.Tiles) -> None:
        self._tiles = tiles

    def __missing__(self, met: components.Met) -> int:
        faces = components.shape(self._tiles).order.items()
        fitting = (1 << place for face, place in faces if components.fitting(self._tiles, face, met))
        result = self[met] = sum(fitting)
        return result


class _Ways(dict[components.Met, tuple[tuple[int, components.Lie], ...]]):
    """Caches the turns and lies of a face by its surroundings, at most 3⁶."""

    def __init__(self, tiles: components.Tiles, face: components.Face) -> None:
        self._tiles, self._face = tiles, face

    def __missing__(self, met: components.Met) -> tuple[tuple[int, components.Lie], ...]:
        result = self[met] = components.fitting(self._tiles, self._face, met)
        return result


_FITTING: dict[components.Tiles, _FittingFaces] = {tiles: _FittingFaces(tiles) for tiles in ("hex", "square")}


@cache
def _ways(tiles: components.Tiles, face: components.Face) -> tuple[components.Face, int, _Ways]:
    return face, 1 << components.shape(tiles).order[face], _Ways(tiles, face)


def placements(board: TeslaBoard, faces: tuple[components.Face, ...]) -> list[TeslaPlace | Replace]:
    """Return every legal placement of these faces, in the order of `spots`."""
    tiles, around, rings = board.tiles, board.around, _rings(board)
    able, result = _FITTING[board.shape], list[TeslaPlace | Replace]()
    held, add = [_ways(board.shape, face) for face in faces], result.append
    every = sum({bit for _, bit, _ in held})
    for cell, met in around.items():
        if (fit := able[met] & every) and cell not in tiles:
            for face, bit, ways in held:
                if fit & bit:
                    for turn, _ in ways[met]:
                        add(TeslaPlace(face, turn, cell))
    for cell, old in tiles.items():
        met = around.get(cell, 0)
        if (fit := able[met] & every) and cell not in board.markers:
            lie, pieces = old.lie, None if rings.isdisjoint(old.circuits) else pieces_at(board, cell)
            for face, bit, ways in held:
                if fit & bit:
                    for turn, turned in ways[met]:
                        if turned != lie and (
                            pieces is None or not opens_ring(survey(board, cell, turned, pieces))
                        ):
                            add(Replace(face, turn, cell))
    return result


def marks(position: TeslaPosition, kind: type[MarkT]) -> list[MarkT]:
    """Return a move for every segment that may be marked. Rules: Markers."""
    board, seat = position.board, position.seat
    if not position.supplies[seat]:
        return []
    markers, segments = board.markers, components.segments
    # A circuit's markers are all of one seat.
    foreign = {board.circuit_of_marker(cell) for cell, marker in markers.items() if marker.seat != seat}
    result: list[MarkT] = []
    for cell, laid in board.tiles.items():
        if cell not in markers:
            is_free = foreign.isdisjoint(laid.circuits)
            for place, segment in enumerate(segments(laid.lie)):
                if is_free or laid.circuits[place] not in foreign:
                    result.append(kind(cell, segment))
    return result


def own_markers(position: TeslaPosition) -> Iterator[Cell]:
    """Yield the cells of the markers of the seat to act, the oldest first."""
    for cell, marker in position.board.markers.items():
        if marker.seat == position.seat:
            yield cell


def check_placement(position: TeslaPosition, move: TeslaPlace | Replace) -> Survey:
    """Return a placement's effects on the circuits.

    Raises IllegalMove if it isn't allowed. Rules: Placing tiles, Replacing tiles.
    """
    board, cell = position.board, move.cell
    if move.tile not in position.hands[position.seat]:
        raise IllegalMove(sentences.NOT_HELD)
    lies = components.shape(board.shape).lies(move.tile)
    if not 0 <= move.turn < len(lies):
        raise IllegalMove(sentences.FEWER_TURNS.format(turns=len(lies)))
    lie = lies[move.turn]
    try:
        neighbours(board.shape, cell)
    except ValueError:
        raise IllegalMove(sentences.NO_CELL) from None
    if isinstance(move, TeslaPlace):
        if cell in board.tiles:
            raise IllegalMove(sentences.HAS_TILE.format(cell=cell))
    elif cell not in board.tiles:
        raise IllegalMove(sentences.NOTHING_TO_REPLACE.format(cell=cell))
    elif cell in board.markers:
        raise IllegalMove(sentences.HOLDS_MARKER.format(cell=cell))
    spot = spot_at(board, cell)
    if not spot.met and spot.old is None:
        raise IllegalMove(sentences.TOUCHES_NOTHING.format(cell=cell))
    if lie == spot.old:
        raise IllegalMove(sentences.LOOKS_THE_SAME.format(cell=cell))
    _check_fit(board, spot, move.tile, lie)
    placement = survey(board, cell, lie)
    if spot.ringed and opens_ring(placement):
        raise IllegalMove(sentences.NOT_A_RING)
    return placement


def _check_fit(board: TeslaBoard, spot: TeslaSpot, face: components.Face, lie: components.Lie) -> None:
    touching, wires = components.unpack_meeting(spot.met)
    wrong = (components.wire_mask(lie) ^ wires) & touching
    if not wrong:
        return
    blank = wrong & wires
    sides = [side for side in range(components.shape(board.shape).sides) if (blank or wrong) >> side & 1]
    what = "A blank side would meet a wire" if blank else "A wire would meet a blank side"
    other = any(turned != spot.old for _, turned in components.fitting(board.shape, face, spot.met))
    advice = "Turn the tile." if other else "Choose another cell for this tile."
    names = [components.shape(board.shape).side_names[side] for side in sides]
    sides_named = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    raise IllegalMove(f"{what} at the {sides_named}. {advice}")


def check_mark(position: TeslaPosition, cell: Cell, segment: components.Segment) -> None:
    """Raise IllegalMove if the seat to act may not mark that segment. Rules: Markers."""
    board, seat = position.board, position.seat
    laid = board.tiles.get(cell)
    if not position.supplies[seat]:
        raise IllegalMove(sentences.NO_MARKERS)
    if laid is None:
        raise IllegalMove(sentences.NO_TILE_TO_MARK)
    if segment not in components.segments(laid.lie):
        raise IllegalMove(sentences.NO_WIRE.format(cell=cell))
    if cell in board.markers:
        raise IllegalMove(sentences.ALREADY_MARKED.format(cell=cell))
    if board.owner(board.circuit_at(cell, segment)) not in (None, seat):
        raise IllegalMove(sentences.OTHERS_CIRCUIT)


def check_take(position: TeslaPosition, cell: Cell) -> None:
    """Raise IllegalMove if there is no own marker on that cell. Rules: Markers."""
    marker = position.board.markers.get(cell)
    if marker is None:
        raise IllegalMove(sentences.NO_MARKER_THERE)
    if marker.seat != position.seat:
        raise IllegalMove(sentences.OTHERS_MARKER)
