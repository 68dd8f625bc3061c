"""What lies on the table for all to see: tiles, circuits, markers.

Every segment carries the number of its circuit, and every circuit knows its length, its ends and its
markers, so what a placement joins is read off the tiles that it touches.
"""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tesla.cells import Cell, letters
from engines.tesla.components import COMMON, Lie, Segment, Side, segments
from engines.tesla.options import Tiles

CircuitId = int
"""The number of a circuit, from 1 on; the smallest free one is given to a new circuit, and where
circuits join the longest keeps its own."""


class End(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An open end of a circuit: the side of the cell at which its last segment stops."""

    cell: Cell
    side: Side


class Laid(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A tile on the board: how it lies, and the circuit of each of its segments, in their order."""

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
        """Whether it is a ring."""
        return not self.ends

    @property
    def value(self) -> int:
        """What placing a marker costs, what taking one gains, what a closure pays for each.

        >>> Circuit(6, ()).value, Circuit(6, (End("Z50", 0), End("Z50", 3))).value
        (12, 6)
        """
        return self.length * (COMMON.closed_factor if self.closed else 1)


class Marker(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A marker on a tile: its seat, and the segment that it lies on."""

    seat: Seat
    segment: Segment


class Board(msgspec.Struct):
    """The tiles by cell, the circuits by number, the markers by cell (one a tile at most)."""

    shape: Tiles
    tiles: dict[Cell, Laid] = {}
    circuits: dict[CircuitId, Circuit] = {}
    markers: dict[Cell, Marker] = {}

    def copy(self) -> Board:
        """A board of its own with the same things on it."""
        return Board(self.shape, dict(self.tiles), dict(self.circuits), dict(self.markers))

    def circuit_at(self, cell: Cell, segment: Segment) -> CircuitId:
        """The number of the circuit that a segment belongs to. Raises KeyError where there is none."""
        laid = self.tiles[cell]
        return laid.circuits[segments(laid.lie).index(segment)]

    def owner(self, circuit: CircuitId) -> Seat | None:
        """The seat whose markers are on a circuit; None for a free one."""
        markers = self.circuits[circuit].markers
        return self.markers[markers[0]].seat if markers else None


def circuit_name(circuit: CircuitId) -> str:
    """The letter by which people call a circuit, the same for as long as it exists.

    >>> circuit_name(1), circuit_name(27)
    ('A', 'AA')
    """
    return letters(circuit)
