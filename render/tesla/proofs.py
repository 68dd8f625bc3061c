"""Proof sheets of Tesla's Tangle: all tiles of both shapes, with their numbers in the bag."""

from functools import partial
from typing import Any

from engines.tesla.pieces.components import Face, Tiles, shape
from render.core.canvas import Box, Canvas, Picture
from render.core.emoji import ProofItem, draw_sheets
from render.tesla import scoreboard
from render.tesla.colours import THEMES

UNIT, SIZE = 118, 270
NAMES: tuple[tuple[Tiles, str], ...] = (("hex", "hexagons"), ("square", "squares"))


def proofs() -> tuple[Picture, ...]:
    sheets: list[Picture] = []
    for tiles, name in NAMES:
        start = shape(tiles).start_face
        items = [
            ProofItem(
                f"{face} \u00d7{count}{', one to start' if face == start else ''}",
                partial(_tile, tiles, face),
            )
            for face, count in shape(tiles).counts.items()
        ]
        sheets += draw_sheets(THEMES["light"], name, f"Tesla's Tangle: {name}", items, (SIZE, SIZE))
    return tuple(sheets)


def _tile(tiles: Tiles, face: Face, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.single(canvas, tiles, face, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), UNIT)
