"""Signs as emoji of the application: drawn at each start, uploaded if missing, and shown.

An emoji's name has the sign's name and a digest of its picture: one that exists need not be uploaded again,
and one that has changed is another.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import TypeVar

import aiohttp
import discord

from cogs.ui import text
from engines.registry import SLUGS
from engines.workers import Urgency, Workers
from render.core.emoji import signs_of

log = logging.getLogger(__name__)
R = TypeVar("R")
MOST_EMOJI = 2000
"""The most emoji that an application may have."""
PAUSE = 1.0
"""Seconds between two uploads, which Discord limits."""
ROOMS = ("house", *SLUGS)
OURS = re.compile(r"tp_[a-z0-9_]{1,22}_[0-9a-f]{6}")
"""Names of our emoji, of any version; no other is touched."""
BAD_PICTURES = (400, 413, 415)
"""Statuses with which Discord refuses a single picture, for its name, form or size."""
TOO_MANY, BAD_TOKEN = 429, 401
"""Statuses that every further upload would get too."""
MOST_IN_A_ROW = 3
"""Uploads in a row that may fail for another reason before the attempt ends."""
MOST_NAMED = 3
"""Refused signs that the log names, each with the reason."""
LONGEST_REASON = 200
"""Characters of a reason in the log."""
LONGEST_LIMIT = 900.0
"""The longest rate limit, in seconds, that an upload waits out."""
UNREACHED = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""Errors between the bot and Discord."""


def emoji_name(sign: str, png: bytes) -> str:
    """Return a sign's emoji name: at most 32 letters, digits, underscores.

    >>> emoji_name("seat_1", b"a picture")
    'tp_seat_1_7064e5'
    """
    return f"tp_{sign[:22]}_{sha256(sign.encode() + png).hexdigest()[:6]}"


@dataclass
class Catalogue:
    """The signs that are wanted, and the emoji that Discord has of them.

    Attributes:
        wanted: the picture of each sign as a PNG.
        shown: the emoji of the signs that Discord has.
        stale: our emoji that no sign uses any more.
        others: the number of emoji that aren't ours.
        refused: the reason for each sign that Discord refused.
    """

    wanted: dict[str, bytes]
    shown: dict[str, discord.PartialEmoji] = field(default_factory=dict)
    stale: list[discord.Emoji] = field(default_factory=list)
    others: int = 0
    refused: dict[str, str] = field(default_factory=dict)

    def classify_emoji(self, emojis: Sequence[discord.Emoji]) -> None:
        signs_by_name = {emoji_name(sign, png): sign for sign, png in self.wanted.items()}
        for emoji in emojis:
            sign = signs_by_name.get(emoji.name)
            if sign is not None and sign not in self.shown:
                self.shown[sign] = _partial(emoji)
            elif OURS.fullmatch(emoji.name):
                self.stale.append(emoji)
            else:
                self.others += 1

    @property
    def missing(self) -> list[str]:
        return [sign for sign in self.wanted if sign not in self.shown]

    @property
    def is_full(self) -> bool:
        return len(self.shown) + len(self.stale) + self.others >= MOST_EMOJI


async def draw_signs(workers: Workers, rooms: Sequence[str] = ROOMS) -> dict[str, bytes]:
    data: dict[str, bytes] = {}
    for room in rooms:
        data |= await workers.run_with(Urgency.LONG, signs_of, room)
    return data


async def upload_signs(
    client: discord.Client, wanted: dict[str, bytes], *, pause: float = PAUSE
) -> Catalogue:
    """Upload new and changed signs, and remove old ones.

    Signs that fail stay words; the log has their number once, and the next start tries again. `pause` is the
    seconds between two uploads.
    """
    catalogue, reason = Catalogue(wanted), "Discord accepts no more emoji"
    try:
        catalogue.classify_emoji(await _wait_and_request(client.fetch_application_emojis))
        text.show(catalogue.shown)
        await _upload(client, catalogue, pause)
        await _remove(catalogue)
        if catalogue.refused:
            reason = "; ".join(f"{sign}: {why}" for sign, why in [*catalogue.refused.items()][:MOST_NAMED])
    except UNREACHED as error:
        reason = one_line(error)
    if catalogue.missing:
        lacking, every = len(catalogue.missing), len(wanted)
        log.warning(
            "%s of %s emoji are missing, so words replace them until the next start: %s",
            lacking,
            every,
            reason,
        )
    return catalogue


async def _upload(client: discord.Client, catalogue: Catalogue, pause: float) -> None:
    """Upload missing signs, but for those that Discord refuses.

    Raises one of `UNREACHED` if the others would fail too.
    """
    missing, in_a_row = catalogue.missing, 0
    for number, sign in enumerate(missing):
        if catalogue.is_full and not catalogue.stale:
            return
        if catalogue.is_full:
            await _remove(catalogue, 1)
        if number:
            await asyncio.sleep(pause)
        png = catalogue.wanted[sign]
        upload = partial(client.create_application_emoji, name=emoji_name(sign, png), image=png)
        try:
            emoji = await _wait_and_request(upload)
        except discord.HTTPException as error:
            in_a_row += error.status not in BAD_PICTURES
            if ends_attempt(error.status, in_a_row):
                raise
            catalogue.refused[sign] = one_line(error)
            continue
        in_a_row = 0
        catalogue.shown[sign] = _partial(emoji)
        text.show(catalogue.shown)
    if uploaded := len(missing) - len(catalogue.missing):
        log.info("uploaded %s emoji", uploaded)


def ends_attempt(status: int, in_a_row: int) -> bool:
    """Return True if the next uploads would fail too.

    `in_a_row` counts failures without a success between them, except those about a single picture.

    >>> [ends_attempt(status, 1) for status in (400, 413, 403, 500, 401, 429)]
    [False, False, False, False, True, True]
    """
    return status in (BAD_TOKEN, TOO_MANY) or in_a_row >= MOST_IN_A_ROW


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:LONGEST_REASON]


async def _remove(catalogue: Catalogue, most: int = MOST_EMOJI) -> None:
    for emoji in catalogue.stale[-most:]:
        await _wait_and_request(emoji.delete)
        catalogue.stale.remove(emoji)


async def _wait_and_request(request: Callable[[], Awaitable[R]]) -> R:
    """Make a request as soon as Discord's limits allow it.

    Raises:
        discord.RateLimited: if that is more than 15 minutes away.
    """
    while True:
        try:
            return await request()
        except discord.RateLimited as limited:
            if limited.retry_after > LONGEST_LIMIT:
                raise
            await asyncio.sleep(limited.retry_after)


def _partial(emoji: discord.Emoji) -> discord.PartialEmoji:
    return discord.PartialEmoji(name=emoji.name, id=emoji.id)
