import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, Practice, tab
from tests.browser.play import KEY, key, newest, play_to_the_end
from tests.browser.tab import PATIENCE, Tab

pytestmark = [pytest.mark.thorough]
TITLE = "Tanglewood"
REGION = re.compile("^[A-I]$")
DRAWS = re.compile(r"^Draw \d, end turn$")
SENDS = re.compile("^(Place [1-4]: .*|Confirm.*)$")
ANSWERS = re.compile("^([A-I](: .*)?|.*'s|Neutral|(Rabbit|Bear|Fox).*:.*|Step .*)$")


def begin(seat: Tab) -> None:
    seat.play(TITLE)
    seat.press_until("Options", seat.menu("Length"))
    seat.choose("Length", 1, seat.page.get_by_text("short deck"))
    for _ in range(2):
        seat.add_computer("medium")
    seat.start()


def take_turn(seat: Tab, number: int) -> None:
    """Place where the newest button says, or draw; then answer every question."""
    shown = key(newest(seat))
    seat.press(seat.button("Take turn"))
    menus = seat.page.get_by_role("combobox", name=re.compile(r"\?"))
    kinds = [seat.find_enabled(name) for name in (SENDS, ANSWERS, REGION, DRAWS)]
    for _ in range(12):
        fresh = newest(seat).and_(seat.page.locator(f"button:not([{KEY}='{shown}'])"))
        expect(kinds[0].or_(kinds[1]).or_(kinds[2]).or_(kinds[3]).or_(menus).or_(fresh).last).to_be_visible(
            timeout=PATIENCE
        )
        if key(newest(seat)) != shown:
            return
        if menus.count() and not kinds[0].count():
            seat.choose_lines(menus.last)
        else:
            seat.press(next(kind for kind in kinds if kind.count()).last)
    raise AssertionError("the turn did not end")


def test_a_short_game_begun_on_a_phone_is_ended_at_a_desk(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url, PHONE)
    begin(ann)
    expect(ann.button("Take turn")).to_be_visible(timeout=PATIENCE)
    ann.page.wait_for_function("document.body.innerText.includes('@Ann')", timeout=PATIENCE)
    ann.press(ann.button("Take turn"))
    ann.photograph("15-tanglewood-phone-panel")

    ann.press(ann.find_enabled(REGION).last)
    ann.photograph("16-tanglewood-phone-place")
    ann.press(ann.find_enabled(SENDS).last)

    ann.sees("laces 1 marker")

    practice.skip(2)
    again = tab(browser, practice.url)
    play_to_the_end(TITLE, {"Ann": again}, take_turn)

    again.photograph("14-tanglewood-over")
    expect(again.button("Rematch")).to_be_visible()
