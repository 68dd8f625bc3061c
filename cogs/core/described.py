"""Boards and hands in words, for people who listen: they take the place of pictures, and none is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.core.pictures import Pictures
from cogs.ui.page import MENU_LIMIT, Described, Menu, Option
from cogs.ui.press import Press
from cogs.ui.signs import unformatted
from engines.names import quote_players
from engines.registry import words
from engines.words import MOST_CHARACTERS, Part, section
from render.daily import Month, described
from tables.core.table import Table
from tables.play.play import Perspective

OPENING = 900
"""How many characters of a board a panel shows; the rest is behind the headings below them."""
MORE = "More of the board: choose a heading"
NOW = ""
"""The argument of a press that means the board as it lies now; a turn's number means that after a turn."""


def names_of(table: Table) -> list[str]:
    """The names of a table's seats, as they are part of a sentence."""
    return quote_players(table.names)


def board_parts(table: Table, view: Any) -> list[Part]:
    """A board in words, in its parts."""
    return words(table.slug).parts(view, names_of(table))


def headings(
    table: Table, parts: Sequence[Part], at: str = NOW, verb: str = "words", chosen: str = ""
) -> Menu:
    """The menu of a board's headings; a board of very many parts is told by its first ones."""
    options = [
        Option(part.heading, key_of(part), chosen=key_of(part) == chosen) for part in parts[:MENU_LIMIT]
    ]
    return Menu(Press("table", verb, table.id, arg=at), MORE, options)


def key_of(part: Part) -> str:
    """Return what a menu of headings hands back for a part."""
    return unformatted(part.heading)[:100]


def opening(parts: Sequence[Part], most: int) -> str:
    """The first parts of a board, as many as have room; the first one in any case."""
    text = told(parts[0])
    for part in parts[1:]:
        longer = f"{text}\n{told(part)}"
        if len(longer) > most:
            break
        text = longer
    return text


def told(part: Part) -> str:
    """A part under its heading."""
    return f"**{part.heading}**\n{part.text}"


def board(table: Table, view: Any, most: int = OPENING, at: str = NOW) -> Described:
    """A whole board: what has room, and the headings of all of it."""
    parts = board_parts(table, view)
    text = opening(parts, most)
    whole = all(told(part) in text for part in parts)
    return Described(text, None if whole else headings(table, parts, at), whole=True)


class DescribedPictures(Pictures):
    """What `Pictures` gives, in words: boards, hands, previews and months. All others are drawn."""

    def __init__(self, pictures: Pictures) -> None:
        vars(self).update(vars(pictures))

    async def board(self, table: Table, view: Any) -> Described:
        """The whole table."""
        return board(table, view)

    async def hand(self, perspective: Perspective) -> Described | None:
        """A seat's own hand; None where there is none to show."""
        table, seat = perspective.table, perspective.seat
        if seat is None:
            return None
        lines = words(table.slug).describe_hand(perspective.view, names_of(table), seat)
        return None if not lines else Described(section("Your hand", lines)[0].text)

    async def special(self, table: Table, what: str, view: Any, *args: Any) -> Described:
        """A picture of the game's own: a preview by what it would change, else the whole board."""
        lines = words(table.slug).describe_picture(what, view, names_of(table), args)
        return board(table, view) if not lines else Described("\n".join(lines)[:MOST_CHARACTERS])

    async def calendar(self, month: Month) -> Described:
        """A month of somebody who plays the deal of the day."""
        return Described("\n".join(described(month))[:MOST_CHARACTERS])
