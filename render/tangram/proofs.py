"""Proof sheets of Tangram City: both sides of all tiles and boards, and the cards."""

from functools import partial
from typing import Any

from engines.tangram.pieces.board import START_SIDES, City
from engines.tangram.pieces.components import PRINTED, TILES, BoardSide, TileId
from engines.tangram.pieces.geometry import HEIGHT, WIDTH, Side, form
from engines.tangram.view import TangramCard
from engines.tangram.words import captions
from render.core.canvas import Box, Canvas, Picture
from render.core.emoji import ProofItem, draw_sheets
from render.tangram import scoreboard
from render.tangram.colours import THEMES
from render.tangram.plan import CityPlan

UNIT, BOARD_UNIT, WALL = 84, 72, 20
"""Pixels to a square of a tile and of a board, and around a board."""
CARD = 270, 360


def proofs() -> tuple[Picture, ...]:
    tiles = [
        ProofItem(f"{tile} {captions.tile_name(tile)}, {side}", partial(_tile, tile, side))
        for tile in TILES
        for side in ("black", "green")
    ]
    tiles.append(ProofItem("Fountain", _fountain))
    faces = [ProofItem(f"Card {tile}", partial(_card, tile)) for tile in TILES]
    boards = [ProofItem(f"Side {side}", partial(_board, side)) for side in (*START_SIDES, *PRINTED)]
    forms = [form(tile, "black", 0) for tile in TILES]
    size = UNIT * max(lies.width for lies in forms), UNIT * max(lies.height for lies in forms)
    city = BOARD_UNIT * WIDTH + 2 * WALL, BOARD_UNIT * HEIGHT + 2 * WALL
    theme = THEMES["light"]
    return (
        *draw_sheets(theme, "tiles", "Tangram City: tiles", tiles, size),
        *draw_sheets(theme, "cards", "Tangram City: cards", faces, CARD),
        *draw_sheets(theme, "boards", "Tangram City: boards", boards, city),
    )


def _tile(tile: TileId, side: Side, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.lying(canvas, form(tile, side, 0), side, _middle(box), UNIT)


def _fountain(canvas: Canvas[Any], box: Box) -> None:
    scoreboard.lying(canvas, scoreboard.BASIN, "water", _middle(box), UNIT)


def _card(tile: TileId, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.card(canvas, TangramCard(where="up", tile=tile), box)


def _board(side: BoardSide, canvas: Canvas[Any], box: Box) -> None:
    plan = CityPlan(canvas, (round(box[0]) + WALL, round(box[1]) + WALL), BOARD_UNIT)
    plan.plots()
    plan.city(City(board=side))


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
