"""Connections to Discord's gateway, one per shard: logins, sessions, and errors that end the bot.

Discord allows about 1,000 logins a day. If a bot logs in without one, Discord can end all its sessions and
reset its token.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import aiohttp
import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.shard import EventItem, EventType

from tables.parlour import Parlour
from tables.servers.servers import Presence, ShardPlan

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

        Raise NoLoginLeft if there is none, or Discord doesn't answer.
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


SHARDS_TAKEN = "shards_taken"
"""The event dispatched when this process takes more servers, once it knows them all."""
IDENTIFYING = (EventType.identify, EventType.reconnect)
"""Requests to discord.py that use up a login: a shard's session is over."""
Put = Callable[[EventItem], None]


class LaunchFailed(Exception):
    """Raised if a shard can't be connected, so that the caller retries."""


class Gateway:
    """Connects the shards that the process holds, and has the parlour act for the connected ones.

    Without a `presence` among others the process has all servers, in Discord's number of shards.
    """

    def __init__(self, bot: commands.AutoShardedBot, parlour: Parlour, plan: ShardPlan) -> None:
        self._bot = bot
        self._ownership = parlour.ownership
        self._shards = parlour.store.shards
        self._plan = plan
        self.presence: Presence | None = None
        self.logins = 1
        """The logins that Discord allows at once."""
        self._open: set[int] = set()
        self._lost: set[int] = set()
        self._launched: set[int] = set()
        self._launching: set[asyncio.Task[None]] = set()
        self._trying: set[int] = set()
        self.session_starts = SessionStarts(bot.fetch_session_start_limits, lambda: self.presence is not None)

    @property
    def is_divided(self) -> bool:
        """Return True if processes share the shards. Otherwise Discord sets their number."""
        return self.presence is not None and self._bot.shard_count is not None

    @property
    def is_connected(self) -> bool:
        return not self._lost

    @property
    def is_standby(self) -> bool:
        """Return True if this process is a standby: others hold all shards."""
        return self.presence is not None and not self._launched

    def join(self, address: str) -> Presence:
        """Join the processes; shards are held once the presence `stay`s."""
        self.presence = self._ownership.join(address, self._plan, self.connect_shards)
        return self.presence

    async def begin(self) -> None:
        """Wait until there is a shard to connect, before the bot starts."""
        if self.presence is not None:
            self._launched = set(await self.presence.wait_for_shards())
            if self.is_divided:
                self._bot.shard_ids = sorted(self._launched)

    async def connect_shards(self, held: frozenset[int]) -> None:
        """Connect new shards of a running bot; act for connected ones."""
        if not self.is_divided:
            await self._ownership.take(held)
            return
        if self._launched and self._bot.shard_ids is not None:
            for shard in sorted(held - self._launched):
                self._launched.add(shard)
                self._bot.shard_ids.append(shard)
                connecting = self._bot.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)
                task = asyncio.create_task(connecting, name=f"connect shard {shard}")
                self._launching.add(task)
                task.add_done_callback(self._launching.discard)
        await self._act()

    async def _act(self) -> None:
        if self.presence is None:
            return
        acting = self.presence.held & self._open
        if acting != self._shards.held:
            await self._ownership.take(acting)
            self._bot.dispatch(SHARDS_TAKEN)

    async def note_connected(self, shard: int) -> None:
        """Note that a shard is connected and its servers are known."""
        self._open.add(shard)
        self._clear_lost(shard)
        if self.is_divided:
            await self._act()

    def note_resumed(self, shard: int) -> None:
        """Note that a shard is connected again and missed nothing."""
        self._clear_lost(shard)

    def note_lost(self, shard: int) -> None:
        """Note a lost connection: its servers' clocks stop until it is back."""
        self._lost.add(shard)
        self._note()

    def _clear_lost(self, shard: int) -> None:
        self._lost.discard(shard)
        self._note()

    def _note(self) -> None:
        if self.is_divided:
            self._shards.lost = frozenset(self._lost)

    async def log_in(self, shard: int | None) -> None:
        """Wait for this process's turn to log in."""
        if self.presence is not None:
            await self.presence.identify((shard or 0) % self.logins)

    def begin_launch(self, shard: int) -> None:
        """Note that a shard is being connected.

        Raise LaunchFailed if it is already: discord.py calls its own launch again after each failure, deeper
        each time.
        """
        if shard in self._trying:
            raise LaunchFailed
        self._trying.add(shard)

    def end_launch(self, shard: int) -> None:
        """Note that a shard is connected, or given up."""
        self._trying.discard(shard)

    async def wait_for_login(self) -> None:
        """Wait until Discord has a login left.

        Raise LaunchFailed if Discord doesn't answer, after a pause.
        """
        try:
            await self.session_starts.wait()
        except UNREACHED as error:
            await asyncio.sleep(ASK_AGAIN)
            raise LaunchFailed from error

    def guard(self, shard: int) -> None:
        """Have a connected shard wait before it needs a new login.

        discord.py gives a connection a minute to log in, and reconnects shards one after another.
        """
        info = self._bot.get_shard(shard)
        if info is not None:
            parent = info._parent
            put = parent._queue_put
            parent._queue_put = lambda item: self._admit(put, item)

    def _admit(self, put: Put, item: EventItem) -> None:
        if item.type not in IDENTIFYING:
            put(item)
            return
        task = asyncio.create_task(self._admit_with_login(put, item), name="wait for a login")
        self._launching.add(task)
        task.add_done_callback(self._launching.discard)

    async def _admit_with_login(self, put: Put, item: EventItem) -> None:
        while True:
            try:
                await self.wait_for_login()
            except LaunchFailed:
                continue
            put(item)
            return

    async def close(self) -> None:
        for task in self._launching:
            task.cancel()
        await asyncio.gather(*self._launching, return_exceptions=True)


