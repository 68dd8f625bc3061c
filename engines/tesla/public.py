"""The open facts of a position, the same in the full state as in anybody's view of it."""

from typing import Any, Literal

import msgspec

from engines.game import Outcome, Seat
from engines.lying_open import fields_of
from engines.tesla.options import TeslaOptions
from engines.tesla.pieces.board import TeslaBoard
from engines.tesla.pieces.components import Face

Phase = Literal["tiles", "replay", "end", "over"]


class TeslaPublic(msgspec.Struct, kw_only=True):
    """The common fields of position and view. Seats count from 0, turns from 1.

    Attributes:
        phase: ``tiles``: place, or use a marker, or end; ``replay``: put paid markers back on the board;
            ``end``: a marker was used, so discard or end; ``over``.
        turn: the number of the turn, over all seats; `seat` has it.
        replays: how many markers may be replayed now.
        acted: True if the seat to act has laid a tile or used a marker in this turn.
        may_mark: True if the seat may still use a marker this turn.
        board: the tiles, circuits and markers.
        scores: of every seat; `started` is the acting seat's at the beginning of its turn.
        supplies: the markers that each seat may still place.
        discards: the tiles thrown away or replaced, the oldest first.
        out: the seats that are out, first one first.
        places: the place of each seat that is out, None if still in; at the end, of every seat.
        idle: for each seat the number of its last turns without a tile or a marker, in a row.
        turns: for each seat the number of turns that it has ended.
        outcome: how the game ended, None during the game.
    """

    options: TeslaOptions
    seats: int
    phase: Phase = "tiles"
    turn: int = 1
    seat: Seat
    replays: int = 0
    may_mark: bool = True
    acted: bool = False
    board: TeslaBoard
    scores: list[int]
    started: int
    supplies: list[int]
    discards: list[Face] = []
    out: list[Seat] = []
    places: list[int | None]
    idle: list[int]
    turns: list[int]
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TeslaPublic)

    @property
    def remaining(self) -> list[Seat]:
        """The seats that are still in the game, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]
