import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from engines.game import Strength

SCREENSHOTS = Path(__file__).with_name("screenshots")
PATIENCE = 20_000
CHANGES = "seen => document.querySelector('main').innerText !== seen"
COMPOSER = "Message #games"


class Tab:
    """A tab in which somebody plays."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE)
        page.goto(url)
        expect(page.get_by_text("Welcome to the Tangle Parlour").first).to_be_visible(timeout=PATIENCE)

    def become(self, name: str) -> None:
        self.page.get_by_label("Viewing as").select_option(label=name)
        expect(self.page.get_by_placeholder(COMPOSER)).to_be_enabled(timeout=PATIENCE)

    def command(self, text: str) -> None:
        """Send a slash command that needs no option.

        A page that redraws itself loses words, so this tries again.
        """
        command = self.page.get_by_role("button", name=f"Command {text}", exact=True)
        for _ in range(3):
            self.page.get_by_placeholder(COMPOSER).fill("")
            self.page.get_by_placeholder(COMPOSER).press_sequentially(text)
            try:
                self._lines().first.wait_for(timeout=PATIENCE / 3)
                self.page.keyboard.press("Enter")
                command.wait_for(timeout=PATIENCE / 3)
                break
            except PlaywrightTimeout:
                continue
        expect(command).to_be_visible()
        self.page.keyboard.press("Escape")
        self.page.get_by_role("button", name="Send", exact=True).click()

    def button(self, label: str) -> Locator:
        return self._buttons(label).last

    def _buttons(self, label: str) -> Locator:
        """Return all buttons with a label, even beside a sign."""
        return self.page.get_by_role("button").filter(has_text=re.compile(f"^{re.escape(label)}$"))

    def click(self, label: str) -> None:
        """Press the newest button of that label."""
        self.button(label).click()

    def press_until(self, label: str, seen: Locator) -> None:
        """Press a button until `seen` appears. A page that redraws itself may swallow a press."""
        for _ in range(3):
            if self.has(label):
                self.click(label)
            try:
                return seen.last.wait_for(timeout=PATIENCE / 3)
            except PlaywrightTimeout:
                continue
        raise AssertionError(f"{label!r} opens nothing")

    def play(self, title: str) -> None:
        self.press_until(f"Play {title}", self.button("Options"))

    def start(self) -> None:
        expect(self.button("Start")).to_be_enabled()
        self.press_until("Start", self.page.get_by_text("The game begins"))

    def has(self, label: str) -> bool:
        return self._buttons(label).count() > 0

    def menu(self, title: str) -> Locator:
        return self.page.get_by_role("combobox", name=title).last

    def choose(self, title: str, number: int, seen: Locator) -> None:
        """Choose a line of the newest such menu until `seen` appears."""
        lines = self._lines()
        for _ in range(4):
            try:
                if not lines.count():
                    self.menu(title).click(timeout=PATIENCE / 5)
                lines.nth(number).click(timeout=PATIENCE / 5)
                return seen.last.wait_for(timeout=PATIENCE / 3)
            except PlaywrightTimeout:
                continue
        raise AssertionError(f"nothing came of a choice from {title!r}")

    def fill(self, label: str, seen: Locator, **chosen: str) -> None:
        """Press a button and send its form with these values or lines."""
        form = self.page.get_by_role("dialog").last
        self.press_until(label, form)
        for name, value in chosen.items():
            field = form.locator(f"[data-custom-id={name}]")
            menu, line = field.get_by_role("combobox"), self._lines().filter(has_text=value).first
            if not menu.count():
                field.locator(f"input[value='{value}']").check()
                continue
            menu.click()
            line.click()
            expect(field.get_by_text("1 selected")).to_be_visible()
            if line.is_visible():
                menu.click()
        self.photograph(f"form-{label.lower().replace(' ', '-')}")
        form.get_by_role("button", name="Submit").click()
        seen.last.wait_for(timeout=PATIENCE)

    def add_computer(self, strength: str) -> None:
        number = [str(one) for one in Strength].index(strength)
        self.choose("Add a computer player", number, self.page.get_by_text(f"(computer, {strength})"))

    def _lines(self) -> Locator:
        return self.page.locator("[role=listbox] [role=option]:visible")

    def press(self, button: Locator) -> None:
        """Press a button until the channel changes or the button is gone."""
        seen = self.text()
        for _ in range(3):
            try:
                button.click(timeout=PATIENCE / 3)
                self.page.wait_for_function(CHANGES, arg=seen, timeout=PATIENCE / 3, polling=100)
            except PlaywrightTimeout:
                if self.text() == seen:
                    continue
            return
        raise AssertionError("nothing came of a press")

    def find_enabled(self, name: re.Pattern[str]) -> Locator:
        """Return the pressable buttons with these names; none during a press."""
        return self.page.locator("button:not([aria-disabled=true]):not([disabled])").filter(has_text=name)

    def choose_lines(self, menu: Locator, number: int = 0) -> None:
        """Choose as many lines of a menu as it needs."""
        asked = re.search(r"\d", menu.get_attribute("aria-label") or "")
        this = self.page.locator(
            f'[role=combobox][data-control-key="{menu.get_attribute("data-control-key")}"]'
        )
        for _ in range(4):
            if not this.count():
                return
            if self._choose_some(this, number, int(asked[0]) if asked else 1):
                return
        raise AssertionError("nothing came of a choice from a menu")

    def _choose_some(self, menu: Locator, number: int, most: int) -> bool:
        """Choose up to `most` lines; return True if the page went on."""
        lines = self._lines()
        try:
            if not lines.count():
                menu.click(timeout=PATIENCE / 5)
            lines.nth(number).click(timeout=PATIENCE / 5)
            for place in range(number + 1, min(number + most, lines.count())):
                lines.nth(place).click(timeout=PATIENCE / 5)
            if self.has("Apply"):
                self.click("Apply")
            expect(menu).to_have_count(0, timeout=PATIENCE / 2)
        except (PlaywrightTimeout, AssertionError):
            return False
        return True

    def sees(self, text: str) -> None:
        """Wait until the channel contains the text."""
        expect(self.page.get_by_text(text).last).to_be_visible(timeout=PATIENCE)

    def text(self) -> str:
        return self.page.locator("main").inner_text()

    def photograph(self, name: str) -> None:
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.wait_for_function("[...document.images].every(image => image.naturalWidth > 0)")
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")
