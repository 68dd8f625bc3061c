"""The Discord client: its cogs, its events, and its shutdown."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import Any

import aiohttp
import discord
import yarl
from discord.ext import commands, tasks

from cogs.core.app import NEEDED, App
from cogs.core.pictures import Pictures, ReplayRenderer
from cogs.discord.emoji import draw_signs, upload_signs
from cogs.discord.gateway import Gateway, LaunchFailed
from cogs.discord.work import Rate, Requests, register_commands
from cogs.posts.board import erase_story
from cogs.posts.courier import DiscordCourier
from cogs.ui.press import DONE, REFUSED, PressItem, Work, admit, end_with_error, kind
from cogs.ui.text import ADDED_TO_SERVERS, SERVERS, Interaction, show
from db.connection.writer import DatabaseUnavailable
from db.processes import ShardPlan
from db.store import Store
from engines.registry import SLUGS
from engines.workers import Workers
from tables.clocks.clock import TrustedClock
from tables.parlour import Parlour
from tables.runtime import INTERACTIONS
from tables.servers.servers import KEPT_DAYS

log = logging.getLogger("parlour")
CORE_COGS = (
    *("help", "play.tables", "play.hints", "people.overview", "people.settings"),
    *("lobby.looking", "standings.standings"),
    *("servers.settings", "discord.work", "servers.notice_board", "cups", "menus"),
    *("servers.privacy", "core.lookup", "daily.daily", "daily.posts", "study", "puzzles"),
)
COGS = tuple(f"cogs.{name}" for name in (*CORE_COGS, *SLUGS))
REGISTER_AGAIN = 3600.0
"""Seconds until refused commands are tried again."""
SHUTDOWN_TIMEOUT = 10.0
"""Seconds that work in progress may take when the bot stops."""
UNLOGGED_OUTAGE = 30.0
"""Seconds for which a lost gateway is not logged."""
LONGEST_WAIT = 30.0
"""Seconds for which a request waits out a rate limit; a longer one postpones it. Discord.py's least."""


class Commands(discord.app_commands.CommandTree[Any]):
    """The slash commands. A slow one is acknowledged first."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Check each command, and each autocomplete, before it runs."""
        work = self.client.work
        if interaction.type is discord.InteractionType.autocomplete:
            free, _ = work.typing.take(interaction.user.id)
            INTERACTIONS.labels(kind(interaction), DONE if free else REFUSED).inc()
            if not free:
                with suppress(discord.HTTPException):  # it was too late
                    await interaction.response.autocomplete([])
            return free and not work.stopping
        return await admit(interaction)

    async def on_error(
        self, interaction: Interaction, error: discord.app_commands.AppCommandError, /
    ) -> None:
        await end_with_error(interaction, error)


