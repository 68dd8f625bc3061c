"""The open board: tiles, circuits, markers, and the names of cells.

Every segment has the number of its circuit, and every circuit has its length, its ends and its markers, so
the effect of a placement can be derived from the tiles that it touches.

The column is the 26th letter and on, ``..., Y, Z, AA, AB, ...``; the row is 50 and on. Names beyond column A
and row 0 get a minus in front: ``-A`` is the column before A.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from functools import cached_property, lru_cache

import msgspec

from engines.game import Seat
from engines.tesla.pieces.components import (
    COMMON,
    Lie,
    Met,
    Segment,
    Side,
    Tiles,
    pack_meeting,
    segments,
    shape,
    wire_mask,
)

Cell = str
"""The name of a cell."""

START: Cell = "Z50"
_COLUMN, _ROW = 26, 50
_NAME = re.compile(r"(-?)([A-Z]{1,3})(-?\d{1,3})")


def letters(number: int) -> str:
    """Convert a number from 1 on to letters.

    A to Z, then AA.

    >>> letters(1), letters(26), letters(27), letters(53)
    ('A', 'Z', 'AA', 'BA')
    """
    word = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        word = chr(ord("A") + rest) + word
    return word


def column(q: int) -> str:
    """Return the name of the column q columns right of the start tile's.

    >>> column(0), column(1), column(-25), column(-26)
    ('Z', 'AA', 'A', '-A')
    """
    number = _COLUMN + q
    return letters(number) if number > 0 else "-" + letters(1 - number)


def row_number(r: int) -> int:
    """Return the number of the row r rows below the start tile's.

    >>> row_number(-1)
    49
    """
    return _ROW + r


@lru_cache(maxsize=65536)
def name(q: int, r: int) -> Cell:
    """Return the name of the cell q columns and r rows away from the start tile.

    >>> name(0, 0), name(1, -1)
    ('Z50', 'AA49')
    """
    return f"{column(q)}{row_number(r)}"


@lru_cache(maxsize=65536)
def at(cell: Cell) -> tuple[int, int]:
    """Return a cell's columns and rows away from the start tile.

    Raises:
        ValueError: for anything but the name of a cell.

    >>> at("AA49"), at("-A50")
    ((1, -1), (-26, 0))
    """
    match = _NAME.fullmatch(cell)
    if match is None:
        raise ValueError(f"{cell!r} names no cell")
    number = 0
    for letter in match[2]:
        number = number * 26 + ord(letter) - ord("A") + 1
    q = (1 - number if match[1] else number) - _COLUMN
    pair = q, int(match[3]) - _ROW
    if name(*pair) != cell:
        raise ValueError(f"{cell!r} names no cell")
    return pair


@lru_cache(maxsize=65536)
def neighbours(tiles: Tiles, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells behind each side of a cell, in the order of the sides.

    >>> neighbours("hex", "Z50")
    ('AA49', 'AA50', 'Z51', 'Y51', 'Y50', 'Z49')
    """
    q, r = at(cell)
    return tuple(name(q + dq, r + dr) for dq, dr in shape(tiles).neighbours)


def centre(tiles: Tiles, cell: Cell) -> tuple[float, float]:
    """Return a cell's centre, right and down of the start tile's, in widths of a tile.

    >>> centre("hex", "AA50"), centre("square", "Z51")
    ((1.0, 0.0), (0.0, 1.0))
    """
    q, r = at(cell)
    return (q + r / 2, r * math.sqrt(3) / 2) if tiles == "hex" else (float(q), float(r))


def beyond(tiles: Tiles, cell: Cell, side: Side) -> Cell:
    return neighbours(tiles, cell)[side]


@lru_cache(maxsize=65536)
def steps(tiles: Tiles, one: Cell, two: Cell) -> int:
    """Return the number of steps between two cells.

    >>> steps("hex", "Z50", "AB49"), steps("square", "Z50", "AB49")
    (2, 3)
    """
    (q, r), (x, y) = at(one), at(two)
    across, down = x - q, y - r
    if tiles == "hex":
        return max(abs(across), abs(down), abs(across + down))
    return abs(across) + abs(down)


CircuitId = int
"""The number of a circuit, from 1 on.

A new circuit gets the smallest that none has or had in this turn; joined circuits keep that of the owner, or
else of the longest.
"""


