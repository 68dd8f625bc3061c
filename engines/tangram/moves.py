"""The moves of Tangram City.

A `tile` is the number of its card; `at` is the square of the top left corner of the box around the turned
tile; `turn` the lowest that gives the same form.
"""

import msgspec

from engines.tangram.pieces.components import TileId
from engines.tangram.pieces.geometry import Corner, Side, Square, Turn


class ChooseSide(msgspec.Struct, frozen=True, tag="side"):
    """Before the first round: choose the side of the own board, by the colour of its start piece."""

    side: Side


class TangramPlace(msgspec.Struct, frozen=True, tag="place"):
    """Lay the tile of the card into the own city."""

    tile: TileId
    side: Side
    turn: Turn
    at: Square


class Decline(msgspec.Struct, frozen=True, tag="decline"):
    """Set the tile of the card aside for good."""

    tile: TileId


class TakeBack(msgspec.Struct, frozen=True, tag="take_back"):
    """Take back an answer of the last round, or one that was given ahead, to give another or none yet.

    `tile` is `FOUNTAIN` for a fountain that was answered ahead.
    """

    tile: TileId


class TangramDone(msgspec.Struct, frozen=True, tag="done"):
    """Last round: confirm the answers for all tiles."""


class Fountain(msgspec.Struct, frozen=True, tag="fountain"):
    """Lay a fountain on half a square."""

    at: Square
    corner: Corner


class DeclineFountain(msgspec.Struct, frozen=True, tag="decline_fountain"):
    """Let this round's fountain go."""


Move = ChooseSide | TangramPlace | Decline | TakeBack | TangramDone | Fountain | DeclineFountain
