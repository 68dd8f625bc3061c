"""The signs of Tangle in texts: resources, seeds, tiles, roots, cards, and the actions of spaces."""

from collections.abc import Callable

from engines.tangle.pieces.components import RESOURCES
from render.core.canvas import Point, bow
from render.core.emoji import Paint, paint_sketch, piece_painter
from render.tangle import figures, growth, tokens
from render.tangle.colours import THEMES, TangleSketch
from render.tangle.signs import ACTIONS, action

LIGHT = THEMES["light"]
LARGE = 220
"""The size in pixels before signs are made small: their lines stay smooth."""


def _resource(draw: Callable[[TangleSketch, Point, float], None]) -> Paint:
    return paint_sketch(lambda sketch: draw(sketch, (0, 0), 98))


def _on_disc(draw: Callable[[TangleSketch, Point, float], None]) -> Paint:
    """Return a painter of a figure on a pale disc."""

    def paint(sketch: TangleSketch) -> None:
        sketch.disc((0, 0), 51, sketch.theme.ink)
        sketch.disc((0, 0), 48, sketch.theme.card)
        draw(sketch, (0, 0), 74)

    return paint_sketch(paint)


def _root(sketch: TangleSketch) -> None:
    for thick, colour in ((15, sketch.theme.ink), (12, sketch.theme.leaf)):
        for start, bend, end in tokens.TENDRILS:
            sketch.line(figures.place_shape(bow(start, bend, end, 8), (0, 0), 92), colour, thick)


SIGNS: dict[str, Paint] = {
    **{letter.lower(): _resource(figures.RESOURCES[letter]) for letter in RESOURCES},
    **{f"{kind}_seed": _on_disc(draw) for kind, draw in growth.SEEDS.items()},
    **{kind: piece_painter(tokens.tile(LIGHT, kind, LARGE)) for kind in growth.PICTURES},
    "root": paint_sketch(_root),
    "card": piece_painter(tokens.card(LIGHT, LARGE)),
    **{f"do_{kind}": piece_painter(action(LIGHT, kind, LARGE)) for kind in ACTIONS if kind},
}
