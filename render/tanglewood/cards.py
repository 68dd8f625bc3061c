"""A Tangle as a card: its name, its effect as a sign, and the track that it steps."""

from __future__ import annotations

from engines.tanglewood.pieces.components import EFFECTS, TANGLES, EffectKey, Faction, TangleId
from render.core.canvas import Box, Canvas, Point, on_circle
from render.core.palette import CARD, HIGHLIGHT, INK, PAPER, SHADE, mix
from render.tanglewood import colours, signs

SIGN, HEAD = 80, 56
"""The size of an effect's sign, and of the faction's head whose track it steps."""
NAME = 31
SHADOW = 2, 4
"""The offset of a card's shadow to the right and down."""


def tangle(canvas: Canvas, card: TangleId, box: Box, *, raised: bool = False) -> None:
    """Draw a Tangle in a region.

    A raised one is being carried out.
    """
    result = TANGLES[card]
    _sheet(canvas, box, raised=raised)
    middle = (box[1] + NAME + 10 + box[3]) / 2
    tracks(canvas, result.tracks, (box[2] - 12 - HEAD / 2, middle))
    _face(canvas, result.effect, box)


def _sheet(canvas: Canvas, box: Box, *, raised: bool) -> None:
    left, top, right, bottom = box
    x, y = SHADOW
    canvas.box((left + x, top + y, right + x, bottom + y), mix(PAPER, SHADE, 0.45), radius=12)
    canvas.box(box, HIGHLIGHT if raised else INK, radius=12)
    line = 5 if raised else 2
    canvas.box((left + line, top + line, right - line, bottom - line), CARD, radius=12 - line)


def _face(canvas: Canvas, key: EffectKey, box: Box) -> None:
    """Draw the name and sign of an effect.

    Its text is in the almanac and in panels.
    """
    left, top, right, bottom = box
    effect = EFFECTS[key]
    width = right - left - 20
    canvas.word(((left + right) / 2, top + 22), effect.name, NAME, INK, weight=700, width=width)
    upper = top + NAME + 9
    middle = ((left + right - HEAD) / 2, (upper + bottom) / 2 - 2)
    signs.effect(canvas, effect.steps, middle, SIGN)


def tracks(canvas: Canvas, which: tuple[Faction, ...], centre: Point) -> None:
    """Draw the head of a Tangle's track, or several in a ring."""
    if len(which) == 1:
        signs.faction(canvas, which[0], centre, HEAD)
        return
    for index, faction in enumerate(which):
        spot = on_circle(centre, 0.42 * HEAD, 360 * index / len(which))
        signs.faction(canvas, faction, spot, 0.66 * HEAD)


def empty(canvas: Canvas, box: Box) -> None:
    """Draw the place of a missing Tangle."""
    canvas.box(box, colours.FOREST_EDGE, radius=12, border=2)
