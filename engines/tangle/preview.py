"""Previews of a placement and of a turn, and the bill of upkeep."""

import msgspec

from engines.game import Seat
from engines.tangle.decisions import Upkeep
from engines.tangle.legal.context import Context
from engines.tangle.legal.prices import Due
from engines.tangle.moves import Gained
from engines.tangle.pieces import components
from engines.tangle.pieces.card_language import CountName, TrackName
from engines.tangle.view import TanglePublic


class TanglePlacementPreview(msgspec.Struct, frozen=True):
    """The immediate effects of a placement, before any decision.

    Attributes:
        action: the space's action; empty for a tree.
        fed: the resource spaces that get something, with the amounts.
        tiles: the opponents' meadows and bushes that get a cube.
        harvest: the own tiles that give their cubes.
        gained: all resources for the seat, those of its enchantments included.
        gifts: the gains from enchantments, of every seat; `drawn` counts the cards that they draw for the
            seat.
        toll: the opponents to pay for roots below.
    """

    action: components.Action = ""
    fed: tuple[tuple[components.SpaceCode, components.Resource], ...] = ()
    tiles: tuple[components.AreaCode, ...] = ()
    harvest: tuple[components.AreaCode, ...] = ()
    gained: components.Amount = components.NOTHING
    gifts: tuple[Gained, ...] = ()
    drawn: int = 0
    toll: Due = ()


class TurnPreview(msgspec.Struct, frozen=True):
    """The result of a placement or a card with all follow-ups by the strong computer.

    Attributes:
        more: the seat's gains by name, as conditions count them, except the sizes of groups.
        nearer: the victory conditions that come nearer by it, and by how much, the most first.
    """

    more: tuple[tuple[CountName, int], ...] = ()
    nearer: tuple[tuple[components.ConditionId, int], ...] = ()


class Bill(msgspec.Struct, frozen=True):
    """The cost of a track's upkeep for a seat if it were due now. Rules: Upkeep.

    Attributes:
        items: the tiles or cards to pay for; `owed` how many of them cost something.
        held: the seat's stock of the resource.
    """

    items: tuple[str, ...]
    owed: int
    held: int

    @property
    def lost(self) -> int:
        return max(0, self.owed - self.held)


def bill(public: TanglePublic, seat: Seat, track: TrackName) -> Bill:
    """Return any seat's bill for a track, from public facts."""
    context = Context(public, seat, (), 0)
    return _bill(public, seat, track, context.dues(track), context.powers.free.get(track, 0))


def rest_of_bill(public: TanglePublic, seat: Seat, due: Upkeep) -> Bill:
    """Return a seat's bill for what it has neither kept nor dropped."""
    return _bill(public, seat, due.track, due.items[seat], due.free[seat])


def _bill(public: TanglePublic, seat: Seat, track: TrackName, items: tuple[str, ...], free: int) -> Bill:
    held = public.players[seat].stash[components.RESOURCES.index(components.PAID_IN[track])]
    return Bill(items, max(0, len(items) - free), held)
