"""A small Discord: its REST paths that a start asks, and its gateway. The real bot runs against it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from tests.forks import ForkedProcess

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
APPLICATION = "123456789012345678"
PERSON = {"id": APPLICATION, "username": "parlour", "discriminator": "0", "avatar": None, "bot": True}
PATIENCE = 60.0
"""Seconds after which a test gives up."""
BLOCKED = "<!DOCTYPE html>\n<title>Access denied</title>\n<p>You are being blocked from accessing our API."
ME, GATEWAY, COMMANDS = "/users/@me", "/gateway/bot", f"/applications/{APPLICATION}/commands"
PROGRAM = """
import sys
from unittest import mock
import discord, yarl
from host import client

def replace(name, new):
    mock.patch(name, new).start()

async def at_once(*_, **__):
    pass

replace("discord.http.Route.BASE", {rest!r})
replace("discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY", yarl.URL({ws!r}))
replace("discord.Client.before_identify_hook", at_once)
replace("host.client.ParlourBot._make_signs_known", at_once)
replace("cogs.discord.work.PAUSES", (0.1, 0.1, 0.1))
replace("cogs.discord.gateway.ASK_AGAIN", 0.1)
replace("discord.backoff.ExponentialBackoff.delay", lambda self: 0.1)
client.ParlourBot._sweep.change_interval(seconds=0.2)

import multiprocessing
from host import start
{more}
try:
    code = start.main()
finally:
    print("processes", len(multiprocessing.active_children()))
sys.exit(code)
"""
"""Runs the bot against the site, without the pauses between tries and without signs.

