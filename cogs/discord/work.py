"""Waits out what Discord limits, notes what it refuses, and keeps background work going."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any, ClassVar

import aiohttp
import discord
from cachetools import LRUCache
from discord.ext import commands, tasks
from discord.http import HTTPClient, Route

from cogs.core.app import App, app_in
from cogs.ui.press import SESSION_CLOSED
from tables.core.table import OPEN
from tables.parlour import Parlour
from tables.runtime import REMEMBERED, Background, LogOnce, TryLater

log = logging.getLogger(__name__)
REQUESTS_PER_SECOND = 50.0
"""Requests a second that Discord accepts for a token, in all."""
UNLIMITED = ("/interactions/", "/webhooks/")
"""Addresses outside that limit: the answers to presses and commands."""
SLOW, SLOW_FOR = 0.5, 60.0
"""The share of its rate that a process uses after a refusal, and for how many seconds."""
LONGEST_WAIT = 60.0
"""Seconds to wait for a limit at most; then a request tries it."""
LONGEST_WAIT_FOR_ANSWER = 30.0
"""The longest limit, in seconds, that the answer to a press waits out; discord.py has no such bound."""
TOO_MANY = 429


class Rate:
    """Spaces out requests at the rate of this process's share.

    `share` is the part of all shards that it holds. `compare_time` gets the time that each answer bears.
    """

    def __init__(
        self, share: Callable[[], float], compare_time: Callable[[float], None] | None = None
    ) -> None:
        self._share = share
        self._compare_time = compare_time
        self._next = 0.0
        self._closed_until = 0.0
        self._slow_until = 0.0

    def trace(self) -> aiohttp.TraceConfig:
        """Return hooks that delay requests, and check their answers."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._before)
        trace.on_request_end.append(self._after)
        return trace

    async def _before(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        if any(part in params.url.path for part in UNLIMITED):
            return
        wait = self.wait(asyncio.get_running_loop().time())
        if wait > 0:
            await asyncio.sleep(wait)

    async def _after(
        self, _session: aiohttp.ClientSession, _context: Any, params: aiohttp.TraceRequestEndParams
    ) -> None:
        response = params.response
        at = read_date(response.headers.get("Date", ""))
        if at is not None and self._compare_time is not None:
            self._compare_time(at)
        if response.status != TOO_MANY:
            return
        if response.headers.get("X-RateLimit-Global"):
            self.note_refusal(
                asyncio.get_running_loop().time(), float(response.headers.get("Retry-After", 1.0))
            )
        body = read_refusal(await response.text(encoding="utf-8", errors="replace"))
        seconds = body.get("retry_after")
        # discord.py raises a KeyError if no time is named, as for edits of old messages (30046).
        if not isinstance(seconds, (int, float)):
            raise discord.HTTPException(response, body)
        if any(part in params.url.path for part in UNLIMITED) and seconds > LONGEST_WAIT_FOR_ANSWER:
            raise discord.RateLimited(seconds)

    def wait(self, now: float) -> float:
        """Reserve a request's place; return the seconds that it must wait.

        >>> rate = Rate(lambda: 0.5)
        >>> waits = [rate.wait(100.0) for _ in range(27)]
        >>> [round(wait, 2) for wait in waits[23:]]
        [0.0, 0.0, 0.04, 0.08]
        """
        allowed = max(1.0, REQUESTS_PER_SECOND * self._share() * (SLOW if now < self._slow_until else 1.0))
        # As many as a second allows may come at once after a pause.
        begin = max(self._next, now - 1 + 1 / allowed, self._closed_until)
        self._next = begin + 1 / allowed
        return max(0.0, begin - now)

    def note_refusal(self, now: float, seconds: float) -> None:
        """Pause all requests: the processes together hit Discord's rate limit."""
        log.warning("the token hit Discord's rate limit: no requests for %.1f s", seconds)
        self._closed_until = max(self._closed_until, now + min(seconds, LONGEST_WAIT))
        self._slow_until = self._closed_until + SLOW_FOR


def read_date(text: str) -> float | None:
    """Return a Date header's instant; None if it can't be read.

    >>> read_date("Thu, 01 Jan 1970 00:01:00 GMT"), read_date("yesterday")
    (60.0, None)
    """
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None


def read_refusal(text: str) -> dict[str, Any]:
    """Return a refusal as JSON, or one naming Cloudflare for a page.

    >>> read_refusal('{"code": 30046, "message": "Too many edits"}')
    {'code': 30046, 'message': 'Too many edits'}
    >>> read_refusal("<!DOCTYPE html><title>Access denied</title>")
    {'message': 'Cloudflare refuses requests from this address'}
    """
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    return body if isinstance(body, dict) else {"message": "Cloudflare refuses requests from this address"}


NO_DM = (50007, 50278)
"""Discord's codes for a person who accepts no messages from us."""

UNAUTHORIZED = 401
LASTING_AFTER, LASTING_FOR = 3, 120.0
"""Refusals in a row, and the seconds from the first to the last, after which they count as lasting."""


def is_refusal(error: BaseException) -> bool:
    """Return True if Discord refuses a request itself, with whatever code.

    A limit, an outage and a token that was reset say nothing about the request.
    """
    if not isinstance(error, discord.HTTPException):
        return False
    return 400 <= error.status < 500 and error.status not in (UNAUTHORIZED, TOO_MANY)


def code_of(error: discord.HTTPException) -> int:
    return error.code or error.status


class Refusals:
    """Counts refusals in a row, to tell the lasting ones."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: LRUCache[Hashable, tuple[int, float]] = LRUCache(REMEMBERED)

    def note(self, what: Hashable) -> bool:
        """Note a refusal; return True if it is a lasting one.

        >>> now = 0.0
        >>> refusals = Refusals(lambda: now)
        >>> [refusals.note("board") for _ in range(LASTING_AFTER)]
        [False, False, False]
        >>> now = LASTING_FOR
        >>> refusals.note("board"), refusals.note("hand")
        (True, False)
        """
        count, first = self._known.get(what, (0, self._clock()))
        self._known[what] = count + 1, first
        return count + 1 >= LASTING_AFTER and self._clock() - first >= LASTING_FOR

    def forget(self, what: Hashable) -> None:
        """Note that something works."""
        self._known.pop(what, None)


@contextmanager
def retry_on_discord_error() -> Iterator[None]:
    try:
        yield
    except discord.RateLimited as error:
        # The seconds aren't part of the reason: one that differs each time would be logged each time.
        raise TryLater("Discord limits our requests", error.retry_after) from error
    except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
        raise TryLater(str(error)) from error
    except RuntimeError as error:
        if str(error) != SESSION_CLOSED:
            raise
        raise TryLater("the connection to Discord is closed: the bot is stopping") from error


class DiscordBackground(Background):
    """Background work whose requests Discord may refuse."""

    async def run(self, name: str, work: Awaitable[object]) -> bool:
        return await super().run(name, _later(work))


async def _later(work: Awaitable[object]) -> None:
    with retry_on_discord_error():
        await work


class WatchingCog(commands.Cog):
    """A cog that repeats a check for as long as it is loaded."""

    _checking: ClassVar[tasks.Loop[Any]]

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._background = DiscordBackground()

    async def cog_load(self) -> None:
        self._checking.start()

    async def cog_unload(self) -> None:
        self._checking.cancel()


class Threads(WatchingCog):
    """Unarchives tables' threads, also those archived while the bot was down."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        super().__init__(bot, app)
        self._log_once = LogOnce()

    @commands.Cog.listener()
    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        """Unarchive the thread of an open table."""
        if after.archived and not before.archived:
            await self._reopen(after)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Replace a table's deleted thread at once, with a fresh board."""
        for table in await self._app.parlour.tables_at(payload.thread_id):
            await self._app.parlour.keep_thread(table.id, None)
            await self._app.parlour.refresh(table.id, "board", fresh=True)

    @tasks.loop(hours=6)
    async def _checking(self) -> None:
        await self._bot.wait_until_ready()
        for guild in self._bot.guilds:
            await self._background.run(f"checking the threads of server {guild.id}", self._care_for(guild))

    async def _care_for(self, guild: discord.Guild) -> None:
        known = set(await self._app.parlour.store.threads_of(guild.id, OPEN))
        if known:
            awake = {thread.id for thread in await guild.active_threads()}
            channels = {channel.id for channel in guild.channels}  # games that go on without a thread
            for thread_id in sorted(known - awake - channels):
                await self._background.run(f"checking thread {thread_id}", self._wake(thread_id))

    async def _wake(self, thread_id: int) -> None:
        try:
            thread = await self._bot.fetch_channel(thread_id)
        except discord.NotFound:
            return
        if isinstance(thread, discord.Thread) and thread.archived:
            await self._reopen(thread)

    async def _reopen(self, thread: discord.Thread) -> None:
        if not await self._app.parlour.tables_at(thread.id):
            return
        try:
            await thread.edit(archived=False)
        except discord.HTTPException as error:
            if self._log_once.note_failure(thread.id, error):
                log.warning("can't reopen thread %s of an open table: %s", thread.id, error)
            return
        self._log_once.note_success(thread.id)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Threads(bot, app_in(bot)))


