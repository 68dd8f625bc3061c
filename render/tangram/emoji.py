"""The signs of Tangram City in texts: every tile as roof and as garden, a fountain, scales, the start marker.

The tile called square is a whole square, so its two signs represent the colours, too.
"""

from engines.tangram.pieces.board import Balance
from engines.tangram.pieces.components import TILES
from engines.tangram.pieces.geometry import SIDES, form
from render.core.emoji import Paint, piece_painter
from render.tangram import pieces, scoreboard
from render.tangram.colours import THEMES, TangramCanvas
from render.tangram.scoreboard import BASIN

LIGHT = THEMES["light"]
UNIT = 84
"""Pixels to a square before a sign is made small."""


def _scales(canvas: TangramCanvas) -> None:
    scoreboard.scales(canvas, (64, 66), 72, Balance(0, 0))


def _flag(canvas: TangramCanvas) -> None:
    scoreboard.flag(canvas, (26, 64), 92)


SIGNS: dict[str, Paint] = {
    "fountain": piece_painter(pieces.piece(LIGHT, BASIN, "water", UNIT), 94),
    "balance": _scales,
    "start": _flag,
    **{
        f"{side}_{tile.name}": piece_painter(pieces.piece(LIGHT, form(number, side, 0), side, UNIT))
        for number, tile in TILES.items()
        for side in SIDES
    },
}
