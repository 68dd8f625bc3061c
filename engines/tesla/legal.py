"""What may be done now: the list of it, and the sentence that refuses what may not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from engines.game import IllegalMove
from engines.tesla.board import Board, Laid
from engines.tesla.cells import Cell, neighbours
from engines.tesla.circuits import Piece, Survey, opens_ring, pieces_at, survey
from engines.tesla.components import Face, Lie, Segment, Side, fitting, segments, shape, wired
from engines.tesla.moves import Place, Replace
from engines.tesla.options import Tiles
from engines.tesla.position import Position


class Spot(msgspec.Struct, frozen=True, gc=False):
    """A cell where a tile could be laid.

    Attributes:
        cell: the cell; it touches a tile, or holds one without a marker.
        touching: the sides behind which a tile lies, `wires` those of them that a wire comes to, both
            as bit masks.
        old: how a tile lies there now, None for an empty cell.
        ringed: whether a closed circuit runs through that tile.
    """

    cell: Cell
    touching: int
    wires: int
    old: Lie | None = None
    ringed: bool = False

    def move(self, face: Face, turn: int) -> Place | Replace:
        """The move that lays a tile here."""
        return Place(face, turn, self.cell) if self.old is None else Replace(face, turn, self.cell)


def spot_at(board: Board, cell: Cell) -> Spot:
    """A cell as a place for a tile."""
    opposites, tiles = shape(board.shape).opposites, board.tiles
    touching = wires = 0
    for side, beyond in enumerate(neighbours(board.shape, cell)):
        laid = tiles.get(beyond)
        if laid is not None:
            touching |= 1 << side
            wires |= (wired(laid.lie) >> opposites[side] & 1) << side
    old = tiles.get(cell)
    if old is None:
        return Spot(cell, touching, wires)
    ringed = any(not board.circuits[number].ends for number in old.circuits)
    return Spot(cell, touching, wires, old.lie, ringed)


def spots(board: Board) -> Iterator[Spot]:
    """Every cell where a tile could be laid: the empty ones, then those with a tile, oldest tile first."""
    rings = {number for number, circuit in board.circuits.items() if not circuit.ends}
    for cell, met, old in _places(board):
        if old is None:
            yield Spot(cell, met >> _WIRES, met & _SIDES)
        else:
            yield Spot(cell, met >> _WIRES, met & _SIDES, old.lie, not rings.isdisjoint(old.circuits))


def _places(board: Board) -> list[tuple[Cell, int, Laid | None]]:
    """The cells of `spots`, with what they meet, as `_around` says it, and their tile."""
    tiles, markers, around = board.tiles, board.markers, _around(board)
    places: list[tuple[Cell, int, Laid | None]] = [
        (cell, met, None) for cell, met in around.items() if cell not in tiles
    ]
    places += [(cell, around.get(cell, 0), old) for cell, old in tiles.items() if cell not in markers]
    return places


_WIRES = 8
_SIDES = (1 << _WIRES) - 1


def _around(board: Board) -> dict[Cell, int]:
    """For every cell that touches a tile, the sides that do and those that a wire comes to, in one number."""
    around: defaultdict[Cell, int] = defaultdict(int)
    for cell, laid in board.tiles.items():
        for beyond, met in _met(board.shape, cell, laid.lie):
            around[beyond] |= met
    return around


@lru_cache(maxsize=1 << 14)
def _met(tiles: Tiles, cell: Cell, lie: Lie) -> tuple[tuple[Cell, int], ...]:
    """What the cells around a tile meet in it: a tile at the side that faces it, perhaps with a wire."""
    wires, opposites = wired(lie), shape(tiles).opposites
    return tuple(
        (beyond, (1 << _WIRES | wires >> side & 1) << opposites[side])
        for side, beyond in enumerate(neighbours(tiles, cell))
    )


def turns_at(
    board: Board, spot: Spot, face: Face, pieces: tuple[Piece, ...] | None = None
) -> Sequence[tuple[int, Lie]]:
    """The turns, with their lies, at which a face may be laid on a spot.

    `pieces` are those around the spot, if known already. Rules: Placing tiles, Replacing tiles.
    """
    found = fitting(board.shape, face, spot.touching, spot.wires)
    if spot.old is None:
        return found
    changing = [(turn, lie) for turn, lie in found if lie != spot.old]
    if not (spot.ringed and changing):
        return changing
    if pieces is None:
        pieces = pieces_at(board, spot.cell)
    return [(turn, lie) for turn, lie in changing if not opens_ring(survey(board, spot.cell, lie, pieces))]


def placements(board: Board, faces: tuple[Face, ...]) -> Iterator[Place | Replace]:
    """Every legal placement of these faces, cell by cell."""
    rings = {number for number, circuit in board.circuits.items() if not circuit.ends}
    for cell, met, old in _places(board):
        fits = _fitting_of(board.shape, faces, met)
        if old is None:
            yield from [Place(face, turn, cell) for face, turn, _ in fits]
        elif fits:
            lies = old.lie
            changing = [one for one in fits if one[2] != lies]
            if changing and not rings.isdisjoint(old.circuits):
                pieces = pieces_at(board, cell)
                changing = [one for one in changing if not opens_ring(survey(board, cell, one[2], pieces))]
            yield from [Replace(face, turn, cell) for face, turn, _ in changing]


@lru_cache(maxsize=1 << 15)
def _fitting_of(tiles: Tiles, faces: tuple[Face, ...], met: int) -> tuple[tuple[Face, int, Lie], ...]:
    """The turns, with their lies, at which each of several faces fits a cell that meets that."""
    touching, wires = met >> _WIRES, met & _SIDES
    return tuple((face, turn, lie) for face in faces for turn, lie in fitting(tiles, face, touching, wires))


def marker_spots(position: Position) -> Iterator[tuple[Cell, Segment]]:
    """Every segment on which the seat to act could put a marker. Rules: Markers."""
    board, seat = position.board, position.seat
    if not position.supplies[seat]:
        return
    open_to = {number for number in board.circuits if board.owner(number) in (None, seat)}
    for cell, laid in board.tiles.items():
        if cell not in board.markers:
            for number, segment in zip(laid.circuits, segments(laid.lie), strict=True):
                if number in open_to:
                    yield cell, segment


def own_markers(position: Position) -> Iterator[Cell]:
    """The cells of the markers of the seat to act, the oldest first."""
    for cell, marker in position.board.markers.items():
        if marker.seat == position.seat:
            yield cell


def check_placement(position: Position, move: Place | Replace) -> Survey:
    """What a placement does to the circuits. Raises IllegalMove when it isn't allowed.

    Rules: Placing tiles, Replacing tiles.
    """
    board, cell = position.board, move.cell
    if move.tile not in position.hands[position.seat]:
        raise IllegalMove("You don't hold that tile.")
    lies = shape(board.shape).lies(move.tile)
    if not 0 <= move.turn < len(lies):
        raise IllegalMove(f"That tile lies in {len(lies)} different ways; its turn is below that.")
    lie = lies[move.turn]
    _check_cell(board, move)
    spot = spot_at(board, cell)
    if not spot.touching and spot.old is None:
        raise IllegalMove(f"Cell {cell} touches no tile; choose an empty cell next to one.")
    if lie == spot.old:
        raise IllegalMove(f"The tile on {cell} lies just like that; turn yours, or choose another cell.")
    _check_fit(board, spot, move.tile, lie)
    placement = survey(board, cell, lie)
    if spot.ringed and opens_ring(placement):
        raise IllegalMove("That would open a closed circuit; all of its ring has to stay closed.")
    return placement


def _check_cell(board: Board, move: Place | Replace) -> None:
    cell = move.cell
    try:
        neighbours(board.shape, cell)
    except ValueError:
        raise IllegalMove("There is no such cell; its name is like Z50.") from None
    if isinstance(move, Place):
        if cell in board.tiles:
            raise IllegalMove(f"There is a tile on {cell}; replace it, or choose an empty cell.")
    elif cell not in board.tiles:
        raise IllegalMove(f"There is no tile on {cell} to replace.")
    elif cell in board.markers:
        raise IllegalMove(f"There is a marker on {cell}, and a tile with a marker can't be replaced.")


def _check_fit(board: Board, spot: Spot, face: Face, lie: Lie) -> None:
    wrong = (wired(lie) ^ spot.wires) & spot.touching
    if not wrong:
        return
    blank = wrong & spot.wires
    sides = [side for side in range(shape(board.shape).sides) if (blank or wrong) >> side & 1]
    what = "A blank side would meet a wire" if blank else "A wire would meet a blank side"
    other = any(turned != spot.old for _, turned in fitting(board.shape, face, spot.touching, spot.wires))
    advice = "Turn the tile." if other else "Choose another cell for this tile."
    raise IllegalMove(f"{what} at the {_in_words(board, sides)}. {advice}")


def _in_words(board: Board, sides: Sequence[Side]) -> str:
    names = [shape(board.shape).side_names[side] for side in sides]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def check_mark(position: Position, cell: Cell, segment: Segment) -> None:
    """Raise IllegalMove when the seat to act may not put a marker on that segment. Rules: Markers."""
    board, seat = position.board, position.seat
    laid = board.tiles.get(cell)
    if not position.supplies[seat]:
        raise IllegalMove("You have no marker left; take one back from the board first.")
    if laid is None:
        raise IllegalMove("There is no tile on that cell; choose a wire of a tile.")
    if segment not in segments(laid.lie):
        raise IllegalMove(f"The tile on {cell} has no such wire.")
    if cell in board.markers:
        raise IllegalMove(f"There is a marker on {cell} already; choose another tile of the circuit.")
    if board.owner(board.circuit_at(cell, segment)) not in (None, seat):
        raise IllegalMove("That circuit is another player's; choose a free one or one of your own.")


def check_take(position: Position, cell: Cell) -> None:
    """Raise IllegalMove when there is no own marker on that cell. Rules: Markers."""
    marker = position.board.markers.get(cell)
    if marker is None:
        raise IllegalMove("There is no marker on that cell.")
    if marker.seat != position.seat:
        raise IllegalMove("That marker is another player's; you can take back your own only.")
