"""What a root brings and costs where it lands. Rules: Placement, Toll."""

from __future__ import annotations

import msgspec

from engines.game import Seat
from engines.tangle.amounts import NOTHING, RESOURCES, Amount, Resource, plus, size, total, unit
from engines.tangle.board import Kind
from engines.tangle.card_language import CountName, TrackName
from engines.tangle.components import PAID_IN, Action, AreaCode, ConditionId, SpaceCode
from engines.tangle.legal.context import Context, context_of
from engines.tangle.moves import Place
from engines.tangle.public import Public
from engines.tangle.view import View

BEARS: dict[Kind, Resource] = {"meadow": "N", "bush": "E"}
"""What gathers on a tile when roots land beside it."""

Due = tuple[tuple[Seat, int], ...]
"""Whom to pay for roots below, in ascending order, and how much."""


class Prospect(msgspec.Struct, frozen=True):
    """What a placement would bring at once, before anything is decided.

    Attributes:
        action: what the space does; empty for a tree.
        fed: the resource spaces that get something, with what they get.
        harvest: the own tiles that give their cubes.
        gained: what these tiles give, and what the space itself gives.
        toll: who is to be paid for roots below.
    """

    action: Action = ""
    fed: tuple[tuple[SpaceCode, Resource], ...] = ()
    harvest: tuple[AreaCode, ...] = ()
    gained: Amount = NOTHING
    toll: Due = ()


class Outlook(msgspec.Struct, frozen=True):
    """What a placement or a card comes to with all that the strong computer would do after it.

    Attributes:
        more: what the seat has more of then, and how much, as conditions count it;
            not how much of it hangs together.
        condition: the victory condition that comes nearest by it, None where none does; `nearer` by how much.
    """

    more: tuple[tuple[CountName, int], ...] = ()
    condition: ConditionId | None = None
    nearer: int = 0


class Bill(msgspec.Struct, frozen=True):
    """What the upkeep of a track would come to for a seat if it were due now. Rules: Upkeep.

    Attributes:
        items: how many tiles or cards it is paid for; `owed` how many of them cost something.
        held: how much the seat has of what pays for them.
    """

    items: int
    owed: int
    held: int

    @property
    def lost(self) -> int:
        """How many items the seat can't keep."""
        return max(0, self.owed - self.held)


def bill(public: Public, seat: Seat, track: TrackName) -> Bill:
    """What any seat would pay for a track, from what lies open."""
    context = Context(public, seat, (), 0)
    items = len(context.dues(track))
    owed = max(0, items - context.powers.free.get(track, 0))
    return Bill(items, owed, context.stash[RESOURCES.index(PAID_IN[track])])


def prospect(view: View, move: Place) -> Prospect:
    """What a placement would give the viewer now, and its toll."""
    context = context_of(view)
    if move.to not in context.board.spaces:
        return Prospect()
    return Prospect(
        action=context.board.spaces[move.to],
        fed=context.board.feeds[move.to],
        harvest=ripe(context, move.to),
        gained=sure_income(context, move.to),
        toll=toll_due(context, move.to),
    )


def toll_due(context: Context, space: SpaceCode) -> Due:
    """What a root that lands there owes each opponent. Rules: Toll."""
    below = context.public.roots.get(space)
    if not below:
        return ()
    found = []
    for owner in sorted(set(below)):
        if context.is_opponent(owner):
            count = below.count(owner) + context.grip_of(owner) - context.powers.step
            if count > 0:
                found.append((owner, count))
    return tuple(found)


def ripe(context: Context, space: SpaceCode) -> tuple[AreaCode, ...]:
    """The own meadows and bushes beside a space that hold something."""
    found = []
    for area in context.board.beside[space]:
        tile = context.tile(area)
        if tile is not None and tile.cubes:
            found.append(area)
    return tuple(found)


def cubes(context: Context, areas: tuple[AreaCode, ...]) -> Amount:
    """What lies on meadows and bushes."""
    tiles = (context.public.tiles[area] for area in areas)
    return total(unit(BEARS[tile.kind], tile.cubes) for tile in tiles)


def lying(context: Context, space: SpaceCode) -> Amount:
    """What the space itself would give the seat: its resources, or water for its trees."""
    if context.board.spaces[space] == "gather_water":
        return unit("W", context.own_of("tree").bit_count())
    return context.public.resources.get(space, NOTHING)


def sure_income(context: Context, space: SpaceCode) -> Amount:
    """What the seat can count on if it lands there. Rules: Placement."""
    return plus(cubes(context, ripe(context, space)), lying(context, space))


def can_pay_toll(context: Context, space: SpaceCode) -> bool:
    """Whether stash and sure income cover what a root that lands there owes. Rules: Toll."""
    due = sum(count for _, count in toll_due(context, space))
    held = size(context.stash)
    return due <= held or due <= held + size(sure_income(context, space))
