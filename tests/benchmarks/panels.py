"""The height of panels on a phone, and the position of their controls, in a browser."""

import re
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playwright.sync_api import Locator, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from cogs.play.assembly import ONE_SCREEN
from engines.registry import games
from tests.benchmarks.measure import Figure
from tests.browser.chromium import find
from tests.browser.conftest import SWITCHES, Practice, tab
from tests.browser.play import newest, to_move
from tests.browser.tab import PATIENCE, SCREENSHOTS, Tab
from tests.discord.players import LEADS_AWAY, NOTES

SCREEN = (390, 844)
"""The page in pixels, as wide and as high as on a phone."""
PANELS_PER_GAME = 60
"""Panels to measure of each game, over several games if needed."""
ASIDE = (
    *LEADS_AWAY,
    "Votes now",
    "Discard",
    "Offer a tie",
    "Clear",
    "Set aside",
    "Later",
    "Choose the other card",
    "From ",
)
TRIES = 10
RELOAD_AFTER = 3
"""Presses without an effect after which the page is reloaded."""
LONG = 15 * PATIENCE
"""Milliseconds to wait for your own turn while computers think on a busy machine."""
MOST_PRESSES = 5
"""Presses after which somebody takes only a panel's first choice."""
STATE = """() => {
    const panel = [...document.querySelectorAll('.message-ephemeral-note')].at(-1)?.closest('article');
    if (!panel) return '';
    const pictures = [...panel.querySelectorAll('img')];
    const ready = pictures.every(image => image.naturalWidth > 0);
    const free = document.querySelector('button.component-button[aria-disabled=false]');
    const shown = panel.querySelector('.message-components')?.outerHTML.replace(/aria-[a-z]+="[^"]*"/g, '');
    return ready && free ? panel.dataset.messageId + shown : '';
}"""
"""The newest panel's content, once its pictures are loaded; empty before."""


DUE = """() => {
    const posts = [...document.querySelectorAll('article:not(:has(.message-ephemeral-note))')];
    const texts = posts.map(post => post.innerText);
    const last = texts.filter(text => /^(Take turn|Rematch)$/m.test(text)).at(-1) ?? '';
    return /\\bAnn\\b.* until/.test(last) || last.includes('Rematch');
}"""
"""Return true if Ann's clock runs in a game's newest post, or if the post says that it is over."""


@dataclass(frozen=True)
class Size:
    """A panel's height, and the distance of its first control from the top, in pixels."""

    height: float
    first: float


