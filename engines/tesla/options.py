"""The options of a table of Tesla's Tangle."""

from typing import Literal

import msgspec

Tiles = Literal["hex", "square"]
Opening = Literal["usual", "rulebook", "balanced"]
Win = Literal[30, 50, 80]


class TeslaOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `tiles` is the shape of all tiles; `win` the score that wins. `opening` balances the first seat's
    advantage; `usual` becomes `balanced` for two players and `rulebook` for more when the game begins.

    >>> TeslaOptions().tiles
    'hex'
    """

    tiles: Tiles = "hex"
    opening: Opening = "usual"
    win: Win = 50
