import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from playwright.sync_api import Browser, sync_playwright

from db.backup import backup, restore
from db.store import Store
from engines.game import Strength
from engines.workers import Workers
from tables.parlour import Parlour
from tests.browser.chromium import find
from tests.browser.tab import Tab
from tests.tables.house import EmptyCourier

ROOT = Path(__file__).resolve().parents[2]
PHONE = (390, 844)
DESK = (1280, 900)
CONNECTS_WITHIN = 120_000
"""Milliseconds: a browser that starts beside busy tests takes long to answer."""
SWITCHES = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--no-first-run",
    "--hide-scrollbars",
    "--mute-audio",
)


@contextmanager
def hearing_ctrl_c() -> Iterator[None]:
    """Let child processes get Ctrl-C, even if the test run ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


async def play_on(database: str, copies: deque[Path]) -> None:
    """Let the computer move for everybody at table 1 to the end.

    Copy the database at the start of each person's turn to the first of `copies`; shift the others up.
    """
    store, workers = await Store.open(database), Workers(1)
    parlour = Parlour(store, workers, EmptyCourier(), time.time)
    beat = -1
    while True:
        table = await parlour.table(1)
        if table.computers_owing:
            await parlour.resume()
            await parlour.computers.finish()
            continue
        if table.owing and table.beat != beat:
            await parlour.outbox.finish()
            copies.rotate(1)
            copies[0].unlink(missing_ok=True)
            backup(database, copies[0])
            beat = table.beat
        if not table.owing:
            break
        person = table.seats[table.owing[0]].user_id or 0
        perspective = await parlour.play.perspective(1, person)
        assert perspective.seat is not None
        move = table.game.choose(perspective.view, perspective.seat, Random(table.version), Strength.EASY)
        await parlour.play.move(1, person, [move])
        await parlour.computers.finish()
    await parlour.close()
    await store.close()
    workers.close()


class Practice:
    """A running practice mode on a database of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._folder = folder
        self._environment = {
            **{key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN"},
            "DISCORD_TOKEN": "",
            "PRACTICE_DATABASE_URL": f"sqlite:///{folder}/practice.db",
            "PRACTICE_PORT": "0",
            "PRACTICE_BROWSER": "false",
        }
        self.start(*arguments)

    def start(self, *arguments: str) -> None:
        """Start the bot and wait for the address of its page."""
        with hearing_ctrl_c():
            self.process = subprocess.Popen(
                [sys.executable, "bot.py", *arguments],
                cwd=ROOT,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        assert self.process.stdout is not None
        entries = []
        for line in self.process.stdout:
            entries.append(line)
            match = None if "metrics and health" in line else re.search(r"http://\S+", line)
            if match:
                self.url = match.group()
                return
        raise AssertionError("practice mode did not start:\n" + "".join(entries))

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=30)

    def skip(self, left: int) -> None:
        """Play table 1 without a page until `left` turns remain; start again."""
        self.kill()
        database = f"sqlite:///{self._folder}/practice.db"
        copies = deque(self._folder / f"{turn} turns left.db" for turn in range(left))
        with ThreadPoolExecutor() as thread:  # the browser holds this one's event loop
            thread.submit(asyncio.run, play_on(database, copies)).result()
        restore(database, copies[-1], force=True)
        self.start()

    def again_beside(self) -> tuple[int, str]:
        """Start a second one on the same port.

        Return its exit code and output. It has a database of its own.
        """
        port = self.url.split(":")[2].split("/")[0]
        other = f"{self._environment['PRACTICE_DATABASE_URL']}.other"
        second = subprocess.run(
            [sys.executable, "bot.py"],
            cwd=ROOT,
            env={**self._environment, "PRACTICE_PORT": port, "PRACTICE_DATABASE_URL": other},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return second.returncode, second.stderr

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and the output after the address."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=30)
        return self.process.returncode, said


@pytest.fixture
def practice(tmp_path: Path) -> Iterator[Practice]:
    running = Practice(tmp_path)
    yield running
    if running.process.poll() is None:
        running.interrupt()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the headless Chromium that all tests share."""
    path = find()
    assert path is not None, "run python tests/browser/chromium.py for a browser"
    profile = tmp_path_factory.mktemp("chromium")
    running = subprocess.Popen(
        [path, "--headless", "--remote-debugging-port=0", f"--user-data-dir={profile}", *SWITCHES],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    said = []
    for line in running.stderr:
        said.append(line)
        if line.startswith("DevTools listening on "):
            break
    else:
        raise AssertionError("the browser did not start:\n" + "".join(said))
    listening = Thread(target=running.stderr.read)  # a full pipe would stop the browser
    listening.start()
    yield line.removeprefix("DevTools listening on ").strip()
    running.kill()
    running.wait()
    listening.join()
    running.stderr.close()


@pytest.fixture
def browser(chromium: str) -> Iterator[Browser]:
    """Yield a browser for one test. Its connection needs an event loop of its own."""
    with sync_playwright() as playwright:
        connected = playwright.chromium.connect_over_cdp(chromium, timeout=CONNECTS_WITHIN)
        yield connected
        for context in connected.contexts:
            context.close()
        connected.close()


def tab(browser: Browser, url: str, size: tuple[int, int] = DESK) -> Tab:
    """Open a tab that shares nothing with others."""
    # The page allows no script of ours; waiting for its pictures takes one.
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, bypass_csp=True, reduced_motion="reduce"
    )
    return Tab(context.new_page(), url)
