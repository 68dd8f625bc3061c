"""Options of a table before a game of Nim."""

from typing import Literal

import msgspec

Last = Literal["wins", "loses"]


class Options(msgspec.Struct, frozen=True):
    """The options of one table: whether who takes the last stone wins or loses."""

    last: Last = "wins"
