"""The posts of cups: one message each, brought up to date in place; at the end another tells who has won."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import sha256
from typing import cast
from weakref import WeakValueDictionary

import discord
from discord.ext import commands, tasks

from cogs.core.app import App, app_in, name_of
from cogs.cups.page import announcement, cup_page, won
from cogs.ui.interaction import Interaction
from cogs.ui.page import Page
from cogs.ui.press import Press, parse
from render.picture import Picture
from tables.core.background import Background
from tables.core.outbox import TryLater, pause, waits
from tables.cups.cup import Cup, CupPhase

log = logging.getLogger(__name__)
LOOK_BACK = 30
Known = Callable[[Press], bool]


class CupPosts(commands.Cog):
    """Brings the posts up to date whose cups have changed, and after a start all of them."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._house = app
        self._background = Background()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._dirty: set[int] = set()
        self._opened = False
        self._shown: dict[int, tuple[int, str, str]] = {}
        self._failures: dict[int, int] = {}
        self._next_at: dict[int, float] = {}

    async def cog_load(self) -> None:
        """Begin to look after the posts, and say who is still in a server."""
        self._house.parlour.running.name_of = self._name
        self._look_after.start()

    async def cog_unload(self) -> None:
        """Stop looking."""
        self._look_after.cancel()

    async def _name(self, guild_id: int, user_id: int, _known: str) -> str | None:
        """How somebody is called in a server now; None for who isn't there any more.

        Raises:
            TryLater: when the server can't be reached.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise TryLater(f"server {guild_id} can't be reached")
        try:
            return name_of(await guild.fetch_member(user_id))
        except discord.NotFound:
            return None

    @tasks.loop(seconds=5)
    async def _look_after(self) -> None:
        await self._bot.wait_until_ready()
        await self._background.run("a look at the posts of cups", self._look())

    async def _look(self) -> None:
        cups, now = self._house.parlour.cups, self._house.parlour.clock()
        if not self._opened:
            self._dirty |= set(await cups.unshown())
            self._opened = True
        self._dirty |= cups.touched()
        due = [cup_id for cup_id in self._dirty if not waits(self._next_at.get(cup_id, now), now)]
        for cup_id in sorted(due):
            await self.refresh(cup_id)

    async def refresh(self, cup_id: int) -> None:
        """Bring the post of a cup up to date; what fails is tried again later."""
        self._dirty.discard(cup_id)
        if await self._background.run(f"the post of cup {cup_id}", self._show(cup_id)):
            self._failures.pop(cup_id, None)
            self._next_at.pop(cup_id, None)
            return
        failures = self._failures[cup_id] = self._failures.get(cup_id, 0) + 1
        self._next_at[cup_id] = self._house.parlour.clock() + pause(failures)
        self._dirty.add(cup_id)

    async def _show(self, cup_id: int) -> None:
        async with self._locks.setdefault(cup_id, asyncio.Lock()):
            cup = await self._house.parlour.cups.cup(cup_id)
            guild = self._bot.get_guild(cup.guild_id)
            channel = None if guild is None else guild.get_channel(cup.channel_id)
            if guild is None or guild.unavailable or not isinstance(channel, discord.TextChannel):
                return  # its games go on elsewhere, and `/cup show` tells of it
            page = await cup_page(self._house, cup)
            number = await self._standing(channel, cup, page)
            self._shown[cup_id] = number, *_digests(page)
            if number != cup.message_id:
                await self._house.parlour.cups.note_post(cup_id, number)
            if cup.phase is CupPhase.OVER and not cup.announced:
                await self._announce(channel, cup)
            if cup.phase in (CupPhase.OVER, CupPhase.CLOSED):
                self._shown.pop(cup_id)

    async def _standing(self, channel: discord.TextChannel, cup: Cup, page: Page) -> int:
        """The message that shows the page now: the one that is known, one that is found, or a new one."""
        if cup.message_id is not None and await self._edited(channel, cup, cup.message_id, page):
            return cup.message_id
        found = await self._found(channel, lambda press: press.table == cup.id and press.arg == "")
        if found is not None and await self._edited(channel, cup, found, page):
            return found
        nonce = f"cup{cup.id}.{cup.message_id or 0}"[-25:]
        return (
            await channel.send(
                view=page.view(), files=page.files(), allowed_mentions=page.allowed(), nonce=nonce
            )
        ).id

    async def _edited(self, channel: discord.TextChannel, cup: Cup, number: int, page: Page) -> bool:
        """Edit a cup's message unless it shows that already; False when it has been deleted.

        A picture that it shows already is not uploaded again.
        """
        shown, digests = self._shown.get(cup.id), _digests(page)
        if shown == (number, *digests):
            return True
        same = shown is not None and (shown[0], shown[2]) == (number, digests[1])
        try:
            await channel.get_partial_message(number).edit(
                view=page.view(),
                attachments=discord.utils.MISSING if same else page.files(),
                allowed_mentions=page.allowed(),
            )
        except discord.NotFound:
            return False
        return True

    async def _announce(self, channel: discord.TextChannel, cup: Cup) -> None:
        """Tell everybody once who has won; also where that could not be noted any more."""
        if await self._found(channel, lambda press: press == won(cup)) is None:
            page = announcement(cup)
            await channel.send(
                view=page.view(), allowed_mentions=page.allowed(), nonce=f"cup{cup.id}.won"[-25:]
            )
        await self._house.parlour.cups.note_announced(cup.id)

    async def _found(self, channel: discord.TextChannel, known: Known) -> int | None:
        """A message of ours among the last ones of a channel with such a button of a cup."""
        me = self._bot.user
        async for message in channel.history(limit=LOOK_BACK):
            if me is None or message.author.id != me.id:
                continue
            if any(press.room == "cup" and known(press) for press in _presses(message)):
                return message.id
        return None


def _presses(message: discord.Message) -> list[Press]:
    """What the buttons of a message of ours mean."""
    layout = discord.ui.LayoutView.from_message(message, timeout=None)
    layout.stop()
    ids = (getattr(item, "custom_id", None) for item in layout.walk_children())
    found = (parse(custom_id) for custom_id in ids if custom_id is not None)
    return [press for press in found if press is not None]


def _digests(page: Page) -> tuple[str, str]:
    """What a post shows, and which pictures; of two that show the same, they are the same."""
    pictures = [part for part in page.parts if isinstance(part, Picture)]
    return sha256(repr(page.parts).encode()).hexdigest(), sha256(repr(pictures).encode()).hexdigest()


def cup_posts(interaction: Interaction) -> CupPosts:
    """The cog that keeps the posts."""
    return cast(CupPosts, cast(commands.Bot, interaction.client).get_cog("CupPosts"))


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(CupPosts(bot, app_in(bot)))
