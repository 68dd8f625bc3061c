"""Shows the outbox in Discord: board posts, lobby cards and hand messages, each exactly once."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord
import msgspec

from cogs.core import words
from cogs.core.app import STAYS, App, name_of, table_url
from cogs.discord.messages import (
    Memo,
    decode_memo,
    edit,
    encode_memo,
    files_of_memo,
    newest,
    nonce_of,
    presses_of,
    send,
    texts_of,
)
from cogs.discord.work import NO_DM, Refusals, code_of, is_refusal, retry_on_discord_error
from cogs.lobby.lobby import address, card_of, is_on_card
from cogs.people.overview import digest_page, digest_press
from cogs.posts import notices, places
from cogs.posts.board import BoardPost, adopt_post, board_post, dm_page, farewell_page, old_post_page
from cogs.ui.page import Button, Kept, Page, components_of, files_of
from cogs.ui.press import Press
from db.records import OutboxRow, PostRow
from render.core.canvas import Picture
from tables import people, runtime
from tables.core.outbox import Decoration, Delivery
from tables.core.table import Phase, Table
from tables.play.seats import with_offer
from tables.servers import servers

log = logging.getLogger(__name__)
OLD_EDITS = 30046
"""Discord's code if too many messages older than an hour were edited."""
BLOCKED_AFTER = 2
"""Failed attempts after which a table's clocks stop because its board can't be shown."""


@dataclass(frozen=True)
class ExistingPost:
    """An existing message of ours: the version that it shows, and its story."""

    message: discord.Message
    version: int
    text: str


