"""The signs of Tangle in texts: resources, seeds, tiles, roots, cards, and the actions of spaces."""

from __future__ import annotations

from collections.abc import Callable

from engines.tangle.pieces.amounts import RESOURCES
from render.core.canvas import Point, Sketch, bow
from render.core.emoji import Paint, paint_sketch, paste_piece
from render.core.palette import CARD, INK
from render.tangle import colours, figures, growth, tokens
from render.tangle.signs import ACTIONS, action

LARGE = 220
"""The size in pixels before signs are made small: their lines stay smooth."""


def _resource(draw: Callable[[Sketch, Point, float], None]) -> Paint:
    return paint_sketch(lambda sketch: draw(sketch, (0, 0), 98))


def _on_disc(draw: Callable[[Sketch, Point, float], None]) -> Paint:
    """Return a painter of a figure on a pale disc."""

    def paint(sketch: Sketch) -> None:
        sketch.disc((0, 0), 51, INK)
        sketch.disc((0, 0), 48, CARD)
        draw(sketch, (0, 0), 74)

    return paint_sketch(paint)


def _root(sketch: Sketch) -> None:
    for thick, colour in ((15, INK), (12, colours.LEAF)):
        for start, bend, end in tokens.TENDRILS:
            sketch.line(figures.place_shape(bow(start, bend, end, 8), (0, 0), 92), colour, thick)


SIGNS: dict[str, Paint] = {
    **{letter.lower(): _resource(figures.RESOURCES[letter]) for letter in RESOURCES},
    **{f"{kind}_seed": _on_disc(draw) for kind, draw in growth.SEEDS.items()},
    **{kind: paste_piece(tokens.tile(kind, LARGE)) for kind in growth.PICTURES},
    "root": paint_sketch(_root),
    "card": paste_piece(tokens.card(LARGE)),
    **{f"do_{kind}": paste_piece(action(kind, LARGE)) for kind in ACTIONS if kind},
}
