"""The signs of Tangle in texts: resources, seeds, tiles, roots, cards, and the actions of spaces."""

from __future__ import annotations

from collections.abc import Callable

from engines.tangle.pieces.amounts import RESOURCES
from render.core.canvas import Point, Sketch, bow
from render.core.emoji import Paint, pasted, sketched
from render.core.palette import CARD, INK
from render.tangle import colours, figures, growth, tokens
from render.tangle.signs import ACTIONS, action

LARGE = 220
"""The size in pixels before signs are made small: their lines stay smooth."""


def _resource(draw: Callable[[Sketch, Point, float], None]) -> Paint:
    return sketched(lambda sketch: draw(sketch, (0, 0), 98))


def _edged(draw: Callable[[Sketch, Point, float], None]) -> Paint:
    """Return a painter of a figure on a pale disc."""

    def paint(sketch: Sketch) -> None:
        sketch.disc((0, 0), 51, INK)
        sketch.disc((0, 0), 48, CARD)
        draw(sketch, (0, 0), 74)

    return sketched(paint)


def _root(sketch: Sketch) -> None:
    for thick, colour in ((15, INK), (12, colours.LEAF)):
        for start, bend, end in tokens.TENDRILS:
            sketch.line(figures.placed(bow(start, bend, end, 8), (0, 0), 92), colour, thick)


SIGNS: dict[str, Paint] = {
    **{letter.lower(): _resource(figures.RESOURCES[letter]) for letter in RESOURCES},
    **{f"{kind}_seed": _edged(draw) for kind, draw in growth.SEEDS.items()},
    **{kind: pasted(tokens.tile(kind, LARGE)) for kind in growth.PICTURES},
    "root": sketched(_root),
    "card": pasted(tokens.card(LARGE)),
    **{f"do_{kind}": pasted(action(kind, LARGE)) for kind in ACTIONS if kind},
}
