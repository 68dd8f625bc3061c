"""The full state of one table, never shown to anybody as it is, and its set-up. Rules: Setup."""

from typing import Self

import msgspec

from engines.game import Seat
from engines.tesla.legal.position import TeslaPosition
from engines.tesla.pieces.components import Face


class TeslaDeal(msgspec.Struct, frozen=True):
    """Every random outcome of a game's set-up.

    Attributes:
        bag: the tiles without the start tile, in the order of drawing.
        first: the seat that goes first.
    """

    bag: tuple[Face, ...]
    first: Seat


class TeslaState(TeslaPosition, kw_only=True):
    """A position with all hidden information.

    Attributes:
        seed: the source of reshuffles; `reshuffles` counts them.
        bag: the tiles in the bag, next one first.
        refills: for each seat the number of its turns that changed its hand.
    """

    seed: bytes
    reshuffles: int = 0
    bag: list[Face]
    refills: list[int]

    def copy(self) -> Self:
        return msgspec.structs.replace(super().copy(), bag=self.bag[:], refills=self.refills[:])
