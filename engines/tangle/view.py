"""The view of one viewer, and facts derived from it.

A `TangleView` holds nothing that its viewer may not know, so pictures, panels and the computer player can't
show or use it. The functions here read views only.
"""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tangle.decisions import Decision
from engines.tangle.pieces.components import AREAS, SPACES, AreaCode, CardId, ConditionId, SpaceCode
from engines.tangle.public import TanglePublic


class TurnChanges(msgspec.Struct, frozen=True):
    """The changes of a turn on the board: areas, spaces, and the roots that moved."""

    areas: tuple[AreaCode, ...] = ()
    spaces: tuple[SpaceCode, ...] = ()


class TangleView(TanglePublic, kw_only=True):
    """A position as one viewer may know it: open facts, and the viewer's own.

    Attributes:
        viewer: the seat that looks; None if it is a spectator.
        decision: the decision on the top of the agenda.
        owing: the seats that owe it, in seat order.
        pile: the number of cards in the pile.
        hand: the viewer's cards, sorted as in the data file; None if the viewer is a spectator.
        conditions: the viewer's victory conditions; None if the viewer is a spectator.
        changed: the changes of the turn in progress, or of the turn before if there are none.
        agenda: all open decisions of the turn; the last one is the top.
        hands, secrets: everybody's hands and conditions, when the game is over.
    """

    viewer: Seat | None
    decision: Decision | None
    owing: tuple[Seat, ...]
    pile: int
    hand: tuple[CardId, ...] | None
    conditions: tuple[ConditionId, ...] | None
    changed: TurnChanges
    agenda: tuple[Decision, ...] = ()
    hands: tuple[tuple[CardId, ...], ...] | None = None
    secrets: tuple[tuple[ConditionId, ...], ...] | None = None

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.phase == "over"


def since(view: TangleView, before: TangleView) -> TangleView:
    """Mark every area and space that shows something else in an earlier view.

    Resources that grow on a space by themselves are no change.
    """
    areas = [area for area in AREAS if view.tiles.get(area) != before.tiles.get(area)]
    spaces = [space for space in SPACES if view.roots.get(space) != before.roots.get(space)]
    return msgspec.structs.replace(view, changed=TurnChanges(tuple(areas), tuple(spaces)))