def measure() -> Iterator[Figure]:
    """Yield the figures of each game. Save its highest panel as a picture."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(SWITCHES))
        for one in games():
            sizes: list[Size] = []
            while len(sizes) < PANELS_PER_GAME:
                place = Path(folder, f"{one.slug}-{len(sizes)}")
                place.mkdir()
                practice = Practice(place)
                visit = PanelVisit(tab(browser, practice.url, SCREEN), one.slug, one.title, one.seats[0])
                sizes += visit.panels(PANELS_PER_GAME - len(sizes))
                practice.kill()
            fitting = 100 * statistics.mean(one.height <= ONE_SCREEN for one in sizes)
            name = one.slug
            yield Figure(f"{name}: the height of a panel", [one.height for one in sizes], "px")
            yield Figure(f"{name}: where its first control begins", [one.first for one in sizes], "px")
            yield Figure(f"{name}: panels that fit one screen", [fitting], "%", ">= 80")
        browser.close()


class PanelVisit:
    """A person who plays against computers in one tab, and measures each panel."""

    def __init__(self, seat: Tab, slug: str, title: str, least: int) -> None:
        self.seat = seat
        self.slug = slug
        self.title = title
        self.least = max(2, least)
        self.rng = Random(slug)
        self.found: list[Size] = []

    def panels(self, count: int) -> Sequence[Size]:
        """Return at least `count` panel sizes; fewer if the game ends."""
        self.begin()
        while len(self.found) < count and self.wait_for_turn():
            self.turn()
        return self.found

    def begin(self) -> None:
        self.seat.play(self.title)
        ready = self.seat.find_enabled(re.compile("^Start$")).last
        for _ in range(2 * self.least):
            self.seat.add_computer("easy")
            with suppress(AssertionError):
                expect(ready).to_be_visible(timeout=PATIENCE / 4)
                break
        self.seat.press(self.seat.button("Start"))

    def wait_for_turn(self) -> bool:
        """Wait for your own turn; return True if the game goes on."""
        self.seat.page.wait_for_function(DUE, timeout=LONG, polling=200)
        return to_move(self.title, self.seat) is not None

    def turn(self) -> None:
        """Press what leads on until nothing is left that does."""
        shown, measured = self.open_panel(), ""
        for number in range(4 * MOST_PRESSES):
            panel = self.panel()
            if not (lead := self.leads(panel, menus=number < MOST_PRESSES)):
                return
            if shown != measured:
                self.found.append(self.size(panel))
                measured = shown
            sure = number >= MOST_PRESSES and lead[0].get_attribute("role") != "combobox"
            chosen = lead[0] if sure or self.rng.random() < 0.4 else self.rng.choice(lead)
            try:
                shown = self.use_control(chosen, shown)
            except PlaywrightTimeout:
                continue

    def open_panel(self) -> str:
        """Press **Take turn** until a panel opens; return its content. A page that is stuck is reloaded."""
        for number in range(1, TRIES + 1):
            with suppress(PlaywrightTimeout):
                return self.use_control(newest(self.seat), self.state())
            if number % RELOAD_AFTER == 0:
                self.seat.page.reload()
                expect(newest(self.seat)).to_be_visible(timeout=LONG)
        SCREENSHOTS.mkdir(exist_ok=True)
        self.seat.page.screenshot(path=SCREENSHOTS / f"no-panel-{self.slug}.png")
        raise AssertionError("no panel opens")

    def panel(self) -> Locator:
        return self.seat.page.locator("article:has(.message-ephemeral-note)").last

    def state(self) -> str:
        """Return the newest panel's content; empty without one, or during a change."""
        return str(self.seat.page.evaluate(STATE))

    def leads(self, panel: Locator, *, menus: bool = True) -> list[Locator]:
        """Return controls that lead on. Senders, then `menus` or blue ones, then any."""
        named = re.compile(f"^(?!\\W*(({'|'.join(map(re.escape, ASIDE))})$|From |{NOTES}))")
        buttons = panel.locator("button.component-button:not([aria-disabled=true])").filter(has_text=named)
        sends, blue, red = (buttons.and_(panel.locator(f".button-style-{one}")).all() for one in (3, 1, 4))
        chosen = panel.locator("[role=combobox]").all()
        ranked = [*sends, *chosen, *red, *blue] if menus else [*sends, *red, *blue, *chosen]
        return ranked or buttons.all()

    def size(self, panel: Locator) -> Size:
        """Return a panel's size; save the highest as a picture."""
        for _ in range(TRIES):
            # The page draws a panel again now and then, and for that moment it has no pictures.
            self.seat.page.wait_for_function(f"() => ({STATE})() !== ''", polling=100)
            box = panel.bounding_box()
            tops = [place["y"] for one in self.leads(panel) if (place := one.bounding_box()) is not None]
            if box is not None and tops:
                break
        else:
            raise AssertionError("no panel to measure")
        height = box["height"]
        if height > max((one.height for one in self.found), default=0):
            SCREENSHOTS.mkdir(exist_ok=True)
            panel.screenshot(path=SCREENSHOTS / f"panel-{self.slug}.png")
        return Size(height, min(tops) - box["y"])

    def use_control(self, control: Locator, shown: str) -> str:
        """Use a button or a menu; return the newest panel's content."""
        if control.get_attribute("role") == "combobox":
            self.choose(control)
        else:
            control.click(timeout=PATIENCE / 4)
        other = f"shown => {{ const now = ({STATE})(); return now !== '' && now !== shown ? now : false; }}"
        handle = self.seat.page.wait_for_function(other, arg=shown, timeout=PATIENCE / 2, polling=100)
        return str(handle.json_value())

    def choose(self, menu: Locator) -> None:
        """Choose as many lines of a menu as it asks for."""
        control = menu.locator("xpath=..")
        least = max(1, int(control.get_attribute("data-minimum") or 1))
        several = (control.get_attribute("data-maximum") or "1") != "1"
        menu.click(timeout=PATIENCE / 4)
        lines = self.seat.page.locator("[role=listbox] [role=option]:visible")
        first = self.rng.randrange(max(1, lines.count() - least))
        for number in range(first, first + least):
            lines.nth(number).click(timeout=PATIENCE / 4)
        if several:
            self.seat.click("Apply")
