"""The facts open to everybody, and the view of one viewer.

A `TangleView` holds nothing that its viewer may not know, so pictures, panels and the computer player can't
show or use it. The functions here read views only.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec

from engines.game import BoardChange, Outcome, Seat, fields_of, join_turns
from engines.tangle.decisions import Decision
from engines.tangle.pieces import components
from engines.tangle.pieces.board import TangleTile
from engines.tangle.pieces.card_language import TrackName

Phase = Literal["play", "over"]


class Player(msgspec.Struct, frozen=True, gc=False):
    """The public facts about one seat.

    Attributes:
        stash: its resources.
        seeds: its seeds, [bush, tree].
        tiles: its remaining tile stacks, [earth/bush, meadow, lake, sapling/tree].
        roots: its roots that are still in the stash.
        held: the number of cards in its hand.
        front: the enchantments in front of it, in the order in which they were cast.
        sleeper: the space on which a root of it sleeps.
    """

    stash: components.Amount
    seeds: tuple[int, int]
    tiles: tuple[int, int, int, int]
    roots: int
    held: int
    front: tuple[components.CardId, ...]
    sleeper: components.SpaceCode | None = None


class TanglePublic(msgspec.Struct, kw_only=True):
    """The common fields of state and view. Seats count from 0, rounds from 1.

    The elements are immutable, only its lists and dicts are changed: a copy of these is a copy of all.

    Attributes:
        turn: the number of the turn, over all seats; `seat` has it.
        centre: the action of the centre space or None; with the option ``random`` the one drawn.
        reserve: how many resources the seat to act must keep for the roots below its own.
        changes: how many changes the seat to act has made in this turn.
        extra: how many extra placements it still has.
        offered: how many of them its sacrifices of this turn have brought in all.
        tiles: the tile on each area that has one.
        roots: for each space the roots on it by owner, bottom to top; spaces without roots are left out.
        resources: the resources on each resource space in play.
        players: the public facts about each seat.
        seeds: the seeds left in the supply, [bush, tree].
        row, discards: the row of cards; the discards, oldest first.
        trackers: for each track the steps below the top, [lakes, growth, cards].
        markers: for each track the seat that its marker is with, None at home.
        out: the seats that have left, first one first.
        shown: for each seat the conditions that it has fulfilled and shown, at the end.
        outcome: how the game ended, None during the game.
    """

    options: components.TangleOptions
    seats: int
    phase: Phase = "play"
    round: int = 1
    turn: int = 1
    seat: Seat = 0
    centre: components.Alternative | None = None
    reserve: int = 0
    changes: int = 0
    extra: int = 0
    offered: int = 0
    tiles: dict[components.AreaCode, TangleTile]
    roots: dict[components.SpaceCode, tuple[Seat, ...]] = {}
    resources: dict[components.SpaceCode, components.Amount]
    players: list[Player]
    seeds: tuple[int, int]
    row: list[components.CardId]
    discards: list[components.CardId] = []
    trackers: tuple[int, int, int]
    markers: tuple[Seat | None, Seat | None, Seat | None] = (None, None, None)
    out: list[Seat] = []
    shown: list[tuple[components.ConditionId, ...]]
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TanglePublic)

    @property
    def remaining(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if seat not in self.out]


class TurnChanges(msgspec.Struct, frozen=True):
    """The changes of a turn on the board: areas, spaces, and the roots that moved."""

    areas: tuple[components.AreaCode, ...] = ()
    spaces: tuple[components.SpaceCode, ...] = ()


class EarlierChanges(msgspec.Struct, frozen=True):
    """Cards, seeds and upkeep that came and went since an earlier view.

    Attributes:
        cast, lost: the enchantments that came in front of each seat, and those that went.
        seeds: the seeds [bush, tree] that each seat has won, lost ones below 0.
        called: the tracks whose marker a player got and still has.
        paid: the tracks whose upkeep came and is over.
    """

    cast: tuple[tuple[components.CardId, ...], ...] = ()
    lost: tuple[tuple[components.CardId, ...], ...] = ()
    seeds: tuple[tuple[int, int], ...] = ()
    called: tuple[TrackName, ...] = ()
    paid: tuple[TrackName, ...] = ()


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
        news: the changes since an earlier view by who made them; unset without one.
        gained: the resources that each seat has won since then, lost ones below 0; empty without one.
        refilled: the spaces with other resources than then.
        earlier: the cards, seeds and upkeep since then; unset without one.
        agenda: all open decisions of the turn; the last one is the top.
        hands, secrets: everybody's hands and conditions, when the game is over.
    """

    viewer: Seat | None
    decision: Decision | None
    owing: tuple[Seat, ...]
    pile: int
    hand: tuple[components.CardId, ...] | None
    conditions: tuple[components.ConditionId, ...] | None
    changed: TurnChanges
    news: tuple[BoardChange, ...] | msgspec.UnsetType = msgspec.UNSET
    gained: tuple[components.Amount, ...] = ()
    refilled: tuple[components.SpaceCode, ...] = ()
    earlier: EarlierChanges | msgspec.UnsetType = msgspec.UNSET
    agenda: tuple[Decision, ...] = ()
    hands: tuple[tuple[components.CardId, ...], ...] | None = None
    secrets: tuple[tuple[components.ConditionId, ...], ...] | None = None

    @property
    def over(self) -> bool:
        return self.phase == "over"


