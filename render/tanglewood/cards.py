"""A Tangle as a card: what it does as a sign and in words, and the track that it steps."""

from __future__ import annotations

from functools import lru_cache

from engines.tanglewood.components import EFFECTS, TANGLES, EffectKey, Faction, TangleId
from render.canvas import Box, Canvas, Point, on_circle
from render.palette import CARD, HIGHLIGHT, INK, MUTED, PAPER, SHADE, mix
from render.tanglewood import colours, signs
from render.text import wrapped

SIGN, HEAD = 78, 50
"""How large the sign of an effect is, and the head of the faction whose track it steps."""
NAME = 31
LARGEST, SMALLEST = 24, 17
"""The sizes in which the text may be written."""
LEADING = 2
SHADOW = 2, 4
"""How far the shadow of a card lies to the right of it and below."""


def tangle(canvas: Canvas, card: TangleId, box: Box, *, raised: bool = False) -> None:
    """A Tangle as it lies in a region; a raised one is being carried out."""
    found = TANGLES[card]
    _sheet(canvas, box, raised=raised)
    middle = (box[1] + NAME + 10 + box[3]) / 2
    tracks(canvas, found.tracks, (box[2] - 12 - HEAD / 2, middle))
    _face(canvas, found.effect, box, HEAD + 18)


def _sheet(canvas: Canvas, box: Box, *, raised: bool) -> None:
    left, top, right, bottom = box
    x, y = SHADOW
    canvas.box((left + x, top + y, right + x, bottom + y), mix(PAPER, SHADE, 0.45), radius=12)
    canvas.box(box, HIGHLIGHT if raised else INK, radius=12)
    line = 5 if raised else 2
    canvas.box((left + line, top + line, right - line, bottom - line), CARD, radius=12 - line)


def _face(canvas: Canvas, key: EffectKey, box: Box, aside: float) -> None:
    """Name, sign and text of an effect, with so many pixels left free at the right of the text."""
    left, top, right, bottom = box
    found = EFFECTS[key]
    width = right - left - 20
    canvas.word(((left + right) / 2, top + 22), found.name, NAME, INK, weight=700, width=width)
    upper = top + NAME + 9
    middle = (upper + bottom) / 2 - 2
    signs.effect(canvas, found.steps, (left + 10 + SIGN / 2, middle), SIGN)
    start, end = left + SIGN + 16, right - aside
    text, size = typeset(found.text, round(end - start), round(bottom - upper))
    y = middle - (len(text) - 1) * (size + LEADING) / 2
    for line in text:
        canvas.word(((start + end) / 2, y), line, size, MUTED, weight=500)
        y += size + LEADING


@lru_cache(maxsize=128)
def typeset(text: str, width: int, height: int) -> tuple[list[str], int]:
    """A text in lines, as large as fits; a remark in brackets is left out where there is no room for it."""
    for size in range(LARGEST, SMALLEST - 1, -1):
        lines = wrapped(text, width, size, 500)
        if len(lines) * (size + LEADING) <= height:
            return lines, size
    brief = f"{text.partition(' (')[0].rstrip('.')}."
    return typeset(brief, width, height) if brief != text else (lines, SMALLEST)


def tracks(canvas: Canvas, which: tuple[Faction, ...], centre: Point) -> None:
    """The head of the track that a Tangle steps, or in a ring those that it lets choose from."""
    if len(which) == 1:
        signs.faction(canvas, which[0], centre, HEAD)
        return
    for index, faction in enumerate(which):
        spot = on_circle(centre, 0.42 * HEAD, 360 * index / len(which))
        signs.faction(canvas, faction, spot, 0.66 * HEAD)


def empty(canvas: Canvas, box: Box) -> None:
    """Where no Tangle lies."""
    canvas.box(box, colours.FOREST_EDGE, radius=12, border=2)
