"""What one viewer may know, and what can be worked out from that.

A `View` holds nothing that its viewer may not know, so pictures, panels and the computer player
can't show or use it. The functions here read views only.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.game import Outcome, Seat
from engines.tesla.board import Board
from engines.tesla.cells import Cell
from engines.tesla.components import Face
from engines.tesla.options import Options

Phase = Literal["tiles", "replay", "end", "over"]


class Changes(msgspec.Struct, frozen=True):
    """What one turn has done to the board: where tiles were laid, in order, where markers came and went."""

    placed: tuple[Cell, ...] = ()
    marked: tuple[Cell, ...] = ()
    taken: tuple[Cell, ...] = ()


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position as one viewer may know it. Seats count from 0, turns from 1.

    Attributes:
        viewer: the seat that looks, None for a spectator.
        phase: ``tiles``: place, or use a marker, or end; ``replay``: put paid markers back on the board;
            ``end``: a marker was used, so discard or end; ``over``.
        turn: the number of the turn, over all seats; `seat` has it.
        replays: how many markers may be replayed now.
        acted: whether the seat to act has laid a tile or used a marker in this turn.
        may_mark: whether the seat may still use a marker this turn.
        board: the tiles, circuits and markers.
        scores: of every seat; `started` is what the seat to act had when its turn began.
        supplies: the markers that each seat may still place.
        held: the number of tiles in each hand.
        hands: the tiles in each hand in the order drawn, None for a hand that the viewer may not see.
        bag: how many tiles are in the bag; `bag_tiles` which, next one first, when the game is over.
        discards: the tiles thrown away or replaced, the oldest first.
        out: the seats that are out, first one first.
        places: the place of each seat that is out, None for those still in; at the end, of every seat.
        behind: how many points behind the leader puts a seat out.
        idle: for each seat the number of its last turns without a tile or a marker, in a row.
        turns: for each seat the number of turns that it has ended.
        changes: what the turn in progress has changed or, while that is nothing, the turn before.
        outcome: how the game ended, None while it goes on.
    """

    options: Options
    seats: int
    viewer: Seat | None
    phase: Phase
    turn: int
    seat: Seat
    replays: int
    acted: bool
    may_mark: bool
    board: Board
    scores: tuple[int, ...]
    started: int
    supplies: tuple[int, ...]
    held: tuple[int, ...]
    hands: tuple[tuple[Face, ...] | None, ...]
    bag: int
    bag_tiles: tuple[Face, ...] | None
    discards: tuple[Face, ...]
    out: tuple[Seat, ...]
    places: tuple[int | None, ...]
    behind: int
    idle: tuple[int, ...]
    turns: tuple[int, ...]
    changes: Changes
    outcome: Outcome | None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"
