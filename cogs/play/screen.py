"""Fits a panel on one screen of a phone; **More** leads to the rest."""

import re
import textwrap
from collections.abc import Callable, Sequence
from struct import unpack_from

from cogs.ui.page import Button, ButtonLine, Described, Document, Extra, Heading, Menu, Page, Part, Pick
from cogs.ui.text import without_icons
from engines.marks import to_plain
from render.core.canvas import Picture

ONE_SCREEN = 620
"""Pixels between the bars of a phone of 390 by 844."""
WIDTH = 265
"""The width of a picture or a line there, in pixels."""
FRAME_HEIGHT = 96
"""The height around the parts: the author's name, and the note that only one person sees it."""
LINE, SMALL_LINE = 22, 20
LETTER, SMALL_LETTER, LABEL_LETTER = 7.6, 6.6, 7.2
"""Pixels: the height of a line; the width of a letter in text, in small print, on a button."""
CONTROL, MENU, GAP, EDGES, EMOJI = 40, 46, 8, 30, 24
"""Pixels: height of a row and of a menu, the gap between two, a label's padding, an emoji."""
MARGIN = 40
"""The error of the estimate, in pixels."""
PNG_SIZE_OFFSET = 16
"""Offset of the width and the height in a PNG."""
MARKDOWN = re.compile(r"\*\*|^-# ")
MOMENT, MOMENT_TEXT = re.compile(r"<t:\d+:(\w)>"), "26 November 2026, 21:10"
"""A timestamp in Discord's markup, and about what it displays."""


def height(page: Page) -> int:
    """Return a page's height in pixels, to within a few tens."""
    return FRAME_HEIGHT + sum(_tall(part) for part in (*page.warnings, *page.parts))


def _tall(part: Part) -> int:
    match part:
        case str():
            return sum(map(_line, part.splitlines()))
        case Described(text=text, menu=menu):
            return sum(map(_line, text.splitlines())) + (0 if menu is None else MENU)
        case Picture(png=png):
            wide, high = map(int, unpack_from(">II", png, PNG_SIZE_OFFSET))
            return GAP + WIDTH * high // wide
        case Menu(options=options) if any(option.chosen for option in options):
            return MENU + GAP
        case Menu() | Pick():
            return MENU
        case Heading() | ButtonLine() | Document():
            return CONTROL
        case row:
            return CONTROL * _lines(row)


def _line(text: str) -> int:
    """Return the height of a text's line in pixels, wrapped where needed."""
    small = text.startswith("-# ")
    most = int(WIDTH / (SMALL_LETTER if small else LETTER))
    shown = MOMENT.sub(MOMENT_TEXT, MARKDOWN.sub("", without_icons(text)))
    # Most lines of a board in words aren't broken, and looking where to break one takes a while.
    lines = 1 if len(shown) <= most else len(textwrap.wrap(shown, most))
    return (SMALL_LINE if small else LINE) * max(1, lines)


def _lines(row: Sequence[Button]) -> int:
    """Return the lines of a row's buttons; five don't fit a phone."""
    lines, taken = 0, WIDTH
    for button in row:
        sign = button.emoji is not None or to_plain(button.label) != button.label
        wide = EDGES + int(len(to_plain(button.label)) * LABEL_LETTER) + EMOJI * sign
        if not lines or taken + wide > WIDTH:
            lines, taken = lines + 1, 0
        taken += wide + GAP
    return lines


BUTTONS_PER_ROW = 5
"""Buttons in a row at most."""


def order_parts(parts: Sequence[Part], shows_board: Callable[[Page], bool]) -> list[Part]:
    """Move the board's picture below the controls."""
    boards = [part for part in parts if shows_board(Page([part]))]
    rest = [part for part in parts if part not in boards]
    last = max(
        (place for place, part in enumerate(rest, start=1) if isinstance(part, Menu | list)), default=0
    )
    return [*rest[:last], *boards, *rest[last:]]


def with_extras(page: Page, recap: str, extras: Sequence[Extra]) -> Page:
    """Return a page below a recap, with its extras.

    >>> with_extras(Page(["Flip a card."]), "Ann moved.", [["You have until Friday."]]).parts
    ['Ann moved.', 'Flip a card.', 'You have until Friday.']
    """
    parts: list[Part] = [list(part) if isinstance(part, list) else part for part in page.parts]
    for extra in extras:
        if not isinstance(extra, Button):
            continue
        rows = [part for part in parts if isinstance(part, list)]
        if rows and len(rows[-1]) < BUTTONS_PER_ROW:
            rows[-1].append(extra)
        else:
            controls = [place for place, part in enumerate(parts, start=1) if isinstance(part, Menu | list)]
            parts.insert(controls[-1] if controls else len(parts), [extra])
    for extra in extras:
        parts += [] if isinstance(extra, Button) else extra
    shown = [recap, *parts] if recap else parts
    return Page(shown, warnings=page.warnings, is_spoken=page.is_spoken)


def one_screen(page: Page, recaps: Sequence[str], extras: Sequence[Extra], last: Button) -> Page:
    """Return a page with what fits, and the button `last`.

    Of `recaps`, the first that fits is taken, or else the last one. Earlier extras have priority.
    """
    recap = next((one for one in recaps if fits(page, one, [last])), "".join(recaps[-1:]))
    kept: list[Extra] = []
    for extra in extras:
        if fits(page, recap, [*kept, extra, last]):
            kept.append(extra)
    return with_extras(page, recap, [*kept, last])


def fits(page: Page, recap: str, extras: Sequence[Extra]) -> bool:
    return height(with_extras(page, recap, extras)) <= ONE_SCREEN - MARGIN
