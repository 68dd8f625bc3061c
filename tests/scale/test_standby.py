"""The bot itself, twice on one server: the second waits, and goes on where the first has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.program.test_start import TOKEN

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
BOT = """
import asyncio, sys
import bot

class Waiting(bot.ParlourBot):
    async def start(self, token):
        print("connects", self.shard_ids, flush=True)
        for shard in self.shard_ids or [0]:
            await self.on_shard_ready(shard)
        print("acts for", sorted(self.app.parlour.store.shards.held), flush=True)
        while not self.is_closed():
            await asyncio.sleep(0.01)

bot.ParlourBot = Waiting
sys.exit(bot.main())
"""
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(database: str) -> Iterator[Start]:
    """Yield a function that starts bots on the database of the test."""
    running: list[subprocess.Popen[str]] = []

    def starting(**settings: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "DISCORD_TOKEN": TOKEN, "DATABASE_URL": database, **settings}
        pipe = subprocess.PIPE
        running.append(
            subprocess.Popen(
                [sys.executable, "-c", BOT], cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True
            )
        )
        return running[-1]

    yield starting
    for process in running:
        process.kill()
        process.communicate()


def read_lines(process: subprocess.Popen[str], lines: int = 2) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(lines)]


def waits(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    while "waiting: other processes hold" not in process.stderr.readline():
        assert process.poll() is None


def test_a_second_process_waits_and_goes_on_where_the_first_was_told_to_stop(start: Start) -> None:
    first = start()
    assert read_lines(first) == ["connects None", "acts for [0]"]
    second = start()
    waits(second)

    first.send_signal(signal.SIGTERM)
    began = time.monotonic()
    assert read_lines(second) == ["connects None", "acts for [0]"]

    assert time.monotonic() - began < 10
    assert first.wait(20) == 0


@pytest.mark.thorough
def test_a_standby_that_is_told_to_stop_does_so(start: Start) -> None:
    read_lines(start())
    standby = start()
    waits(standby)

    standby.send_signal(signal.SIGTERM)

    assert standby.wait(20) == 0


def test_two_processes_share_the_shards_and_each_connects_its_own(start: Start) -> None:
    auto = {"SHARD_COUNT": "4", "SHARD_IDS": "auto", "SHARDS_PER_PROCESS": "2"}

    first = read_lines(start(**auto))
    second = read_lines(start(**auto))

    assert first == ["connects [0, 1]", "acts for [0, 1]"]
    assert second == ["connects [2, 3]", "acts for [2, 3]"]


@pytest.mark.thorough
def test_a_process_that_divides_otherwise_is_refused_in_a_sentence(start: Start) -> None:
    read_lines(start(SHARD_COUNT="4"))
    other = start(SHARD_COUNT="5")

    _, text = other.communicate(timeout=30)

    assert other.returncode == 2
    assert "SHARD_COUNT: other processes on this database run with 4, this one with 5: stop them all" in text
    assert "Traceback" not in text