PAUSES = (5.0, 10.0, 20.0, 40.0, *([60.0] * 9))
"""Seconds before each retry if Discord fails at the start: ten minutes in all."""
LONGEST_FOR_COMMANDS = 60.0
"""Seconds that a start waits to register commands: Discord allows 200 new ones a day."""
BANNED = 429
"""The status of a refusal by Cloudflare; discord.py waits out Discord's own."""

COMMANDS_FACT = "commands"
"""The key of the digest of our commands, and of what Discord made of them."""
SLASH = 1
"""The type of our commands. Discord adds others, such as the Entry Point command of an Activity."""
GIVEN = ("id", "application_id", "version")
"""The fields that Discord gives to a command."""


async def register_commands(tree: discord.app_commands.CommandTree[Any], parlour: Parlour) -> bool:
    """Register our commands if Discord has others.

    Commands of other types stay. Return False if Discord refuses them, so that the old ones go on.
    """
    http, application = tree.client.http, tree.client.application_id or 0
    ours = [command.to_dict(tree) for command in tree.get_commands()]
    try:
        there = await http.get_global_commands(application)
        if await parlour.store.fact(COMMANDS_FACT) == _digest(ours, there):
            return True
        # Discord refuses to replace all commands without its Entry Point command (50240).
        others = [one for one in there if one["type"] != SLASH]
        await http.bulk_upsert_global_commands(application, [*ours, *map(_without_given, others)])
        there = await http.get_global_commands(application)
    except (discord.RateLimited, discord.HTTPException) as error:
        if not (isinstance(error, discord.RateLimited) or is_refusal(error)):
            raise
        log.warning("can't register the commands; the old ones go on, and I try again each hour: %s", error)
        return False
    await parlour.store.save_fact(COMMANDS_FACT, _digest(ours, there))
    log.info("registered %s commands", len(ours))
    return True


