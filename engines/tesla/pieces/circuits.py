"""The effects of a tile on the circuits, computed before or made by laying it.

A placement is surveyed in two steps. First the cell is taken as empty, which leaves the *pieces* that touch
it; then the new tile's segments join pieces to circuits. The time depends on the tiles around the cell and,
if a replacement cuts a circuit, on its shorter pieces, never on the board.

Circuits keep their numbers wherever possible: joined circuits take the number of their owner's piece; of a
cut circuit the piece with its markers keeps the number. On ties the longest piece does.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from engines.game import Seat
from engines.tesla.pieces.board import (
    Cell,
    Circuit,
    CircuitId,
    End,
    Marker,
    TeslaBoard,
    TeslaLaid,
    neighbours,
)
from engines.tesla.pieces.components import Lie, Segment, Side, segments, shape, ways


class CircuitPiece(msgspec.Struct, frozen=True):
    """The part of a circuit on one side of a cell that is taken as empty.

    Attributes:
        circuit: the number of the circuit that it is a piece of.
        length: its number of segments, at least one.
        ports: the sides of the cell at which it stops, one or two, lower first.
        ends: its open end elsewhere, when it has one port.
        markers: the cells whose markers are on it.
        ring: True if the circuit was closed.
    """

    circuit: CircuitId
    length: int
    ports: tuple[Side, ...]
    ends: tuple[End, ...]
    markers: tuple[Cell, ...]
    ring: bool


class Join(msgspec.Struct, frozen=True):
    """A circuit that contains segments of the new tile.

    Attributes:
        wires: its segments of the tile, by their place in it.
        pieces: the pieces that they join, in the order of the sides that they touch.
        length: its number of segments.
        ends: its two open ends, none when it is closed.
    """

    wires: tuple[int, ...]
    pieces: tuple[CircuitPiece, ...]
    length: int
    ends: tuple[End, ...]

    @property
    def circuits(self) -> tuple[CircuitId, ...]:
        """The numbers of the circuits that it is made of, each once."""
        return tuple(dict.fromkeys(piece.circuit for piece in self.pieces))

    @property
    def closed(self) -> bool:
        return not self.ends

    @property
    def pays(self) -> bool:
        """True if it is closed and includes a piece that was in no ring. Rules: Closing circuits."""
        return not self.ends and not all(piece.ring for piece in self.pieces)


class Survey(msgspec.Struct, frozen=True):
    """The effects of a placement on the circuits.

    Attributes:
        cell: the cell of the tile; `lie` is the tile's lie.
        replaced: the lie of the tile that is there now, None if the cell is empty.
        lifted: the circuits that run through that tile, each once.
        pieces: the pieces that touch the cell once that tile is lifted.
        joins: the circuits with segments of the new tile, in the order of its lowest sides.
    """

    cell: Cell
    lie: Lie
    replaced: Lie | None
    lifted: tuple[CircuitId, ...]
    pieces: tuple[CircuitPiece, ...]
    joins: tuple[Join, ...]

    def parts(self, circuit: CircuitId) -> list[Join]:
        """Return the circuits that hold a piece of a circuit, the longest first."""
        joins = [join for join in self.joins if circuit in join.circuits]
        return sorted(joins, key=lambda join: -join.length)


class OwnerVerdict(msgspec.Struct, frozen=True):
    """The owner of a joined circuit, and the markers that go back. Rules: Joining circuits.

    `markers` and `reach` are those of `engines.tesla.moves.Joined`; `returned` are the cells whose markers
    leave the circuit, `kept` those whose markers stay.
    """

    markers: tuple[int, ...]
    reach: tuple[int, ...] | None
    owner: Seat | None
    kept: tuple[Cell, ...]
    returned: tuple[Cell, ...]


def survey(board: TeslaBoard, cell: Cell, lie: Lie, pieces: tuple[CircuitPiece, ...] | None = None) -> Survey:
    """Survey the laying of a tile that fits. `pieces` are those of the cell, if known already."""
    if pieces is None:
        pieces = pieces_at(board, cell)
    laid = board.tiles.get(cell)
    at = {port: piece for piece in pieces for port in piece.ports}
    joins: list[Join] = []
    used: set[int] = set()
    for index in range(len(segments(lie))):
        if index not in used:
            join = _follow_segment(cell, lie, index, at)
            joins.append(join)
            used.update(join.wires)
    lifted = () if laid is None else tuple(dict.fromkeys(laid.circuits))
    return Survey(cell, lie, None if laid is None else laid.lie, lifted, pieces, tuple(joins))


def pieces_at(board: TeslaBoard, cell: Cell) -> tuple[CircuitPiece, ...]:
    """Return the pieces that touch a cell without its tile."""
    if cell not in board.tiles:
        pieces = _pieces_around(board, cell)
    else:
        laid = board.tiles[cell]
        sides: dict[CircuitId, list[Side]] = {}
        for number, segment in zip(laid.circuits, segments(laid.lie), strict=True):
            sides.setdefault(number, []).extend(segment)
        pieces = [one for number, ports in sides.items() for one in _cut_pieces(board, cell, number, ports)]
    pieces.sort(key=_first_port)
    return tuple(pieces)


def _first_port(piece: CircuitPiece) -> Side:
    return piece.ports[0]


def _pieces_around(board: TeslaBoard, cell: Cell) -> list[CircuitPiece]:
    opposite, tiles = shape(board.shape).opposites, board.tiles
    touching: dict[CircuitId, list[tuple[Side, End]]] = {}
    for side, beyond in enumerate(neighbours(board.shape, cell)):
        laid = tiles.get(beyond)
        if laid is not None:
            way = ways(laid.lie).get(opposite[side])
            if way is not None:
                touching.setdefault(laid.circuits[way[1]], []).append((side, End(beyond, opposite[side])))
    result = []
    for number, ports in touching.items():
        circuit = board.circuits[number]
        here = [end for _, end in ports]
        result.append(
            CircuitPiece(
                number,
                circuit.length,
                tuple(side for side, _ in ports),
                tuple(end for end in circuit.ends if end not in here),
                circuit.markers,
                ring=False,
            )
        )
    return result


class _Walk:
    """A walk along a piece, tile by tile, from one side of the lifted cell."""

    __slots__ = ("cell", "entry", "length", "markers", "port")

    def __init__(self, port: Side, cell: Cell, entry: Side) -> None:
        self.port = port
        self.cell = cell
        self.entry = entry
        self.length = 0
        self.markers: list[Cell] = []

    def step(self, board: TeslaBoard) -> tuple[Cell, Side, Cell]:
        """Cross one tile. Return its cell, the exit side, and the cell behind that."""
        cell = self.cell
        laid = board.tiles[cell]
        out, index = ways(laid.lie)[self.entry]
        self.length += 1
        marker = board.markers.get(cell)
        if marker is not None and marker.segment == segments(laid.lie)[index]:
            self.markers.append(cell)
        beyond = neighbours(board.shape, cell)[out]
        self.cell, self.entry = beyond, shape(board.shape).opposites[out]
        return cell, out, beyond


def _cut_pieces(
    board: TeslaBoard, cell: Cell, number: CircuitId, sides: Sequence[Side]
) -> list[CircuitPiece]:
    """Return the pieces of a circuit after the segments between these sides are lifted.

    Walks along all pieces in parallel until one is left, which gets the remainder.
    """
    circuit, around = board.circuits[number], neighbours(board.shape, cell)
    opposite, wires = shape(board.shape).opposites, len(sides) // 2
    walks = {side: _Walk(side, around[side], opposite[side]) for side in sides if around[side] in board.tiles}
    left = wires + (not circuit.closed) - (len(sides) - len(walks))
    pieces: list[CircuitPiece] = []
    while left > 1:
        for walk in list(walks.values()):
            if left > 1 and walk.port in walks:
                piece = _finish_walk(board, cell, walk, number, circuit)
                if piece is not None:
                    pieces.append(piece)
                    left -= 1
                    for port in piece.ports:
                        del walks[port]
    if walks:
        ends = [end for piece in pieces for end in piece.ends]
        markers = [marked for piece in pieces for marked in piece.markers]
        pieces.append(
            CircuitPiece(
                number,
                circuit.length - wires - sum(piece.length for piece in pieces),
                tuple(sorted(walks)),
                tuple(end for end in circuit.ends if end.cell != cell and end not in ends),
                tuple(marked for marked in circuit.markers if marked not in markers),
                circuit.closed,
            )
        )
    return pieces


def _finish_walk(
    board: TeslaBoard, cell: Cell, walk: _Walk, number: CircuitId, circuit: Circuit
) -> CircuitPiece | None:
    """Return the whole piece if one more step comes to its other side."""
    last, out, beyond = walk.step(board)
    if beyond == cell:
        ports: tuple[Side, ...] = tuple(sorted((walk.port, walk.entry)))
        return CircuitPiece(number, walk.length, ports, (), tuple(walk.markers), circuit.closed)
    if beyond in board.tiles:
        return None
    return CircuitPiece(
        number, walk.length, (walk.port,), (End(last, out),), tuple(walk.markers), circuit.closed
    )


def joins_at(cell: Cell, lie: Lie, at: Mapping[Side, CircuitPiece], ports: Iterable[Side]) -> Iterator[Join]:
    """Yield the tile's circuits that include a piece at one of these sides.

    `at` has the pieces by the sides at which they come to the cell.
    """
    used: set[int] = set()
    for port in ports:
        _, index = ways(lie)[port]
        if index not in used:
            join = _follow_segment(cell, lie, index, at)
            used.update(join.wires)
            yield join


def _follow_segment(cell: Cell, lie: Lie, first: int, at: Mapping[Side, CircuitPiece]) -> Join:
    """Follow one of the tile's segments to both sides."""
    wires, pieces, ends = [first], [], []
    for start in segments(lie)[first]:
        side = start
        while True:
            piece = at.get(side)
            if piece is None:
                ends.append(End(cell, side))
                break
            pieces.append(piece)
            if len(piece.ports) == 1:
                ends += piece.ends
                break
            back = piece.ports[1] if piece.ports[0] == side else piece.ports[0]
            side, index = ways(lie)[back]
            if index == first:
                return _join(wires, pieces, ())
            wires.append(index)
    return _join(wires, pieces, tuple(ends))