DISCORD_ERRORS = (
    aiohttp.ClientConnectionError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    discord.HTTPException,
    discord.LoginFailure,
    discord.PrivilegedIntentsRequired,
    discord.RateLimited,
)
"""Errors of Discord that end the bot."""
TRY_LATER, GIVE_UP = 1, 2
"""Exit codes: a restart can help, or somebody has to fix something first."""
TOKEN_RESET, INTENTS = 4004, (4013, 4014)
CLOSED_FOR_GOOD = {
    TOKEN_RESET: "DISCORD_TOKEN: Discord no longer accepts it. Copy the new one from the developer portal.",
    **dict.fromkeys((4010, 4011), "SHARD_COUNT: Discord refuses it. Remove it, or choose a higher number."),
    4012: "Discord no longer supports this gateway version. Update the bot.",
    **dict.fromkeys(
        INTENTS, "Discord refuses the bot's intents, though none needs approval. Update the bot."
    ),
}
"""Advice for each code with which Discord closes a gateway connection for good."""


def explain_exit(error: Exception) -> tuple[str, int]:
    match error:
        case discord.PrivilegedIntentsRequired():
            return CLOSED_FOR_GOOD[INTENTS[0]], GIVE_UP
        case discord.ConnectionClosed(code=code) if code in CLOSED_FOR_GOOD:
            return CLOSED_FOR_GOOD[code], GIVE_UP
        case discord.LoginFailure() | discord.HTTPException(status=401):
            return (
                "DISCORD_TOKEN: Discord doesn't accept it. Copy it again from the developer portal.",
                GIVE_UP,
            )
        case discord.HTTPException():
            details = "; ".join(error.text.splitlines()) if error.code else ""  # no page of Cloudflare's
            told = f" ({details.rstrip('.')})" if details else ""
            answer = f"{error.status} {error.response.reason}{told}"
            return f"Discord failed: it answered {answer}. Try again later.", TRY_LATER
        case _:
            return f"I can't reach Discord: {str(error).rstrip('.')}. Try again later.", TRY_LATER