`replace` fails if the name it replaces is gone.
"""

NO_HEADERS: Mapping[str, str] = {}


def answer(status: int, body: Any, **headers: str) -> Callable[[], web.Response]:
    """Return a response factory in Discord's form. A text body has Cloudflare's."""
    if isinstance(body, str):
        return lambda: web.Response(status=status, text=body, content_type="text/html", headers=headers)
    return lambda: _json(body, status, headers)


def _json(body: Any, status: int = 200, headers: Mapping[str, str] = NO_HEADERS) -> web.Response:
    """Return JSON as Discord does: discord.py reads none that names a charset."""
    typed = {"Content-Type": "application/json", "Via": "1.1 google", **headers}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=typed)


def rate_limit(seconds: float) -> Callable[[], web.Response]:
    return answer(429, {"message": "You are being rate limited.", "retry_after": seconds, "global": False})


class DiscordSite:
    """A server in Discord's place.

    Attributes:
        faults: answers by path, which are given first, one after another.
        asked: the method and path of each request.
        identified: how many logins were left before each login.
        logins: how many logins are left.
        more_in: in how many seconds there are more, counted from the first question while none is left.
        more_at: when there are more, once somebody has asked.
        sockets: the gateway connections that are open.
        resumable: whether a session can be resumed.
        closes_with: the code with which every connection is closed after its login.
    """

    def __init__(self) -> None:
        self.faults: dict[str, list[Callable[[], web.Response]]] = {}
        self.asked: list[str] = []
        self.identified: list[int] = []
        self.resumed = 0
        self.logins = 1000
        self.more_in = self.more_at = 0.0
        self.sockets: list[web.WebSocketResponse] = []
        self.resumable = True
        self.is_down = False
        self.closes_with: int | None = None
        self.changed = asyncio.Event()
        self.url = ""

    def _count_left(self) -> int:
        if self.more_at and time.time() >= self.more_at:
            self.logins, self.more_at = 1000, 0.0
        return self.logins

    async def hang_up(self, code: int) -> None:
        """Close the gateway connections with a code.

        The code can be lost on its way, and then the bot connects again.
        """
        for socket in self.sockets[:]:
            await socket.close(code=code)

    async def rest(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/api")
        self.asked.append(f"{request.method} {path}")
        self.changed.set()
        if faults := self.faults.get(path):
            return faults.pop(0)()
        if path == "/hang":
            await asyncio.Event().wait()
        if path == ME:
            body: Any = PERSON
        elif path == "/oauth2/applications/@me":
            body = {"id": APPLICATION, "name": "parlour", "flags": 0, "description": "", "summary": ""}
            body |= {"icon": None, "bot_public": True, "bot_require_code_grant": False, "verify_key": ""}
            body |= {"owner": PERSON, "team": None}
        elif path == GATEWAY:
            if self.logins == 0 and not self.more_at:
                self.more_at = time.time() + self.more_in
            limits = {"total": 1000, "remaining": self._count_left(), "max_concurrency": 1}
            limits["reset_after"] = max(0, int(1000 * (self.more_at - time.time())))
            body = {"shards": 1, "url": self.gateway, "session_start_limit": limits}
        elif path == COMMANDS and request.method == "PUT":
            given = {"application_id": APPLICATION, "version": "1"}
            commands = enumerate(await request.json(), 1)
            body = [{"id": str(n), "description": "", **one, **given} for n, one in commands]
        else:
            body = []
        return _json(body)

    @property
    def gateway(self) -> str:
        return f"{self.url.replace('http', 'ws')}/gateway"

    async def connect(self, request: web.Request) -> web.StreamResponse:
        if self.is_down:
            return web.Response(status=503)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.sockets.append(socket)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 40_000}, "t": None, "s": None})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._hear(socket, json.loads(message.data))
        self.sockets.remove(socket)
        return socket

    async def _hear(self, socket: web.WebSocketResponse, said: dict[str, Any]) -> None:
        event: dict[str, Any] = {"op": 0, "s": 1}
        match said["op"]:
            case 1:
                await socket.send_json({"op": 11, "d": None, "t": None, "s": None})
            case 2:
                self.identified.append(self._count_left())
                self.logins -= 1
                ready = {
                    "v": 10,
                    "user": PERSON,
                    "guilds": [],
                    "session_id": "s",
                    "shard": said["d"]["shard"],
                }
                ready |= {"resume_gateway_url": self.gateway, "application": {"id": APPLICATION, "flags": 0}}
                await socket.send_json({**event, "t": "READY", "d": ready})
            case 6 if self.resumable:
                self.resumed += 1
                await socket.send_json({**event, "t": "RESUMED", "d": {}})
            case 6:
                await socket.send_json({"op": 9, "d": False, "t": None, "s": None})
        self.changed.set()
        if said["op"] in (2, 6) and self.closes_with is not None:
            await socket.close(code=self.closes_with)


@asynccontextmanager
async def serving() -> AsyncIterator[DiscordSite]:
    site = DiscordSite()
    app = web.Application()
    app.router.add_get("/gateway", site.connect)
    app.router.add_get("/gateway/", site.connect)
    app.router.add_route("*", "/api/{path:.*}", site.rest)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    site.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield site
    finally:
        await runner.cleanup()


class BotProcess:
    """The bot in a process of its own, which runs against a site."""

    def __init__(self, process: ForkedProcess, site: DiscordSite) -> None:
        self._process = process
        self._site = site
        self._waiting = asyncio.create_task(process.wait())
        self._read = ""

    async def until(self, has_come: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not has_come():
                assert not self._waiting.done(), (await self.wait_for_end()).log
                self._site.changed.clear()
                change = asyncio.create_task(self._site.changed.wait())
                await asyncio.wait([change, self._waiting], return_when=asyncio.FIRST_COMPLETED)
                change.cancel()

    def stop(self) -> None:
        self._process.terminate()

    async def wait_for_end(self) -> BotEnding:
        reading = asyncio.create_task(self._process.communicate())
        if not (await asyncio.wait([reading], timeout=PATIENCE))[0]:
            self._process.send_signal(signal.SIGABRT)  # it writes down where it hangs
            _, log = await reading
            raise AssertionError(f"it doesn't end:\n{self._read}{log.decode()}")
        out, log = reading.result()
        return BotEnding(self._process.returncode, out.decode(), self._read + log.decode())

    async def reads(self, words: str) -> str:
        """Read the log until a line with some words, and return that."""
        async with asyncio.timeout(PATIENCE):
            while line := (await self._process.stderr.readline()).decode():
                self._read += line
                if words in line:
                    return line
        raise AssertionError(f"the log has no line with {words!r}")


class BotEnding:
    """The end of the bot: its exit code, its output, and its log."""

    def __init__(self, code: int | None, out: str, log: str) -> None:
        self.code = code
        self.processes = int(out.rpartition("processes ")[2]) if "processes " in out else None
        """Return the number of worker processes left."""
        self.lines = log.splitlines()
        self.log = log

    def warnings(self) -> list[str]:
        """Return the log's lines from warnings on, without time, level and logger."""
        levels = ("WARNING", "ERROR", "CRITICAL")
        return [line.partition(": ")[2] for line in self.lines if any(f" {one} " in line for one in levels)]


@asynccontextmanager
async def start_bot(
    site: DiscordSite, folder: Path, more: str = "", **settings: str
) -> AsyncIterator[BotProcess]:
    """Start the bot against a site; do `more` first."""
    rest, ws = f"{site.url}/api", f"{site.gateway}/"
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "PRACTICE_"))}
    own = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": f"sqlite:///{folder}/parlour.db", "LOG_LEVEL": "INFO"}
    process = await ForkedProcess.start(
        PROGRAM.format(rest=rest, ws=ws, more=more), {**clean, **own, **settings, "PYTHONFAULTHANDLER": "1"}
    )
    try:
        yield BotProcess(process, site)
    finally:
        process.kill()
        await process.wait()
        process.close()
