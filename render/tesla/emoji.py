"""The signs of Tesla's Tangle in texts: every tile as in a hand, and a marker."""

from engines.tesla.pieces.components import Face, Tiles, shape
from render.core.emoji import MIDDLE, REACH, Paint, paint_sketch
from render.tesla import paths, tiles
from render.tesla.colours import TeslaCanvas, TeslaSketch
from render.tesla.paths import TeslaPiece, TeslaSheet

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
            sheet = TeslaSheet(unit, tiles.AROUND, theme.slate_edge)
            for width, colour in (
                (THICK, theme.slate_edge),
                (0.66 * THICK, theme.ready.body),
                (0.4 * THICK, theme.ready.core),
            ):
                sheet.line(way, width, colour)
            _paste(canvas, sheet.piece())

    return paint


def _paste(canvas: TeslaCanvas, piece: TeslaPiece) -> None:
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