class DiscordCourier:
    """A `tables.core.outbox.Courier` that speaks to Discord."""

    def __init__(self) -> None:
        self._places = places.Places()

    @property
    def app(self) -> App:
        """The app for posts, whose pictures have low priority."""
        return self._app

    @app.setter
    def app(self, app: App) -> None:
        self._app = self._places.app = app
        self._refusals = Refusals(app.parlour.clock)

    async def name_of(self, guild_id: int, user_id: int, _known: str) -> str | None:
        """Return a member's current name; None if they have left. Raise TryLater if Discord can't say."""
        guild = self.app.bot.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise runtime.TryLater(f"server {guild_id} can't be reached")
        with retry_on_discord_error():
            try:
                return name_of(await guild.fetch_member(user_id))
            except discord.NotFound:
                return None

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        table = await self.app.parlour.table(row.table_id)
        if self.app.bot.get_guild(table.guild_id) is None:
            # The bot was removed from that server; it posts everything again once it is invited.
            log.info("table %s, %s: dropped, because its server is gone", table.id, row.kind)
            return Delivery()
        slot = (row.table_id, row.kind, row.target)
        with retry_on_discord_error():
            try:
                delivery = await self._show(table, row, may_be_duplicate)
            except discord.HTTPException as error:
                if is_refusal(error) and (error.code in NO_DM or self._refusals.note(slot)):
                    return await self._give_up(table, row, error, may_be_duplicate)
                raise
        self._refusals.forget(slot)
        if delivery.decoration is None:
            return delivery
        return Delivery(delivery.post, partial(_decorate_or_retry, delivery.decoration))

    async def _show(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        match row.kind:
            case "board":
                return await self._board_anywhere(table, row, may_be_duplicate)
            case "lobby":
                return await self._lobby(table, row, may_be_duplicate)
            case "hand":
                return Delivery(await self._hand(table, row, may_be_duplicate))
            case servers.MOVED:
                return await self._post_forwarding(table, row, may_be_duplicate)
            case kind if kind in notices.KINDS:
                await self._notice(table, row, may_be_duplicate)
                return Delivery()
            case _:
                raise ValueError(f"unknown kind of post: {row.kind!r}")

    async def _give_up(
        self, table: Table, row: OutboxRow, error: discord.HTTPException, may_be_duplicate: bool
    ) -> Delivery:
        """Go on without a post that Discord refuses for good.

        Boards and cards of open lobbies are tried for ever.
        """
        match row.kind:
            case "board":
                blocked = places.Blocked.by(error)
                await self.app.parlour.obstacles.block(table.id, blocked.obstacle, blocked.refusal)
                raise blocked from error
            case "lobby" if table.phase is Phase.LOBBY:
                raise error
            case "hand":
                return Delivery(await self._explain_refused_hand(table, row, error))
            case "vacant":
                await self.app.parlour.vacancies.withdraw(table.id, row.target)
            case kind if kind in notices.KINDS:
                try:
                    await self._notice(table, row, may_be_duplicate, by_dm=False)
                except discord.HTTPException as again:
                    if not is_refusal(again):
                        raise
        log.info("table %s, %s: dropped, because Discord refuses it: %s", table.id, row.kind, error)
        return Delivery()

    async def digest(self, digest: people.Digest, may_be_duplicate: bool) -> None:
        with retry_on_discord_error():
            try:
                dm = await self.app.bot.create_dm(discord.Object(digest.user_id))
                mark = digest_press(digest)
                is_sent = may_be_duplicate and await newest(
                    self.app.bot, dm, lambda one: mark in presses_of(one) or None
                )
                if is_sent:
                    return
                page = digest_page(digest)
                page.is_spoken = (await self.app.parlour.people.person(digest.user_id)).in_words
                await send(dm, page, nonce_of("digest", digest.user_id, digest.due_at))
            except discord.HTTPException as error:
                slot = ("digest", digest.user_id, digest.due_at)
                if not (is_refusal(error) and (error.code in NO_DM or self._refusals.note(slot))):
                    raise
                log.info("the digest of %s: dropped, because Discord refuses it: %s", digest.user_id, error)

    async def _board_anywhere(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        """Show a board in its thread, a new one, or the channel.

        Raise Blocked if it can't be shown anywhere; after some attempts the clocks stop because of it.
        """
        try:
            return await self._board(table, row, may_be_duplicate)
        except discord.HTTPException as error:
            if error.code == places.UNKNOWN_CHANNEL and table.thread_id is not None:
                await self.app.parlour.keep_thread(table.id, None)
            elif error.code not in places.OBSTACLES:
                raise
            elif not await self._places.go_on_in_channel(table):
                raise await self._note_blocked(places.Blocked.by(error), table, row) from error
        except places.Blocked as blocked:
            raise await self._note_blocked(blocked, table, row) from None
        return await self._board(await self.app.parlour.table(table.id), row, may_be_duplicate)

    async def _note_blocked(self, blocked: places.Blocked, table: Table, row: OutboxRow) -> places.Blocked:
        """Stop the table's clocks at the third failed attempt."""
        if row.attempts >= BLOCKED_AFTER:
            if await self._places.is_locked(table):
                blocked = blocked.as_locked()
            await self.app.parlour.obstacles.block(table.id, blocked.obstacle, blocked.refusal)
        return blocked

    async def _board(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        if table.phase is Phase.LOBBY or table.deal is None:
            return Delivery()
        last = await self.app.parlour.store.find_last_post(table.id, "board", 0)
        memo = decode_memo(last)
        place = await self._places.place(table)
        if place.id != table.thread_id:  # the thread is new, and saved
            table = await self.app.parlour.table(table.id)
        post, decoration = await self._board_in(place, table, row, last, memo, may_be_duplicate)
        if table.obstacle is not None:
            # Only after the post is noted, since an edit of it shows the clocks that run again.
            decoration = partial(self._unblock, table, decoration)
        return Delivery(post, decoration)

    async def _unblock(self, table: Table, decoration: Decoration | None) -> None:
        """Restart the clocks, and run the remaining decorations."""
        await self.app.parlour.obstacles.unblock(table)
        if decoration is not None:
            await decoration()

    async def _board_in(
        self,
        place: places.Place,
        table: Table,
        row: OutboxRow,
        last: PostRow | None,
        memo: Memo | None,
        may_be_duplicate: bool,
    ) -> Delivery:
        """Adopt an existing board, edit the last, or post a new one."""
        decorations: list[Decoration] = []
        if may_be_duplicate:
            least = 0 if last is None else min(row.version, last.version + 1)
            result = await self._find_existing(place, table.id, least)
            if result is not None and result.version >= row.version:
                return await self._adopt(table, result, last)
            if result is not None:
                # An older board that got through unnoticed: the new one goes on from it, and retires it.
                post, decoration = await self._adopt(table, result, last)
                last, memo = post, decode_memo(post)
                decorations += [] if decoration is None else [decoration]
        if last is not None and not row.fresh and last.channel_id == place.id:
            edited = await self._edit_board(table, place, last, memo)
            if edited is not None:
                return Delivery(edited)
        board = await self._board_to_send(table, place, last, memo)
        is_brief = memo is not None and memo.is_brief and board.memo.is_brief and not board.page.mentions
        if last is not None and last.channel_id == place.id and memo is not None and is_brief:
            app = await self.app.for_server(table.guild_id)
            joined = await board_post(app, table.id, after=memo.after, memo=memo)
            if joined.memo.is_brief and await _edit_if_allowed(place, last.message_id, joined.page):
                return Delivery(
                    _post(row, place.id, last.message_id, joined.version, encode_memo(joined.memo))
                )
        if memo is not None and board.undoes:  # the old post's picture shows what is undone
            memo = msgspec.structs.replace(memo, picture="", illustrations=(), files=(), is_brief=True)
        for user_id in board.spared:
            person, now = await self.app.parlour.people.person(user_id), self.app.parlour.clock()
            after = person.awake_at(now + STAYS) - now
            await self.app.parlour.refresh(table.id, "later", user_id, fresh=True, after=after)
        nonce = nonce_of("board", table.id, board.version, place.id, last and last.message_id)
        message = await send(place, board.page, nonce)
        post = _post(row, place.id, message.id, board.version, encode_memo(board.memo, message))
        decorations += [] if last is None else [partial(self._retire_later, last, memo)]
        return Delivery(post, partial(_decorate, decorations))

    async def _board_to_send(
        self, table: Table, place: places.Place, last: PostRow | None, memo: Memo | None
    ) -> BoardPost:
        """Return a new board, brief only below the last one."""
        after = 0 if last is None else last.version
        app = await self.app.for_server(table.guild_id)
        board = await board_post(app, table.id, after=after, memo=memo)
        if last is None or memo is None or not board.memo.is_brief:
            return board
        # Without the buttons and the notice of the superseded post; if it can't be edited now, a whole one.
        old, files = old_post_page(memo), files_of_memo(memo)
        if last.channel_id == place.id and await _edit_if_allowed(place, last.message_id, old, files):
            return board
        return await board_post(app, table.id, after=after, memo=msgspec.structs.replace(memo, board=""))

    async def _edit_board(
        self, table: Table, place: places.Place, last: PostRow, memo: Memo | None
    ) -> PostRow | None:
        """Update a post's players to move; return None if that's impossible.

        New events are left to the next fresh post, so the post's version stays.
        """
        before = memo or Memo()
        app = await self.app.for_server(table.guild_id)
        board = await board_post(app, table.id, after=None, memo=before, text=before.text)
        is_same = board.memo.digest == before.digest
        kept_files = files_of_memo(before) if is_same else None
        message = await _edit_if_allowed(place, last.message_id, board.page, kept_files)
        if message is None:
            return None
        kept = encode_memo(board.memo, message)
        return msgspec.structs.replace(last, memo=kept)

    async def _adopt(self, table: Table, result: ExistingPost, last: PostRow | None) -> Delivery:
        """Save a post that was sent before its row could be deleted."""
        message = result.message
        shown = [  # without bytes: their names and alt texts
            Picture(b"", item.description or "", PurePosixPath(urlsplit(item.media.url).path).name)
            for gallery in components_of(message)
            if isinstance(gallery, discord.MediaGalleryComponent)
            for item in gallery.items
        ]
        after = 0 if last is None else last.version
        memo = await adopt_post(self.app, table, result.text, shown, after=after, until=result.version)
        kept = encode_memo(memo, message)
        post = PostRow(table.id, "board", 0, message.channel.id, message.id, result.version, kept)
        is_other = last is not None and last.message_id != message.id
        return Delivery(
            post, partial(self._retire_later, last, decode_memo(last)) if last and is_other else None
        )

    async def _retire_later(self, last: PostRow, memo: Memo | None) -> None:
        if memo is not None and (memo.picture or memo.is_brief):
            channel = self.app.bot.get_partial_messageable(last.channel_id)
            await edit(channel, last.message_id, old_post_page(memo), files_of_memo(memo))

    async def _lobby(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        last = await self.app.parlour.store.find_last_post(table.id, "lobby", 0)
        if last is None and may_be_duplicate:
            last = await self._card_there(table, row)
        elsewhere = row.fresh and table.phase is Phase.LOBBY
        if last is not None and not (elsewhere and last.channel_id != (await self._places.channel(table)).id):
            shown = await self._edit_card(table, last)
            if shown is not None:
                return Delivery(shown)
        if table.phase is not Phase.LOBBY:
            return Delivery()
        place = await self._places.channel(table)
        card = await card_of(self.app, table)
        before = None if last is None else last.message_id
        message = await send(place, card, nonce_of("lobby", table.id, row.version, place.id, before))
        post = _post(row, place.id, message.id, table.version, encode_memo(Memo(), message))
        return Delivery(post, None if last is None else partial(self._replace_card, last, table, post))

    async def _card_there(self, table: Table, row: OutboxRow) -> PostRow | None:
        """Search the channel for a card whose answer was lost."""
        place = await self._places.channel(table)

        def is_card(message: discord.Message) -> discord.Message | None:
            presses = (one for one in presses_of(message) if (one.room, one.table) == ("lobby", table.id))
            return message if any(map(is_on_card, presses)) else None

        message = await newest(self.app.bot, place, is_card)
        return None if message is None else _post(row, place.id, message.id, 0, encode_memo(Memo(), message))

    async def _edit_card(self, table: Table, last: PostRow) -> PostRow | None:
        """Edit a card to the newest version; return None if deleted.

        A press redraws the card itself, and Discord may apply that edit first. The press names the files that
        it saw, so an edit that replaced them would make it fail.
        """
        channel = self.app.bot.get_partial_messageable(last.channel_id)
        kept = files_of_memo(decode_memo(last) or Memo())
        while True:
            edited = await edit(channel, last.message_id, await card_of(self.app, table), kept)
            if edited is None:
                return None
            now = await self.app.parlour.table(table.id)
            if now.version == table.version:
                return msgspec.structs.replace(last, version=table.version, memo=encode_memo(Memo(), edited))
            kept = files_of(edited)
            table = now

    async def _replace_card(self, last: PostRow, table: Table, post: PostRow) -> None:
        channel = self.app.bot.get_partial_messageable(last.channel_id)
        text = words.forwarding_line(table, address(table, post))
        await edit(channel, last.message_id, Page([text], accent=None))

    async def _post_forwarding(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        """Link a table's new place in the old one, and archive that."""
        settings = await self.app.parlour.settings(table.guild_id)
        if table.thread_id is None and settings.place != "channel":
            raise runtime.TryLater("the thread to which the table moves is still to be made")
        try:
            place = await self.app.bot.fetch_channel(row.target)
        except (discord.NotFound, discord.Forbidden):
            return Delivery()  # nobody can be told anything there
        if not isinstance(place, places.Place) or (
            isinstance(place, discord.Thread) and place.archived and may_be_duplicate
        ):
            return Delivery()
        page = Page([words.forwarding_line(table, table_url(table))])
        await send(place, page, nonce_of("moved", table.id, row.version, place.id))
        return Delivery(
            None, partial(place.edit, archived=True) if isinstance(place, discord.Thread) else None
        )

    async def _hand(self, table: Table, row: OutboxRow, may_be_duplicate: bool) -> PostRow | None:
        last = await self.app.parlour.store.find_last_post(table.id, "hand", row.target)
        if table.deal is None or (table.seat_of(row.target) is None and last is None):
            return None
        perspective = await self.app.parlour.play.perspective(table.id, row.target)
        person = await self.app.parlour.people.person(row.target)
        shown = last.message_id if last is not None else 0
        page = await dm_page(self.app.for_person(person), perspective)
        if page is None:
            return await self._end_hand(row, last, farewell_page(perspective, row.target))
        if not shown and not person.hands:
            return None
        page.is_spoken = person.in_words
        dm = await self.app.bot.create_dm(discord.Object(row.target))
        if not shown and may_be_duplicate:
            post = await self._find_existing(dm, table.id, 0)
            shown = 0 if post is None else post.message.id
        if not (shown and await edit(dm, shown, page)):
            nonce = nonce_of("hand", table.id, perspective.table.version, row.target, shown)
            shown = (await send(dm, page, nonce)).id
        return _post(row, dm.id, shown, perspective.table.version)

    async def _end_hand(self, row: OutboxRow, last: PostRow | None, page: Page) -> PostRow | None:
        if last is None or not last.message_id:
            return None
        dm = await self.app.bot.create_dm(discord.Object(row.target))
        try:
            await edit(dm, last.message_id, page)
        except discord.Forbidden as error:
            if error.code not in NO_DM:
                raise
        return msgspec.structs.replace(last, version=row.version)

    async def _notice(
        self, table: Table, row: OutboxRow, may_be_duplicate: bool, *, by_dm: bool = True
    ) -> None:
        """Notify one person once. Without `by_dm`, only in the thread, if that may replace a DM."""
        result = await notices.notice(self.app, table, row)
        if result is None:
            return
        result.page.is_spoken = (await self.app.parlour.people.person(row.target)).in_words
        if result.dm and by_dm:
            dm = await self.app.bot.create_dm(discord.Object(row.target))
            await self._tell(dm, table, row, result, may_be_duplicate)
            if row.kind == "vacant":
                offered = partial(with_offer, now=self.app.parlour.clock())
                await self.app.parlour.personal_settings.change(row.target, offered)
        if result.thread if by_dm or not result.dm else result.falls_back:
            lobby = table.deal is None
            place = await (self._places.channel(table) if lobby else self._places.place(table))
            await self._tell(place, table, row, result, may_be_duplicate)

    async def _tell(
        self, place: Any, table: Table, row: OutboxRow, result: notices.Notice, may_be_duplicate: bool
    ) -> None:
        if (
            may_be_duplicate
            and await self._find_existing(place, table.id, row.version, result.mark) is not None
        ):
            return
        await send(place, result.page, nonce_of(result.mark, table.id, row.version, row.target))

    async def _explain_refused_hand(
        self, table: Table, row: OutboxRow, error: discord.HTTPException
    ) -> PostRow:
        """Explain once in the thread how to see one's hand there."""
        if await self.app.parlour.store.find_last_post(table.id, "hand", row.target) is None:
            place = await self._places.place(table)
            show = Button("My hand", Press("table", "hand", table.id, table.version))
            why = words.DMS_CLOSED if error.code in NO_DM else words.DM_REFUSED
            text = why.format(user=row.target, code=code_of(error))
            page = Page([text, [show]], mentions=[row.target])
            await send(place, page, nonce_of("closed DMs", table.id, row.target))
        return PostRow(table.id, "hand", row.target, 0, 0, table.version, "closed")

    async def _find_existing(
        self, place: discord.abc.Messageable, table_id: int, version: int, mark: str = ""
    ) -> ExistingPost | None:
        """Return our newest message with at least this version.

        With a `mark`, return the notice with that mark; notices never count as boards or hands.
        """

        def shows(message: discord.Message) -> ExistingPost | None:
            for press in presses_of(message):
                marked = press.arg == mark and (mark or press.room == "table")
                if marked and press.table == table_id and press.moment >= version:
                    return ExistingPost(message, press.moment, next(iter(texts_of(message)), ""))
            return None

        return await newest(self.app.bot, place, shows)


def _post(row: OutboxRow, channel_id: int, message_id: int, version: int, memo: str = "") -> PostRow:
    return PostRow(row.table_id, row.kind, row.target, channel_id, message_id, version, memo)


async def _edit_if_allowed(
    place: Any, message_id: int, page: Page, kept: Kept | None = None
) -> discord.Message | None:
    """Edit a message; return None if another should replace it.

    A refusal with a known cure is raised, since another message would be refused as well.
    """
    try:
        return await edit(place, message_id, page, kept)
    except discord.HTTPException as error:
        if error.code == OLD_EDITS or (is_refusal(error) and error.code not in places.OBSTACLES):
            return None
        raise


async def _decorate_or_retry(decoration: Decoration) -> None:
    with retry_on_discord_error():
        await decoration()


async def _decorate(decorations: Sequence[Decoration]) -> None:
    for decoration in decorations:
        await decoration()
