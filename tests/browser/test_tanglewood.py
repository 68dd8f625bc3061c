"""Tanglewood in practice mode: a whole short game against computers, and a turn on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.conftest import PHONE, Practice, tab
from tests.browser.play import KEY, key, newest, play_to_the_end
from tests.browser.tab import PATIENCE, Tab

pytestmark = pytest.mark.xdist_group("browser")
TITLE = "Tanglewood"
REGION = re.compile("^[A-I] [A-Z0-9]")
SENDS = re.compile("^(Place [1-4]|Draw [2-6]|Confirm)$")
ANSWERS = re.compile("^([A-I]|.*'s|Neutral|(Rabbit|Bear|Fox).*:.*)$")
CHANGES = "seen => document.body.innerText !== seen"


def begin(seat: Tab) -> None:
    """Open a short game with two weak computer players."""
    seat.click(f"Play {TITLE}")
    seat.press_until("Options", seat.menu("Length"))
    seat.choose("Length", 1)
    seat.sees("3 to 5 players, short")
    for _ in range(2):
        press(seat, seat.button("Add weak computer"))
    expect(seat.button("Start")).to_be_enabled()
    seat.click("Start")
    seat.sees("The game begins")


def press(seat: Tab, button: Locator) -> None:
    """Press a button until the page changes."""
    seen = seat.text()
    for _ in range(3):
        button.click()
        try:
            seat.page.wait_for_function(CHANGES, arg=seen, timeout=PATIENCE / 3)
        except PlaywrightTimeout:
            continue
        return
    raise AssertionError("nothing came of a press")


def enabled(seat: Tab, name: re.Pattern[str]) -> Locator:
    """The buttons of these names that can be pressed; none while a press is under way."""
    return seat.page.locator("button:not([aria-disabled=true]):not([disabled])").filter(has_text=name)


def take_turn(seat: Tab, number: int) -> None:
    """Place where the newest button says, or draw; then answer whatever is asked."""
    shown = key(newest(seat))
    press(seat, seat.button("Take turn"))
    menus = seat.page.get_by_role("combobox", name=re.compile("^Choose"))
    kinds = [enabled(seat, name) for name in (SENDS, ANSWERS, REGION)]
    for _ in range(12):
        fresh = newest(seat).and_(seat.page.locator(f"button:not([{KEY}='{shown}'])"))
        expect(kinds[0].or_(kinds[1]).or_(kinds[2]).or_(menus).or_(fresh).last).to_be_visible(
            timeout=PATIENCE
        )
        if key(newest(seat)) != shown:
            return
        if menus.count() and not kinds[0].count():
            choose(seat, menus.last)
        else:
            press(seat, next(kind for kind in kinds if kind.count()).last)
    raise AssertionError("the turn did not end")


def choose(seat: Tab, menu: Locator) -> None:
    """Choose the first lines of a menu, as many as it asks for."""
    lines = seat.page.locator("[role=listbox] [role=option]:visible")
    this = seat.page.locator(f'[data-control-key="{menu.get_attribute("data-control-key")}"]')
    asked = re.search(r"\d", menu.get_attribute("aria-label") or "")
    # The page may redraw itself just then and close the menu again.
    for _ in range(3):
        menu.click()
        try:
            lines.first.click(timeout=PATIENCE / 5)
            for place in range(1, min(int(asked[0]) if asked else 1, lines.count())):
                lines.nth(place).click(timeout=PATIENCE / 5)
            if seat.has("Apply"):
                seat.click("Apply")
            expect(this).to_have_count(0, timeout=PATIENCE / 2)
        except (PlaywrightTimeout, AssertionError):
            continue
        return
    raise AssertionError("the menu does not stay open")


def test_a_whole_short_game_is_played_with_buttons_and_menus(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url)
    begin(ann)

    play_to_the_end(TITLE, {"Ann": ann}, take_turn)

    ann.photograph("14-tanglewood-over")
    ann.sees("of Tanglewood")


def test_markers_are_placed_at_the_width_of_a_phone(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url, PHONE)
    begin(ann)
    expect(ann.button("Take turn")).to_be_visible(timeout=PATIENCE)
    ann.page.wait_for_function("document.body.innerText.includes('@Ann')", timeout=PATIENCE)
    press(ann, ann.button("Take turn"))
    ann.photograph("15-tanglewood-phone-panel")

    press(ann, enabled(ann, REGION).last)
    ann.photograph("16-tanglewood-phone-place")
    press(ann, enabled(ann, SENDS).last)

    ann.sees("Ann places 1")
