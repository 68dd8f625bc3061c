"""The options of a table of Tangram City."""

from typing import Literal

import msgspec

Boards = Literal["start", "plain", "printed"]
Sides = Literal["random", "choose"]


def _usual_boards() -> Boards:
    return "start"


class TangramOptions(msgspec.Struct, frozen=True, omit_defaults=True):
    """The options of one table; every default is the usual game.

    `boards` says if cities begin empty, with a start piece, or, at old tables, with printed squares. `sides`
    says if the sides of boards with start pieces are drawn, or everybody chooses one.

    >>> TangramOptions().boards
    'start'
    >>> msgspec.json.encode(TangramOptions("plain"))
    b'{"boards":"plain"}'
    """

    # Made by a factory, so that it's always written: its default was "plain" once.
    boards: Boards = msgspec.field(default_factory=_usual_boards)
    # Left out when it's usual: stored results are grouped by their written options, and old ones lack it.
    sides: Sides = "random"
