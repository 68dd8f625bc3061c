"""Sends the bot's requests to Discord: waits out refusals at the start, gives requests up at the stop.

Registers the commands.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import aiohttp
import discord
from discord.http import HTTPClient, Route

from cogs.discord.work import is_refusal
from tables.parlour import Parlour

log = logging.getLogger(__name__)
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


def is_about_commands(route: Route) -> bool:
    """Return True for the command registration, without which a bot can start."""
    return route.path.endswith("/commands")


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
                if seconds is None or (is_about_commands(route) and seconds > LONGEST_FOR_COMMANDS):
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
