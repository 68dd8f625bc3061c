"""Shows the outbox in Discord: board posts, lobby cards and hand messages, each exactly once."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import urlsplit

import aiohttp
import discord
import msgspec

from cogs.core import words
from cogs.core.app import App, link
from cogs.discord.messages import KEPT, edit, items_of, newest, presses_of, send, texts_of
from cogs.lobby.lobby import lobby_page
from cogs.people.overview import digest_page, digest_press
from cogs.posts import notices
from cogs.posts.board import Memo, adopted, board_post, dm_page, retired
from cogs.posts.notices import Notice, notice
from cogs.ui.page import Button, Page
from cogs.ui.press import Press
from db.records import OutboxRow, PostRow
from render.core.picture import Picture
from tables.core.outbox import TryLater
from tables.core.table import Phase, Stale, Table
from tables.people.overview import Digest
from tables.servers import moving

log = logging.getLogger(__name__)
LONGEST_ARCHIVE: Literal[10080] = 10080
UNKNOWN_CHANNEL = 10003
NO_DM = (50007, 50278)
Place = discord.TextChannel | discord.Thread


@dataclass(frozen=True)
class Found:
    """A message of ours that turned out to stand already, the version that it shows, and its story."""

    message: discord.Message
    version: int
    text: str


class DiscordCourier:
    """A `tables.core.outbox.Courier` that speaks to Discord."""

    app: App
    """As posts need it: its pictures are drawn after those that somebody waits for."""

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> PostRow | None:
        """Show one outbox row; see `tables.core.outbox.Courier`."""
        table = await self.app.parlour.table(row.table_id)
        if self.app.bot.get_guild(table.guild_id) is None:
            # The bot was removed from that server; all is shown again when it is invited again.
            log.info("table %s, %s: given up because its server is gone", table.id, row.kind)
            return None
        with _or_later():
            match row.kind:
                case "board":
                    return await self._board_anywhere(table, row, may_be_duplicate)
                case "lobby":
                    return await self._lobby(table, row)
                case "hand":
                    return await self._hand(table, row, may_be_duplicate)
                case moving.MOVED:
                    await self._moved(table, row, may_be_duplicate)
                    return None
                case kind if kind in notices.KINDS:
                    await self._notice(table, row, may_be_duplicate)
                    return None
                case _:
                    raise ValueError(f"nothing is known of posts of the kind {row.kind!r}")

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        """Send a digest by DM; see `tables.core.outbox.Courier`."""
        with _or_later():
            try:
                dm = await self.app.bot.create_dm(discord.Object(digest.user_id))
                if may_be_duplicate and await self._digested(dm, digest):
                    return
                due = int(digest.due_at)
                page = digest_page(digest)
                page.heard = (await self.app.parlour.people.person(digest.user_id)).in_words
                await send(dm, page, f"d{due}.{digest.user_id % 10**9}")
            except discord.Forbidden as error:
                if error.code not in NO_DM:
                    raise
                log.info("the digest of %s: given up because their DMs are closed", digest.user_id)

    async def _digested(self, dm: discord.DMChannel, digest: Digest) -> bool:
        """Whether a digest stands among the last messages of a DM."""
        mark = digest_press(digest)
        return await newest(self.app.bot, dm, lambda one: mark in presses_of(one) or None) is not None

    async def _board_anywhere(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> PostRow | None:
        """Show a board in its thread, or in a new one where that was deleted and nobody has told us."""
        try:
            return await self._board(table, row, may_be_duplicate)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or table.thread_id is None:
                raise
            await self.app.parlour.keep_thread(table.id, None)
            return await self._board(await self.app.parlour.table(table.id), row, may_be_duplicate)

    async def _board(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> PostRow | None:
        if table.phase is Phase.LOBBY or table.deal is None:
            return None
        last = await self.app.parlour.store.post(table.id, "board", 0)
        memo = _memo(last)
        place = await self._place(table)
        table = await self.app.parlour.table(table.id)
        if may_be_duplicate:
            found = await self._already(place, table.id, row.version)
            if found is not None:
                return await self._adopt(table, found, last)
        if last is not None and not row.fresh and last.channel_id == place.id:
            edited = await self._edit_board(table, place, last, memo)
            if edited is not None:
                return edited
        after = 0 if last is None else last.version
        board = await board_post(self.app, table.id, after=after, memo=memo)
        message = await send(place, board.page, f"{table.id}b{board.version}.{place.id % 10**9}")
        if last is not None:
            await self._retire(last, memo)
        return _post(row, place.id, message.id, board.version, board.memo)

    async def _edit_board(
        self, table: Table, place: Place, last: PostRow, memo: Memo | None
    ) -> PostRow | None:
        """Tell in the post that stands who is still waited for; None when it has been deleted.

        What happened meanwhile is left for the next fresh post, so the version that it tells stays.
        """
        before = memo or Memo()
        board = await board_post(self.app, table.id, after=None, memo=before, text=before.text)
        page = board.page
        same = board.memo.digest == before.digest
        if not await edit(place, last.message_id, page, KEPT if same else page.files()):
            return None
        kept = msgspec.json.encode(board.memo).decode()
        return msgspec.structs.replace(last, memo=kept)

    async def _adopt(self, table: Table, found: Found, last: PostRow | None) -> PostRow:
        """A post that got through before its row could be struck: note it as the one that stands."""
        message = found.message
        if last is not None and last.message_id != message.id:
            await self._retire(last, _memo(last))
        shown, after = _pictures(message), 0 if last is None else last.version
        memo = await adopted(self.app, table, found.text, shown, after=after, until=found.version)
        kept = msgspec.json.encode(memo).decode()
        return PostRow(table.id, "board", 0, message.channel.id, message.id, found.version, kept)

    async def _retire(self, last: PostRow, memo: Memo | None) -> None:
        """Take the buttons and the notice from the post that a newer one has followed."""
        if memo is None or not memo.picture:
            return
        channel = self.app.bot.get_partial_messageable(last.channel_id)
        await edit(channel, last.message_id, retired(memo), KEPT if memo.text != words.UNTOLD else [])

    async def _lobby(self, table: Table, row: OutboxRow) -> PostRow | None:
        last = await self.app.parlour.store.post(table.id, "lobby", 0)
        elsewhere = row.fresh and table.phase is Phase.LOBBY
        if last is not None and not (elsewhere and last.channel_id != (await self._channel(table)).id):
            shown = await self._edit_card(table, last)
            if shown is not None:
                return shown
        if table.phase is not Phase.LOBBY:
            return None
        place = await self._channel(table)
        card = lobby_page(table, await self.app.parlour.settings(table.guild_id))
        message = await send(place, card, f"{table.id}l{row.version}.{place.id % 10**9}")
        if last is not None:
            await self._replace_card(last, words.moved_on(table, message.jump_url))
        return _post(row, place.id, message.id, table.version, None)

    async def _edit_card(self, table: Table, last: PostRow) -> PostRow | None:
        """Bring a card up to date, until it shows the newest version; None when it has been deleted.

        A press redraws the card by itself, and what it drew may have got to Discord before this.
        """
        channel = self.app.bot.get_partial_messageable(last.channel_id)
        while True:
            settings = await self.app.parlour.settings(table.guild_id)
            if not await edit(channel, last.message_id, lobby_page(table, settings)):
                return None
            now = await self.app.parlour.table(table.id)
            if now.version == table.version:
                return msgspec.structs.replace(last, version=table.version)
            table = now

    async def _replace_card(self, last: PostRow, text: str) -> None:
        """Say in place of a card that the table has moved; nothing where the card has been deleted."""
        channel = self.app.bot.get_partial_messageable(last.channel_id)
        await edit(channel, last.message_id, Page([text], accent=None), [])

    async def _moved(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> None:
        """Say where a table has lived that it goes on elsewhere, and archive its thread."""
        settings = await self.app.parlour.settings(table.guild_id)
        if table.thread_id is None and settings.place != "channel":
            raise TryLater("the thread to which the table moves is still to be made")
        try:
            place = await self.app.bot.fetch_channel(row.target)
        except discord.NotFound:
            return
        if not isinstance(place, Place) or (
            isinstance(place, discord.Thread) and place.archived and may_be_duplicate
        ):
            return
        page = Page([words.moved_on(table, link(table))])
        await send(place, page, f"{table.id}m{row.version}.{place.id % 10**9}")
        if isinstance(place, discord.Thread):
            await place.edit(archived=True)

    async def _hand(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> PostRow | None:
        if table.seat_of(row.target) is None or table.deal is None:
            return None
        perspective = await self.app.parlour.play.perspective(table.id, row.target)
        last = await self.app.parlour.store.post(table.id, "hand", row.target)
        person = await self.app.parlour.people.person(row.target)
        if (last is None or not last.message_id) and not person.hands:
            return None
        page = await dm_page(self.app.in_words() if person.in_words else self.app, perspective)
        page.heard = person.in_words
        try:
            dm = await self.app.bot.create_dm(discord.Object(row.target))
            shown = last.message_id if last is not None else 0
            if not shown and may_be_duplicate:
                found = await self._already(dm, table.id, 0)
                shown = 0 if found is None else found.message.id
            if not (shown and await edit(dm, shown, page, page.files())):
                message = await send(dm, page, f"{table.id}h{perspective.table.version}.{row.target % 10**9}")
                shown = message.id
        except discord.Forbidden as error:
            if error.code not in NO_DM:
                raise
            return await self._dms_closed(table, row, last)
        return _post(row, dm.id, shown, perspective.table.version, None)

    async def _notice(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> None:
        """Tell one person something once; in the thread where their DMs are closed."""
        told = await notice(self.app, table, row)
        if told is None:
            return
        told.page.heard = (await self.app.parlour.people.person(row.target)).in_words
        in_thread = told.thread
        if told.dm:
            try:
                dm = await self.app.bot.create_dm(discord.Object(row.target))
                await self._tell(dm, table, row, told, may_be_duplicate)
            except discord.Forbidden as error:
                if error.code not in NO_DM:
                    raise
                in_thread = True
        if in_thread:
            lobby = table.deal is None
            place = await (self._channel(table) if lobby else self._place(table))
            await self._tell(place, table, row, told, may_be_duplicate)

    async def _tell(
        self, place: Any, table: Table, row: OutboxRow, told: Notice, may_be_duplicate: bool
    ) -> None:
        if may_be_duplicate and await self._already(place, table.id, row.version, told.mark) is not None:
            return
        nonce = f"{table.id}{told.mark}{row.version}.{row.target % 10**6}"
        await send(place, told.page, nonce[:25])

    async def _dms_closed(self, table: Table, row: OutboxRow, last: PostRow | None) -> PostRow:
        """Say once, by name at the table, how to see one's hand there."""
        if last is None:
            place = await self._place(table)
            show = Button("My hand", Press("table", "hand", table.id, table.version))
            page = Page([words.DMS_CLOSED.format(user=row.target), [show]], mentions=[row.target])
            await send(place, page, f"{table.id}c{row.target % 10**9}")
        return PostRow(table.id, "hand", row.target, 0, 0, table.version, "closed")

    async def _already(
        self, place: discord.abc.Messageable, table_id: int, version: int, mark: str = ""
    ) -> Found | None:
        """The newest message of ours that shows this table at least as new as that version.

        With a `mark`, the notice of that mark; notices are never taken for boards or hands.
        """

        def shows(message: discord.Message) -> Found | None:
            for press in presses_of(message):
                marked = press.arg == mark and (mark or press.room == "table")
                if marked and press.table == table_id and press.moment >= version:
                    return Found(message, press.moment, next(iter(texts_of(message)), ""))
            return None

        return await newest(self.app.bot, place, shows)

    async def _channel(self, table: Table) -> discord.TextChannel:
        """The channel of a table; when it was deleted, another one in which we may post."""
        guild = self.app.bot.get_guild(table.guild_id)
        if guild is None or guild.unavailable:
            raise TryLater(f"server {table.guild_id} can't be reached")
        channel = guild.get_channel(table.channel_id)
        if isinstance(channel, discord.TextChannel):
            return channel
        choices = [guild.system_channel, *guild.text_channels]
        for other in choices:
            if other is not None and _may_post(other):
                return other
        raise TryLater("there is no channel left in which I may post")

    async def _place(self, table: Table) -> Place:
        """Where a table's posts go: its thread, made again when it is missing, or its channel."""
        channel = await self._channel(table)
        settings = await self.app.parlour.settings(table.guild_id)
        if table.thread_id is None and settings.place == "channel":
            return channel
        if table.thread_id is not None:
            thread = channel.guild.get_thread(table.thread_id) or await _fetched(
                self.app.bot, table.thread_id
            )
            if thread is not None:
                if thread.archived:
                    thread = await thread.edit(archived=False)
                return thread
        thread = await self._new_thread(table, channel)
        try:
            await self.app.parlour.keep_thread(table.id, thread.id, table.channel_id)
        except Stale:
            raise TryLater("the table was moved while its thread was made") from None
        await self.app.parlour.refresh(table.id, "lobby")
        if channel.id != table.channel_id:
            await thread.send(words.CHANNEL_GONE)
        return thread

    async def _new_thread(self, table: Table, channel: discord.TextChannel) -> discord.Thread:
        name = f"{table.game.title} {table.id}: {', '.join(table.names)}"[:100]
        card = await self.app.parlour.store.post(table.id, "lobby", 0)
        if card is not None and card.channel_id == channel.id and table.thread_id is None:
            try:
                message = channel.get_partial_message(card.message_id)
                return await message.create_thread(name=name, auto_archive_duration=LONGEST_ARCHIVE)
            except discord.HTTPException as error:
                if error.code not in (10008, 160004):
                    raise
        return await channel.create_thread(
            name=name, type=discord.ChannelType.public_thread, auto_archive_duration=LONGEST_ARCHIVE
        )


