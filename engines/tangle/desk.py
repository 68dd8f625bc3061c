"""What the rules look up for a decision, whether it is asked of the truth or of a seat's own view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from engines.game import Seat
from engines.tangle.amounts import Amount
from engines.tangle.board import Board, Mask, board
from engines.tangle.data import AreaCode, CardId, SpaceCode
from engines.tangle.land import Kind, Tile
from engines.tangle.matters import Matter
from engines.tangle.options import Alternative, Options
from engines.tangle.pieces import TrackName
from engines.tangle.powers import Powers, powers
from engines.tangle.view import Player, View


class Scene(Protocol):
    """What state and view have in common: all that lies open. See `View` for what each means."""

    @property
    def options(self) -> Options:
        """The options of the table."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def seat(self) -> Seat:
        """The seat to act."""

    @property
    def centre(self) -> Alternative | None:
        """The action of the centre space."""

    @property
    def matter(self) -> Matter | None:
        """The top of the agenda."""

    @property
    def reserve(self) -> int:
        """What the seat to act must keep."""

    @property
    def extra(self) -> int:
        """The extra placements to come."""

    @property
    def offered(self) -> int:
        """Those that this turn's sacrifices have brought."""

    @property
    def tiles(self) -> Mapping[AreaCode, Tile]:
        """The tile on each area that has one."""

    @property
    def roots(self) -> Mapping[SpaceCode, tuple[Seat, ...]]:
        """The stack of roots on each space that has one."""

    @property
    def resources(self) -> Mapping[SpaceCode, Amount]:
        """What lies on each resource space."""

    @property
    def players(self) -> Sequence[Player]:
        """What is open of each seat."""

    @property
    def seeds(self) -> tuple[int, int]:
        """The seeds left in the supply."""

    @property
    def row(self) -> Sequence[CardId]:
        """The row of cards."""

    @property
    def discards(self) -> Sequence[CardId]:
        """The discards, oldest first."""

    @property
    def trackers(self) -> tuple[int, int, int]:
        """The steps below the top."""

    @property
    def out(self) -> Sequence[Seat]:
        """The seats that have left."""


def board_of(scene: Scene) -> Board:
    """The board that a table plays on."""
    return board(scene.seats, scene.options.exchange, scene.centre)


class Desk:
    """A seat before its decision. It holds for one decision only: what it has looked up, it keeps.

    Attributes:
        scene: what lies open.
        seat: who decides.
        hand: the cards of its hand.
        blind: how many cards can be drawn from the pile, the discards included.
    """

    def __init__(self, scene: Scene, seat: Seat, hand: Sequence[CardId], blind: int) -> None:
        self.scene = scene
        self.seat = seat
        self.hand = hand
        self.blind = blind
        self.player = scene.players[seat]
        self.stash = self.player.stash

    @cached_property
    def board(self) -> Board:
        """The board of the table."""
        return board_of(self.scene)

    @cached_property
    def powers(self) -> Powers:
        """What the seat's enchantments do."""
        return powers(self.player.front)

    @cached_property
    def own(self) -> Mask:
        """The areas with a tile of the seat."""
        tiles, seat = self.scene.tiles.items(), self.seat
        return self.board.mask(area for area, tile in tiles if tile.owner == seat)

    @cached_property
    def empty(self) -> Mask:
        """The areas in play without a tile."""
        return self.board.mask(self.board.areas) & ~self.board.mask(self.scene.tiles)

    @cached_property
    def clean(self) -> Mask:
        """The seat's clean earth, with and without seeds."""
        return self.own_of("earth")

    @cached_property
    def lakes(self) -> Mask:
        """The lakes of all seats."""
        tiles = self.scene.tiles.items()
        return self.board.mask(area for area, tile in tiles if tile.kind == "lake")

    def own_of(self, kind: Kind) -> Mask:
        """The seat's tiles of a kind."""
        tiles, seat = self.scene.tiles.items(), self.seat
        return self.board.mask(area for area, tile in tiles if tile.kind == kind and tile.owner == seat)

    def dues(self, track: TrackName) -> tuple[str, ...]:
        """What the seat pays for when the upkeep of a track is due: areas or cards. Rules: Upkeep."""
        match track:
            case "lakes":
                return tuple(self.board.among(self.own_of("lake")))
            case "growth":
                sheltered = self.board.around(self.lakes)
                return tuple(self.board.among((self.own_of("bush") | self.own_of("meadow")) & ~sheltered))
            case "cards":
                return self.player.front

    def tile(self, area: AreaCode) -> Tile | None:
        """The seat's own tile on an area, if there is one."""
        tile = self.scene.tiles.get(area)
        return tile if tile is not None and tile.owner == self.seat else None

    def grip_of(self, seat: Seat) -> int:
        """How much more that opponent is paid for its roots below."""
        return powers(self.scene.players[seat].front).grip

    def is_opponent(self, seat: Seat) -> bool:
        """Whether that is another seat that is still in the game."""
        return seat != self.seat and seat not in self.scene.out


def desk_of(view: View) -> Desk:
    """What the viewer's decision depends on. Raises ValueError for the view of a spectator."""
    if view.viewer is None:
        raise ValueError("a spectator decides nothing")
    return Desk(view, view.viewer, view.hand or (), view.pile + len(view.discards))
