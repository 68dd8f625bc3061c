"""The panel below the land: the progress of the game, everybody's plate, the upkeep tracks and the row."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.tangle.pieces.components import EXTRA_STEPS, NUMBERS, PAID_IN, SEEDS, TRACKS, CardId
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from render.core.canvas import Box, Canvas
from render.core.theme import mix
from render.tangle import places, plates, sheets, tokens
from render.tangle.colours import LEAST, TangleCanvas, TangleTheme

MARGIN, GAP = 20, 12
HEAD, FOOT = 62, 300
TRACK = 122
"""The width of an upkeep track."""
RAIL, ENDS = 36, 36
"""The distance of a track's ladder from its left, and of its ends from top and bottom."""


def height(view: TangleView, width: int) -> int:
    return HEAD + plates.height(view, width - 2 * MARGIN) + FOOT + MARGIN


def draw(canvas: TangleCanvas, view: TangleView, names: Sequence[str], top: float) -> None:
    left, right = MARGIN, canvas.image.width - MARGIN
    _head(canvas, view, names, (left, top, right, top + HEAD))
    top += HEAD
    plates.draw(canvas, view, names, (left, top), right - left)
    top += plates.height(view, right - left)
    for index in range(len(TRACKS)):
        x = left + index * (TRACK + GAP)
        _track(canvas, view, index, (x, top, x + TRACK, top + FOOT))
    _row(canvas, view, (left + len(TRACKS) * (TRACK + GAP), top, right, top + FOOT))


def _head(canvas: TangleCanvas, view: TangleView, names: Sequence[str], box: Box) -> None:
    """Draw the round, and the supplies left for all."""
    theme = canvas.theme
    left, top, right, bottom = box
    y, pen = (top + bottom) / 2, right - 4
    taken = canvas.write((left + 4, y), captions.title(view, names), 46, theme.ink, weight=700, width=560)
    for kind, left_over in reversed(list(zip(SEEDS, view.seeds, strict=True))):
        pen -= canvas.write((pen, y), f"{left_over}{kind[0]}", 32, theme.muted, weight=600, anchor="right")
        canvas.paint(tokens.seed(theme, kind, 36), (pen - 22, y))
        pen -= 56
    text = "  \u00b7  ".join(captions.supply(view))
    canvas.write((pen, y), text, 32, theme.muted, weight=600, anchor="right", width=pen - left - taken - 40)


def _track(canvas: TangleCanvas, view: TangleView, index: int, box: Box) -> None:
    """Draw a ladder for the tracker. Beside it the marker, and the resource and its use."""
    theme = canvas.theme
    left, top, right, bottom = box
    name, steps, to_go = TRACKS[index], view.seats + EXTRA_STEPS, view.trackers[index]
    canvas.image.paste(
        _ladder(theme, round(right - left), round(bottom - top), steps), (round(left), round(top))
    )
    middle, aside = left + RAIL, right - 34
    high, low = top + ENDS, bottom - ENDS
    rung = (low - high) / steps
    tracker = (middle, high + to_go * rung)
    canvas.disc(tracker, 21, theme.ink)
    canvas.word(tracker, str(to_go), 32, theme.card, weight=700)
    owner = view.markers[index]
    if owner is None:
        canvas.disc((aside, high), 17, mix(theme.paper, theme.shade, 0.45), hole=14)
    else:
        canvas.disc((aside, high), 23, theme.highlight)
        canvas.disc((aside, high), 19, theme.card)
        canvas.emblem(owner, (aside, high), 11)
    canvas.word((aside, (high + low) / 2 - 26), captions.TRACK_LETTERS[name], 38, theme.ink, weight=700)
    canvas.paint(tokens.track(theme, name, 42), (aside, (high + low) / 2 + 22))
    places.pill(canvas, f"1{PAID_IN[name]}", (aside, low + 4), places.PILL, PAID_IN[name])


def _row(canvas: TangleCanvas, view: TangleView, box: Box) -> None:
    """Draw the face-up cards, in the order of their slots."""
    left, top, right, bottom = box
    slots = max(NUMBERS.row, len(view.row))
    wide = (right - left - (slots - 1) * GAP) / slots
    for index in range(slots):
        x = left + index * (wide + GAP)
        place = (x, top, x + wide, bottom - 4)
        if index < len(view.row):
            card = _card(canvas.theme, view.row[index], round(wide), round(bottom - top))
            canvas.image.paste(card, (round(x), round(top)))
        else:
            canvas.box(place, canvas.theme.line, radius=14, border=2)


@lru_cache(maxsize=8)
def _ladder(theme: TangleTheme, width: int, height: int, steps: int) -> Image.Image:
    canvas = Canvas(width, height, theme)
    canvas.box((0, 0, width, height), mix(theme.paper, theme.shade, 0.45), radius=14)
    canvas.box((2, 2, width - 2, height - 2), theme.shore, radius=12)
    for side in (-19, 19):
        canvas.line([(RAIL + side, ENDS - 16), (RAIL + side, height - ENDS + 20)], theme.trunk, 5)
    for step in range(steps + 1):
        y = ENDS + step * (height - 2 * ENDS) / steps
        canvas.line([(RAIL - 19, y), (RAIL + 19, y)], theme.trunk, 5)
    return canvas.image


@lru_cache(maxsize=64)
def _card(theme: TangleTheme, card: CardId, width: int, height: int) -> Image.Image:
    canvas = Canvas(width + 4, height, theme)
    sheets.enchantment(canvas, card, (0, 0, width, height - 4), LEAST)
    return canvas.image
