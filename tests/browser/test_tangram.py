import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import PHONE, Practice, tab
from tests.browser.play import KEY, key, newest, play_to_the_end
from tests.browser.tab import PATIENCE, Tab

pytestmark = [pytest.mark.thorough]
TITLE = "Tangram City"
LAY = re.compile("^Place(, go on)?$")


def begin(seat: Tab) -> None:
    seat.play(TITLE)
    seat.add_computer("medium")
    seat.start()


def fits(seat: Tab, place: Locator) -> bool:
    """Return True if the tile fits where it is held. During a press no button is enabled."""
    expect(seat.find_enabled(re.compile("^(Turn|Set aside)$")).last).to_be_visible(timeout=PATIENCE)
    return place.is_enabled()


def lay(seat: Tab, happens: Callable[[], None]) -> None:
    """Lay the held tile in place, else set it aside, until `happens`."""
    place = seat.page.get_by_role("button", name=LAY).last
    for _ in range(3):
        if fits(seat, place):
            place.click()
        else:
            seat.press_until("Set aside", seat.button("Yes, set it aside"))
            seat.click("Yes, set it aside")
        try:
            return happens()
        except AssertionError:
            continue
    raise AssertionError("nothing came of the answer")


def take_turn(seat: Tab, number: int) -> None:
    """Answer for the current tile, moved a little by the pad. In the last round answer for all tiles."""
    place = seat.page.get_by_role("button", name=LAY)
    confirm = seat.page.get_by_role("button", name="Confirm", exact=True)
    shown = key(newest(seat))
    seat.press_until("Take turn", place.last)
    if number == 1:
        for label in ("\u2192", "Turn", "Flip", "Next fit"):
            if seat.has(label) and seat.button(label).is_enabled():
                seat.click(label)
    if "place the last tile" not in seat.text().rsplit(f"{TITLE} · table", 1)[-1]:
        return lay(seat, lambda: expect(newest(seat)).not_to_have_attribute(KEY, shown, timeout=PATIENCE / 2))
    for _ in range(4):
        if not confirm.count():
            ticks = seat.page.get_by_role("button", name=re.compile("^\u2713 "))
            ready = confirm.or_(ticks.nth(ticks.count())).first
            lay(seat, partial(expect(ready).to_be_visible, timeout=PATIENCE / 2))
    confirm.last.click()


def test_a_game_begun_on_a_phone_is_ended_at_a_desk(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url, PHONE)
    begin(ann)
    ann.press_until("Take turn", ann.page.get_by_role("button", name=LAY).last)
    ann.photograph("12-tangram-phone-panel")

    ann.click("Next fit")
    ann.page.get_by_role("button", name=LAY).last.click()

    ann.sees("can now see the")
    ann.photograph("13-tangram-phone-laid")

    practice.skip(2)
    again = tab(browser, practice.url)
    play_to_the_end(TITLE, {"Ann": again}, take_turn)

    again.photograph("11-tangram-over")
    expect(again.button("Rematch")).to_be_visible()
