"""The real bot as a process of its own, which takes the strict Discord for Discord."""

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.forks import ForkedProcess
from tests.strict.api.world import Pulse

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(__file__).resolve().parent / "site"
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
READY = "Logged in as"
PROGRAM = """
import runpy, sys
import discord.gateway, discord.http
from host import start
from cogs.ui import press
redirect = runpy.run_path({site!r})["_redirect"]
redirect(discord.http)
redirect(discord.gateway)
press.PRESSES = 10**6
sys.exit(start.main({arguments!r}))
"""
"""Runs the bot, whose modules are loaded already, for people who are faster than any."""
STARTS_WITHIN, ENDS_WITHIN = 120.0, 120.0
"""Seconds on a machine that does much else."""
OWN = ("DISCORD_", "PRACTICE_", "SHARD", "METRICS_", "DATABASE_", "LOG_")
"""Settings of whoever runs the tests that the bot isn't given."""


class StrictBot:
    """A running bot, and the lines that it writes."""

    def __init__(self, address: str, folder: Path, pulse: Pulse, **settings: str) -> None:
        self._pulse = pulse
        kept = {key: value for key, value in os.environ.items() if not key.startswith(OWN)}
        self._environment = {
            **kept,
            "STRICT_DISCORD": address,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(SITE), kept.get("PYTHONPATH")])),
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": f"sqlite:///{folder}/parlour.db",
            "WORKERS": "2",
            "LOG_FORMAT": "text",
            "PYTHONFAULTHANDLER": "1",
            **settings,
        }
        self.lines: list[str] = []
        self._process: ForkedProcess | None = None
        self._readers: list[asyncio.Task[None]] = []

    async def start(self, arguments: Sequence[str] = ()) -> None:
        """Start the process, in which nothing is ready yet."""
        program = PROGRAM.format(site=str(SITE / "sitecustomize.py"), arguments=list(arguments))
        self._process = await ForkedProcess.start(program, self._environment)
        self._readers = [
            asyncio.create_task(self._read(stream)) for stream in (self._process.stdout, self._process.stderr)
        ]

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while line := await stream.readline():
            self.lines.append(line.decode(errors="replace").rstrip())
            self._pulse.beat()

    async def ready(self) -> None:
        await self.says(READY, STARTS_WITHIN)

    def has_said(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    async def says(self, text: str, seconds: float = 30.0) -> None:
        """Wait until it has written a line with that text."""
        ends = time.monotonic() + seconds
        while not self.has_said(text):
            assert self.is_running, f"the bot ended without saying {text!r}:\n{self.output}"
            assert time.monotonic() < ends, f"it didn't say {text!r} within {seconds} s:\n{self.output}"
            await self._pulse.next(0.5)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    async def wait_for_end(self, seconds: float = ENDS_WITHIN) -> int:
        assert self._process is not None
        try:
            async with asyncio.timeout(seconds):
                code = await self._process.wait()
        except TimeoutError:
            self._process.send_signal(signal.SIGABRT)  # it writes what each thread was at
            await self._process.wait()
            raise AssertionError(f"the bot didn't end within {seconds} s:\n{self.output}") from None
        await asyncio.gather(*self._readers)
        self._process.close()
        return code

    async def stop(self) -> int:
        assert self._process is not None
        if self.is_running:
            self._process.send_signal(signal.SIGTERM)
        return await self.wait_for_end()

    async def kill(self) -> None:
        """End it and its workers without a chance to finish anything."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self.wait_for_end()

    def require_no_traceback(self) -> None:
        assert "Traceback" not in self.output, self.output