class End(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An open end of a circuit: the side of the cell at which its last segment stops."""

    cell: Cell
    side: Side


class TeslaLaid(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A tile on the board: its lie, and the circuit of each of its segments, in their order."""

    lie: Lie
    circuits: tuple[CircuitId, ...]


class Circuit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A maximal chain of segments.

    Attributes:
        length: its number of segments; a tile that it crosses twice counts twice.
        ends: its two open ends, none when it is closed.
        markers: the cells whose markers are on it, in the order of their placing.
    """

    length: int
    ends: tuple[End, ...]
    markers: tuple[Cell, ...] = ()

    @property
    def closed(self) -> bool:
        return not self.ends

    @property
    def value(self) -> int:
        """The cost of placing a marker, the gain of taking one, the payment of a closure for each.

        >>> Circuit(6, ()).value, Circuit(6, (End("Z50", 0), End("Z50", 3))).value
        (12, 6)
        """
        return self.length * (COMMON.closed_factor if self.closed else 1)


class Marker(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A marker on a tile: its seat, and its segment."""

    seat: Seat
    segment: Segment


class TeslaBoard(msgspec.Struct, dict=True):
    """The tiles by cell, the circuits by number, the markers by cell (one a tile at most).

    Only `lay` may add tiles, since it keeps the cache of surroundings up to date.
    """

    shape: Tiles
    tiles: dict[Cell, TeslaLaid] = {}
    circuits: dict[CircuitId, Circuit] = {}
    markers: dict[Cell, Marker] = {}

    def copy(self) -> TeslaBoard:
        other = TeslaBoard(self.shape, self.tiles.copy(), self.circuits.copy(), self.markers.copy())
        if self._knows_around:
            other.around = self.around.copy()
        return other

    @cached_property
    def around(self) -> dict[Cell, Met]:
        """Return the surroundings of every cell that touches a tile.

        It is computed on first use, and kept up to date by `lay` from then on.
        """
        around: defaultdict[Cell, Met] = defaultdict(int)
        for cell, laid in self.tiles.items():
            for beyond, met in _surroundings_by(self.shape, cell, laid.lie):
                around[beyond] |= met
        return dict(around)

    def surroundings_of(self, cell: Cell) -> Met:
        """Compute the surroundings of one cell. `around` returns those of all cells at once."""
        touching = wires = 0
        for side, beyond in enumerate(neighbours(self.shape, cell)):
            laid = self.tiles.get(beyond)
            if laid is not None:
                touching |= 1 << side
                wires |= (wire_mask(laid.lie) >> shape(self.shape).opposites[side] & 1) << side
        return pack_meeting(touching, wires)

    @property
    def _knows_around(self) -> bool:
        return "around" in vars(self)

    def lay(self, cell: Cell, laid: TeslaLaid) -> None:
        """Lay a tile on a cell, replacing any tile there."""
        if self._knows_around:
            old = self.tiles.get(cell)
            if old is not None:
                for beyond, met in _surroundings_by(self.shape, cell, old.lie):
                    self.around[beyond] ^= met
            for beyond, met in _surroundings_by(self.shape, cell, laid.lie):
                self.around[beyond] = self.around.get(beyond, 0) | met
        self.tiles[cell] = laid

    def circuit_at(self, cell: Cell, segment: Segment) -> CircuitId:
        """Return the circuit of a segment. Raises KeyError if there is none."""
        laid = self.tiles[cell]
        return laid.circuits[segments(laid.lie).index(segment)]

    def circuit_of_marker(self, cell: Cell) -> CircuitId:
        return self.circuit_at(cell, self.markers[cell].segment)

    def owner(self, circuit: CircuitId) -> Seat | None:
        """Return the seat whose markers are on a circuit. None if it is free."""
        markers = self.circuits[circuit].markers
        return self.markers[markers[0]].seat if markers else None


@lru_cache(maxsize=1 << 14)
def _surroundings_by(tiles: Tiles, cell: Cell, lie: Lie) -> tuple[tuple[Cell, Met], ...]:
    """Yield for each cell around a tile what it adds. A touching side, perhaps with a wire."""
    opposites = shape(tiles).opposites
    return tuple(
        (beyond, pack_meeting(1 << opposites[side], (wire_mask(lie) >> side & 1) << opposites[side]))
        for side, beyond in enumerate(neighbours(tiles, cell))
    )


def circuit_name(circuit: CircuitId) -> str:
    """Return the letter that names a circuit for players, as long as it exists.

    >>> circuit_name(1), circuit_name(27)
    ('A', 'AA')
    """
    return letters(circuit)
