"""The open facts of a position, the same in the full state as in anybody's view of it."""

from typing import Any, Literal

import msgspec

from engines.game import Outcome, Seat
from engines.lying_open import fields_of
from engines.tangle.options import Alternative, TangleOptions
from engines.tangle.pieces.amounts import Amount
from engines.tangle.pieces.board import TangleTile
from engines.tangle.pieces.components import AreaCode, CardId, ConditionId, SpaceCode

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

    stash: Amount
    seeds: tuple[int, int]
    tiles: tuple[int, int, int, int]
    roots: int
    held: int
    front: tuple[CardId, ...]
    sleeper: SpaceCode | None = None


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

    options: TangleOptions
    seats: int
    phase: Phase = "play"
    round: int = 1
    turn: int = 1
    seat: Seat = 0
    centre: Alternative | None = None
    reserve: int = 0
    changes: int = 0
    extra: int = 0
    offered: int = 0
    tiles: dict[AreaCode, TangleTile]
    roots: dict[SpaceCode, tuple[Seat, ...]] = {}
    resources: dict[SpaceCode, Amount]
    players: list[Player]
    seeds: tuple[int, int]
    row: list[CardId]
    discards: list[CardId] = []
    trackers: tuple[int, int, int]
    markers: tuple[Seat | None, Seat | None, Seat | None] = (None, None, None)
    out: list[Seat] = []
    shown: list[tuple[ConditionId, ...]]
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TanglePublic)

    @property
    def remaining(self) -> list[Seat]:
        """The seats that are still in the game, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]
