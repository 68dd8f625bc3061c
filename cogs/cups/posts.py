"""The posts of cups: one message each, edited in place; at the end another names the winner."""

import asyncio
import logging
from typing import cast
from weakref import WeakValueDictionary

import discord
from cachetools import LRUCache
from discord.ext import commands, tasks

from cogs.core.app import App, app_in, name_of
from cogs.cups.page import announcement, announcement_press, cup_page
from cogs.discord.messages import EditedPost, newest, nonce_of, presses_of, send
from cogs.discord.work import DiscordBackground
from cogs.ui.interaction import Interaction
from cogs.ui.page import Page
from tables.core.table import Refused
from tables.cups.cup import Cup, CupPhase
from tables.runtime.background import TryLater
from tables.runtime.retries import REMEMBERED, Retries

log = logging.getLogger(__name__)
AT_ONCE = 8
"""Posts edited at once."""


class CupPosts(commands.Cog):
    """Refreshes the posts of changed cups, and after a start all of them."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._background = DiscordBackground()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._dirty: set[int] = set()
        self._opened = False
        self._posts: LRUCache[int, EditedPost] = LRUCache(REMEMBERED)
        self._retries: Retries[int] = Retries(app.parlour.clock)
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def cog_load(self) -> None:
        """Start to refresh posts, and to note members who left."""
        self._app.parlour.running.name_of = self._name
        self._app.parlour.looking.name_of = self._name_if_reachable
        self._look_after.start()

    async def cog_unload(self) -> None:
        self._look_after.cancel()

    async def _name(self, guild_id: int, user_id: int, _known: str) -> str | None:
        """Return a member's current name; None if they have left the server.

        Raises:
            TryLater: if the server can't be reached.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise TryLater(f"server {guild_id} can't be reached")
        try:
            return name_of(await guild.fetch_member(user_id))
        except discord.NotFound:
            return None

    async def _name_if_reachable(self, guild_id: int, user_id: int, known: str) -> str | None:
        """Return a member's name: the known one while Discord doesn't answer."""
        try:
            return await self._name(guild_id, user_id, known)
        except (TryLater, discord.DiscordServerError):
            return known

    @tasks.loop(seconds=5)
    async def _look_after(self) -> None:
        await self._bot.wait_until_ready()
        await self._background.run("checking the posts of cups", self._look())

    async def _look(self) -> None:
        cups = self._app.parlour.cups
        if not self._opened:
            self._dirty |= set(await cups.cups_to_show())
            self._opened = True
        self._dirty |= cups.take_touched()
        due = sorted(filter(self._retries.is_due, self._dirty))
        await asyncio.gather(*map(self.refresh, due))

    async def refresh(self, cup_id: int) -> None:
        """Refresh the post of a cup; retry later if that fails."""
        self._dirty.discard(cup_id)
        async with self._gate:
            is_shown = await self._background.run(f"the post of cup {cup_id}", self._show(cup_id))
        if is_shown:
            self._retries.note_success(cup_id)
        else:
            self._retries.note_failure(cup_id)
            self._dirty.add(cup_id)

    async def _show(self, cup_id: int) -> None:
        async with self._locks.setdefault(cup_id, asyncio.Lock()):
            try:
                cup = await self._app.parlour.cups.cup(cup_id)
            except Refused:
                return  # it was erased with its server
            guild = self._bot.get_guild(cup.guild_id)
            channel = None if guild is None else guild.get_channel(cup.channel_id)
            if guild is None or guild.unavailable or not isinstance(channel, discord.TextChannel):
                return  # its games go on elsewhere, and `/cup show` tells of it
            page = await cup_page(await self._app.for_server(cup.guild_id), cup)
            post = self._posts.setdefault(cup_id, EditedPost(self._bot, lambda one: _is_post(one, cup_id)))
            nonce = nonce_of("cup", cup.id, cup.message_id)
            number, _ = await post.show(channel, cup.message_id, page, nonce)
            if number != cup.message_id:
                await self._app.parlour.cups.note_post(cup_id, number)
            if cup.phase is CupPhase.OVER and not cup.announced:
                await self._announce(channel, cup)
            if cup.phase in (CupPhase.OVER, CupPhase.CLOSED):
                self._posts.pop(cup_id, None)

    async def tell(self, cup: Cup, text: str, person: int | None = None) -> None:
        """Post a message in a cup's channel, mentioning a person.

        If that fails, only the log of `/admin audit` has it.
        """
        guild = self._bot.get_guild(cup.guild_id)
        channel = None if guild is None else guild.get_channel(cup.channel_id)
        if isinstance(channel, discord.TextChannel):
            try:
                page = Page([text], mentions=() if person is None else [person])
                await send(channel, page, nonce_of("told", cup.id, text, self._app.parlour.clock()))
            except discord.HTTPException as error:
                log.info("can't announce a change of cup %s: %s", cup.id, error)

    async def _announce(self, channel: discord.TextChannel, cup: Cup) -> None:
        """Announce the winner once, even if that could not be saved."""
        if (
            await newest(self._bot, channel, lambda one: announcement_press(cup) in presses_of(one) or None)
            is None
        ):
            await send(channel, announcement(cup), nonce_of("won", cup.id))
        await self._app.parlour.cups.note_announced(cup.id)


def _is_post(message: discord.Message, cup_id: int) -> bool:
    return any((press.room, press.table, press.arg) == ("cup", cup_id, "") for press in presses_of(message))


def cup_posts(interaction: Interaction) -> CupPosts:
    return cast(CupPosts, cast(commands.Bot, interaction.client).get_cog("CupPosts"))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(CupPosts(bot, app_in(bot)))
