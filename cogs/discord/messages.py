"""Our messages: contents, saved data, reasons, and how to find, edit or send one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

import discord
import msgspec
from cachetools import LRUCache
from discord.ext import commands

from cogs.core.app import App
from cogs.core.presenter import Illustration
from cogs.discord.work import WatchingCog
from cogs.ui.form import Field, InputForm, Typed, ask
from cogs.ui.page import DANGER, PRIMARY, Button, Kept, KeptFile, Page, Part, components_of, files_of
from cogs.ui.press import Press, parse
from cogs.ui.text import REMARK, Interaction, read
from db.records import PostRow
from engines.game import Seat
from engines.marks import clean, quote
from render.core.canvas import Picture
from tables.runtime import REMEMBERED, Retries

MESSAGES_SEARCHED = 30
"""Messages of a channel, from the last, that are searched for ours."""
CLOCK_TOLERANCE = 60.0
"""Seconds by which Discord's clock and ours may differ."""
T = TypeVar("T")


def texts_of(message: discord.Message) -> list[str]:
    return [item.content for item in components_of(message) if isinstance(item, discord.TextDisplay)]


def presses_of(message: discord.Message) -> list[Press]:
    ids = (getattr(item, "custom_id", None) for item in components_of(message))
    result = (parse(custom_id) for custom_id in ids if custom_id is not None)
    return [press for press in result if press is not None]


async def newest(
    bot: discord.Client,
    place: discord.abc.Messageable,
    ours: Callable[[discord.Message], T | None],
    since: float | None = None,
) -> T | None:
    """Return the first result of `ours`, from the newest message on.

    With `since`, from the first messages after that instant.
    """
    me = bot.user
    after = None if since is None else datetime.fromtimestamp(since - CLOCK_TOLERANCE, UTC)
    async for message in place.history(limit=MESSAGES_SEARCHED, after=after, oldest_first=after is not None):
        if me is not None and message.author.id == me.id:
            result = ours(message)
            if result is not None:
                return result
    return None


def nonce_of(*parts: object) -> str:
    """Return a nonce for a message, within Discord's limit of 25 characters.

    >>> nonce_of("board", 12, 3) == nonce_of("board", 12, 3), len(nonce_of("board", 12, 3))
    (True, 24)
    """
    return sha256(repr(parts).encode()).hexdigest()[:24]


async def send(place: Any, page: Page, nonce: str) -> discord.Message:
    """Send a page; for minutes Discord accepts one message per nonce.

    So a message that Discord accepted, but answered with an error, doesn't come twice.
    """
    sent = await page.send_with(
        lambda view, files: place.send(
            view=view, files=files, allowed_mentions=page.mentions_to_allow(), nonce=nonce
        )
    )
    return cast(discord.Message, sent)


async def edit(place: Any, message_id: int, page: Page, kept: Kept | None = None) -> discord.Message | None:
    """Replace a message by a page; return None if it is deleted.

    `kept` are files of the message that the page shows unchanged. All others are uploaded; a picture without
    bytes is looked up in the message.
    """
    message = place.get_partial_message(message_id)
    try:
        if not page.is_complete(kept or {}):
            kept = {**files_of(await message.fetch()), **(kept or {})}
        edited = await page.send_with(
            lambda view, files: message.edit(
                view=view, attachments=files, allowed_mentions=page.mentions_to_allow()
            ),
            kept,
        )
    except discord.NotFound:
        return None
    return cast(discord.Message, edited)


class EditedPost:
    """A message that is edited in place, found again if lost, or else sent again."""

    def __init__(self, bot: discord.Client, ours: Callable[[discord.Message], bool]) -> None:
        """Find the message by `ours`, which returns True for it."""
        self._bot = bot
        self._ours = ours
        self._shown: tuple[int, str, str] | None = None
        self._files: Kept = {}

    async def show(
        self,
        channel: discord.TextChannel,
        known: int | None,
        page: Page,
        nonce: str,
        since: float | None = None,
    ) -> tuple[int, bool]:
        """Show a page; return its message's id, and True if sent.

        A message that isn't known is searched for among the last ones; with `since`, from that instant on.
        An unchanged page isn't edited, and an unchanged picture isn't uploaded again.
        """
        pictures = [part for part in page.parts if isinstance(part, Picture)]
        digests = (sha256(repr(page.parts).encode()).hexdigest(), sha256(repr(pictures).encode()).hexdigest())
        if known is not None and self._shown == (known, *digests):
            return known, False
        number = (
            known if known is not None and await self._edit_known(channel, known, page, digests) else None
        )
        if number is None:
            number = await newest(self._bot, channel, lambda one: one.id if self._ours(one) else None)
            if number is None and since is not None and known is None:
                number = await newest(
                    self._bot, channel, lambda one: one.id if self._ours(one) else None, since
                )
            if (
                number is None
                or number == known
                or not await self._edit_known(channel, number, page, digests)
            ):
                message = await send(channel, page, nonce)
                number, self._files = message.id, files_of(message)
        self._shown = number, *digests
        return number, True

    async def _edit_known(
        self, channel: discord.TextChannel, number: int, page: Page, digests: tuple[str, str]
    ) -> bool:
        if self._shown == (number, *digests):
            return True
        is_same = self._shown is not None and (self._shown[0], self._shown[2]) == (number, digests[1])
        message = await edit(channel, number, page, self._files if is_same else None)
        self._files = files_of(message)
        return message is not None


