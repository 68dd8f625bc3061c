"""Practice mode as a newcomer meets it: a page, a few clicks, a game to its end."""

import re
from concurrent.futures import ThreadPoolExecutor
from socket import socket

import pytest
from playwright.sync_api import Browser, Locator, expect

from host import start
from tests.browser import play
from tests.browser.conftest import PHONE, Practice, tab
from tests.browser.tab import PATIENCE, Tab


def take_turn(seat: Tab, number: int) -> None:
    """Take a turn as a hasty newcomer: the first choice offered."""
    page = seat.page
    flip = page.get_by_role("combobox", name=re.compile("^(Which card do you flip|Flip a card)"))
    end = page.get_by_role("button", name=re.compile("^(End turn|End turn and win)$"))
    opening = page.get_by_role("button", name=re.compile(r"(Green|Orange|Purple|Hand \d.*)$"))
    sure = page.get_by_role("button", name="End my turn anyway", exact=True)
    seat.press_until("Take turn", flip.or_(end).or_(opening).last)
    if opening.count():
        opening.last.click()
        expect(opening).to_have_count(0, timeout=PATIENCE)
    if flip.count():
        seat.choose_lines(flip.last, number)
    if end.count():
        end.click()
        expect(end).to_have_count(0, timeout=PATIENCE)
    if sure.count():
        sure.click()
        expect(sure).to_have_count(0, timeout=PATIENCE)


def play_to_the_end(seats: dict[str, Tab]) -> None:
    play.play_to_the_end("Ribbon Tangle", seats, take_turn)


@pytest.mark.thorough
def test_two_people_begin_a_game_in_two_tabs_and_end_it(practice: Practice, browser: Browser) -> None:
    ann, bo = tab(browser, practice.url), tab(browser, practice.url)
    bo.become("Bo")
    ann.command("/ribbon new")
    ann.sees("Twelve cards, three ribbons")
    ann.photograph("1-lobby")

    bo.click("Join")
    ann.start()
    play.play_turns("Ribbon Tangle", {"Ann": ann, "Bo": bo}, take_turn, 4)

    practice.skip(2)
    ann, bo = tab(browser, practice.url), tab(browser, practice.url)
    bo.become("Bo")
    play_to_the_end({"Ann": ann, "Bo": bo})

    ann.photograph("2-versus-over")
    bo.photograph("3-versus-over-as-bo")
    ann.sees("wins:")
    bo.sees("wins:")


