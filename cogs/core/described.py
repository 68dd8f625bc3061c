"""Boards and hands in words, in place of pictures, for people who listen."""

from collections.abc import Sequence
from typing import Any

from cogs.core.pictures import Pictures
from cogs.ui.page import MENU_LIMIT, Described, Menu, Option
from cogs.ui.press import Press
from engines.marks import to_plain
from engines.names import quote_players
from engines.registry import words
from engines.words import MOST_CHARACTERS, Part, section
from render.daily import MonthSheet, describe_month
from tables.core.table import Table
from tables.play.play import Perspective

OPENING = 900
"""Characters of a board that a panel shows; its menu of headings leads to the rest."""
MORE = "Choose a heading to see more of the board"
NOW = ""
"""The argument of a press for the current board; a turn's number means the board after it."""


def names_of(table: Table) -> list[str]:
    """Return the names of a table's seats, ready for a sentence."""
    return quote_players(table.names)


def board_parts(table: Table, view: Any) -> list[Part]:
    return words(table.slug).parts(view, names_of(table))


def words_press(table: Table, at: str = NOW) -> Press:
    return Press("table", "words", table.id, arg=at)


def headings(parts: Sequence[Part], press: Press, chosen: str = "") -> Menu:
    """Return the menu of a board's headings: the first if too many."""
    options = [
        Option(part.heading, key_of(part), chosen=key_of(part) == chosen) for part in parts[:MENU_LIMIT]
    ]
    return Menu(press, MORE, options)


def key_of(part: Part) -> str:
    """Return a part's value in the menu of headings."""
    return to_plain(part.heading)[:100]


def opening(parts: Sequence[Part], most: int) -> str:
    """Return the first parts of a board that fit, at least one."""
    text = with_heading(parts[0])
    for part in parts[1:]:
        longer = f"{text}\n{with_heading(part)}"
        if len(longer) > most:
            break
        text = longer
    return text


def with_heading(part: Part) -> str:
    return f"**{part.heading}**\n{part.text}"


def board(table: Table, view: Any, most: int = OPENING, at: str = NOW) -> Described:
    """Return a board's first parts, with a menu of all headings."""
    parts = board_parts(table, view)
    text = opening(parts, most)
    whole = all(with_heading(part) in text for part in parts)
    return Described(text, None if whole else headings(parts, words_press(table, at)), whole=True)


def board_of_panel(table: Table, view: Any, heading: str) -> Described:
    """Return a board's part for a panel, by its heading.

    The menu of headings shows the panel again, with another part.
    """
    parts = board_parts(table, view)
    part = next((part for part in parts if key_of(part) == heading), None)
    text = opening(parts, OPENING) if part is None else with_heading(part)
    if all(with_heading(part) in text for part in parts):
        return Described(text, whole=True)
    press = Press("table", "spoken", table.id, table.moment)
    return Described(text, headings(parts, press, heading), whole=True)


class DescribedPictures(Pictures):
    """Describes boards, hands, previews and months in words; draws all else like `Pictures`."""

    def __init__(self, pictures: Pictures) -> None:
        vars(self).update(vars(pictures))

    async def board(self, table: Table, view: Any) -> Described:
        return board(table, view)

    async def hand(self, perspective: Perspective) -> Described | None:
        """Return a seat's own hand; None if there is none to show."""
        table, seat = perspective.table, perspective.seat
        if seat is None:
            return None
        lines = words(table.slug).describe_hand(perspective.view, names_of(table), seat)
        return None if not lines else Described(section("Your hand", lines)[0].text)

    async def special(self, table: Table, what: str, view: Any, *args: Any) -> Described:
        """Describe a preview by its changes, other pictures as the board."""
        lines = words(table.slug).describe_picture(what, view, names_of(table), args)
        return board(table, view) if not lines else Described("\n".join(lines)[:MOST_CHARACTERS])

    async def calendar(self, month: MonthSheet) -> Described:
        return Described("\n".join(describe_month(month))[:MOST_CHARACTERS])
