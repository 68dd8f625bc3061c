"""Estimates how high a panel is on a phone, so that what is optional moves behind a button."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from struct import unpack_from

from cogs.ui.page import Button, Described, Document, Heading, Line, Menu, Page, Part, Pick
from cogs.ui.signs import unformatted, worded
from render.core.picture import Picture

SCREEN = 1000
"""How many pixels one may scroll without losing the place, on a phone of 420 by 900."""
WIDTH = 295
"""How wide a picture or a line is there."""
FRAME = 96
"""What stands around the parts: who has written, and that only one sees it."""
LINE, SMALL_LINE = 22, 20
LETTER, SMALL_LETTER, LABEL_LETTER = 7.6, 6.6, 7.2
"""The height of a line and the width of a letter: of a text, of small print, of a button."""
CONTROL, MENU, GAP, EDGES, EMOJI = 40, 46, 8, 24, 26
"""The height of a row and a menu, what lies between two of them, what is around a label, and a sign."""
DOUBT = 40
"""By so many pixels a panel may be taller than it is thought to be."""
SIZE = 16
"""Where the width and the height stand in a PNG."""
MARKDOWN = re.compile(r"\*\*|^-# ")
MOMENT, WRITTEN = re.compile(r"<t:\d+:(\w)>"), "26 November 2026, 21:10"
"""A moment as Discord is told it, and about what it writes."""


def height(page: Page) -> int:
    """The pixels that a page takes, to within some tens."""
    return FRAME + sum(_tall(part) for part in page.parts)


def _tall(part: Part) -> int:
    match part:
        case str():
            return sum(map(_line, part.splitlines()))
        case Described(text=text, menu=menu):
            return sum(map(_line, text.splitlines())) + (0 if menu is None else MENU)
        case Picture(png=png):
            wide, high = map(int, unpack_from(">II", png, SIZE))
            return GAP + WIDTH * high // wide
        case Menu(options=options) if any(option.chosen for option in options):
            return MENU + GAP
        case Menu() | Pick():
            return MENU
        case Heading() | Line() | Document():
            return CONTROL
        case row:
            return CONTROL * _lines(row)


def _line(text: str) -> int:
    """The pixels of a line of text, which is broken where it has to be."""
    small = text.startswith("-# ")
    most = int(WIDTH / (SMALL_LETTER if small else LETTER))
    shown = MOMENT.sub(WRITTEN, MARKDOWN.sub("", worded(text)))
    # Most lines of a board in words aren't broken, and looking where to break one takes a while.
    lines = 1 if len(shown) <= most else len(textwrap.wrap(shown, most))
    return (SMALL_LINE if small else LINE) * max(1, lines)


def _lines(row: Sequence[Button]) -> int:
    """How many lines the buttons of a row take, of which a phone has no room for five."""
    lines, taken = 0, WIDTH
    for button in row:
        sign = button.emoji is not None or unformatted(button.label) != button.label
        wide = EDGES + int(len(unformatted(button.label)) * LABEL_LETTER) + EMOJI * sign
        if not lines or taken + wide > WIDTH:
            lines, taken = lines + 1, 0
        taken += wide + GAP
    return lines
