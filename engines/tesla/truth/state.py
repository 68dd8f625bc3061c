"""The whole truth of one table, and what its set-up was dealt. Never shown to anybody as it is."""

from __future__ import annotations

from typing import Self

import msgspec

from engines.game import Seat
from engines.tesla.legal.position import Position
from engines.tesla.pieces.components import Face


class Deal(msgspec.Struct, frozen=True):
    """Every random outcome of a game's set-up.

    Attributes:
        bag: the tiles besides the start tile, in the order in which they are drawn.
        first: the seat that goes first.
    """

    bag: tuple[Face, ...]
    first: Seat


class State(Position, kw_only=True):
    """A position with everything that is hidden in it.

    Attributes:
        seed: where reshuffles come from; `reshuffles` counts them.
        bag: the tiles in the bag, next one first.
        refills: for each seat how many of its turns have changed its hand.
    """

    seed: bytes
    reshuffles: int = 0
    bag: list[Face]
    refills: list[int]

    def copied(self) -> Self:
        """Another state that can be changed without changing this one."""
        return msgspec.structs.replace(super().copied(), bag=self.bag[:], refills=self.refills[:])
