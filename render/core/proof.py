"""Proof sheets: all components in rows, to hold against the real ones.

A sheet is a page of A4 at `DPI` dots an inch, so printed at 100 % it has the sizes that a game chooses.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from engines.captions import alt_text
from render.core.canvas import Box, Canvas
from render.core.picture import Picture
from render.core.theme import Theme

DPI = 150
WIDTH, HEIGHT = 1240, 1754
MARGIN, HEAD, LABEL, GAP = 40, 90, 44, 24
TITLE, TEXT = 46, 28


@dataclass(frozen=True, slots=True)
class ProofItem:
    """A component on a sheet: its name, and the function that draws it into a box."""

    name: str
    draw: Callable[[Canvas[Any], Box], None]


def draw_sheets(
    theme: Theme, name: str, title: str, items: Sequence[ProofItem], size: tuple[int, int]
) -> Iterator[Picture]:
    """Draw items of one size in rows, each with its name below."""
    wide, high = size
    columns = max(1, (WIDTH - 2 * MARGIN + GAP) // (wide + GAP))
    rows = max(1, (HEIGHT - HEAD - MARGIN) // (high + LABEL + GAP))
    left = (WIDTH - columns * (wide + GAP) + GAP) / 2
    sheets = -(-len(items) // (columns * rows))
    for number in range(sheets):
        shown = items[number * columns * rows : (number + 1) * columns * rows]
        count = f", sheet {number + 1} of {sheets}" if sheets > 1 else ""
        canvas = Canvas(WIDTH, HEIGHT, theme)
        canvas.write((MARGIN, HEAD / 2), f"{title}{count}", TITLE, theme.ink, weight=700)
        for index, item in enumerate(shown):
            row, column = divmod(index, columns)
            x, y = left + column * (wide + GAP), HEAD + row * (high + LABEL + GAP)
            item.draw(canvas, (x, y, x + wide, y + high))
            middle = (x + wide / 2, y + high + LABEL / 2)
            canvas.write(middle, item.name, TEXT, theme.ink, weight=600, anchor="middle", width=wide + GAP)
        file = f"{name}-{number + 1}.png" if sheets > 1 else f"{name}.png"
        alt = alt_text([f"{title}{count}.", *(f"{item.name}." for item in shown)])
        yield Picture(pack(canvas), alt, file)


def pack(canvas: Canvas[Any]) -> bytes:
    """Export a sheet, with the density that printers read."""
    file = BytesIO()
    canvas.theme.palette.apply(canvas.image).save(file, "PNG", dpi=(DPI, DPI))
    return file.getvalue()
