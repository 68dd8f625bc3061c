"""Whole games in browser tabs, whatever the game is."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.tab import PATIENCE, Tab

Turn = Callable[[Tab, int], None]
"""Takes a whole turn in a tab; the number grows with the turns."""


def to_move(title: str, seat: Tab) -> str | None:
    """Who is mentioned in the newest board post; None when the game is over."""
    if seat.has("Rematch"):
        return None
    newest = seat.text().rsplit(f"{title} · table", 1)[-1]
    found = re.findall(r"@(\w+)\s*:", newest)
    return found[0] if found else None


def play_to_the_end(title: str, seats: dict[str, Tab], take_turn: Turn, turns: int = 60) -> None:
    """Everybody takes turns in their own tab until the game is over."""
    looker = next(iter(seats.values()))
    for number in range(turns):
        expect(looker.button("Rematch").or_(looker.button("Take turn")).last).to_be_visible(timeout=PATIENCE)
        name = to_move(title, looker)
        if name is None:
            return
        boards = looker.page.get_by_role("heading", name=f"{title} · table", level=3)
        theirs = seats[name].page.get_by_role("heading", name=f"{title} · table", level=3)
        shown = boards.count()
        expect(theirs).to_have_count(shown, timeout=PATIENCE)
        take_turn(seats[name], number % 3)
        expect(boards).not_to_have_count(shown, timeout=PATIENCE)
    raise AssertionError("the game did not end")
