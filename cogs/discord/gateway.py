"""Connections to Discord's gateway, one per shard: the open ones, and when to log in."""

import asyncio
from collections.abc import Callable

from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.shard import EventItem, EventType

from cogs.discord.session_starts import ASK_AGAIN, UNREACHED, SessionStarts
from db.processes.presence import Presence
from db.processes.shards import ShardPlan, Shards
from tables.parlour import Parlour

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
        self._shards: Shards = parlour.store.shards
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
        """Return True if no connection is lost."""
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
                task = asyncio.create_task(self._launch(shard), name=f"connect shard {shard}")
                self._launching.add(task)
                task.add_done_callback(self._launching.discard)
        await self._act()

    async def _launch(self, shard: int) -> None:
        await self._bot.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)

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

        Raises:
            LaunchFailed: if it is already: discord.py calls its own launch again after each failure, deeper
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

        Raises:
            LaunchFailed: if Discord doesn't answer, after a pause.
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