EDITED_AT_ONCE = 8


class EditedPosts(WatchingCog):
    """A cog with posts by number, which refreshes those that changed."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        super().__init__(bot, app)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._gate = asyncio.Semaphore(EDITED_AT_ONCE)
        self._dirty: set[int] = set()
        self._opened = False
        self._posts: LRUCache[int, EditedPost] = LRUCache(REMEMBERED)
        self._retries: Retries[int] = Retries(app.parlour.clock)


class Memo(msgspec.Struct, frozen=True):
    """The saved data of a board post, enough to ping once and remove buttons; of a card, its files."""

    beat: int = 0
    owing: tuple[Seat, ...] = ()
    text: str = ""
    picture: str = ""
    alt: str = ""
    illustrations: tuple[Illustration, ...] = msgspec.field(default=(), name="scenes")
    digest: str = ""
    """A digest of the uploaded pictures; unchanged ones are not uploaded again."""
    files: tuple[KeptFile, ...] = ()
    """The pictures at Discord: an edit has to name those that stay."""
    board: str = ""
    """A digest of the board's picture."""
    is_brief: bool = False
    """True for a post without a picture: the board is still the one above."""
    after: int = 0
    """The version after which its story begins."""
    version: int = 0
    """The version that it shows."""
    untold: int = 0
    """The version after which steps of an unfinished turn aren't told yet; 0 without such steps."""
    undone: int = 0
    """The version up to which it says what was taken back of its story."""


def decode_memo(post: PostRow | None) -> Memo | None:
    return msgspec.json.decode(post.memo, type=Memo) if post is not None and post.memo else None


def encode_memo(memo: Memo, message: discord.Message | None = None) -> str:
    """Return a memo in JSON, with the files of a message."""
    kept = memo.files if message is None else tuple(files_of(message).values())
    return msgspec.json.encode(msgspec.structs.replace(memo, files=kept)).decode()


def files_of_memo(memo: Memo) -> Kept:
    return {file.filename: file for file in memo.files}


SAYS = "Reason: "
FIELD = Field("reason", "Reason", "Shown to the players (optional)", longest=REMARK)
KEPT_FIELD = Field("reason", "Reason", "Shown in the audit log", longest=REMARK, required=True)
TO_PLAYERS = "Reason (shown to the players)"
KEPT = "Reason (shown in the audit log)"


def part(reason: str) -> list[str]:
    return [f"{SAYS}{quote(reason)}"] if reason else []


def read_reason(interaction: Interaction) -> str:
    texts = [] if interaction.message is None else texts_of(interaction.message)
    return next((read(text.removeprefix(SAYS)) for text in texts if text.startswith(SAYS)), "")


def button(room: str, number: int, question: str, reason: str) -> Button:
    """Return the button for a reason; its press holds the question.

    `room` is the question's, `number` that of the table or the cup.
    """
    label = "Change the reason" if reason else "Give a reason"
    return Button(label, Press(room, "why", number, 0, question))


def confirmation(question: str, press: Press, again: str, reason: str, *others: Button) -> list[Part]:
    """Return a question with Yes, No and a reason; `again` repeats it."""
    row = [
        Button("Yes, do it", press, DANGER),
        Button("No", Press(press.room, "no", press.table), PRIMARY),
        *others,
        button(press.room, press.table, again, reason),
    ]
    return [question, *part(reason), row]


async def ask_why(interaction: Interaction, again: Callable[[Interaction, str], Awaitable[None]]) -> None:
    async def on_filled(answered: Interaction, typed: Typed) -> None:
        await again(answered, clean(typed["reason"]))

    await ask(interaction, InputForm("Reason", [replace(FIELD, value=read_reason(interaction))], on_filled))
