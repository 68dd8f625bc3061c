"""Photograph a table in practice mode for the README: ``python -m tests.docs.photograph``.

Ann plays two computer players with a fixed draw, so the picture is the same until the bot changes.
"""

import asyncio
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from db.store import Store
from engines.engine import Engine
from engines.game import Strength
from engines.workers import Workers
from tables.parlour import Parlour
from tests.browser.chromium import find
from tests.browser.conftest import EmptyCourier, Practice, tab
from tests.browser.tab import Tab

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "table.png"
SEED, SALT = bytes(range(32)), bytes(16)
TURN = 8
ANN = 0


async def play(folder: Path) -> None:
    """Play two computers at table 1 until Ann's turn late on."""
    store, workers = await Store.open(f"sqlite:///{folder}/practice.db"), Workers(1)
    parlour = Parlour(store, workers, EmptyCourier(), lambda: 0.0)
    table = await parlour.table(1)
    for _ in range(2):
        await parlour.lobby.add_computer(1, table.host_id, Strength.STRONG)
    table = await parlour.lobby.start(1, table.host_id)
    engine = Engine(workers)
    while True:
        await parlour.computers.finish()
        perspective = await parlour.play.perspective(1, table.host_id)
        if perspective.seat != ANN or perspective.view.turn >= TURN or perspective.view.over:
            break
        loaded = await parlour.play._repository.load(1)
        assert loaded.position is not None
        move = await engine.think(
            table.slug, loaded.position.state, ANN, SEED + bytes([loaded.table.version]), Strength.STRONG
        )
        await parlour.play.move(1, table.host_id, [move])
        table = await parlour.table(1)  # before the computer players go on, so that the post tells of them
        await parlour.note_post(table, "board", 0, table.channel_id, 1)
    await parlour.close()
    await parlour.store.close()
    workers.close()


def photograph(browser: Browser) -> None:
    """Open a table, play on behind the scenes, and photograph Ann's turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        practice = Practice(folder)
        ann = tab(browser, practice.url)
        ann.click("Play Ribbon Tangle")
        ann.sees("Twelve cards, three ribbons")
        practice.kill()
        with sqlite3.connect(folder / "practice.db") as database:
            database.execute("update tables set seed = ?, salt = ?", (SEED.hex(), SALT.hex()))
        database.close()
        with ThreadPoolExecutor() as thread:  # the browser holds this one's event loop
            thread.submit(asyncio.run, play(folder)).result()
        practice.start()
        context = browser.new_context(viewport={"width": 1280, "height": 1400}, device_scale_factor=1.5)
        seat = Tab(context.new_page(), practice.url)
        seat.sees("flip a card, then")
        seat.page.set_viewport_size({"width": 1280, "height": 1500})
        seat.page.wait_for_timeout(3000)
        shot = seat.page.locator("section.component-container").last.screenshot()
        practice.interrupt()
    Image.open(BytesIO(shot)).convert("RGB").quantize(256).save(PICTURE, optimize=True)


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        photograph(browser)
        browser.close()


if __name__ == "__main__":
    main()
