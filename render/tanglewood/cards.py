"""A Tangle as a card: what it does as a sign and in words, and the track that it steps."""

from __future__ import annotations

from functools import lru_cache

from engines.tanglewood.data import EFFECTS, TANGLES, EffectKey, Faction, TangleId
from render.canvas import Box, Canvas
from render.palette import CARD, HIGHLIGHT, INK, MUTED, PAPER, SHADE, mix
from render.tanglewood import shades, signs, words

SIGN = 86
"""How large the sign of an effect is."""
NAME, TEXT, SMALLEST = 31, 23, 17
"""How large name and text are written, and the text at least."""


def tangle(canvas: Canvas, card: TangleId, box: Box, *, raised: bool = False) -> None:
    """A Tangle as it lies in a region; a raised one is being carried out."""
    found = TANGLES[card]
    _sheet(canvas, box, raised=raised)
    _face(canvas, found.effect, box)
    tracks(canvas, found.tracks, (box[0] + 8 + SIGN / 2, box[3] - 22), SIGN + 4)


def effect(canvas: Canvas, key: EffectKey, box: Box) -> None:
    """An effect as a card that says nothing of tracks."""
    _sheet(canvas, box, raised=False)
    _face(canvas, key, box)


def _sheet(canvas: Canvas, box: Box, *, raised: bool) -> None:
    left, top, right, bottom = box
    canvas.box((left + 2, top + 4, right + 2, bottom + 4), mix(PAPER, SHADE, 0.45), radius=12)
    canvas.box(box, HIGHLIGHT if raised else INK, radius=12)
    line = 4 if raised else 2
    canvas.box((left + line, top + line, right - line, bottom - line), CARD, radius=12 - line)


def _face(canvas: Canvas, key: EffectKey, box: Box) -> None:
    """Sign, name and text of an effect."""
    left, top, right, _ = box
    signs.effect(canvas, EFFECTS[key].steps, (left + 8 + SIGN / 2, top + 8 + SIGN / 2), SIGN)
    pen = left + SIGN + 20
    width = round(right - pen - 8)
    name, text, size = _set(key, width, round(box[3] - top) - 12)
    y = top + 22.0
    for line in name:
        canvas.word((pen + width / 2, y), line, NAME, INK, weight=700, width=width)
        y += NAME + 2
    y += (box[3] - 4 - (y - 14) - len(text) * (size + 3)) / 2 + size / 2 - 13
    for line in text:
        canvas.word((pen + width / 2, y), line, size, MUTED, weight=500)
        y += size + 3


@lru_cache(maxsize=128)
def _set(key: EffectKey, width: int, height: int) -> tuple[list[str], list[str], int]:
    """Name and text in lines, and the size at which the text fits below the name."""
    found = EFFECTS[key]
    name = words.wrapped(found.name, 1.12 * width, NAME, 700)
    room = height - len(name) * (NAME + 2)
    for size in range(TEXT, SMALLEST, -1):
        text = words.wrapped(found.text, width, size, 500)
        if len(text) * (size + 3) <= room:
            return name, text, size
    return name, words.wrapped(found.text, width, SMALLEST, 500), SMALLEST


def tracks(canvas: Canvas, which: tuple[Faction, ...], centre: tuple[float, float], width: float) -> None:
    """The heads of the tracks that a Tangle offers, side by side."""
    size = min(38.0, width / len(which))
    x, y = centre
    for index, faction in enumerate(which):
        signs.faction(canvas, faction, (x + (index - (len(which) - 1) / 2) * size, y), size)


def empty(canvas: Canvas, box: Box) -> None:
    """Where no Tangle lies."""
    canvas.box(box, shades.FOREST_EDGE, radius=12, border=2)
