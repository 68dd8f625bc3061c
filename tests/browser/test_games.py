"""Games begun on a phone and ended at a desk, in a real browser."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import PHONE, Practice, tab
from tests.browser.play import KEY, Turn, key, newest, play_to_the_end
from tests.browser.tab import PATIENCE, Tab

pytestmark = [pytest.mark.thorough]
SENDS = re.compile("^(Place it.*|Confirm.*|Keep all.*|Keep it.*)$")
CLOSES = re.compile(
    "^((Lay|Plant|Put|Grow|Swap|Offer|Cast|Do|Take over) no.*|Done .*|Drop all|Keep your mana.*|End the turn"
    "|Leave .*|Take nothing.*)$"
)
PAYS = re.compile(r"^(\d [WENM]|\w+ \+\d)")
MENUS = re.compile(r"\?|[Tt]rackers")
LAY = re.compile("^Place(, (go on|show all))?$")
REGION = re.compile("^[A-I]$")
DRAWS = re.compile(r"^Draw \d, end turn$")
PLACES = re.compile("^(Place [1-4]: .*|Confirm.*)$")
ANSWERS = re.compile("^([A-I](: .*)?|.*'s|Neutral|(Rabbit|Bear|Fox).*:.*|Step .*)$")


def begin_tangle(seat: Tab) -> None:
    seat.fill("Options", seat.page.get_by_text("at most 30 rounds"), round_limit="30")


def place_a_root(seat: Tab) -> None:
    seat.page.wait_for_function('document.body.innerText.includes("Ann\'s move is due")', timeout=PATIENCE)
    seat.press(seat.button("Take turn"))
    seat.photograph("18-tangle-phone-panel")

    seat.choose_lines(seat.page.get_by_role("combobox", name=MENUS).last)
    seat.photograph("19-tangle-phone-placed")

    seat.press(seat.find_enabled(CLOSES).last)
    seat.sees("Ann moves a root")


def play_tangle(seat: Tab, number: int) -> None:
    """Move a root to the first space offered, then do the minimum."""
    shown = key(newest(seat))
    seat.press(seat.button("Take turn"))
    menus = seat.page.get_by_role("combobox", name=MENUS)
    sends, closes, answers = seat.find_enabled(SENDS), seat.find_enabled(CLOSES), seat.find_enabled(PAYS)
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


def lay_a_domino(seat: Tab) -> None:
    seat.press_until("Take turn", seat.page.get_by_role("button", name=LAY).last)
    seat.photograph("12-tangram-phone-panel")

    seat.click("Next fit")
    seat.page.get_by_role("button", name=LAY).last.click()

    seat.sees("can now see the")
    seat.photograph("13-tangram-phone-laid")


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


def play_tangram(seat: Tab, number: int) -> None:
    """Answer for the current tile, moved a little by the pad. In the last round answer for all tiles."""
    place = seat.page.get_by_role("button", name=LAY)
    confirm = seat.page.get_by_role("button", name="Confirm", exact=True)
    shown = key(newest(seat))
    seat.press_until("Take turn", place.last)
    if number == 1:
        for label in ("\u2192", "Turn", "Flip", "Next fit"):
            if seat.has(label) and seat.button(label).is_enabled():
                seat.click(label)
    if "place the last tile" not in seat.text().rsplit("Tangram City · table", 1)[-1]:
        return lay(seat, lambda: expect(newest(seat)).not_to_have_attribute(KEY, shown, timeout=PATIENCE / 2))
    for _ in range(4):
        if not confirm.count():
            ticks = seat.page.get_by_role("button", name=re.compile("^\u2713 "))
            ready = confirm.or_(ticks.nth(ticks.count())).first
            lay(seat, partial(expect(ready).to_be_visible, timeout=PATIENCE / 2))
    confirm.last.click()


def begin_tesla(seat: Tab) -> None:
    seat.fill("Options", seat.page.get_by_text("first to 30 points"), win="30")


def place_a_tile(seat: Tab) -> None:
    expect(seat.button("Take turn")).to_be_visible(timeout=PATIENCE)
    seat.press_until("Take turn", seat.button("End turn"))
    seat.photograph("8-tesla-phone-panel")

    seat.press_until("Next place", seat.button("Place"))
    seat.photograph("9-tesla-phone-tile")
    seat.click("Place")

    seat.sees("laces a tile at")
    seat.photograph("10-tesla-phone-laid")


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


def play_tesla(seat: Tab, number: int) -> None:
    seat.press_until("Take turn", seat.button("End turn"))
    lay_a_tile(seat)
    if seat.has("Marker"):
        put_a_marker(seat)
    end = seat.button("End turn")
    expect(end.or_(seat.button("Rematch")).last).to_be_visible(timeout=PATIENCE)
    if end.count():
        end.click()
        expect(end).to_have_count(0, timeout=PATIENCE)


def begin_tanglewood(seat: Tab) -> None:
    seat.fill("Options", seat.page.get_by_text("short deck"), length="short")
    seat.add_computer("medium")


def place_a_marker(seat: Tab) -> None:
    expect(seat.button("Take turn")).to_be_visible(timeout=PATIENCE)
    seat.page.wait_for_function('document.body.innerText.includes("Ann\'s move is due")', timeout=PATIENCE)
    seat.press(seat.button("Take turn"))
    seat.photograph("15-tanglewood-phone-panel")

    seat.press(seat.find_enabled(REGION).last)
    seat.photograph("16-tanglewood-phone-place")
    seat.press(seat.find_enabled(PLACES).last)

    seat.sees("laces 1 marker")


def play_tanglewood(seat: Tab, number: int) -> None:
    """Place where the newest button says, or draw; then answer every question."""
    shown = key(newest(seat))
    seat.press(seat.button("Take turn"))
    menus = seat.page.get_by_role("combobox", name=re.compile(r"\?"))
    kinds = [seat.find_enabled(name) for name in (PLACES, ANSWERS, REGION, DRAWS)]
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


class PhoneGame(NamedTuple):
    """How a game is set up, moved in once on a phone, and played to its end."""

    title: str
    begin: Callable[[Tab], None]
    move_once: Callable[[Tab], None]
    take_turn: Turn
    turns_left: int
    photograph: str


GAMES = {
    "tesla": PhoneGame("Tesla's Tangle", begin_tesla, place_a_tile, play_tesla, 2, "7-tesla-over"),
    "tangram": PhoneGame("Tangram City", lambda _: None, lay_a_domino, play_tangram, 2, "11-tangram-over"),
    "tanglewood": PhoneGame(
        "Tanglewood", begin_tanglewood, place_a_marker, play_tanglewood, 2, "14-tanglewood-over"
    ),
    "tangle": PhoneGame("Tangle", begin_tangle, place_a_root, play_tangle, 1, "17-tangle-over"),
}


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_begun_on_a_phone_is_ended_at_a_desk(practice: Practice, browser: Browser, slug: str) -> None:
    game = GAMES[slug]
    ann = tab(browser, practice.url, PHONE)
    ann.play(game.title)
    game.begin(ann)
    ann.add_computer("medium")
    ann.start()
    game.move_once(ann)

    practice.skip(game.turns_left)
    again = tab(browser, practice.url)
    play_to_the_end(game.title, {"Ann": again}, game.take_turn)

    again.photograph(game.photograph)
    expect(again.button("Rematch")).to_be_visible()