def _join(wires: list[int], pieces: list[CircuitPiece], ends: tuple[End, ...]) -> Join:
    pieces.sort(key=_first_port)
    return Join(tuple(wires), tuple(pieces), len(wires) + sum(piece.length for piece in pieces), ends)


def opens_ring(placement: Survey) -> bool:
    """Return True if a replacement would open or shorten a ring. Rules: Replacing tiles."""
    rings = {piece.circuit for piece in placement.pieces if piece.ring}
    for ring in rings:
        parts = placement.parts(ring)
        if len(parts) != 1 or not parts[0].closed:
            return True
    return False


def verdict(markers: Mapping[Cell, Marker], join: Join, seats: int) -> OwnerVerdict:
    """Decide the owner of a joined circuit. Rules: Joining circuits."""
    counts, reach = [0] * seats, [0] * seats
    for piece in join.pieces:
        owners = [markers[cell].seat for cell in piece.markers if cell in markers]
        for seat in owners:
            counts[seat] += 1
        for seat in set(owners):
            reach[seat] += piece.length
    here = {cell for piece in join.pieces for cell in piece.markers}
    on_it = tuple(cell for cell in markers if cell in here) if here else ()
    most = max(counts)
    tied = [seat for seat in range(seats) if counts[seat] == most] if most else []
    longest = [seat for seat in tied if reach[seat] == max(reach[other] for other in tied)]
    owner = longest[0] if len(longest) == 1 else None
    return OwnerVerdict(
        markers=tuple(counts),
        reach=tuple(reach) if len(tied) > 1 else None,
        owner=owner,
        kept=tuple(cell for cell in on_it if markers[cell].seat == owner),
        returned=tuple(cell for cell in on_it if markers[cell].seat != owner),
    )


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
        markers = {cell for piece in join.pieces for cell in piece.markers}
        held = tuple(cell for cell in board.markers if cell in markers) if markers else ()
        board.circuits[number] = Circuit(join.length, join.ends, held)
        for index in join.wires:
            wires[index] = number
    board.lay(placement.cell, TeslaLaid(placement.lie, tuple(wires)))
    return numbers


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
    return max(bringing, key=lambda piece: piece.length).circuit if bringing else None


def _marks(piece: CircuitPiece) -> tuple[int, int]:
    return len(piece.markers), piece.length


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
    number = board.circuit_at(cell, segment)
    circuit = board.circuits[number]
    board.markers[cell] = Marker(seat, segment)
    board.circuits[number] = msgspec.structs.replace(circuit, markers=(*circuit.markers, cell))
    return number


def lift_marker(board: TeslaBoard, cell: Cell) -> CircuitId:
    number = board.circuit_of_marker(cell)
    circuit = board.circuits[number]
    del board.markers[cell]
    left = tuple(marked for marked in circuit.markers if marked != cell)
    board.circuits[number] = msgspec.structs.replace(circuit, markers=left)
    return number
