"""Keeps the threads of open tables unarchived: on phones, buttons in archived ones don't work."""

import logging

import discord
from discord.ext import commands, tasks

from cogs.core.app import App, app_in
from cogs.discord.work import DiscordBackground
from tables.core.table import OPEN
from tables.runtime.background import LogOnce

log = logging.getLogger(__name__)


class Threads(commands.Cog):
    """Unarchives tables' threads, also those archived while the bot was down."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._background = DiscordBackground()
        self._log_once = LogOnce()

    async def cog_load(self) -> None:
        self._look_after.start()

    async def cog_unload(self) -> None:
        self._look_after.cancel()

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
    async def _look_after(self) -> None:
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
