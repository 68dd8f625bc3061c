"""The bot itself, twice on one server: the second waits, and goes on where the first has ended."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.forks import ForkedProcess
from tests.program.test_start import TOKEN

pytestmark = pytest.mark.slow
BOT = """
import asyncio, sys
from host import start

class Waiting(start.ParlourBot):
    async def start(self, token):
        print("connects", self.shard_ids, flush=True)
        for shard in self.shard_ids or [0]:
            await self.on_shard_ready(shard)
        print("acts for", sorted(self.app.parlour.store.shards.held), flush=True)
        while not self.is_closed():
            await asyncio.sleep(0.01)

start.ParlourBot = Waiting
sys.exit(start.main())
"""
PATIENCE = 30.0
"""Seconds for which a bot may say nothing."""
Start = Callable[..., Awaitable[ForkedProcess]]


@pytest.fixture
async def start(database: str) -> AsyncIterator[Start]:
    running: list[ForkedProcess] = []

    async def starting(**settings: str) -> ForkedProcess:
        environment = {**os.environ, "DISCORD_TOKEN": TOKEN, "DATABASE_URL": database, **settings}
        running.append(await ForkedProcess.start(BOT, environment))
        return running[-1]

    yield starting
    for process in running:
        process.kill()
        await process.communicate()
        process.close()


async def read_lines(process: ForkedProcess, lines: int = 2) -> list[str]:
    async with asyncio.timeout(PATIENCE):
        return [(await process.stdout.readline()).decode().strip() for _ in range(lines)]


async def waits(process: ForkedProcess) -> None:
    async with asyncio.timeout(PATIENCE):
        while line := await process.stderr.readline():
            if b"waiting: other processes hold" in line:
                return
    raise AssertionError("the bot ended")


async def exit_code(process: ForkedProcess) -> int:
    async with asyncio.timeout(PATIENCE):
        return await process.wait()


async def test_a_second_process_waits_and_goes_on_where_the_first_was_told_to_stop(start: Start) -> None:
    first = await start()
    assert await read_lines(first) == ["connects None", "acts for [0]"]
    second = await start()
    await waits(second)

    first.send_signal(signal.SIGTERM)
    began = time.monotonic()
    assert await read_lines(second) == ["connects None", "acts for [0]"]

    assert time.monotonic() - began < 10
    assert await exit_code(first) == 0


@pytest.mark.thorough
async def test_a_standby_that_is_told_to_stop_does_so(start: Start) -> None:
    await read_lines(await start())
    standby = await start()
    await waits(standby)

    standby.send_signal(signal.SIGTERM)

    assert await exit_code(standby) == 0


async def test_two_processes_share_the_shards_and_each_connects_its_own(start: Start) -> None:
    auto = {"SHARD_COUNT": "4", "SHARD_IDS": "auto", "SHARDS_PER_PROCESS": "2"}

    first = await read_lines(await start(**auto))
    second = await read_lines(await start(**auto))

    assert first == ["connects [0, 1]", "acts for [0, 1]"]
    assert second == ["connects [2, 3]", "acts for [2, 3]"]


@pytest.mark.thorough
async def test_a_process_that_divides_otherwise_is_refused_in_a_sentence(start: Start) -> None:
    await read_lines(await start(SHARD_COUNT="4"))
    other = await start(SHARD_COUNT="5")

    text = (await other.communicate())[1].decode()

    assert other.returncode == 2
    assert "SHARD_COUNT: other processes on this database run with 4, this one with 5: stop them all" in text
    assert "Traceback" not in text
