"""Background work that talks to Discord: a failure is one line in the log, and a retry."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager

import aiohttp
import discord

from tables.runtime.background import Background, TryLater

SESSION_CLOSED = "Session is closed"
"""aiohttp's message for a request that begins while the bot stops."""


@contextmanager
def retry_on_discord_error() -> Iterator[None]:
    """Turn Discord's refusals and connection errors into a reason to retry later."""
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
        """Await the work; return True if it succeeded."""
        return await super().run(name, _later(work))


async def _later(work: Awaitable[object]) -> None:
    with retry_on_discord_error():
        await work
