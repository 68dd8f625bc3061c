"""Practice mode as a process of its own, and a real browser to look at it with."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import find
from tests.browser.tab import Tab

ROOT = Path(__file__).resolve().parents[2]
PHONE = (390, 844)
DESK = (1280, 900)


class Practice:
    """A running practice mode on a database of its own."""

    def __init__(self, folder: Path) -> None:
        self._environment = {
            **{key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN"},
            "DISCORD_TOKEN": "",
            "PRACTICE_DATABASE_URL": f"sqlite:///{folder}/practice.db",
            "PRACTICE_PORT": "0",
            "PRACTICE_BROWSER": "false",
        }
        self.start()

    def start(self) -> None:
        """Start the bot and wait for the address of its page."""
        self.process = subprocess.Popen(
            [sys.executable, "bot.py"],
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        told = []
        for line in self.process.stdout:
            told.append(line)
            found = re.search(r"http://\S+", line)
            if found:
                self.url = found.group()
                return
        raise AssertionError("practice mode did not start:\n" + "".join(told))

    def kill(self) -> None:
        """Stop it as a power cut would."""
        self.process.kill()
        self.process.communicate(timeout=30)

    def again_beside(self) -> tuple[int, str]:
        """Start a second one on the same port: its exit code, and what it said."""
        port = self.url.split(":")[2].split("/")[0]
        second = subprocess.run(
            [sys.executable, "bot.py"],
            cwd=ROOT,
            env={**self._environment, "PRACTICE_PORT": port},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return second.returncode, second.stderr

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C in its terminal: the exit code, and what it said after its address."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=30)
        return self.process.returncode, said


@pytest.fixture
def practice(tmp_path: Path) -> Iterator[Practice]:
    """Practice mode, fresh."""
    running = Practice(tmp_path)
    yield running
    if running.process.poll() is None:
        running.interrupt()


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A headless Chromium for one test; it brings an event loop that no other test may meet."""
    path = find()
    assert path is not None, "run python tests/browser/chromium.py for a browser"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
        )
        yield running
        running.close()


def tab(browser: Browser, url: str, size: tuple[int, int] = DESK) -> Tab:
    """A new tab, with nothing shared with others."""
    # The page allows no script of ours; waiting for its pictures takes one.
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, bypass_csp=True)
    return Tab(context.new_page(), url)
