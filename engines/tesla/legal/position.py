"""A position in play: public facts, and the hands as far as they are known.

The full state (`engines.tesla.truth.state.TeslaState`) is a position with the bag; a view gives one in which
only the viewer's hand is known, on which a move can be tried.
"""

from collections.abc import Iterable
from typing import Self

import msgspec

from engines.game import Seat
from engines.tesla.pieces.board import CircuitId
from engines.tesla.pieces.cells import Cell
from engines.tesla.pieces.components import COMMON, Face
from engines.tesla.public import TeslaPublic
from engines.tesla.view import MarkerReturn, TeslaChanges, TeslaView


class TeslaPosition(TeslaPublic, kw_only=True):
    """A position to play moves on: public facts, and the hands as far as they are known.

    Attributes:
        hands: the tiles in each hand in the order drawn, empty for a hand that isn't known.
        changes: the changes of the turn in progress; `last_changes` those of the turn before.
    """

    hands: list[list[Face]]
    changes: TeslaChanges = TeslaChanges()
    last_changes: TeslaChanges = TeslaChanges()

    def copy(self) -> Self:
        return msgspec.structs.replace(self, hands=[hand[:] for hand in self.hands], **self.public_fields())


def next_seat(position: TeslaPosition, seat: Seat) -> Seat:
    """Return the next remaining seat clockwise."""
    while True:
        seat = (seat + 1) % position.seats
        if seat not in position.out:
            return seat


def after_placing(changes: TeslaChanges, cell: Cell, gone: Iterable[CircuitId]) -> TeslaChanges:
    """Add a tile laid on a cell, which removed some circuits."""
    others = tuple(other for other in changes.placed if other != cell)
    return msgspec.structs.replace(changes, placed=(*others, cell), gone=(*changes.gone, *gone))


def after_marking(changes: TeslaChanges, cell: Cell) -> TeslaChanges:
    """Add a marker put on a cell."""
    return msgspec.structs.replace(changes, marked=(*changes.marked, cell))


def after_clearing(changes: TeslaChanges, marker: MarkerReturn) -> TeslaChanges:
    """Add the removal of a marker."""
    cell = marker.cell
    left = tuple(other for other in changes.marked if other != cell)
    others = tuple(other for other in changes.taken if other != cell)
    earlier = tuple(other for other in changes.returned if other.cell != cell)
    return msgspec.structs.replace(changes, marked=left, taken=(*others, cell), returned=(*earlier, marker))


def view_of_position(
    position: TeslaPosition,
    *,
    viewer: Seat | None,
    held: tuple[int, ...],
    hands: tuple[tuple[Face, ...] | None, ...],
    bag: int,
    bag_tiles: tuple[Face, ...] | None = None,
) -> TeslaView:
    """Return a view, given the viewer's knowledge of hands and bag. The board is a copy."""
    return TeslaView(
        **position.public_fields(),
        viewer=viewer,
        held=held,
        hands=hands,
        bag=bag,
        bag_tiles=bag_tiles,
        behind=COMMON.behind,
        changes=position.changes if position.acted else position.last_changes,
    )


def position_of(view: TeslaView) -> TeslaPosition:
    """Return the viewer's position to try moves on. The hands of others are empty."""
    return TeslaPosition(
        **view.public_fields(),
        hands=[list(hand or ()) for hand in view.hands],
        changes=view.changes if view.acted else TeslaChanges(),
        last_changes=view.changes,
    )