@contextmanager
def _or_later() -> Iterator[None]:
    """Discord out of reach, or unwilling for now, is a reason to try again later."""
    try:
        yield
    except discord.RateLimited as error:
        # How long stands in no line: one that differs each time would be told each time.
        raise TryLater("Discord limits our requests", error.retry_after) from error
    except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
        raise TryLater(str(error)) from error


async def _fetched(bot: Any, thread_id: int) -> discord.Thread | None:
    try:
        thread = await bot.fetch_channel(thread_id)
    except discord.NotFound:
        return None
    return thread if isinstance(thread, discord.Thread) else None


def _post(row: OutboxRow, channel_id: int, message_id: int, version: int, memo: Memo | None) -> PostRow:
    kept = "" if memo is None else msgspec.json.encode(memo).decode()
    return PostRow(row.table_id, row.kind, row.target, channel_id, message_id, version, kept)


def _memo(post: PostRow | None) -> Memo | None:
    return msgspec.json.decode(post.memo, type=Memo) if post is not None and post.memo else None


def _pictures(message: discord.Message) -> list[Picture]:
    """The names and alt texts of a message's pictures, without their bytes."""
    galleries = (item for item in items_of(message) if isinstance(item, discord.ui.MediaGallery))
    return [
        Picture(b"", item.description or "", PurePosixPath(urlsplit(item.media.url).path).name)
        for gallery in galleries
        for item in gallery.items
    ]


def _may_post(channel: discord.TextChannel) -> bool:
    allowed = channel.permissions_for(channel.guild.me)
    return allowed.view_channel and allowed.send_messages and allowed.create_public_threads
