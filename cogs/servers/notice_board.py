"""A server's notice board: one message with all open tables, edited in place."""

import asyncio
import logging
from itertools import islice
from typing import cast
from weakref import WeakValueDictionary

import discord
from cachetools import LRUCache
from discord.ext import commands, tasks

from cogs.core.app import App, app_in
from cogs.discord.messages import EditedPost, nonce_of, texts_of
from cogs.discord.work import DiscordBackground
from cogs.servers.listing import heading, listing
from cogs.ui.interaction import Interaction
from tables.core.table import Refused
from tables.runtime.retries import REMEMBERED, Retries

log = logging.getLogger(__name__)
EDIT_INTERVAL = 60.0
"""Seconds between two edits of a board."""
AT_ONCE = 8
"""Boards edited at once."""
MOST_DUE = 500
NEEDED = ("view_channel", "send_messages", "read_message_history")


class NoticeBoards(commands.Cog):
    """Refreshes the boards of servers whose tables changed, and after a start all of them."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._background = DiscordBackground()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._dirty: set[int] = set()
        self._opened = False
        self._posts: LRUCache[int, EditedPost] = LRUCache(REMEMBERED)
        self._retries: Retries[int] = Retries(app.parlour.clock)

    async def cog_load(self) -> None:
        self._look_after.start()

    async def cog_unload(self) -> None:
        self._look_after.cancel()

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Queue the board of a server that invited the bot again."""
        self._dirty.add(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Queue the board of a server that Discord can reach again."""
        self._dirty.add(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Queue a server's board: its channel may have been deleted."""
        self._dirty.add(channel.guild.id)

    @tasks.loop(seconds=10)
    async def _look_after(self) -> None:
        await self._bot.wait_until_ready()
        await self._background.run("checking the notice boards", self._look())

    async def _look(self) -> None:
        store = self._app.parlour.store
        if not self._opened:
            self._dirty |= {row.guild_id for row in await store.boards()}
            self._opened = True
        self._dirty |= self._app.parlour.take_touched()
        due = list(islice(filter(self._retries.is_due, self._dirty), MOST_DUE))
        if due:
            entries = await store.boards(due)
            self._dirty -= set(due)
            await asyncio.gather(*(self._try(row.guild_id) for row in entries))

    async def _try(self, guild_id: int) -> None:
        async with self._gate:
            shown = await self._background.run(f"the notice board of server {guild_id}", self._show(guild_id))
        if not shown:
            self._retries.note_failure(guild_id, at_least=EDIT_INTERVAL)
            self._dirty.add(guild_id)
        elif self._retries.failures(guild_id):
            self._retries.note_success(guild_id)

    async def _show(self, guild_id: int) -> discord.PartialMessage | None:
        """Refresh or repost a board; return None if there is none."""
        async with self._locks.setdefault(guild_id, asyncio.Lock()):
            parlour = self._app.parlour
            settings, guild = await parlour.settings(guild_id), self._bot.get_guild(guild_id)
            if guild is None or guild.unavailable or settings.board_channel_id is None:
                return None
            channel = guild.get_channel(settings.board_channel_id)
            if not isinstance(channel, discord.TextChannel):
                await self._give_up(guild_id, settings.board_channel_id)
                return None
            page = await listing(self._app, guild)
            head = heading(guild)
            post = self._posts.setdefault(
                guild_id, EditedPost(self._bot, lambda one: texts_of(one)[:1] == [head])
            )
            nonce = nonce_of("notice board", channel.id, settings.board_message_id)
            number, sent = await post.show(channel, settings.board_message_id, page, nonce)
            self._retries.note_success(guild_id, apart=EDIT_INTERVAL if sent else 0.0)
            if number != settings.board_message_id:
                await parlour.store.save_board(guild_id, channel.id, number, channel.id)
            return channel.get_partial_message(number)

    async def _give_up(self, guild_id: int, channel_id: int) -> None:
        """Note a deleted channel, and its board unless that moved."""
        parlour, me = self._app.parlour, self._bot.user
        if not await parlour.store.save_board(guild_id, None, None, channel_id):
            return
        await parlour.write_down(
            guild_id, None, 0 if me is None else me.id, "board", what="its channel was deleted"
        )
        log.info("removed the notice board of server %s because its channel was deleted", guild_id)

    async def where(self, guild_id: int) -> str:
        settings = await self._app.parlour.settings(guild_id)
        if settings.board_channel_id is None:
            return "This server has no notice board. `/admin board channel:#games`, for example, adds one."
        stands = f"<#{settings.board_channel_id}>"
        return f"The notice board is in {stands}. `/admin board off:True` removes it."

    async def put_up(self, channel: discord.TextChannel) -> str | None:
        """Post a server's board in a channel, and remove the old one.

        Return its URL; None if Discord fails now and it is posted later.

        Raises:
            Refused: if the bot may not post there.
        """
        allowed = channel.permissions_for(channel.guild.me)
        if not all(getattr(allowed, name) for name in NEEDED):
            raise Refused(
                f"I need View Channel, Send Messages and Read Message History in {channel.mention} first."
            )
        guild_id = channel.guild.id
        settings = await self._app.parlour.settings(guild_id)
        if settings.board_channel_id not in (None, channel.id):
            await self._remove(guild_id)
        if settings.board_channel_id != channel.id:
            now = (await self._app.parlour.settings(guild_id)).board_channel_id
            await self._app.parlour.store.save_board(guild_id, channel.id, None, now)
        self._posts.pop(guild_id, None)
        self._dirty.add(guild_id)  # until it stands, the loop goes on trying
        try:
            message = await self._show(guild_id)
        except discord.HTTPException as error:
            log.warning("can't post the notice board of server %s yet: %s", guild_id, error)
            return None
        self._dirty.discard(guild_id)
        return channel.jump_url if message is None else message.jump_url

    async def take_down(self, guild_id: int) -> None:
        """Remove a server's board. Raise Refused if there is none."""
        if (await self._app.parlour.settings(guild_id)).board_channel_id is None:
            raise Refused("This server has no notice board.")
        await self._remove(guild_id)

    async def _remove(self, guild_id: int) -> None:
        async with self._locks.setdefault(guild_id, asyncio.Lock()):
            settings = await self._app.parlour.settings(guild_id)
            await self._app.parlour.store.save_board(guild_id, None, None, settings.board_channel_id)
            if settings.board_channel_id is None or settings.board_message_id is None:
                return
            place = self._bot.get_partial_messageable(settings.board_channel_id)
            try:
                await place.get_partial_message(settings.board_message_id).delete()
            except discord.HTTPException as error:
                log.info("can't delete the notice board of server %s: %s", guild_id, error)


def notice_boards(interaction: Interaction) -> NoticeBoards:
    return cast(NoticeBoards, cast(commands.Bot, interaction.client).get_cog("NoticeBoards"))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(NoticeBoards(bot, app_in(bot)))
