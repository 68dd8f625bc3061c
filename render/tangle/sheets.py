"""Enchantments and victory conditions as cards, and all of them on one sheet."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from engines.marks import capital
from engines.tangle.legal.context import lacking
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import CARDS, CONDITIONS, CardId, ConditionId, TangleCard
from engines.tangle.words import captions
from render.core.canvas import Box, Canvas, Point, Sprite
from render.core.text import fit, wrap
from render.core.theme import Rgb, mix
from render.tangle import places, signs
from render.tangle.colours import TangleCanvas, TangleTheme

LEADING, SMALL = 4, 33
LABELS: dict[CountName, tuple[str, ...]] = {
    "tiles": ("tiles in all", "tiles"),
    "group": ("connected", "together", "group"),
    "enchantments": ("cards in front", "cards"),
}
"""Labels below a condition's numbers, from long to short."""
WORDS_APART = 16
"""The least pixels between two of these words, if all columns are equally wide."""
BETWEEN, STEP = 8, 0.8
"""Words with fewer pixels between them alternate between two lines, that many letter sizes apart."""
NUMBER = 2.8
"""The width of a sign with its number, in sizes of letters."""
KINDS: dict[CountName, Kind] = {
    "trees": "tree",
    "saplings": "sapling",
    "meadows": "meadow",
    "bushes": "bush",
    "lakes": "lake",
}


def sheet(canvas: TangleCanvas, box: Box, edge: Rgb) -> None:
    left, top, right, bottom = box
    fill = mix(canvas.theme.paper, canvas.theme.shade, 0.45)
    canvas.box((left + 2, top + 4, right + 2, bottom + 4), fill, radius=14)
    canvas.box(box, edge, radius=14)
    canvas.box((left + 3, top + 3, right - 3, bottom - 3), canvas.theme.card, radius=11)


def enchantment(canvas: TangleCanvas, card: CardId, box: Box, size: int, count: int = 1) -> None:
    """Draw an enchantment. Name, cost, text of that size, and a ring or an hourglass."""
    left, top, right, bottom = box
    band = round(1.9 * size)
    lines = heading(canvas, card, box, size, count, top + 8 + band / 2)
    upper = top + 14 + band + (lines - 1) * size
    canvas.box((left + 14, upper - 6, right - 14, upper - 4), canvas.theme.line)
    _text(canvas, CARDS[card], (left + 16, upper, right - 14, bottom - 8), size)


def heading(
    canvas: TangleCanvas, card: CardId, box: Box, size: int, count: int = 1, first: float | None = None
) -> int:
    """Draw a card with its name and cost; return its name's lines.

    The first line is at the height `first`; without it, all are in the middle.
    """
    theme, result = canvas.theme, CARDS[card]
    left, top, right, bottom = box
    y = (top + bottom) / 2 if first is None else first
    sheet(canvas, box, theme.leaf if result.kind == "lasting" else theme.nut)
    pen, end = left + 14, right - 10
    wide = 2.1 * size
    for number, letter in reversed(places.split_amount(result.cost)):
        places.pill(canvas, f"{number}{letter}", (end - wide / 2, y), round(1.2 * size), letter)
        end -= wide + 4
    canvas.paint(mark(theme, result, size), (pen + 0.4 * size - 2, y))
    pen += 0.9 * size + 4
    if count > 1:
        text = f"\u00d7{count}"
        end -= 8 + canvas.write(
            (end - 8, y), text, round(1.1 * size), theme.muted, weight=700, anchor="right"
        )
    name = wrap(result.name, end - pen - 2, size, 600)
    y -= (len(name) - 1) * size / 2 if first is None else 0
    for index, line in enumerate(name):
        canvas.write((pen, y + index * size), line, size, theme.ink, weight=600, width=end - pen - 2)
    return len(name)


