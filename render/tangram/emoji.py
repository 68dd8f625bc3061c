"""The signs of Tangram City in texts, and its proof sheets.

The signs are every tile as roof and as garden, a fountain, scales, and the start marker.

The tile called square is a whole square, so its two signs represent the colours, too.
"""

from functools import partial
from typing import Any

from engines.tangram.pieces.board import START_SIDES, Balance, City
from engines.tangram.pieces.components import PRINTED, TILES, BoardSide, TileId
from engines.tangram.pieces.geometry import HEIGHT, SIDES, WIDTH, Side, form
from engines.tangram.view import TangramCard
from engines.tangram.words import captions
from render.core.canvas import Box, Canvas, Picture
from render.core.emoji import Paint, ProofItem, draw_sheets, piece_painter
from render.tangram import pieces, scoreboard
from render.tangram.colours import THEMES, TangramCanvas
from render.tangram.plan import CityPlan

LIGHT = THEMES["light"]
UNIT = 84
"""Pixels to a square before a sign is made small."""


def _scales(canvas: TangramCanvas) -> None:
    scoreboard.scales(canvas, (64, 66), 72, Balance(0, 0))


def _flag(canvas: TangramCanvas) -> None:
    scoreboard.flag(canvas, (26, 64), 92)


SIGNS: dict[str, Paint] = {
    "fountain": piece_painter(pieces.piece(LIGHT, scoreboard.BASIN, "water", UNIT), 94),
    "balance": _scales,
    "start": _flag,
    **{
        f"{side}_{tile.name}": piece_painter(pieces.piece(LIGHT, form(number, side, 0), side, UNIT))
        for number, tile in TILES.items()
        for side in SIDES
    },
}


TILE_UNIT, BOARD_UNIT, WALL = 84, 72, 20
"""Pixels to a square of a tile and of a board, and around a board."""
CARD = 270, 360


def proofs() -> tuple[Picture, ...]:
    both = [(tile, side, captions.tile_name(tile)) for tile in TILES for side in SIDES]
    tiles = [ProofItem(f"{tile} {name}, {side}", partial(_tile, tile, side)) for tile, side, name in both]
    tiles.append(ProofItem("Fountain", _fountain))
    faces = [ProofItem(f"Card {tile}", partial(_card, tile)) for tile in TILES]
    boards = [ProofItem(f"Side {side}", partial(_board, side)) for side in (*START_SIDES, *PRINTED)]
    forms = [form(tile, "black", 0) for tile in TILES]
    size = TILE_UNIT * max(lies.width for lies in forms), TILE_UNIT * max(lies.height for lies in forms)
    city = BOARD_UNIT * WIDTH + 2 * WALL, BOARD_UNIT * HEIGHT + 2 * WALL
    theme = THEMES["light"]
    return (
        *draw_sheets(theme, "tiles", "Tangram City: tiles", tiles, size),
        *draw_sheets(theme, "cards", "Tangram City: cards", faces, CARD),
        *draw_sheets(theme, "boards", "Tangram City: boards", boards, city),
    )


def _tile(tile: TileId, side: Side, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.lying(canvas, form(tile, side, 0), side, _middle(box), TILE_UNIT)


def _fountain(canvas: Canvas[Any], box: Box) -> None:
    scoreboard.lying(canvas, scoreboard.BASIN, "water", _middle(box), TILE_UNIT)


def _card(tile: TileId, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.card(canvas, TangramCard(where="up", tile=tile), box)


def _board(side: BoardSide, canvas: Canvas[Any], box: Box) -> None:
    plan = CityPlan(canvas, (round(box[0]) + WALL, round(box[1]) + WALL), BOARD_UNIT)
    plan.plots()
    plan.city(City(board=side))


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
