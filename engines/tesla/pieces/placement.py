"""Changes of the board: a tile is laid, a marker comes or goes.

Circuits keep their numbers wherever possible: joined circuits take the number of their owner's piece; of a
cut circuit the piece with its markers keeps the number. On ties the longest piece does.
"""

from collections.abc import Collection

import msgspec

from engines.game import Seat
from engines.tesla.pieces.board import Circuit, CircuitId, Marker, TeslaBoard, TeslaLaid
from engines.tesla.pieces.cells import Cell, neighbours
from engines.tesla.pieces.circuits import CircuitPiece, Join, Survey, verdict
from engines.tesla.pieces.components import Segment, Side, segments, shape, ways


def lay(board: TeslaBoard, placement: Survey, spent: Collection[CircuitId] = ()) -> tuple[CircuitId, ...]:
    """Lay the surveyed tile.

    Return its circuits' numbers, in the order of `Survey.joins`. A new circuit gets no number that is
    `spent`, and none of a circuit that this tile ends.
    """
    numbers = _numbers(board, placement, spent)
    wires = [0] * len(segments(placement.lie))
    for join, number in zip(placement.joins, numbers, strict=True):
        for piece in join.pieces:
            if piece.circuit != number:
                _renumber(board, placement.cell, piece, number)
        board.circuits[number] = Circuit(join.length, join.ends, _in_order(board, join))
        for index in join.wires:
            wires[index] = number
    board.lay(placement.cell, TeslaLaid(placement.lie, tuple(wires)))
    return numbers


def _in_order(board: TeslaBoard, join: Join) -> tuple[Cell, ...]:
    markers = {cell for piece in join.pieces for cell in piece.markers}
    return tuple(cell for cell in board.markers if cell in markers) if markers else ()


def _numbers(board: TeslaBoard, placement: Survey, spent: Collection[CircuitId]) -> tuple[CircuitId, ...]:
    """Number each joined circuit; unused numbers leave the board."""
    heirs: dict[CircuitId, CircuitPiece] = {}
    for piece in placement.pieces:
        heir = heirs.get(piece.circuit)
        if heir is None or _marks(piece) > _marks(heir):
            heirs[piece.circuit] = piece
    kept = [_inherit_number(board, join, heirs) for join in placement.joins]
    gone = {*heirs, *placement.lifted}.difference(kept)
    for number in gone:
        del board.circuits[number]
    numbers: list[CircuitId] = []
    free = 1
    for inherited in kept:
        if inherited is not None:
            numbers.append(inherited)
            continue
        while free in board.circuits or free in gone or free in spent:
            free += 1
        numbers.append(free)
        free += 1
    return tuple(numbers)


def _inherit_number(board: TeslaBoard, join: Join, heirs: dict[CircuitId, CircuitPiece]) -> CircuitId | None:
    bringing = [piece for piece in join.pieces if heirs[piece.circuit] is piece]
    if len(bringing) > 1 and any(piece.markers for piece in bringing):
        kept = {*verdict(board.markers, join, 1 + max(one.seat for one in board.markers.values())).kept}
        bringing = [piece for piece in bringing if kept.intersection(piece.markers)] or bringing
    return max(bringing, key=_length).circuit if bringing else None


def _marks(piece: CircuitPiece) -> tuple[int, int]:
    return len(piece.markers), piece.length


def _length(piece: CircuitPiece) -> int:
    return piece.length


def _renumber(board: TeslaBoard, cell: Cell, piece: CircuitPiece, number: CircuitId) -> None:
    """Give the segments of a piece another number, from its first port on."""
    opposite, side = shape(board.shape).opposites, piece.ports[0]
    cell = neighbours(board.shape, cell)[side]
    entry: Side = opposite[side]
    for _ in range(piece.length):
        laid = board.tiles[cell]
        out, index = ways(laid.lie)[entry]
        circuits = laid.circuits
        board.tiles[cell] = TeslaLaid(laid.lie, (*circuits[:index], number, *circuits[index + 1 :]))
        cell, entry = neighbours(board.shape, cell)[out], opposite[out]


def put_marker(board: TeslaBoard, seat: Seat, cell: Cell, segment: Segment) -> CircuitId:
    """Put a marker on a segment; return its circuit."""
    number = board.circuit_at(cell, segment)
    circuit = board.circuits[number]
    board.markers[cell] = Marker(seat, segment)
    board.circuits[number] = msgspec.structs.replace(circuit, markers=(*circuit.markers, cell))
    return number


def lift_marker(board: TeslaBoard, cell: Cell) -> CircuitId:
    """Take a marker off the board; return its circuit."""
    number = board.circuit_of_marker(cell)
    circuit = board.circuits[number]
    del board.markers[cell]
    left = tuple(marked for marked in circuit.markers if marked != cell)
    board.circuits[number] = msgspec.structs.replace(circuit, markers=left)
    return number
