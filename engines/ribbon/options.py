"""The options of a table of Ribbon Tangle."""

from typing import Literal

import msgspec

Mode = Literal["versus", "coop", "solo"]
Difficulty = Literal["easy", "medium", "hard"]
RibbonChoice = Literal["blind", "after_hand", "random"]
First = Literal["random", "host"]


class RibbonOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `difficulty` matters in solo only, `ribbon_choice` in versus only, `first` not in solo.

    >>> RibbonOptions().mode
    'versus'
    >>> msgspec.json.decode(b'{"mode": "coop"}', type=RibbonOptions).ribbon_choice
    'blind'
    """

    mode: Mode = "versus"
    difficulty: Difficulty = "easy"
    ribbon_choice: RibbonChoice = "blind"
    first: First = "random"