def since(view: TangleView, seen: Sequence[TangleView]) -> TangleView:
    """Mark every area and space that shows something else in an earlier view.

    Resources that grow on a space are no change, but are listed, as are those of the seats.
    """
    before = seen[0]
    areas = [area for area in components.AREAS if view.tiles.get(area) != before.tiles.get(area)]
    spaces = [space for space in components.SPACES if view.roots.get(space) != before.roots.get(space)]
    shown = {*areas, *spaces}
    turns = [_turn_changes(one, two) for one, two in pairwise((*seen, view))]
    news = tuple(one for one in join_turns(turns) if one.place in shown)
    return msgspec.structs.replace(
        view,
        changed=TurnChanges(tuple(areas), tuple(spaces)),
        news=news,
        gained=tuple(
            components.minus(now.stash, then.stash)
            for now, then in zip(view.players, before.players, strict=True)
        ),
        refilled=tuple(
            space for space in components.SPACES if view.resources.get(space) != before.resources.get(space)
        ),
        earlier=_earlier_changes((*seen, view)),
    )


def _earlier_changes(views: Sequence[TangleView]) -> EarlierChanges:
    pairs = list(zip(views[0].players, views[-1].players, strict=True))
    fronts = [(Counter(then.front), Counter(now.front)) for then, now in pairs]
    called: set[TrackName] = set()
    paid: set[TrackName] = set()
    for one, two in pairwise(views):
        for track, then, now in zip(components.TRACKS, one.markers, two.markers, strict=True):
            turns, has_moved = two.turn - one.turn, then != now and then not in two.out
            is_over = then is not None and (has_moved or turns >= (1 if one.seat == then else one.seats))
            paid |= {track} if is_over else set()
            if then != now or is_over:
                called = called - {track} if now is None else called | {track}
    return EarlierChanges(
        cast=tuple(tuple((now - then).elements()) for then, now in fronts),
        lost=tuple(tuple((then - now).elements()) for then, now in fronts),
        seeds=tuple((now.seeds[0] - then.seeds[0], now.seeds[1] - then.seeds[1]) for then, now in pairs),
        called=tuple(track for track in components.TRACKS if track in called),
        paid=tuple(track for track in components.TRACKS if track in paid),
    )


def _turn_changes(before: TangleView, after: TangleView) -> list[BoardChange]:
    """Return the changes between two views, of tiles and then of roots.

    A tile that came or went is its owner's change, and a moved root too; the rest is of whoever had the turn.
    """
    if not 0 <= after.turn - before.turn <= 1:
        places = [area for area in components.AREAS if after.tiles.get(area) != before.tiles.get(area)]
        places += [space for space in components.SPACES if after.roots.get(space) != before.roots.get(space)]
        return [BoardChange(place, "changed") for place in places]
    changed = [area for area in components.AREAS if before.tiles.get(area) != after.tiles.get(area)]
    result = [_tile_change(area, before, after) for area in changed]
    moved = {
        to: (seat, start) for seat in range(after.seats) for start, to in _root_moves(seat, before, after)
    }
    for space in components.SPACES:
        if after.roots.get(space) != before.roots.get(space):
            seat, start = moved.get(space, (before.seat, None))
            result.append(BoardChange(space, "roots", seat, start=start))
    return result


def _tile_change(area: components.AreaCode, before: TangleView, after: TangleView) -> BoardChange:
    """Return the change of an area. Of two tiles that a seat swapped, the later one names the other."""
    then, now = before.tiles.get(area), after.tiles.get(area)
    if then is not None and now is not None and then.kind == now.kind and then.owner == now.owner:
        return BoardChange(area, "tile", before.seat)
    owner = now.owner if now is not None else then.owner if then is not None else before.seat
    if then is None or now is None or then.owner != now.owner:
        return BoardChange(area, "tile", owner)
    became = [other for other in components.AREAS if other != area and after.tiles.get(other) == then]
    others = [other for other in became if before.tiles.get(other) == now]
    start = others[0] if len(others) == 1 and others[0] < area else None
    return BoardChange(area, "tile", owner, start=start)


def _root_moves(seat: Seat, before: TangleView, after: TangleView) -> list[tuple[str, str]]:
    then, now = _root_places(seat, before), _root_places(seat, after)
    left, reached = list((then - now).elements()), list((now - then).elements())
    spaces = [place for place in reached if place in components.SPACES]
    if len(set(left)) == 1:
        return [(left[0], to) for to in spaces[: len(left)]]
    return list(zip(left, spaces, strict=True)) if len(left) == len(spaces) == 1 else []


def _root_places(seat: Seat, view: TangleView) -> Counter[str]:
    result = Counter({space: owners.count(seat) for space, owners in view.roots.items()})
    result.update({area: tile.roots for area, tile in view.tiles.items() if tile.owner == seat})
    return result
