"""What a table may choose before a game of Tanglewood."""

from __future__ import annotations

from typing import Literal

import msgspec

Length = Literal["full", "short"]
FoxTiles = Literal["shuffled", "fixed"]
First = Literal["random", "host"]


class Options(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `length` says how many Tangles the draw deck holds, `fox_tiles` whether the tiles of the Fox track
    are shuffled, `first` whether the first seat of the turn order is drawn or the host's.

    >>> Options().length
    'full'
    """

    length: Length = "full"
    fox_tiles: FoxTiles = "shuffled"
    first: First = "random"