class ParlourBot(commands.AutoShardedBot):
    """The bot, in all its shards.

    Its creator passes an open store and workers, and closes them after the bot.
    """

    app: App

    def __init__(
        self,
        store: Store,
        workers: Workers,
        *,
        invites: bool = False,
        kept_days: float = KEPT_DAYS,
        plan: ShardPlan | None = None,
        signs: bool = False,
        clock: TrustedClock | None = None,
    ) -> None:
        """Create the bot; with `invites`, print its invitation link once known.

        `kept_days` is the days that the data of servers without the bot is kept. `plan` divides the servers
        among processes; without one Discord sets the number of shards. With `signs` missing ones are
        uploaded to Discord and shown; without, they are words. `clock` is compared with Discord's time;
        without one discord.py's is used.
        """
        self._invites = invites
        self._shows_signs = signs
        self._background: list[asyncio.Task[None]] = []
        self._connected = False
        self._lost_at, self._told_lost = 0.0, False
        self._clock: Callable[[], float] = clock or (lambda: discord.utils.utcnow().timestamp())
        self.work = Work(self._clock)
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        shards = store.shards
        super().__init__(
            shard_count=None if plan is None else plan.count,
            http_trace=Rate(
                lambda: len(shards.held) / shards.count, None if clock is None else clock.compare
            ).trace(),
            command_prefix=commands.when_mentioned,
            tree_cls=Commands,
            allowed_contexts=SERVERS,
            allowed_installs=ADDED_TO_SERVERS,
            max_ratelimit_timeout=LONGEST_WAIT,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self._requests = Requests(self.http, self.is_closed)
        courier = DiscordCourier()
        parlour = Parlour(store, workers, courier, self._clock, name_of=courier.name_of, untold=erase_story)
        parlour.servers.kept_days = kept_days
        self.gateway = Gateway(self, parlour, plan or ShardPlan(1, (0,)))
        self.app = App(self, parlour, Pictures(workers), ReplayRenderer(parlour.record, workers), workers)
        courier.app = replace(self.app, pictures=self.app.pictures.for_posts())

    async def setup_hook(self) -> None:
        """Load the cogs and register the commands, between login and connecting.

        Raise OwnedByAnother if the database is another application's, before anything changes.
        """
        if self.application_id is None:
            raise RuntimeError("setup_hook is for a bot that has logged in")
        await self.app.parlour.store.ownership.require(self.application_id)
        self.add_dynamic_items(PressItem)
        self._begin("start workers", self.app.parlour.workers.start())
        for cog in COGS:
            await import_module(cog).setup(self)
        # A bot with the commands of yesterday is better than no bot.
        if not await register_commands(self.tree, self.app.parlour):
            self._begin("register the commands", self._register_later())
        show({})
        if self._shows_signs:
            self._begin("make signs known", self._make_signs_known())
        if self.gateway.presence is not None:
            self.gateway.logins = (await self.fetch_session_start_limits()).max_concurrency
        self._lost_at = self._clock()

    def _begin(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Start background work, which ends with the bot."""
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(_log_failure)
        self._background.append(task)

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard once Discord has a login left.

        Retry until it works. Raise LaunchFailed if discord.py calls this again after a failure.
        """
        self.gateway.begin_launch(shard_id)
        try:
            while not self.is_closed():
                self._log_lost()
                with suppress(LaunchFailed):
                    await self.gateway.wait_for_login()
                    await super().launch_shard(gateway, shard_id, initial=initial)
                    self.gateway.guard(shard_id)
                    self._requests.is_starting = False
                    return
                initial = False
                self.gateway.note_lost(shard_id)
                await self.on_disconnect()
        finally:
            self.gateway.end_launch(shard_id)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the shard's turn to log in, among all processes.

        Use up a login. Raise NoLoginLeft if Discord allows none.
        """
        if self.gateway.presence is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self.gateway.log_in(shard_id)
        await self.gateway.session_starts.take()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        log.info("joined server %s", guild.id)

    async def on_shard_ready(self, shard_id: int) -> None:
        await self.gateway.note_connected(shard_id)
        self._note_connected()

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.gateway.note_resumed(shard_id)
        self._note_connected()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self.gateway.note_lost(shard_id)

    async def _make_signs_known(self) -> None:
        await upload_signs(self, await draw_signs(self.app.parlour.workers))

    async def on_app_command_completion(self, interaction: Interaction, _command: object) -> None:
        self.work.end(interaction, DONE)

    async def on_ready(self) -> None:
        """Resume the last run's work as soon as there is a connection."""
        self._note_connected()
        if self._sweep.is_running():
            return
        if self._invites and self.user is not None:
            print(
                f"Logged in as {self.user}. To add it to a server, open\n    {invite(self.user.id)}",
                flush=True,
            )
        self._sweep.start()

    async def on_resumed(self) -> None:
        self._note_connected()

    async def on_disconnect(self) -> None:
        """Note a lost connection. No time passes at tables until it is back."""
        if self._connected:
            self._lost_at = self._clock()
        self._connected = False

    def _note_connected(self) -> None:
        if not self.gateway.is_connected:
            return
        if self._told_lost:
            log.info("Discord's gateway is back after %.0f s", self._clock() - self._lost_at)
        self._connected, self._told_lost = True, False

    def _log_lost(self) -> None:
        """Log a lost gateway once, after a moment. Brief losses happen every day."""
        if self._connected or self._told_lost or self.gateway.session_starts.is_waiting:
            return
        if abs(self._clock() - self._lost_at) < UNLOGGED_OUTAGE:
            return
        log.warning("lost Discord's gateway; clocks stop until it is back")
        self._told_lost = True

    async def close(self) -> None:
        """Start nothing new, finish and show what was acknowledged, and disconnect.

        Work that takes too long is done after the next start.
        """
        self.work.stopping = True
        self._sweep.cancel()
        for task in self._background:
            task.cancel()
        try:
            async with asyncio.timeout(SHUTDOWN_TIMEOUT):
                await self.work.wait_until_idle()
                await self.gateway.close()
                await self.app.replays.stop()
                await self.app.parlour.close()
        except TimeoutError:
            log.warning("some posts are still unsent; they follow after the next start")
        await super().close()

    @property
    def connected(self) -> bool:
        return self._connected

    @tasks.loop(seconds=5)
    async def _sweep(self) -> None:
        """Take up the last run's work, and what has failed since."""
        self._log_lost()
        # Where the shards are those that processes share, each is looked at by itself.
        reachable = self._connected or self.gateway.is_divided
        await self.app.parlour.resume(reachable=reachable)

    async def _register_later(self) -> None:
        is_registered = False
        while not is_registered:
            await asyncio.sleep(REGISTER_AGAIN)
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError, DatabaseUnavailable):
                is_registered = await register_commands(self.tree, self.app.parlour)


def _log_failure(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("the task to %s failed", task.get_name(), exc_info=error)


def invite(client_id: int) -> str:
    return discord.utils.oauth_url(client_id, permissions=NEEDED, scopes=("bot", "applications.commands"))
