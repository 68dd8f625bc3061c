"""The open facts of a position, the same in the full state as in anybody's view of it."""

from typing import Any, Literal

import msgspec

from engines.game import Outcome, Seat
from engines.lying_open import fields_of
from engines.tangram.options import TangramOptions
from engines.tangram.pieces.city import City, Piece, Score
from engines.tangram.pieces.components import TileId

Phase = Literal["side", "place", "final", "fountain", "over"]


class TangramPublic(msgspec.Struct, kw_only=True):
    """The common fields of state and view. Seats count from 0, rounds from 1.

    The elements of its lists are only replaced, never changed: a copy of these is a copy of all.

    Attributes:
        phase: ``side``: everybody chooses the side of the board, before the cards are dealt; ``place``: the
            tile of a card; ``final``: the three tiles of the last round in any order; ``fountain``; ``over``.
        step: the number of the open step, over the whole game.
        round: the number of the round.
        start: the seat with the start marker.
        cities: as of the last closed step.
        latest: for each seat the pieces that it laid in the last closed step.
        scores: the points of every seat.
        rounds: each city's score in each round so far, by round and then seat.
        aside: for each seat the tiles that it declined.
        fountains: for each seat how many fountains it has left.
        out: the seats that have left, first one first.
        outcome: how the game ended, None during the game.
    """

    options: TangramOptions
    seats: int
    phase: Phase = "place"
    step: int = 1
    round: int = 1
    start: Seat
    cities: list[City]
    latest: list[tuple[Piece, ...]]
    scores: list[int]
    rounds: list[tuple[Score, ...]] = []
    aside: list[tuple[TileId, ...]]
    fountains: list[int]
    out: list[Seat] = []
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TangramPublic)

    @property
    def remaining(self) -> list[Seat]:
        """The seats that are still in the game, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]
