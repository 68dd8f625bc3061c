"""The options of a table of Tangle."""

from typing import Literal

import msgspec

Alternative = Literal["sacrifice", "hibernate", "takeover"]
Centre = Literal["none", "sacrifice", "hibernate", "takeover", "random"]
RoundLimit = Literal[50, 30, 0]
UpkeepPaid = Literal["alone", "asked"]


class TangleOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `centre` is the action of the centre space; `exchange` names spaces that lose their own action and get an
    alternative one, sorted by space; `round_limit` ends the game after that many rounds, 0 never. With
    `upkeep` ``alone``, a seat that can keep everything pays for it automatically; each upkeep has a resource
    of its own, so that nothing else could be bought with it then. In its own turn, it can change that until
    the first placement.

    >>> TangleOptions().centre
    'none'
    """

    centre: Centre = "none"
    exchange: tuple[tuple[str, Alternative], ...] = ()
    round_limit: RoundLimit = 50
    upkeep: UpkeepPaid = "alone"
