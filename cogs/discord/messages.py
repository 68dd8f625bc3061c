"""Our messages: what they contain, and how one is found again, edited in place or sent."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar, cast

import discord

from cogs.ui.page import Page
from cogs.ui.press import Press, parse
from render.core.picture import Picture

LOOK_BACK = 30
"""Among so many of the last messages of a place one of ours is looked for."""
KEPT = discord.utils.MISSING
"""In place of a message's files: those that it has stay."""
T = TypeVar("T")


def items_of(message: discord.Message) -> list[discord.ui.Item[Any]]:
    """Everything that a message of ours is made of, from top to bottom."""
    layout = discord.ui.LayoutView.from_message(message, timeout=None)
    layout.stop()
    return list(layout.walk_children())


def texts_of(message: discord.Message) -> list[str]:
    """The texts of a message of ours."""
    return [item.content for item in items_of(message) if isinstance(item, discord.ui.TextDisplay)]


def presses_of(message: discord.Message) -> list[Press]:
    """What the buttons of a message of ours mean."""
    ids = (getattr(item, "custom_id", None) for item in items_of(message))
    found = (parse(custom_id) for custom_id in ids if custom_id is not None)
    return [press for press in found if press is not None]


async def newest(
    bot: discord.Client, place: discord.abc.Messageable, ours: Callable[[discord.Message], T | None]
) -> T | None:
    """What `ours` finds in the newest message of this bot in which it finds something."""
    me = bot.user
    async for message in place.history(limit=LOOK_BACK):
        if me is not None and message.author.id == me.id:
            found = ours(message)
            if found is not None:
                return found
    return None


async def send(place: Any, page: Page, nonce: str | None = None) -> discord.Message:
    """Send a page; of messages with the same nonce Discord takes one within some minutes."""
    sent = await page.sent(
        lambda view, files: place.send(view=view, files=files, allowed_mentions=page.allowed(), nonce=nonce)
    )
    return cast(discord.Message, sent)


async def edit(place: Any, message_id: int, page: Page, files: list[discord.File] | Any = KEPT) -> bool:
    """Put a page in a message's place, with the files there unless with others; False when it is deleted."""
    try:
        await place.get_partial_message(message_id).edit(
            view=page.view(), attachments=files, allowed_mentions=page.allowed()
        )
    except discord.NotFound:
        return False
    return True


class EditedPost:
    """A message that is edited in place, found again when it is lost, or else sent again."""

    def __init__(self, bot: discord.Client, ours: Callable[[discord.Message], bool]) -> None:
        """`ours` says whether a message of this bot is the one."""
        self._bot = bot
        self._ours = ours
        self._shown: tuple[int, str, str] | None = None

    async def show(
        self, channel: discord.TextChannel, known: int | None, page: Page, nonce: str | None = None
    ) -> tuple[int, bool]:
        """Show a page, in the message that is known if it is there; the number of the one that shows it.

        What is shown already isn't edited, and a picture that is isn't uploaded again. Besides: whether
        anything was sent.
        """
        digests = _digests(page)
        if known is not None and self._shown == (known, *digests):
            return known, False
        number = known if known is not None and await self._edited(channel, known, page, digests) else None
        if number is None:
            number = await newest(self._bot, channel, lambda one: one.id if self._ours(one) else None)
            if number is None or number == known or not await self._edited(channel, number, page, digests):
                number = (await send(channel, page, nonce)).id
        self._shown = number, *digests
        return number, True

    async def _edited(
        self, channel: discord.TextChannel, number: int, page: Page, digests: tuple[str, str]
    ) -> bool:
        if self._shown == (number, *digests):
            return True
        known = self._shown is not None and (self._shown[0], self._shown[2]) == (number, digests[1])
        return await edit(channel, number, page, KEPT if known else page.files())


def _digests(page: Page) -> tuple[str, str]:
    """What a post shows, and which pictures; of two that show the same, they are the same."""
    pictures = [part for part in page.parts if isinstance(part, Picture)]
    return sha256(repr(page.parts).encode()).hexdigest(), sha256(repr(pictures).encode()).hexdigest()
