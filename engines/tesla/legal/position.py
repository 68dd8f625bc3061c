"""A position in play: public facts, and the hands as far as they are known.

The full state (`engines.tesla.truth.state.TeslaState`) is a position with the bag; a view gives one in which
only the viewer's hand is known, on which a move can be tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import msgspec

from engines.game import Seat
from engines.tesla.pieces.board import CircuitId
from engines.tesla.pieces.cells import Cell
from engines.tesla.pieces.components import COMMON, Face
from engines.tesla.public import Public
from engines.tesla.view import Changes, View


class Position(Public, kw_only=True):
    """A position to play moves on: public facts, and the hands as far as they are known.

    Attributes:
        hands: the tiles in each hand in the order drawn, empty for a hand that isn't known.
        changes: the changes of the turn in progress; `last_changes` those of the turn before.
    """

    hands: list[list[Face]]
    changes: Changes = Changes()
    last_changes: Changes = Changes()

    def copied(self) -> Self:
        """Return an independent copy."""
        return msgspec.structs.replace(self, hands=[hand[:] for hand in self.hands], **self.lying_open())


def next_seat(position: Position, seat: Seat) -> Seat:
    """Return the next remaining seat clockwise."""
    while True:
        seat = (seat + 1) % position.seats
        if seat not in position.out:
            return seat


def after_placing(changes: Changes, cell: Cell, gone: Iterable[CircuitId]) -> Changes:
    """Add a tile laid on a cell, which removed some circuits."""
    others = tuple(other for other in changes.placed if other != cell)
    return msgspec.structs.replace(changes, placed=(*others, cell), gone=(*changes.gone, *gone))


def after_marking(changes: Changes, cell: Cell) -> Changes:
    """Add a marker put on a cell."""
    return msgspec.structs.replace(changes, marked=(*changes.marked, cell))


def after_clearing(changes: Changes, cell: Cell) -> Changes:
    """Add the removal of a cell's marker."""
    left = tuple(other for other in changes.marked if other != cell)
    others = tuple(other for other in changes.taken if other != cell)
    return msgspec.structs.replace(changes, marked=left, taken=(*others, cell))


def shown(
    position: Position,
    *,
    viewer: Seat | None,
    held: tuple[int, ...],
    hands: tuple[tuple[Face, ...] | None, ...],
    bag: int,
    bag_tiles: tuple[Face, ...] | None = None,
) -> View:
    """Return a view, given the viewer's knowledge of hands and bag.

    The board is a copy.
    """
    return View(
        **position.lying_open(),
        viewer=viewer,
        held=held,
        hands=hands,
        bag=bag,
        bag_tiles=bag_tiles,
        behind=COMMON.behind,
        changes=position.changes if position.acted else position.last_changes,
    )


def supposed(view: View) -> Position:
    """Return the viewer's position to try moves on.

    The hands of others are empty.
    """
    return Position(
        **view.lying_open(),
        hands=[list(hand or ()) for hand in view.hands],
        changes=view.changes if view.acted else Changes(),
        last_changes=view.changes,
    )
