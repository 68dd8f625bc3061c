"""The one decision of Nim."""

import msgspec


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take some stones from one heap, which is counted from 1."""

    heap: int
    stones: int


Move = Take
