"""Finds the place for a table's posts: its thread, a new one, or its channel."""

from __future__ import annotations

import logging
from typing import Any, Literal

import discord

from cogs.core import words
from cogs.core.app import App
from cogs.discord.messages import newest, nonce_of, presses_of, send
from cogs.discord.work import code_of
from cogs.ui.page import Button, Page
from cogs.ui.press import Press
from cogs.ui.text import to_label
from engines import game, marks
from tables.core.table import BoardObstacle, Stale, Table
from tables.runtime import TryLater

log = logging.getLogger(__name__)
LONGEST_ARCHIVE: Literal[10080] = 10080
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, HAS_THREAD = 10003, 10008, 160004
OBSTACLES = {
    160006: BoardObstacle.THREADS_FULL,
    160005: BoardObstacle.LOCKED,
    50013: BoardObstacle.NO_PERMISSION,
    50001: BoardObstacle.NO_PERMISSION,
}
"""The codes of refusals whose reason and cure are known: the first one already sends a table elsewhere."""
STARTS_THREAD = "thread"
"""The argument of the button of a message from which a table's thread was made."""
Place = discord.TextChannel | discord.Thread


class Blocked(TryLater):
    """Raised if a board can't be shown until somebody in the server changes something."""

    def __init__(self, obstacle: BoardObstacle, reason: str, refusal: int = 0) -> None:
        super().__init__(reason)
        self.obstacle = obstacle
        self.refusal = refusal

    @classmethod
    def by(cls, error: discord.HTTPException) -> Blocked:
        obstacle = OBSTACLES.get(error.code, BoardObstacle.REFUSED)
        return cls(obstacle, str(error), code_of(error))

    def as_locked(self) -> Blocked:
        return Blocked(BoardObstacle.LOCKED, str(self), self.refusal)


class Places:
    """Finds the place of a table's posts, and makes its thread."""

    app: App

    async def channel(self, table: Table) -> discord.TextChannel:
        """Return a table's channel; another usable one if it is deleted.

        Raises:
            TryLater: if the server can't be reached.
            Blocked: if there is no such channel.
        """
        guild = self.app.bot.get_guild(table.guild_id)
        if guild is None or guild.unavailable:
            raise TryLater(f"server {table.guild_id} can't be reached")
        channel = guild.get_channel(table.channel_id)
        if isinstance(channel, discord.TextChannel):
            return channel
        for other in (guild.system_channel, *guild.text_channels):
            if other is not None and may_post(other):
                return other
        raise Blocked(BoardObstacle.NO_CHANNEL, "there's no channel left where I can post")

    async def place(self, table: Table) -> Place:
        """Return the place of a table's posts; make its thread if needed."""
        channel = await self.channel(table)
        if table.thread_id is None:
            if (await self.app.parlour.settings(table.guild_id)).place == "channel":
                return channel
        else:
            known = channel.guild.get_channel_or_thread(table.thread_id)
            place = known or await _fetch(self.app.bot, table.thread_id)
            if isinstance(place, discord.Thread) and place.archived:
                return await place.edit(archived=False)
            if isinstance(place, Place):
                return place
        thread = await self._new_thread(table, channel)
        await self._settle(table, thread.id)
        await self.app.parlour.refresh(table.id, "lobby")
        if channel.id != table.channel_id:
            await send(thread, Page([words.CHANNEL_GONE]), nonce_of("channel gone", table.id, thread.id))
        return thread

    async def go_on_in_channel(self, table: Table) -> bool:
        """Move a table without a usable thread to its channel.

        Return False if it is there already, or we may not post there.
        """
        channel = await self.channel(table)
        if table.thread_id == channel.id or not may_write(channel):
            return False
        settings = await self.app.parlour.settings(table.guild_id)
        if table.thread_id is None and settings.place == "channel":
            return False
        text = words.no_thread(table, is_locked=await self.is_locked(table))
        await self._settle(table, channel.id)
        await send(channel, Page([text]), nonce_of("no thread", table.id, table.thread_id, channel.id))
        await self.app.parlour.refresh(table.id, "lobby")
        log.info("table %s: it has no thread, so it goes on in channel %s", table.id, channel.id)
        return True

    async def is_locked(self, table: Table) -> bool:
        """Return True if a table's thread is locked, archived or not. discord.py forgets archived threads."""
        guild = self.app.bot.get_guild(table.guild_id)
        if guild is None or not table.has_thread:
            return False
        try:
            thread = guild.get_thread(table.thread_id or 0) or await _fetch(self.app.bot, table.thread_id)
        except discord.Forbidden:
            return False
        return isinstance(thread, discord.Thread) and thread.locked

    async def _settle(self, table: Table, place_id: int) -> None:
        try:
            await self.app.parlour.keep_thread(table.id, place_id, table.channel_id)
        except Stale:
            raise TryLater("the table was moved while its thread was made") from None

    async def _new_thread(self, table: Table, channel: discord.TextChannel) -> discord.Thread:
        """Make a thread from a message, so a retry can't duplicate it."""
        card = await self.app.parlour.store.find_last_post(table.id, "lobby", 0)
        is_free = card is not None and card.channel_id == channel.id and table.thread_id is None
        thread = await self._thread_from(table, channel, card.message_id if card and is_free else None)
        if thread is not None:
            return thread
        mark = Press("table", "rules", table.id, table.version, STARTS_THREAD)
        start = await newest(self.app.bot, channel, lambda one: one.id if mark in presses_of(one) else None)
        thread = await self._thread_from(table, channel, start)
        if thread is not None:
            return thread
        page = Page([words.goes_on_in_thread(table), [Button("Rules", mark)]])
        nonce = nonce_of("thread", table.id, table.version, channel.id, start)
        sent = await send(channel, page, nonce)
        return await self._make_thread(table, channel, sent.id)

    async def _thread_from(
        self, table: Table, channel: discord.TextChannel, message_id: int | None
    ) -> discord.Thread | None:
        """Make or fetch a message's thread; return None if either is deleted."""
        if message_id is None:
            return None
        try:
            return await self._make_thread(table, channel, message_id)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, HAS_THREAD):
                raise
            return None

    async def _make_thread(
        self, table: Table, channel: discord.TextChannel, message_id: int
    ) -> discord.Thread:
        """Make a message's thread, or fetch it: it has the message's number."""
        who = ", ".join(marks.quote_players(table.names))
        name = game.clip(to_label(f"{table.game.title} {table.id}: {who}"), 100)
        try:
            return await channel.get_partial_message(message_id).create_thread(
                name=name, auto_archive_duration=LONGEST_ARCHIVE
            )
        except discord.HTTPException as error:
            thread = await _fetch(self.app.bot, message_id) if error.code == HAS_THREAD else None
            if not isinstance(thread, discord.Thread):
                raise
            return thread


async def _fetch(bot: Any, place_id: int | None) -> Any:
    try:
        return await bot.fetch_channel(place_id)
    except discord.NotFound:
        return None


def may_write(channel: discord.TextChannel) -> bool:
    """Return True if we may post a board in a channel itself."""
    allowed = channel.permissions_for(channel.guild.me)
    return allowed.view_channel and allowed.send_messages and allowed.attach_files


def may_post(channel: discord.TextChannel) -> bool:
    """Return True if tables can live in a channel's threads."""
    return may_write(channel) and channel.permissions_for(channel.guild.me).create_public_threads
