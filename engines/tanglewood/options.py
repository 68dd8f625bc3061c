"""The options of a table of Tanglewood."""

from typing import Literal

import msgspec

Length = Literal["full", "short"]
FoxTiles = Literal["shuffled", "fixed"]
First = Literal["random", "host"]


class TanglewoodOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `length` sets the number of Tangles in the draw deck, `fox_tiles` says if the tiles of the Fox track are
    shuffled, `first` if the first seat of the turn order is drawn or the host's.

    >>> TanglewoodOptions().length
    'full'
    """

    length: Length = "full"
    fox_tiles: FoxTiles = "shuffled"
    first: First = "random"