@pytest.fixture
def metrics_port(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("METRICS_PORT", str(free.getsockname()[1]))


def begin_solo_game(practice: Practice, browser: Browser) -> Tab:
    ann = tab(browser, practice.url, PHONE)
    ann.play("Ribbon Tangle")
    ann.fill("Options", ann.page.get_by_text("Solo, easy"), mode="solo")
    ann.start()
    ann.sees("choose the hand that you use on turn 1")
    ann.photograph("4-phone-start")
    play.play_turns("Ribbon Tangle", {"Ann": ann}, take_turn, 1)
    return ann


@pytest.mark.essential
def test_a_solo_game_begins_at_the_width_of_a_phone_and_practice_mode_is_well(
    metrics_port: None, practice: Practice, browser: Browser
) -> None:
    ann = begin_solo_game(practice, browser)

    assert ann.has("Take turn")
    with ThreadPoolExecutor() as thread:  # the browser holds this one's event loop
        assert thread.submit(start.main, ["health"]).result() == 0


@pytest.mark.thorough
def test_a_game_with_a_computer_survives_a_killed_process(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url)
    ann.play("Ribbon Tangle")
    ann.add_computer("strong")
    expect(ann.page.get_by_text("free", exact=True)).to_have_count(1)
    ann.start()
    ribbons = ann.page.get_by_role("button", name=re.compile("(Green|Orange|Purple)$"))
    ann.press_until("Take turn", ribbons.first)
    ribbons.first.click()
    ann.sees("Ann takes")

    practice.kill()
    practice.start()

    again = tab(browser, practice.url)
    again.sees("Ribbon Tangle · table 1")
    play.play_turns("Ribbon Tangle", {"Ann": again}, take_turn, 1)
    again.photograph("6-after-a-restart")


def see_signs(seat: Tab) -> Locator:
    """Open tables until the text has a sign. Words replace signs until they are drawn."""
    clock = seat.page.locator("img.custom-emoji[alt^=tp_clock_]")
    for _ in range(20):
        seat.press(seat.button("Play Ribbon Tangle"))
        if clock.count():
            break
    return clock.last


@pytest.mark.thorough
def test_signs_are_pictures_in_the_text(practice: Practice, browser: Browser) -> None:
    clock = see_signs(tab(browser, practice.url))

    expect(clock).to_be_visible(timeout=PATIENCE)
    expect(clock).to_have_js_property("naturalWidth", 128, timeout=PATIENCE)


ROOM = "image => [image.offsetWidth, image.offsetHeight]"
"""The size of a picture; its position changes whenever the page scrolls."""


@pytest.mark.thorough
def test_a_picture_takes_its_room_before_it_is_there(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url, PHONE)
    ann.play("Ribbon Tangle")
    ann.add_computer("easy")
    ann.start()

    for picture in (ann.page.locator("img.gallery-image").last, see_signs(ann)):
        expect(picture).to_have_attribute("src", re.compile("^blob:"), timeout=PATIENCE)
        there = picture.evaluate(ROOM)

        picture.evaluate("image => { image.removeAttribute('src'); image.parentElement.disabled = true; }")

        assert picture.evaluate(ROOM) == there


@pytest.mark.thorough
def test_a_refused_command_is_answered_without_a_failure(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url)

    ann.command("/table board")

    ann.sees("There's no table here")
    assert "action failed" not in ann.text()


@pytest.mark.thorough
def test_a_second_one_on_its_port_is_refused_and_ctrl_c_ends_it_cleanly(practice: Practice) -> None:
    refused, reason = practice.again_beside()
    code, said = practice.interrupt()

    assert refused == 2
    assert "PRACTICE_PORT: " in reason.splitlines()[-1]
    assert code == 0
    assert "Traceback" not in reason + said


@pytest.mark.thorough
def test_dms_are_read_by_looking_into_them(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url)
    ann.play("Tangle")
    ann.add_computer("easy")
    ann.start()

    ann.page.get_by_label("Viewing as").select_option(label="Ann: DMs")
    ann.sees("Your hand at Tangle, table 1.")
    expect(ann.page.get_by_text("The game begins")).to_have_count(0)
    ann.press_until("Take turn", ann.page.get_by_text("Place a root").last)
    ann.photograph("7-dms")

    ann.page.get_by_label("Viewing as").select_option(label="Bo: DMs")
    expect(ann.page.get_by_text("Your hand at")).to_have_count(0)

    ann.become("Ann")
    ann.sees("The game begins")


@pytest.mark.thorough
def test_a_time_that_has_passed_is_not_told_as_one_to_come(practice: Practice, browser: Browser) -> None:
    ann = tab(browser, practice.url)
    ann.play("Ribbon Tangle")
    ann.add_computer("easy")
    ann.start()
    locator = ann.page.locator("time[data-relative]").last
    expect(locator).to_have_text(re.compile("^in |tomorrow"), timeout=PATIENCE)

    locator.evaluate("time => { time.dataset.relative = String(Math.round(Date.now() / 1000) - 120); }")

    expect(locator).to_have_text("2 minutes ago", timeout=PATIENCE)


@pytest.mark.thorough
def test_the_deal_of_the_day_is_turned_on_and_played_on_a_phone(practice: Practice, browser: Browser) -> None:
    seat = tab(browser, practice.url, PHONE)
    seat.become("Max (admin)")
    seat.command("/admin panel")
    seat.choose("Page", 6, seat.button("Games and puzzle"))
    first = seat.page.get_by_text("Games for the deal of the day: Ribbon Tangle")
    seat.fill("Games and puzzle", first, daily_games="ribbon")
    posted = seat.page.get_by_text("Nobody has finished yet.")
    seat.fill("When and where", posted, daily_channel="games", daily_hour="0:00")

    seat.become("Ann")
    hands = seat.page.get_by_role("button", name=re.compile(r"^Hand \d"))
    seat.press_until("Play", hands)
    seat.press(hands.last)
    play_a_deal(seat)

    seat.press_until("Share", seat.page.get_by_text("Deal of the day, 2"))
    seat.sees("1 person has finished")
    assert not seat.has("Rematch")
    assert not seat.page.get_by_text("Another game?").count()
    seat.photograph("7-daily")


def play_a_deal(seat: Tab) -> None:
    """Play in a private panel to the end, always the first choice."""
    flip = seat.page.get_by_role("combobox", name=re.compile("^(Which card do you flip|Flip a card)"))
    end = seat.find_enabled(re.compile("^(End turn|End turn and win|End my turn anyway)$"))
    over = seat.page.get_by_text("Your streak: 1 day")
    for number in range(60):
        expect(flip.or_(end).or_(over).last).to_be_visible(timeout=PATIENCE)
        if over.count():
            return
        if flip.count():
            seat.choose_lines(flip.last, number % 3)
        else:
            seat.press(end.last)
    raise AssertionError("the deal did not end")
