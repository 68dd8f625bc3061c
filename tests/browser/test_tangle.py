import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, Practice, tab
from tests.browser.play import KEY, key, newest, play_to_the_end
from tests.browser.tab import PATIENCE, Tab

pytestmark = [pytest.mark.thorough]
TITLE = "Tangle"
SENDS = re.compile("^(Place it.*|Confirm.*|Keep all.*|Keep it.*)$")
CLOSES = re.compile(
    "^((Lay|Plant|Put|Grow|Swap|Offer|Cast|Do|Take over) no.*|Drop all|Keep your mana.*|End the turn|Leave .*"
    "|Take nothing.*)$"
)
ANSWERS = re.compile(r"^\d [WENM]")
MENUS = re.compile(r"^(?!Which root).*(\?|[Tt]rackers)")


def begin(seat: Tab) -> None:
    seat.play(TITLE)
    seat.press_until("Options", seat.menu("Round limit"))
    seat.choose("Round limit", 1, seat.page.get_by_text("at most 30 rounds"))
    seat.add_computer("medium")
    seat.start()


def take_turn(seat: Tab, number: int) -> None:
    """Move a root to the first space offered, then do the minimum."""
    shown = key(newest(seat))
    seat.press(seat.button("Take turn"))
    menus = seat.page.get_by_role("combobox", name=MENUS)
    sends, closes, answers = seat.find_enabled(SENDS), seat.find_enabled(CLOSES), seat.find_enabled(ANSWERS)
    for _ in range(24):
        fresh = newest(seat).and_(seat.page.locator(f"button:not([{KEY}='{shown}'])"))
        expect(sends.or_(closes).or_(answers).or_(menus).or_(fresh).last).to_be_visible(timeout=PATIENCE)
        if key(newest(seat)) != shown:
            return
        buttons = next((kind for kind in (sends, closes, answers) if kind.count()), None)
        if buttons is not None:
            seat.press(buttons.last)
        elif menus.count():
            seat.choose_lines(menus.first)
    raise AssertionError("the turn did not end")


def test_a_game_begun_on_a_phone_is_ended_at_a_desk(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url, PHONE)
    begin(ann)
    ann.page.wait_for_function("document.body.innerText.includes('@Ann')", timeout=PATIENCE)
    ann.press(ann.button("Take turn"))
    ann.photograph("18-tangle-phone-panel")

    ann.choose_lines(ann.page.get_by_role("combobox", name=MENUS).last)
    ann.photograph("19-tangle-phone-placed")

    ann.press(ann.find_enabled(CLOSES).last)
    ann.sees("Ann moves a root")

    practice.skip(1)
    again = tab(browser, practice.url)
    play_to_the_end(TITLE, {"Ann": again}, take_turn)

    again.photograph("17-tangle-over")
    expect(again.button("Rematch")).to_be_visible()
