"""Notice boards: all tables of a server in one message. Servers that come and go."""

import asyncio
import logging
from itertools import islice
from typing import cast

import discord
from discord.ext import commands, tasks

from cogs.core import time_words
from cogs.core.app import App, app_in, table_url
from cogs.core.presenter import presenter
from cogs.discord import messages, work
from cogs.ui.page import PRIMARY, Button, ButtonLine, Page, Part
from cogs.ui.press import Press
from cogs.ui.text import Interaction
from engines import marks, registry
from tables.core.table import Phase, Refused, Table

LOBBIES, GAMES = 8, 30
"""Lobbies with a button, and games with a line; the others are counted."""
GAMES_LENGTH = 2400
"""The characters of all lines of games, of the 4000 of a message."""


async def listing(app: App, guild: discord.Guild) -> Page:
    """Return the open tables: newest lobbies first, games by number."""
    offered = app.parlour.invitations.filter_offers
    lobbies = await offered(await app.parlour.tables_in(guild.id, (Phase.LOBBY,), 100), None)
    games = await offered(await app.parlour.tables_in(guild.id, (Phase.PLAY,), 100), None)
    page = Page([heading(guild)])
    if not lobbies and not games:
        openers = ", ".join(f"`/{slug} new`" for slug in registry.SLUGS)
        page.parts.append(f"No open tables. Start one with {openers}.")
    if lobbies:
        page.parts.append("**Players wanted**")
        newest = sorted(lobbies, key=lambda table: -table.id)[:LOBBIES]
        page.parts += [await _lobby(app, table) for table in newest]
        page.parts += _more(len(lobbies) - len(newest), "lobby", "lobbies")
    if games:
        lines = list[str]()
        for table in sorted(games, key=lambda table: table.id)[:GAMES]:
            link = f"[**{table.game.title}** · table {table.id}]({table_url(table)})"
            line = f"{link}: {_names(table)}\n-# {_turn(table)}"
            if sum(map(len, lines)) + len(line) > GAMES_LENGTH:
                break
            lines.append(line)
        page.parts += ["**Being played**", "\n".join(lines), *_more(len(games) - len(lines), "game", "games")]
    return page


def heading(guild: discord.Guild) -> str:
    """Return the board's first line, which identifies it."""
    return f"### Tables of {marks.quote(guild.name)}"


async def _lobby(app: App, table: Table) -> Part:
    free = table.room - table.taken
    seats = f"{free} {'seat' if free == 1 else 'seats'} free" if free else "full, about to start"
    card = await app.parlour.store.find_last_post(table.id, "lobby", 0)
    address = table_url(table) if card is None else f"{table_url(table)}/{card.message_id}"
    text = (
        f"[**{table.game.title}** · table {table.id}]({address})\n"
        f"{_names(table)} · **{seats}**\n"
        f"-# {presenter(table).summary(table.options, len(table.seats))} · "
        f"{'no clock' if not table.pace.kept else f'pace {table.pace.name}'}"
    )
    join = Button(f"Join table {table.id}", Press("lobby", "join", table.id, 0, "board"), PRIMARY)
    return ButtonLine(text, join) if free else text


def _turn(table: Table) -> str:
    if table.paused_at is not None:
        until = "" if table.paused_until is None else f" until <t:{table.paused_until:.0f}:f>"
        return f"⏸️ paused{until}"
    if table.obstacle is not None:
        return time_words.UNSHOWN
    waited = table.awaited
    if not waited:
        return (
            "🪑 A seat is free"
            if set(table.owing) <= set(table.offered_seats)
            else "🤖 a computer player's turn"
        )
    who = ", ".join(marks.quote_player(table.names, seat) for seat in waited)
    late = [seat for seat in waited if table.clock(seat).late is not None]
    begun = min(table.clock(seat).begun for seat in waited)
    since = f". The turn began <t:{begun:.0f}:R>" if begun else ""
    return f"{'⏰ Late: ' if late else '▶️ Waiting for '}{who}{since}"