def _digest(ours: Sequence[Mapping[str, Any]], there: Sequence[Mapping[str, Any]]) -> str:
    known = [_without_given(one) for one in there if one["type"] == SLASH]
    known.sort(key=lambda one: str(one["name"]))
    return hashlib.sha256(json.dumps([ours, known], sort_keys=True).encode()).hexdigest()


def _without_given(command: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name not in GIVEN}


def pause_after(error: discord.RateLimited | discord.HTTPException, failures: int) -> float | None:
    """Return the seconds before a retry; None if it is useless.

    >>> pause_after(discord.RateLimited(45.0), 100)
    45.0
    """
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    is_outage = error.status >= 500 or error.status == BANNED
    return PAUSES[failures] if is_outage and failures < len(PAUSES) else None


class Requests:
    """Replaces the `request` of discord.py's HTTP client, which sends everything but answers.

    Attributes:
        is_starting: True while refusals are waited out, until a shard is connected.
    """

    def __init__(self, http: HTTPClient, is_closed: Callable[[], bool]) -> None:
        """Stop waiting once `is_closed` returns True: the bot has closed its connections."""
        self.is_starting = True
        self._is_closed = is_closed
        self._send = http.request
        http.request = self.request  # type: ignore[method-assign]  # discord.py has no hook for it

    async def request(self, route: Route, **options: Any) -> Any:
        """Send a request; at the start, until Discord accepts it.

        Raises:
            asyncio.CancelledError: if the bot has closed its connections. The caller is cancelled too,
            silently: the outbox still has what it wanted to show.
        """
        failures = 0
        while True:
            try:
                return await self._send(route, **options)
            except (discord.RateLimited, discord.HTTPException) as error:
                seconds = pause_after(error, failures) if self.is_starting else None
                # A bot can start without registering its commands.
                if seconds is None or (route.path.endswith("/commands") and seconds > LONGEST_FOR_COMMANDS):
                    raise
                _log_pause(error, route, failures, seconds)
                failures += isinstance(error, discord.HTTPException)
                await asyncio.sleep(seconds)
            except (aiohttp.ClientError, OSError, RuntimeError) as error:
                if self._is_closed():
                    raise asyncio.CancelledError("the bot has stopped") from error
                raise


def _log_pause(
    error: discord.RateLimited | discord.HTTPException, route: Route, failures: int, seconds: float
) -> None:
    asked = f"{route.method} {route.path}"
    if isinstance(error, discord.RateLimited):
        log.warning("start delayed by %.0f s: Discord limits %s", seconds, asked)
    elif failures == 0:
        log.warning(
            "start delayed: Discord answers %s with %s %s; retrying for %.0f minutes",
            asked,
            error.status,
            error.response.reason,
            sum(PAUSES) / 60,
        )
