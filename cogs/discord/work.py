"""Background work that talks to Discord: a failure is one line in the log, and a retry."""

from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager

import aiohttp
import discord
from cachetools import LRUCache

from cogs.discord.rate import TOO_MANY
from tables.runtime.background import REMEMBERED, Background, TryLater

SESSION_CLOSED = "Session is closed"
"""aiohttp's message for a request that begins while the bot stops."""

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
    """Return Discord's code, or the status of an answer without one."""
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
