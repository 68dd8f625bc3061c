"""Film a turn in practice mode for the README, light and dark: ``python -m tests.docs.photograph``."""

import sqlite3
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import find
from tests.browser.conftest import Practice
from tests.browser.tab import Tab

GAME = Path(__file__).parent / "samples" / "turn.toml"
FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
PRESSES = ("Take turn", "Next fit", "Next fit", "Place at 1")
SHOWN, PRESSED, LAST = 1700, 500, 3200
"""Milliseconds of a frame, of one with a press, and of the last."""
LIGHT_PAGE = """
:root {
  color-scheme: light; color: #2f3035;
  --discord-bg: #fbfbfb; --discord-text: #2f3035; --discord-muted: #5c5d66; --discord-subtle: #4d4e56;
  --component-surface: #fff; --component-border: #d9d9dd;
  --subtle-surface: #e3e3e6; --subtle-surface-text: #2f3035;
}
.mention { color: #3c45a5 !important; }
"""
PAGES = {"light": LIGHT_PAGE, "dark": ":root {}"}
"""Styles of the page, which is dark by itself."""
BEHIND = {"light": "#fff", "dark": "#393a41"}


THEME = """
update guilds set theme = :theme;
insert into people (user_id, notices, reminders, hands, zone, away_note, absences, theme)
select user_id, 'thread', 0, 1, 'UTC', '', '[]', :theme from seats where seat = 0
"""
"""Gives the server and Ann a theme."""


def film(browser: Browser, theme: str) -> None:
    """Open the table, choose its theme, and film Ann's turn."""
    with tempfile.TemporaryDirectory() as name:
        practice = Practice(Path(name), "scenario", str(GAME))
        practice.kill()
        with sqlite3.connect(Path(name) / "practice.db") as database:
            for statement in THEME.split(";"):
                database.execute(statement, {"theme": theme})
        database.close()
        practice.start()
        context = browser.new_context(
            viewport={"width": 800, "height": 1300}, device_scale_factor=1.5, bypass_csp=True
        )
        seat = Tab(context.new_page(), practice.url)
        seat.page.add_style_tag(content=PAGES[theme])
        seat.sees("place a fountain")
        frames = []
        for label in PRESSES:
            frames.append((shoot(seat), SHOWN))
            seat.button(label).evaluate("button => button.style.outline = '4px solid #f0b232'")
            frames.append((shoot(seat), PRESSED))
            seat.press(seat.button(label))
        seat.sees("Everyone places")
        frames.append((shoot(seat), LAST))
        practice.interrupt()
    save(FOLDER / f"turn-{theme}.gif", frames, BEHIND[theme])


NEWEST = "section.component-container"
RESTS = f"""() => {{
  const pictures = [...document.querySelectorAll("{NEWEST}")].pop().querySelectorAll("img");
  return !document.body.innerText.includes("Completing action")
    && [...pictures].every(picture => picture.complete && picture.naturalWidth);
}}"""
"""A question to the page: no press is under way, and every picture is there."""


def shoot(seat: Tab) -> Image.Image:
    """Photograph the newest message once the page rests."""
    seat.page.wait_for_timeout(1000)
    seat.page.locator(NEWEST).last.scroll_into_view_if_needed()
    seat.page.wait_for_function(RESTS)
    seat.page.wait_for_timeout(500)
    return Image.open(BytesIO(seat.page.locator(NEWEST).last.screenshot())).convert("RGB")


def save(path: Path, frames: list[tuple[Image.Image, int]], behind: str) -> None:
    """Write the film in the colours of all its frames."""
    width, height = (max(frame.size[side] for frame, _ in frames) for side in (0, 1))
    rooms = []
    for frame, _ in frames:
        room = Image.new("RGB", (width, height), behind)
        room.paste(frame, (0, 0))
        rooms.append(room)
    strip = Image.new("RGB", (width, height * len(rooms)))
    for number, room in enumerate(rooms):
        strip.paste(room, (0, number * height))
    palette = strip.quantize(255)
    first, *others = [room.quantize(palette=palette, dither=Image.Dither.NONE) for room in rooms]
    times = [duration for _, duration in frames]
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    print(f"{path.name}: {width} × {height}, {path.stat().st_size // 1000} KB, {sum(times) / 1000:.1f} s")


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for theme in PAGES:
            film(browser, theme)
        browser.close()


if __name__ == "__main__":
    main()
