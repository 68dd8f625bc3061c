"""A position in play: what lies open, and the hands as far as they are known.

The truth of a table (`engines.tesla.truth.state.State`) is a position with the bag; a view gives one in which
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
    """A position that moves are played on: what lies open, and the hands as far as they are known.

    Attributes:
        hands: the tiles in each hand in the order drawn, empty for a hand that isn't known.
        changes: what the turn in progress has changed; `last_changes` what the turn before has.
    """

    hands: list[list[Face]]
    changes: Changes = Changes()
    last_changes: Changes = Changes()

    def copied(self) -> Self:
        """Another position that can be changed without changing this one."""
        return msgspec.structs.replace(self, hands=[hand[:] for hand in self.hands], **self.lying_open())


def next_seat(position: Position, seat: Seat) -> Seat:
    """The next remaining seat clockwise."""
    while True:
        seat = (seat + 1) % position.seats
        if seat not in position.out:
            return seat


def after_placing(changes: Changes, cell: Cell, gone: Iterable[CircuitId]) -> Changes:
    """The changes with a tile laid on a cell, by which some circuits are gone."""
    others = tuple(other for other in changes.placed if other != cell)
    return msgspec.structs.replace(changes, placed=(*others, cell), gone=(*changes.gone, *gone))


def after_marking(changes: Changes, cell: Cell) -> Changes:
    """The changes with a marker put on a cell."""
    return msgspec.structs.replace(changes, marked=(*changes.marked, cell))


def after_clearing(changes: Changes, cell: Cell) -> Changes:
    """The changes with a marker gone from a cell."""
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
    """The view of a position, given what the viewer knows of hands and bag. The board is a copy."""
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
    """A position as its viewer knows it, to try moves on: the hands of others are empty."""
    return Position(
        **view.lying_open(),
        hands=[list(hand or ()) for hand in view.hands],
        changes=view.changes if view.acted else Changes(),
        last_changes=view.changes,
    )