def _names(table: Table) -> str:
    return ", ".join(marks.quote_players(table.players))


def _more(number: int, one: str, several: str) -> list[Part]:
    if number <= 0:
        return []
    return [f"-# `/table list` shows {number} more {one if number == 1 else several}."]


log = logging.getLogger(__name__)
EDIT_INTERVAL = 60.0
"""Seconds between two edits of a board."""
MOST_DUE = 500
NEEDED = ("view_channel", "send_messages", "read_message_history")


class NoticeBoards(messages.EditedPosts):
    """Refreshes the boards of servers whose tables changed, and after a start all of them."""

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
    async def _checking(self) -> None:
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
        async with self._locks.setdefault(guild_id, asyncio.Lock()):
            parlour = self._app.parlour
            settings, guild = await parlour.settings(guild_id), self._bot.get_guild(guild_id)
            if guild is None or guild.unavailable or settings.board_channel_id is None:
                return None
            channel = guild.get_channel(settings.board_channel_id)
            if not isinstance(channel, discord.TextChannel):
                # It is deleted; the board may have moved meanwhile.
                if await parlour.store.save_board(guild_id, None, None, settings.board_channel_id):
                    me, what = self._bot.user, "its channel was deleted"
                    await parlour.write_down(guild_id, None, 0 if me is None else me.id, "board", what=what)
                    log.info("removed the notice board of server %s because %s", guild_id, what)
                return None
            page = await listing(self._app, guild)
            head = heading(guild)
            post = self._posts.setdefault(
                guild_id, messages.EditedPost(self._bot, lambda one: messages.texts_of(one)[:1] == [head])
            )
            nonce = messages.nonce_of("notice board", channel.id, settings.board_message_id)
            number, sent = await post.show(channel, settings.board_message_id, page, nonce)
            self._retries.note_success(guild_id, apart=EDIT_INTERVAL if sent else 0.0)
            if number != settings.board_message_id:
                await parlour.store.save_board(guild_id, channel.id, number, channel.id)
            return channel.get_partial_message(number)

    async def where(self, guild_id: int) -> str:
        settings = await self._app.parlour.settings(guild_id)
        if settings.board_channel_id is None:
            return "This server has no notice board. Add one, for example with `/admin board channel:#games`."
        stands = f"<#{settings.board_channel_id}>"
        return f"The notice board is in {stands}. `/admin board off:True` removes it."

    async def put_up(self, channel: discord.TextChannel) -> str | None:
        """Post a server's board in a channel, and remove the old one.

        Return its URL; None if Discord fails now and it is posted later. Raise Refused if the bot may not
        post there.
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


class ServerEvents(commands.Cog):
    """Reports servers that come and go to the parlour. A server out of Discord's reach has not gone."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._background = work.DiscordBackground()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Note servers that came or went while the bot was disconnected."""
        present = [guild.id for guild in self._bot.guilds]
        await self._background.run("comparing servers", self._app.parlour.servers.compare(present))

    @commands.Cog.listener()
    async def on_shards_taken(self) -> None:
        """Note the additional servers of this process."""
        await self.on_ready()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        leaving = self._app.parlour.servers.on_removal(guild.id)
        await self._background.run(f"the leave of server {guild.id}", leaving)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume a server's tables, whose posts ended at the removal."""
        await self._background.run(f"the return to server {guild.id}", self._return(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume a reachable server; it may be a new invitation too."""
        if guild.id in await self._app.parlour.servers.removed_servers():
            await self._background.run(f"the return to server {guild.id}", self._return(guild.id))

    async def _return(self, guild_id: int) -> None:
        parlour = self._app.parlour
        await parlour.servers.on_return(guild_id)
        for table in await parlour.tables_in(guild_id):
            await parlour.refresh(table.id, "lobby" if table.deal is None else "board")


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(NoticeBoards(bot, app_in(bot)))
    await bot.add_cog(ServerEvents(bot, app_in(bot)))
