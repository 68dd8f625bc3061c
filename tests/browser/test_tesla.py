import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, Practice, tab
from tests.browser.play import play_to_the_end
from tests.browser.tab import PATIENCE, Tab

pytestmark = [pytest.mark.thorough]
TITLE = "Tesla's Tangle"


def begin(seat: Tab) -> None:
    seat.play(TITLE)
    seat.press_until("Options", seat.menu("Points to win"))
    seat.choose("Points to win", 0, seat.page.get_by_text("first to 30 points"))
    seat.add_computer("medium")
    seat.start()


def lay_a_tile(seat: Tab) -> None:
    """Lay a tile where the panel proposes, and ignore a replay."""
    if not seat.has("Place"):
        return
    laid, over = seat.button("Undo"), seat.button("Rematch")
    away = seat.button("No more markers")
    seat.press_until("Place", laid.or_(away).or_(over))
    if away.count():
        away.click()
        expect(away).to_have_count(0, timeout=PATIENCE)
    expect(laid.or_(over).last).to_be_visible(timeout=PATIENCE)


def put_a_marker(seat: Tab) -> None:
    """Follow the panel's proposal for a marker, if it makes one."""
    seat.click("Marker")
    expect(seat.button("Back")).to_be_visible(timeout=PATIENCE)
    confirm = seat.page.get_by_role("button", name=re.compile("^Confirm [^a,]")).last
    if confirm.count():
        confirm.click()
        expect(confirm).to_have_count(0, timeout=PATIENCE)
    else:
        seat.click("Back")


def take_turn(seat: Tab, number: int) -> None:
    seat.press_until("Take turn", seat.button("End turn"))
    lay_a_tile(seat)
    if seat.has("Marker"):
        put_a_marker(seat)
    end = seat.button("End turn")
    expect(end.or_(seat.button("Rematch")).last).to_be_visible(timeout=PATIENCE)
    if end.count():
        end.click()
        expect(end).to_have_count(0, timeout=PATIENCE)


def test_a_game_begun_on_a_phone_is_ended_at_a_desk(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url, PHONE)
    begin(ann)
    expect(ann.button("Take turn")).to_be_visible(timeout=PATIENCE)
    ann.press_until("Take turn", ann.button("End turn"))
    ann.photograph("8-tesla-phone-panel")

    ann.press_until("Next place", ann.button("Place"))
    ann.photograph("9-tesla-phone-tile")
    ann.click("Place")

    ann.sees("laces a tile at")
    ann.photograph("10-tesla-phone-laid")

    practice.skip(2)
    again = tab(browser, practice.url)
    play_to_the_end(TITLE, {"Ann": again}, take_turn)

    again.photograph("7-tesla-over")
    expect(again.button("Rematch")).to_be_visible()
