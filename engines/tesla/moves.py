"""The moves of Tesla's Tangle.

A `tile` is named by its face as in the data, ``"01-23"``; `turn` is how many sides it is turned clockwise,
the lowest number that gives the same face; a `segment` is the pair of sides that it joins on the turned
tile, lower first; a `cell` is a name as on the picture, ``"Z50"``.
"""

import msgspec

from engines.tesla.pieces.board import Cell
from engines.tesla.pieces.components import Face, Segment


class TeslaPlace(msgspec.Struct, frozen=True, tag="place", gc=False):
    """Lay a tile of the hand on an empty cell."""

    tile: Face
    turn: int
    cell: Cell


class Replace(msgspec.Struct, frozen=True, tag="replace", gc=False):
    """Lay a tile of the hand in the place of another."""

    tile: Face
    turn: int
    cell: Cell


class Mark(msgspec.Struct, frozen=True, tag="mark", gc=False):
    """Put a marker on a segment, for the value of its circuit."""

    cell: Cell
    segment: Segment


class Take(msgspec.Struct, frozen=True, tag="take", gc=False):
    """Take your own marker back, for the value of its circuit."""

    cell: Cell


class Replay(msgspec.Struct, frozen=True, tag="replay", gc=False):
    """Put a marker that was just paid out on a segment, for the value of its circuit."""

    cell: Cell
    segment: Segment


class EndReplay(msgspec.Struct, frozen=True, tag="end_replay"):
    """Leave the markers that could still be replayed in the supply."""


class Discard(msgspec.Struct, frozen=True, tag="discard"):
    """Discard tiles, in the order of the data, and end the turn."""

    tiles: tuple[Face, ...]


class TeslaEndTurn(msgspec.Struct, frozen=True, tag="end_turn"):
    """End the turn and keep all tiles."""


Move = TeslaPlace | Replace | Mark | Take | Replay | EndReplay | Discard | TeslaEndTurn
