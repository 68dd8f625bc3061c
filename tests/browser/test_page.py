"""The page of a game in a real browser: on a phone, by keyboard, by ear, and without scripts."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engines.analysis.simulation import SimulationPlan
from engines.game import Strength
from host.simulate import make_page
from tests.browser.conftest import DESK, PHONE


@dataclass
class OpenPage:
    """The page of a game in a tab, and everything that the browser has complained about."""

    page: Page
    complaints: list[str]

    @property
    def heading(self) -> str:
        """Return the headings of the visible turns."""
        shown = self.page.locator(".turns > li:visible h2")
        return "; ".join(shown.all_inner_texts())

    @property
    def focused(self) -> str:
        return str(
            self.page.evaluate(
                "(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText)"
                " || document.activeElement.id"
            )
        )


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    strengths = (Strength.EASY, Strength.EASY)
    path = tmp_path_factory.mktemp("page") / "ribbon.html"
    path.write_bytes(make_page(SimulationPlan("ribbon", b'{"mode": "versus"}', strengths), "1", 0))
    return path


@pytest.fixture
def game_page(browser: Browser, file: Path, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    wishes = getattr(request, "param", {})
    size = wishes.get("size", PHONE)
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        has_touch=True,
        java_script_enabled=wishes.get("scripts", True),
        color_scheme=wishes.get("scheme", "light"),
    )
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda sent: complaints.append(sent.url) if sent.url.startswith("http") else None)
    page.goto(file.as_uri())
    yield OpenPage(page, complaints)
    assert complaints == []
    context.close()


def test_one_turn_is_shown_and_fits_a_phone(game_page: OpenPage) -> None:
    assert game_page.heading == "The deal"
    assert game_page.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    board = game_page.page.locator(".turns > li:visible .board")
    box = board.bounding_box()
    assert box is not None
    assert box["width"] > 0.85 * PHONE[0]
    expect(game_page.page.get_by_role("button", name="Next turn")).to_be_in_viewport()


def test_the_keyboard_alone_reaches_every_turn(game_page: OpenPage) -> None:
    keyboard = game_page.page.keyboard

    keyboard.press("ArrowRight")
    assert game_page.heading.startswith("Turn 1 of ")
    keyboard.press("End")
    last = game_page.heading
    keyboard.press("ArrowRight")
    assert game_page.heading == last
    keyboard.press("Home")
    assert game_page.heading == "The deal"

    seen = []
    for _ in range(12):
        keyboard.press("Tab")
        seen.append(game_page.focused)
    assert seen[0] == "Make it dark"
    assert "The board in words" in seen
    assert {"turn", "First turn", "Next turn", "Last turn"} <= set(seen)
    game_page.page.get_by_role("button", name="Next turn").focus()
    keyboard.press("Enter")
    assert game_page.heading.startswith("Turn 1 of ")
    assert game_page.focused == "Next turn"


def test_buttons_slider_and_links_lead_to_turns(game_page: OpenPage) -> None:
    page = game_page.page

    page.get_by_role("button", name="Last turn").click()
    last = game_page.heading
    page.get_by_role("button", name="Previous turn").click()
    before = game_page.heading
    page.get_by_role("slider", name="Turn").fill("1")
    first = game_page.heading

    assert last.split()[1] == last.split()[3]
    assert int(before.split()[1]) == int(last.split()[1]) - 1
    assert first.startswith("Turn 1 of ")


def test_a_swipe_across_the_board_turns_the_page(game_page: OpenPage) -> None:
    swipe = """([from, to]) => {
        const board = document.querySelector('.turns > li.now .board');
        for (const [kind, x] of [['touchstart', from], ['touchend', to]]) {
            const touch = new Touch({identifier: 1, target: board, clientX: x, clientY: 300});
            const touches = kind === 'touchstart' ? [touch] : [];
            board.dispatchEvent(new TouchEvent(kind, {bubbles: true, touches, changedTouches: [touch]}));
        }
    }"""

    game_page.page.evaluate(swipe, [300, 100])
    on = game_page.heading
    game_page.page.evaluate(swipe, [300, 290])
    still = game_page.heading
    game_page.page.evaluate(swipe, [100, 300])

    assert on.startswith("Turn 1 of ")
    assert still == on
    assert game_page.heading == "The deal"


def test_a_screen_reader_finds_the_turn_its_board_and_its_controls(game_page: OpenPage) -> None:
    page = game_page.page
    page.keyboard.press("ArrowRight")

    tree = page.locator("body").aria_snapshot()

    for part in (
        'heading "Ribbon Tangle, game 1 of seed 1" [level=1]',
        'heading "Turn 1 of',
        'list "Players"',
        'slider "Turn"',
        'button "Next turn"',
        'button "Previous turn"',
        "status: Turn 1 of",
    ):
        assert part in tree
    assert page.get_by_role("img").first.get_attribute("aria-label")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", game_page.heading)
    assert tree.count('heading "Turn ') == 1


def test_the_board_is_there_in_words(game_page: OpenPage) -> None:
    turn = game_page.page.locator(".turns > li:visible")

    turn.get_by_text("The board in words").click()

    expect(turn.get_by_text("12 cards are face down.")).to_be_visible()


@pytest.mark.parametrize("game_page", [{"scripts": False}], indirect=True)
def test_without_scripts_it_is_a_list_of_all_turns(game_page: OpenPage) -> None:
    page = game_page.page

    headings = game_page.heading.split("; ")

    assert headings[0] == "The deal"
    assert len(headings) == page.locator(".turns > li").count() > 3
    expect(page.get_by_role("slider")).to_have_count(0)
    expect(page.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("game_page", [{"scheme": "dark", "size": DESK}], indirect=True)
def test_the_page_follows_the_systems_theme_until_the_button_says_otherwise(game_page: OpenPage) -> None:
    button = game_page.page.locator("#theme")
    paper = "getComputedStyle(document.documentElement).backgroundColor"

    expect(button).to_have_text("Make it light")
    dark = game_page.page.evaluate(paper)
    button.click()

    expect(button).to_have_text("Make it dark")
    assert (dark, game_page.page.evaluate(paper)) == ("rgb(28, 32, 40)", "rgb(246, 242, 233)")
