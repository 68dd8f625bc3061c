"""The options of a table of Tangram City."""

from __future__ import annotations

from typing import Literal

import msgspec

Boards = Literal["plain", "printed"]


class TangramOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `boards` says if cities begin empty or with a few squares that are printed on them.

    >>> TangramOptions().boards
    'plain'
    """

    boards: Boards = "plain"
