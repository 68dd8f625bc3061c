"""A seat's secrets: its cards, and its conditions with their progress."""

from collections import Counter
from collections.abc import Sequence

from engines.game import Seat
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from engines.words import seat_name
from render.core.canvas import Canvas
from render.tangle import sheets
from render.tangle.colours import TangleCanvas, TangleTheme

WIDTH, MARGIN, GAP = 1200, 22, 12
HEAD, CONDITION, CARD = 64, 172, 186
COLUMNS = 2


def hand(theme: TangleTheme, view: TangleView, seat: Seat, names: Sequence[str]) -> TangleCanvas:
    conditions = view.conditions or ()
    held = list(Counter(view.hand or ()).items())
    rows = -(-len(held) // COLUMNS)
    upper = len(conditions) * (CONDITION + GAP)
    canvas = Canvas(WIDTH, MARGIN + HEAD + upper + rows * (CARD + GAP) + MARGIN - 8, theme)
    y = MARGIN + HEAD / 2 - 8
    canvas.emblem(seat, (MARGIN + 24, y), 20)
    total = sum(count for _, count in held)
    text = f"{total} card{'' if total == 1 else 's'} in hand"
    room = canvas.write((WIDTH - MARGIN - 4, y), text, 36, theme.muted, weight=600, anchor="right")
    name, rest = seat_name(names, seat), WIDTH - 2 * MARGIN - 90 - room
    canvas.write((MARGIN + 60, y), name, 42, theme.ink, weight=700, width=rest)
    have = captions.numbers(view, seat)
    top = MARGIN + HEAD
    for index, condition in enumerate(conditions):
        y = top + index * (CONDITION + GAP)
        sheets.condition(canvas, condition, (MARGIN, y, WIDTH - MARGIN, y + CONDITION), 33, have)
    top += upper
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    for index, (card, count) in enumerate(held):
        row, column = divmod(index, COLUMNS)
        left, y = MARGIN + column * (wide + GAP), top + row * (CARD + GAP)
        sheets.enchantment(canvas, card, (left, y, left + wide, y + CARD), sheets.SMALL, count)
    return canvas
