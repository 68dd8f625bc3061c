"""The open board: tiles, circuits, markers.

Every segment has the number of its circuit, and every circuit has its length, its ends and its markers, so
the effect of a placement can be derived from the tiles that it touches.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property, lru_cache

import msgspec

from engines.game import Seat
from engines.tesla.options import Tiles
from engines.tesla.pieces.cells import Cell, letters, neighbours
from engines.tesla.pieces.components import (
    COMMON,
    Lie,
    Met,
    Segment,
    Side,
    pack_meeting,
    segments,
    shape,
    wire_mask,
)

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
        """Return the circuit of a cell's marker."""
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
