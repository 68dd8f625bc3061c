"""What one viewer may know, and what can be worked out from that.

A `View` holds nothing that its viewer may not know, so pictures, panels and the computer player
can't show or use it. The functions here read views only.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.game import Outcome, Seat
from engines.tangle.amounts import Amount
from engines.tangle.data import AreaCode, CardId, ConditionId, SpaceCode
from engines.tangle.land import Tile
from engines.tangle.matters import Matter
from engines.tangle.options import Alternative, Options

Phase = Literal["play", "over"]


class Player(msgspec.Struct, frozen=True):
    """What everybody may know of one seat.

    Attributes:
        stash: its resources.
        seeds: its seeds, [bush, tree].
        tiles: what is left of its tile stacks, [earth/bush, meadow, lake, sapling/tree].
        roots: its roots that are still in the stash.
        held: the number of cards in its hand.
        front: the enchantments in front of it, in the order in which they were cast.
        sleeper: the space on which a root of it sleeps.
    """

    stash: Amount
    seeds: tuple[int, int]
    tiles: tuple[int, int, int, int]
    roots: int
    held: int
    front: tuple[CardId, ...]
    sleeper: SpaceCode | None = None


class Changed(msgspec.Struct, frozen=True):
    """What a turn has changed on the board: areas, spaces, and the roots that moved."""

    areas: tuple[AreaCode, ...] = ()
    spaces: tuple[SpaceCode, ...] = ()


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position as one viewer may know it. Seats count from 0, rounds from 1.

    Attributes:
        viewer: the seat that looks, None for a spectator.
        turn: the number of the turn, over all seats; `seat` has it.
        centre: the action of the centre space, None for none; with the option ``random`` what was drawn.
        matter: the matter on the top of the agenda: what is to be decided.
        owing: the seats that owe a decision, in seat order.
        reserve: how many resources the seat to act must keep for the roots below its own.
        changes: how many changes the seat to act has made in this turn.
        extra: how many extra placements it still has.
        offered: how many of them its sacrifices of this turn have brought in all.
        tiles: the tile on each area that has one.
        roots: for each space the roots on it by owner, bottom to top; spaces without roots are left out.
        resources: what lies on each resource space in play.
        players: what is open of each seat.
        seeds: the seeds left in the supply, [bush, tree].
        pile, row, discards: how many cards the pile holds; the row; the discards, oldest first.
        trackers: for each track the steps below the top, [lakes, growth, cards].
        markers: for each track the seat before which its marker lies, None at home.
        hand: the viewer's cards, sorted as in the data file; None for a spectator.
        conditions: the viewer's victory conditions; None for a spectator.
        changed: what the turn in progress has changed or, while that is nothing, the turn before.
        out: the seats that have left, first one first.
        shown: for each seat the conditions that it has fulfilled and shown, at the end.
        hands, secrets: everybody's hands and conditions, when the game is over.
        outcome: how the game ended, None while it goes on.
    """

    options: Options
    seats: int
    viewer: Seat | None
    phase: Phase
    round: int
    turn: int
    seat: Seat
    centre: Alternative | None
    matter: Matter | None
    owing: tuple[Seat, ...]
    reserve: int
    changes: int
    extra: int
    offered: int
    tiles: dict[AreaCode, Tile]
    roots: dict[SpaceCode, tuple[Seat, ...]]
    resources: dict[SpaceCode, Amount]
    players: tuple[Player, ...]
    seeds: tuple[int, int]
    pile: int
    row: tuple[CardId, ...]
    discards: tuple[CardId, ...]
    trackers: tuple[int, int, int]
    markers: tuple[Seat | None, Seat | None, Seat | None]
    hand: tuple[CardId, ...] | None
    conditions: tuple[ConditionId, ...] | None
    changed: Changed
    out: tuple[Seat, ...]
    shown: tuple[tuple[ConditionId, ...], ...]
    hands: tuple[tuple[CardId, ...], ...] | None = None
    secrets: tuple[tuple[ConditionId, ...], ...] | None = None
    outcome: Outcome | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"
