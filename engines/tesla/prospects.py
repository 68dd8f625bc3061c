"""What a move would come to, worked out from a view: for the panel, the pictures and the computer player."""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.tesla.board import CircuitId
from engines.tesla.cells import Cell
from engines.tesla.events import Event
from engines.tesla.faces import Lie, Segment
from engines.tesla.moves import Place, Replace
from engines.tesla.view import View

Group = Literal["closes", "lengthens", "joins", "cuts", "other"]
"""What a placement does first of all, seen by the seat that makes it: it closes a ring, it makes a
circuit longer that the seat owns then, it joins circuits of whomever else, it cuts or takes away
from somebody's circuit, or none of these."""


class Fit(msgspec.Struct, frozen=True):
    """A legal placement and what it comes to.

    Attributes:
        move: the placement; `lie` is how its tile would lie.
        group: what it does first of all.
        gains: the change of each seat's score.
        worth: how good it looks to the seat that makes it; a larger number is better.
    """

    move: Place | Replace
    lie: Lie
    group: Group
    gains: tuple[int, ...]
    worth: float


class Ahead(msgspec.Struct, frozen=True):
    """What a move leads to: the position as its seat would see it before it draws, and the events."""

    view: View
    events: tuple[Event, ...]


class Site(msgspec.Struct, frozen=True):
    """A circuit on which the seat to act may put a marker now, or from which it may take one.

    Attributes:
        circuit: its number; its length and value stand in the board.
        spots: where a marker may be put, each a cell and a segment; none on another seat's circuit.
        mine: the cells of the seat's own markers on it, each of which may be taken while none was used.
    """

    circuit: CircuitId
    spots: tuple[tuple[Cell, Segment], ...]
    mine: tuple[Cell, ...]
