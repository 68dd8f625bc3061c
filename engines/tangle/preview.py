"""Previews from a view: the gain and cost of a placement, and the bill of upkeep."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from engines.game import IllegalMove, Seat
from engines.tangle import moves
from engines.tangle.legal.check import gain_of, price_of
from engines.tangle.legal.context import Context, context_of
from engines.tangle.legal.income import ripe, sure_income
from engines.tangle.legal.tiles import next_kind
from engines.tangle.legal.toll import Due, toll_due
from engines.tangle.moves import Move, TanglePlace
from engines.tangle.pieces.amounts import NOTHING, RESOURCES, Amount, Resource, minus, plus
from engines.tangle.pieces.board import TangleTile
from engines.tangle.pieces.card_language import CountName, TrackName
from engines.tangle.pieces.components import PAID_IN, Action, AreaCode, ConditionId, SpaceCode
from engines.tangle.public import TanglePublic
from engines.tangle.view import TangleView


class TanglePlacementPreview(msgspec.Struct, frozen=True):
    """The immediate effects of a placement, before any decision.

    Attributes:
        action: the space's action; empty for a tree.
        fed: the resource spaces that get something, with the amounts.
        harvest: the own tiles that give their cubes.
        gained: the income from these tiles, and from the space itself.
        toll: the opponents to pay for roots below.
    """

    action: Action = ""
    fed: tuple[tuple[SpaceCode, Resource], ...] = ()
    harvest: tuple[AreaCode, ...] = ()
    gained: Amount = NOTHING
    toll: Due = ()


class TurnPreview(msgspec.Struct, frozen=True):
    """The result of a placement or a card with all follow-ups by the strong computer.

    Attributes:
        more: the seat's gains by name, as conditions count them, except the sizes of groups.
        condition: the victory condition that comes nearest by it, or None; `nearer` by how much.
    """

    more: tuple[tuple[CountName, int], ...] = ()
    condition: ConditionId | None = None
    nearer: int = 0


class Bill(msgspec.Struct, frozen=True):
    """The cost of a track's upkeep for a seat if it were due now. Rules: Upkeep.

    Attributes:
        items: the number of tiles or cards to pay for; `owed` how many of them cost something.
        held: the seat's stock of the resource.
    """

    items: int
    owed: int
    held: int

    @property
    def lost(self) -> int:
        """The number of items the seat can't keep."""
        return max(0, self.owed - self.held)


def bill(public: TanglePublic, seat: Seat, track: TrackName) -> Bill:
    """Return any seat's bill for a track, from public facts."""
    context = Context(public, seat, (), 0)
    items = len(context.dues(track))
    owed = max(0, items - context.powers.free.get(track, 0))
    return Bill(items, owed, context.stash[RESOURCES.index(PAID_IN[track])])


def foresee(view: TangleView, made: Sequence[Move]) -> TangleView:
    """Preview the certain effects of some moves of the viewer, trackers included.

    Further effects of enchantments are left out, and so are moves after an unaffordable one.
    """
    for move in made:
        try:
            view = _after(view, view.viewer or 0, move)
        except IllegalMove:
            break
    return view


def _after(view: TangleView, me: Seat, move: Move) -> TangleView:
    """Return the view after a move. Raises IllegalMove."""
    player, trackers = view.players[me], view.trackers
    match move:
        case moves.TanglePlace():
            player = replace(player, stash=plus(player.stash, placement_preview(view, move).gained))
        case moves.Steps(by):
            lakes, growth, cards = (left - step for left, step in zip(trackers, by, strict=True))
            trackers = (lakes, growth, cards)
        case moves.Lower(by):
            lakes, growth, cards = (left + step for left, step in zip(trackers, by, strict=True))
            trackers = (lakes, growth, cards)
        case _ if view.decision is not None and not isinstance(move, moves.TangleDone):
            left = minus(player.stash, price_of(context_of(view), view.decision, move))
            player = replace(player, stash=plus(left, gain_of(view, view.decision, move)))
    match move:
        case moves.Cast(card) | moves.Offer(card=str(card)):
            player = replace(player, front=(*player.front, card))
        case _:
            pass
    players = [*view.players[:me], player, *view.players[me + 1 :]]
    return replace(view, players=players, tiles=_land_after(view, me, move), trackers=trackers)


def _land_after(view: TangleView, me: Seat, move: Move) -> dict[AreaCode, TangleTile]:
    tiles = dict(view.tiles)
    match move:
        case moves.Earth(area) | moves.Takeover(area):
            tiles[area] = TangleTile(me, "earth")
        case moves.Lake(area):
            tiles[area] = TangleTile(me, "lake")
        case moves.Meadow(area):
            tiles[area] = TangleTile(me, "meadow")
        case moves.Sprout(area):
            tiles[area] = TangleTile(me, "sapling")
        case moves.Grow(area):
            tiles[area] = TangleTile(me, next_kind(tiles[area]) or tiles[area].kind)
        case moves.TanglePlant(seed, area):
            tiles[area] = replace(tiles[area], seed=seed)
        case moves.Hedge(area):
            tiles[area] = replace(tiles[area], seed="bush")
        case moves.TangleSwap(a, b):
            tiles[a], tiles[b] = tiles[b], tiles[a]
        case moves.Offer(area):
            del tiles[area]
        case _:
            pass
    return tiles


def placement_preview(view: TangleView, move: TanglePlace) -> TanglePlacementPreview:
    """Preview the viewer's income from a placement, and its toll."""
    context = context_of(view)
    if move.to not in context.board.spaces:
        return TanglePlacementPreview()
    return TanglePlacementPreview(
        action=context.board.spaces[move.to],
        fed=context.board.feeds[move.to],
        harvest=ripe(context, move.to),
        gained=sure_income(context, move.to),
        toll=toll_due(context, move.to),
    )