def _text(canvas: TangleCanvas, card: TangleCard, box: Box, size: int) -> None:
    """Draw a card's effect; an hourglass says that it works once."""
    left, top, right, bottom = box
    text = captions.keep_together(card.text.removeprefix("Once: "))
    lines = typeset(capital(text), round(right - left), size)
    step = line_step(len(lines), bottom - top, size)
    y = (top + bottom) / 2 - (len(lines) - 1) * step / 2
    for index, line in enumerate(lines):
        canvas.write((left, y + index * step), line, size, canvas.theme.ink)


def line_step(lines: int, room: float, size: int) -> float:
    """Return the pixels from line to line, fewer in little room.

    >>> line_step(3, 120, 26), line_step(6, 160, 26), line_step(9, 160, 26)
    (30, 26.8, 26)
    """
    return max(size, min(size + LEADING, (room - size) / max(1, lines - 1)))


def mark(theme: TangleTheme, card: TangleCard, size: int) -> Sprite:
    return signs.lasting(theme, size) if card.kind == "lasting" else signs.once(theme, size)


@lru_cache(maxsize=256)
def typeset(text: str, width: int, size: int) -> tuple[str, ...]:
    return tuple(wrap(text, width, size))


def condition(
    canvas: TangleCanvas, which: ConditionId, box: Box, size: int, have: Mapping[CountName, int] | None = None
) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    missing = None if have is None else lacking(which, have)
    sheet(canvas, box, theme.highlight if missing == 0 else theme.ink)
    band = round(1.9 * size)
    y, end = top + 8 + band / 2, right - 16
    if missing is not None:
        ink = theme.danger if missing else theme.highlight
        end -= 12 + canvas.write((end, y), captions.lack(missing), size, ink, weight=700, anchor="right")
    name, room = CONDITIONS[which].name, end - left - 20
    canvas.write((left + 16, y), name, round(1.15 * size), theme.ink, weight=700, width=room)
    canvas.box((left + 14, top + 8 + band, right - 14, top + 10 + band), theme.line)
    needs = CONDITIONS[which].need
    columns = _columns(list(needs), right - left - 20, size)
    close = any(_width(label, size) + BETWEEN > wide for label, wide in columns)
    x, y = left + 10, (top + 10 + band + bottom - 3) / 2 - (STEP * size / 2 if close else 0)
    for index, ((name, number), (label, wide)) in enumerate(zip(needs.items(), columns, strict=True)):
        at = (x + wide / 2, y)
        _need(canvas, name, number, None if have is None else have.get(name, 0), at, size)
        lower = STEP if close and index % 2 else 0
        canvas.word((at[0], at[1] + (0.98 + lower) * size), label, _letters(size), theme.muted)
        x += wide


def _need(canvas: TangleCanvas, name: CountName, number: int, got: int | None, at: Point, size: int) -> None:
    """Draw a condition's need, with the present number. Bold while it is missing."""
    x, y = at
    text = str(number) if got is None else f"{got}/{number}"
    ink, weight = (canvas.theme.ink, 700) if got is None else (canvas.theme.muted, 500)
    if got is not None and got < number:
        ink, weight = canvas.theme.danger, 800
    line = fit(text, 10_000, round(1.15 * size), weight)
    sign = round(1.3 * size)
    left, high = x - (sign + 5 + line.width) / 2, y - 0.36 * size
    if name in KINDS:
        picture = signs.tile(canvas.theme, KINDS[name], sign)
    elif name == "enchantments":
        picture = signs.card(canvas.theme, sign)
    else:
        picture = signs.territory(canvas.theme, sign, joined=name == "group")
    canvas.paint(picture, (left + sign / 2, high))
    canvas.draw_line((left + sign + 5, high), line, ink)


