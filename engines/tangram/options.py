"""What a table may choose before a game of Tangram City."""

from __future__ import annotations

from typing import Literal

import msgspec

Boards = Literal["plain", "printed"]


class Options(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `boards` says whether cities begin empty or with a few squares that are printed on them.

    >>> Options().boards
    'plain'
    """

    boards: Boards = "plain"
