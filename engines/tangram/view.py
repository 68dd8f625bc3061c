"""What one viewer may know, and what can be worked out from that.

A `View` holds nothing that its viewer may not know, so pictures, panels and the computer player
can't show or use it. The functions here read views only.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.game import Outcome, Seat
from engines.tangram.city import City, Piece, Score
from engines.tangram.components import FOUNTAIN, TileId
from engines.tangram.options import Options

Phase = Literal["place", "final", "fountain", "over"]
Where = Literal["up", "down", "held"]
"""How a card was dealt: face up in the middle, face down in the middle, or to those who may see it."""


class Card(msgspec.Struct, frozen=True):
    """One card of the round.

    Attributes:
        tile: its tile, None while the viewer may not know it.
        where: how it was dealt.
        holders: the seats that may see it since the deal; none for a card in the middle.
        played: whether it has been revealed, the one being played included.
    """

    tile: TileId | None
    where: Where
    holders: tuple[Seat, ...] = ()
    played: bool = False


class Answer(msgspec.Struct, frozen=True):
    """What a seat has answered in the open step: a piece, or None for declining.

    `tile` is the card that it answers, None for the fountain.
    """

    tile: TileId | None
    piece: Piece | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position as one viewer may know it. Seats count from 0, rounds from 1.

    Attributes:
        viewer: the seat that looks, None for a spectator.
        phase: ``place``: the tile of a card; ``final``: the three tiles of the last round in any order;
            ``fountain``; ``over``.
        step: the number of the open step, over the whole game.
        round: the number of the round.
        start: the seat with the start marker.
        cards: the cards of the round in the order of play.
        current: the tiles that are being placed now; none in a fountain step.
        past: the cards of the rounds before, in the order in which they were played.
        cities: as of the last closed step.
        latest: for each seat what it laid in the last closed step.
        mine: what the viewer has answered in the open step so far.
        answered: the seats that owe no answer in the open step any more.
        forced: for each seat the tiles of the open step that fit nowhere in its city.
        scores: the points of every seat.
        rounds: what each city scored in each round so far, by round and then seat.
        aside: for each seat the tiles that it declined.
        fountains: for each seat how many fountains it has left.
        out: the seats that have left, first one first.
        deck: how many cards are still to be dealt; `deck_tiles` which, when the game is over.
        outcome: how the game ended, None while it goes on.
    """

    options: Options
    seats: int
    viewer: Seat | None
    phase: Phase
    step: int
    round: int
    start: Seat
    cards: tuple[Card, ...]
    current: tuple[TileId, ...]
    past: tuple[TileId, ...]
    cities: tuple[City, ...]
    latest: tuple[tuple[Piece, ...], ...]
    mine: tuple[Answer, ...]
    answered: tuple[Seat, ...]
    forced: tuple[tuple[TileId, ...], ...]
    scores: tuple[int, ...]
    rounds: tuple[tuple[Score, ...], ...]
    aside: tuple[tuple[TileId, ...], ...]
    fountains: tuple[int, ...]
    out: tuple[Seat, ...]
    deck: int
    deck_tiles: tuple[TileId, ...] | None
    outcome: Outcome | None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def draft(self) -> City:
        """The viewer's city with what it has answered so far; ValueError for a spectator."""
        return self.without(None)

    def without(self, tile: TileId | None) -> City:
        """The viewer's city with what it has answered for other tiles than this one.

        Raises:
            ValueError: for a spectator.
        """
        if self.viewer is None:
            raise ValueError("a spectator has no city")
        city = self.cities[self.viewer]
        for answer in self.mine:
            if answer.piece is not None and (tile is None or (answer.tile or FOUNTAIN) != tile):
                city = city.add(answer.piece)
        return city
