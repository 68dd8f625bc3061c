import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.tab import PATIENCE, Tab

Turn = Callable[[Tab, int], None]
"""Takes a whole turn in a tab; the number grows with the turns."""


KEY = "data-control-key"
"""The page's name for a button: it changes with the message, while the number of messages stays the same for
long.
"""


def newest(seat: Tab) -> Locator:
    return seat.page.get_by_role("button", name=re.compile("^(Take turn|Rematch)$")).last


def key(button: Locator) -> str:
    return button.get_attribute(KEY) or ""


def to_move(title: str, seat: Tab) -> str | None:
    """Return the first person whose clock runs, if any.

    Not all are mentioned: a round mentions each person once.
    """
    if seat.has("Rematch"):
        return None
    newest = seat.text().rsplit(f"{title} · table", 1)[-1]
    entries = re.findall(r"(\w+)(?:(?:, \w+)* and \w+)? (?:has|have) until", newest)
    return entries[0] if entries else None


def play_turns(title: str, seats: dict[str, Tab], take_turn: Turn, turns: int) -> bool:
    """Let everybody take turns in tabs; return True if the game ended."""
    looker = next(iter(seats.values()))
    for number in range(turns):
        expect(looker.button("Rematch").or_(looker.button("Take turn")).last).to_be_visible(timeout=PATIENCE)
        name = to_move(title, looker)
        if name is None:
            return True
        shown = key(newest(looker))
        expect(newest(seats[name])).to_have_attribute(KEY, shown, timeout=PATIENCE)
        take_turn(seats[name], number % 3)
        expect(newest(looker)).not_to_have_attribute(KEY, shown, timeout=PATIENCE)
    return False


def play_to_the_end(title: str, seats: dict[str, Tab], take_turn: Turn) -> None:
    assert play_turns(title, seats, take_turn, 60), "the game did not end"
