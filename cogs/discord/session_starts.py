"""Logs in to Discord's gateway only if a login is left.

Discord allows about 1,000 logins a day. If a bot logs in without one, Discord can end all its sessions and
reset its token.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import aiohttp
import discord

log = logging.getLogger(__name__)
UNREACHED = (discord.GatewayNotFound, aiohttp.ClientError, OSError)
"""Errors of the request for the limits if Discord fails or can't be reached."""
MARGIN = 1.0
"""Extra seconds to wait, so that Discord has logins again."""
ASK_AGAIN = 5.0
"""Seconds until the limits are requested again."""


class NoLoginLeft(ConnectionError):
    """Raised instead of a login that Discord doesn't allow. discord.py takes it for a lost connection."""


def login_wait(limits: discord.SessionStartLimits, needed: int = 1) -> float:
    """Return the seconds until Discord allows a login; 0 for now.

    `needed` logins may be used at the same moment, one by each process.

    >>> limits = discord.SessionStartLimits(total=1000, remaining=1, reset_after=90_000, max_concurrency=1)
    >>> login_wait(limits), login_wait(limits, needed=2)
    (0.0, 91.0)
    """
    return 0.0 if limits.remaining >= needed else limits.reset_after / 1000 + MARGIN


class SessionStarts:
    """Counts the remaining logins, and waits if there are none.

    Attributes:
        is_waiting: True while a login waits for Discord, which the log says.
    """

    def __init__(
        self, ask: Callable[[], Awaitable[discord.SessionStartLimits]], is_shared: Callable[[], bool]
    ) -> None:
        """Request limits by `ask`; `is_shared` means with other processes."""
        self._ask = ask
        self._is_shared = is_shared
        self._left = 0
        self._turn = asyncio.Lock()
        self.is_waiting = False

    async def wait(self) -> None:
        """Wait until a login is left, before a connection needs one.

        Raises one of `UNREACHED` if Discord doesn't answer.
        """
        async with self._turn:
            try:
                while seconds := await self._seconds():
                    self.is_waiting = True
                    await asyncio.sleep(seconds)
            finally:
                self.is_waiting = False

    async def _seconds(self) -> float:
        """Ask Discord; return the seconds to wait, and log why."""
        while True:
            try:
                limits = await self._ask()
                break
            except discord.RateLimited as limited:
                await asyncio.sleep(limited.retry_after)
        seconds = login_wait(limits, limits.max_concurrency if self._is_shared() else 1)
        self._left = 0 if seconds else limits.remaining
        if seconds:
            until = datetime.now(UTC) + timedelta(seconds=seconds)
            log.warning(
                "waiting %.0f s, until %s UTC, to log in to the gateway: all %s daily logins are used up",
                seconds,
                until.strftime("%H:%M"),
                limits.total,
            )
        return seconds

    async def take(self) -> None:
        """Use up a login right before an identify.

        Raises:
            NoLoginLeft: if there is none, or Discord doesn't answer.
        """
        if self._is_shared():
            try:
                limits = await self._ask()
            except (discord.RateLimited, *UNREACHED) as error:
                raise NoLoginLeft("Discord doesn't report how many logins are left") from error
            self._left = 0 if login_wait(limits, limits.max_concurrency) else limits.remaining
        if self._left < 1:
            raise NoLoginLeft("no login is left")
        self._left -= 1
