"""The almanac: every enchantment and every victory condition as cards."""

from collections.abc import Sequence

from engines.tangle.pieces.components import CARDS, CONDITIONS, CardId, ConditionId
from engines.tangle.words import captions
from render.core.canvas import Canvas
from render.tangle import sheets, tokens
from render.tangle.colours import TangleCanvas, TangleTheme

WIDTH, MARGIN, GAP, TITLE = 1200, 24, 16, 72
COLUMNS, TEXT = 2, sheets.SMALL
TALL, NEEDS = 170, 172
"""The height of an enchantment and of a condition."""
PAGE = 14
"""Enchantments on a page."""


def enchantments(theme: TangleTheme, ids: Sequence[CardId], title: str = "") -> TangleCanvas:
    columns = COLUMNS if title else min(COLUMNS, max(1, len(ids)))
    rows, head = max(1, -(-len(ids) // columns)), TITLE if title else 0
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) // COLUMNS
    width = 2 * MARGIN + columns * (wide + GAP) - GAP
    canvas = Canvas(width, 2 * MARGIN + head + rows * (TALL + GAP) - GAP, theme)
    if title:
        _title(canvas, title)
    for index, card in enumerate(ids):
        row, column = divmod(index, columns)
        left, top = MARGIN + column * (wide + GAP), MARGIN + head + row * (TALL + GAP)
        box = (left, top, left + wide, top + TALL)
        sheets.enchantment(canvas, card, box, TEXT, CARDS[card].copies)
    return canvas


def _title(canvas: TangleCanvas, title: str) -> None:
    """Draw a headline, and the legend of the signs on the cards."""
    theme = canvas.theme
    y = MARGIN + 26
    canvas.write((MARGIN + 4, y), title, 42, theme.ink, weight=700)
    pen: float = WIDTH - MARGIN - 4
    for text, sign in (("works once", tokens.once(theme, 30)), ("lasts", tokens.lasting(theme, 30))):
        pen -= canvas.write((pen, y), text, 28, theme.muted, weight=600, anchor="right")
        canvas.paint(sign, (pen - 24, y))
        pen -= 66


def conditions(theme: TangleTheme, title: str, ids: Sequence[ConditionId]) -> TangleCanvas:
    rows = -(-len(ids) // COLUMNS)
    canvas = Canvas(WIDTH, 2 * MARGIN + TITLE + rows * (NEEDS + GAP) - GAP, theme)
    canvas.write((MARGIN + 4, MARGIN + 26), title, 42, theme.ink, weight=700)
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    for index, which in enumerate(ids):
        row, column = divmod(index, COLUMNS)
        left, top = MARGIN + column * (wide + GAP), MARGIN + TITLE + row * (NEEDS + GAP)
        sheets.condition(canvas, which, (left, top, left + wide, top + NEEDS), TEXT)
    return canvas


def pages(theme: TangleTheme) -> list[tuple[TangleCanvas, str]]:
    pairs: list[tuple[TangleCanvas, str]] = []
    for kind, title in (("lasting", "Enchantments that last"), ("once", "Enchantments that work once")):
        ids = [card.id for card in CARDS.values() if card.kind == kind]
        for first in range(0, len(ids), PAGE):
            part = ids[first : first + PAGE]
            pairs.append((enchantments(theme, part, title), captions.describe_cards(part)))
    every = list(CONDITIONS)
    pairs.append((conditions(theme, "Victory conditions", every), captions.describe_conditions(every)))
    return pairs
