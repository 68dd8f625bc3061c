"""The signs of Tesla's Tangle in texts, and its proof sheets.

The signs are every tile as in a hand, and a marker.
"""

from functools import partial
from typing import Any

from engines.tesla.pieces.components import Face, Tiles, shape
from render.core.canvas import Box, Canvas, Picture
from render.core.emoji import MIDDLE, REACH, Paint, ProofItem, draw_sheets, paint_sketch
from render.tesla import paths, scoreboard, tiles
from render.tesla.colours import THEMES, TeslaCanvas, TeslaSketch

SHAPES: tuple[Tiles, ...] = ("hex", "square")
UNIT = {"hex": REACH, "square": round(REACH / paths.APOTHEM)}
"""Pixels to a unit, so that a tile is as large as a sign may be."""
THICK = 0.44
"""The width of a wire with its dark rim, in units."""


def _tile(kind: Tiles, face: Face) -> Paint:
    def paint(canvas: TeslaCanvas) -> None:
        theme = canvas.theme
        unit = UNIT[kind]
        _paste(canvas, tiles.slate(theme, kind, unit, raised=True))
        for way in paths.wires(kind, face):
            sheet = paths.TeslaSheet(unit, tiles.AROUND, theme.slate_edge)
            for width, colour in (
                (THICK, theme.slate_edge),
                (0.66 * THICK, theme.ready.body),
                (0.4 * THICK, theme.ready.core),
            ):
                sheet.line(way, width, colour)
            _paste(canvas, sheet.piece())

    return paint


def _paste(canvas: TeslaCanvas, piece: paths.TeslaPiece) -> None:
    x, y = MIDDLE
    canvas.image.paste(piece.image, (round(x) + piece.step[0], round(y) + piece.step[1]), piece.mask)


def _marker(sketch: TeslaSketch) -> None:
    sketch.disc((0, 0), 48, sketch.theme.latest)
    sketch.disc((0, 0), 26, sketch.theme.ink)
    sketch.disc((0, 0), 18, sketch.theme.card)


SIGNS: dict[str, Paint] = {
    **{
        f"{kind}_{face.replace('-', '_')}": _tile(kind, face)
        for kind in SHAPES
        for face in shape(kind).counts
    },
    "marker": paint_sketch(_marker),
}


SHEET_UNIT, SIZE = 118, 270
NAMES: tuple[tuple[Tiles, str], ...] = (("hex", "hexagons"), ("square", "squares"))


def proofs() -> tuple[Picture, ...]:
    sheets: list[Picture] = []
    for kind, name in NAMES:
        start = shape(kind).start_face
        items = [
            ProofItem(
                f"{face} \u00d7{count}{', one to start' if face == start else ''}",
                partial(_draw_tile, kind, face),
            )
            for face, count in shape(kind).counts.items()
        ]
        sheets += draw_sheets(THEMES["light"], name, f"Tesla's Tangle: {name}", items, (SIZE, SIZE))
    return tuple(sheets)


def _draw_tile(kind: Tiles, face: Face, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.single(canvas, kind, face, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), SHEET_UNIT)
