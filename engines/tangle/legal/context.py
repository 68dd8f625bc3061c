"""The facts that the rules use for a decision, taken from the state or from a seat's own view."""

from collections.abc import Sequence
from functools import cached_property

from engines.game import Seat
from engines.tangle.pieces.amounts import Amount, covers, size
from engines.tangle.pieces.board import Kind, Mask, TangleBoard, TangleTile, board
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import AreaCode, CardId
from engines.tangle.pieces.ongoing_effects import Powers, powers
from engines.tangle.public import TanglePublic
from engines.tangle.view import TangleView


def board_of(public: TanglePublic) -> TangleBoard:
    return board(public.seats, public.options.exchange, public.centre)


class Context:
    """The facts for one decision of a seat; it caches what it has computed.

    Attributes:
        public: the public facts.
        seat: the deciding seat.
        hand: the cards of its hand.
        blind: the number of cards that can be drawn from the pile, including the discards.
        board: the board of the table.
    """

    def __init__(self, public: TanglePublic, seat: Seat, hand: Sequence[CardId], blind: int) -> None:
        self.public = public
        self.seat = seat
        self.hand = hand
        self.blind = blind
        self.board = board_of(public)
        self.player = public.players[seat]
        self.stash = self.player.stash
        self.powers: Powers = powers(self.player.front)

    @cached_property
    def own(self) -> Mask:
        """The areas with a tile of the seat."""
        tiles, seat = self.public.tiles.items(), self.seat
        return self.board.mask(area for area, tile in tiles if tile.owner == seat)

    @cached_property
    def opponents(self) -> Mask:
        """The areas with a tile of another seat that is still in the game."""
        tiles = self.public.tiles.items()
        return self.board.mask(area for area, tile in tiles if self.is_opponent(tile.owner))

    @cached_property
    def empty(self) -> Mask:
        """The areas in play without a tile."""
        return self.board.all & ~self.board.mask(self.public.tiles)

    @cached_property
    def clean(self) -> Mask:
        """The seat's clean earth, with and without seeds."""
        return self.own_of("earth")

    @cached_property
    def seedless(self) -> Mask:
        """The seat's clean earth without seeds."""
        tiles, seat = self.public.tiles.items(), self.seat
        return self.board.mask(
            area for area, tile in tiles if tile.owner == seat and tile.kind == "earth" and tile.seed is None
        )

    @cached_property
    def lakes(self) -> Mask:
        return self.board.mask(area for area, tile in self.public.tiles.items() if tile.kind == "lake")

    def own_of(self, kind: Kind) -> Mask:
        tiles, seat = self.public.tiles.items(), self.seat
        return self.board.mask(area for area, tile in tiles if tile.kind == kind and tile.owner == seat)

    def dues(self, track: TrackName) -> tuple[str, ...]:
        """Return the areas or cards that a track's upkeep costs."""
        match track:
            case "lakes":
                return tuple(self.board.among(self.own_of("lake")))
            case "growth":
                sheltered = self.board.around(self.lakes)
                return tuple(self.board.among((self.own_of("bush") | self.own_of("meadow")) & ~sheltered))
            case "cards":
                return self.player.front

    def tile(self, area: AreaCode) -> TangleTile | None:
        """Return the seat's own tile on an area, or None."""
        tile = self.public.tiles.get(area)
        return tile if tile is not None and tile.owner == self.seat else None

    def grip_of(self, seat: Seat) -> int:
        """Return the surcharge that an opponent gets for its roots below."""
        return powers(self.public.players[seat].front).grip

    def is_opponent(self, seat: Seat) -> bool:
        """Return True for another seat that is still in the game."""
        return seat != self.seat and seat not in self.public.out

    def can_pay(self, price: Amount) -> bool:
        """Return True if the seat can pay a price and keep its reserve. Rules: Toll."""
        stash = self.stash
        return covers(stash, price) and size(stash) - size(price) >= self.public.reserve


def context_of(view: TangleView) -> Context:
    """Return the context of the viewer's decision. Raises ValueError for a spectator."""
    if view.viewer is None:
        raise ValueError("a spectator decides nothing")
    return Context(view, view.viewer, view.hand or (), view.pile + len(view.discards))
