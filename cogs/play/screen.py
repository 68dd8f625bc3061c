"""Fits a panel on one screen of a phone; **More** leads to the rest."""

from collections.abc import Callable, Sequence

from cogs.play.height import MARGIN, ONE_SCREEN, height
from cogs.ui.page import Button, Extra, Menu, Page, Part

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
        if isinstance(extra, Button):
            _append(parts, extra)
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


def _append(parts: list[Part], button: Button) -> None:
    """Add a button to the last row, or to a new one."""
    rows = [part for part in parts if isinstance(part, list)]
    if rows and len(rows[-1]) < BUTTONS_PER_ROW:
        rows[-1].append(button)
    else:
        controls = [place for place, part in enumerate(parts, start=1) if isinstance(part, Menu | list)]
        parts.insert(controls[-1] if controls else len(parts), [button])