def _columns(names: Sequence[CountName], room: float, size: int) -> list[tuple[str, float]]:
    """Return the label below each number, and its column's width.

    All are equally wide if the words fit into that, else as wide as the words, if these have room beside
    each other.
    """
    step = room / max(5, len(names))
    chosen = [
        next((one for one in _labels_for(name) if _width(one, size) + WORDS_APART <= step), None)
        for name in names
    ]
    if None not in chosen:
        return [(label, step) for label in chosen if label is not None]
    short = [_labels_for(name)[-1] for name in names]
    widths = [max(_width(label, size), NUMBER * size) for label in short]
    apart = (room - sum(widths)) / len(names)
    if apart < BETWEEN:
        return [(label, room / len(names)) for label in short]
    return [(label, wide + apart) for label, wide in zip(short, widths, strict=True)]


def _labels_for(name: CountName) -> tuple[str, ...]:
    return LABELS.get(name, (name,))


def _width(label: str, size: int) -> float:
    return fit(label, 10_000, _letters(size)).width


def _letters(size: int) -> int:
    return max(SMALL, round(0.72 * size))


WIDTH, MARGIN, GAP, TITLE = 1200, 24, 16, 72
COLUMNS, TEXT = 2, SMALL
TALL, NEEDS = 200, 212
"""The height of an enchantment and of a condition."""


def enchantments(theme: TangleTheme, ids: Sequence[CardId], title: str = "") -> TangleCanvas:
    columns = COLUMNS if title else min(COLUMNS, max(1, len(ids)))
    rows, head = max(1, -(-len(ids) // columns)), TITLE if title else 0
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) // COLUMNS
    width = 2 * MARGIN + columns * (wide + GAP) - GAP
    canvas = Canvas(width, 2 * MARGIN + head + rows * (TALL + GAP) - GAP, theme)
    if title:
        # A headline, and the legend of the signs on the cards.
        y = MARGIN + 26
        canvas.write((MARGIN + 4, y), title, 42, theme.ink, weight=700)
        pen: float = WIDTH - MARGIN - 4
        for text, sign in (("works once", signs.once(theme, 30)), ("lasts", signs.lasting(theme, 30))):
            pen -= canvas.write((pen, y), text, SMALL, theme.muted, weight=600, anchor="right")
            canvas.paint(sign, (pen - 24, y))
            pen -= 66
    for index, card in enumerate(ids):
        row, column = divmod(index, columns)
        left, top = MARGIN + column * (wide + GAP), MARGIN + head + row * (TALL + GAP)
        enchantment(canvas, card, (left, top, left + wide, top + TALL), TEXT, CARDS[card].copies)
    return canvas


def conditions(theme: TangleTheme, title: str, ids: Sequence[ConditionId]) -> TangleCanvas:
    rows = -(-len(ids) // COLUMNS)
    canvas = Canvas(WIDTH, 2 * MARGIN + TITLE + rows * (NEEDS + GAP) - GAP, theme)
    canvas.write((MARGIN + 4, MARGIN + 26), title, 42, theme.ink, weight=700)
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    for index, which in enumerate(ids):
        row, column = divmod(index, COLUMNS)
        left, top = MARGIN + column * (wide + GAP), MARGIN + TITLE + row * (NEEDS + GAP)
        condition(canvas, which, (left, top, left + wide, top + NEEDS), TEXT)
    return canvas


PAGE = 10
"""The most cards on a page: an alt text has no room for more."""


def pages(theme: TangleTheme) -> list[tuple[TangleCanvas, str]]:
    pairs: list[tuple[TangleCanvas, str]] = []
    for kind, title in (("lasting", "Enchantments that last"), ("once", "Enchantments that work once")):
        for part in _share_out([card.id for card in CARDS.values() if card.kind == kind]):
            pairs.append((enchantments(theme, part, title), captions.describe_cards(part)))
    for needs in _share_out(list(CONDITIONS)):
        pairs.append((conditions(theme, "Victory conditions", needs), captions.describe_conditions(needs)))
    return pairs


def _share_out(cards: list[str]) -> list[list[str]]:
    """Return the cards of each page, shared out evenly."""
    number = -(-len(cards) // PAGE)
    ends = [len(cards) * page // number for page in range(number + 1)]
    return [cards[start:end] for start, end in pairwise(ends)]
