"""The view of one viewer, and facts derived from it.

A `TeslaView` holds nothing that its viewer may not know, so pictures, panels and the computer player can't
show or use it. The functions here read views only.
"""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tesla.pieces.board import CircuitId
from engines.tesla.pieces.cells import Cell
from engines.tesla.pieces.components import Face
from engines.tesla.public import TeslaPublic


class TeslaChanges(msgspec.Struct, frozen=True):
    """The changes of one turn on the board.

    Attributes:
        placed: the cells of tiles laid, in order; `marked` and `taken` those where markers came and went.
        gone: the circuits that are in others now; no new one gets their numbers during the turn.
    """

    placed: tuple[Cell, ...] = ()
    marked: tuple[Cell, ...] = ()
    taken: tuple[Cell, ...] = ()
    gone: tuple[CircuitId, ...] = ()


class TeslaView(TeslaPublic, kw_only=True):
    """A position as one viewer may know it: open facts, and the viewer's own.

    Attributes:
        viewer: the seat that looks; None if it is a spectator.
        held: the number of tiles in each hand.
        hands: the tiles in each hand in the order drawn, None if the viewer may not see a hand.
        bag: the number of tiles in the bag; `bag_tiles` which, next one first, when the game is over.
        behind: a seat this many points behind the leader is out.
        changes: those of the turn in progress, or of the turn before if there are none.
    """

    viewer: Seat | None
    held: tuple[int, ...]
    hands: tuple[tuple[Face, ...] | None, ...]
    bag: int
    bag_tiles: tuple[Face, ...] | None
    behind: int
    changes: TeslaChanges

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.phase == "over"


def tally(view: TeslaView) -> tuple[int | None, ...]:
    """Return the scores, None if a seat is out."""
    return tuple(None if seat in view.out else score for seat, score in enumerate(view.scores))


def since(view: TeslaView, before: TeslaView) -> TeslaView:
    """Mark every tile and marker that an earlier view shows otherwise or not at all."""
    now, then = view.board, before.board
    placed = [
        cell for cell, laid in now.tiles.items() if cell not in then.tiles or then.tiles[cell].lie != laid.lie
    ]
    marked = [cell for cell, marker in now.markers.items() if then.markers.get(cell) != marker]
    taken = [cell for cell in then.markers if cell not in now.markers]
    return msgspec.structs.replace(view, changes=TeslaChanges(tuple(placed), tuple(marked), tuple(taken)))
