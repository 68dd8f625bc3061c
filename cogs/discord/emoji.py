"""The signs as emoji of the application: drawn at each start, told to Discord where it lacks them, and shown.

An emoji's name says what it shows, and ends in a digest of how it looks: one that is there need not be
uploaded again, and one that has changed is another.
"""

from __future__ import annotations

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

from cogs.ui import signs
from engines.registry import SLUGS
from engines.workers import Urgency, Workers
from render.core.emoji import signs_of

log = logging.getLogger(__name__)
R = TypeVar("R")
MOST = 2000
"""The most emoji an application may have."""
PAUSE = 1.0
"""Seconds between two uploads, which Discord limits."""
ROOMS = ("house", *SLUGS)
OURS = re.compile(r"tp_[a-z0-9_]{1,22}_[0-9a-f]{6}")
"""The names of emoji that are ours, of this version or another; no other is touched."""
BAD_REQUEST = 400
"""The status of a request that Discord refuses for what is in it."""
UNREACHED = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What goes wrong between the bot and Discord."""


def emoji_name(sign: str, png: bytes) -> str:
    """The name of a sign's emoji: at most 32 letters, digits and underscores.

    >>> emoji_name("seat_1", b"a picture")
    'tp_seat_1_7064e5'
    """
    return f"tp_{sign[:22]}_{sha256(sign.encode() + png).hexdigest()[:6]}"


@dataclass
class Catalogue:
    """The signs that are wanted, and what Discord has of them.

    Attributes:
        wanted: the picture of each sign as a PNG.
        shown: the emoji of the signs that Discord has.
        stale: emoji of ours that stand for nothing any more.
        others: how many emoji the application has besides those.
    """

    wanted: dict[str, bytes]
    shown: dict[str, discord.PartialEmoji] = field(default_factory=dict)
    stale: list[discord.Emoji] = field(default_factory=list)
    others: int = 0

    def sort(self, found: Sequence[discord.Emoji]) -> None:
        """Take in what the application has."""
        signs_by_name = {emoji_name(sign, png): sign for sign, png in self.wanted.items()}
        for emoji in found:
            sign = signs_by_name.get(emoji.name)
            if sign is not None and sign not in self.shown:
                self.shown[sign] = _partial(emoji)
            elif OURS.fullmatch(emoji.name):
                self.stale.append(emoji)
            else:
                self.others += 1

    @property
    def missing(self) -> list[str]:
        """The signs that Discord lacks."""
        return [sign for sign in self.wanted if sign not in self.shown]

    @property
    def full(self) -> bool:
        """Whether the application has as many emoji as it may."""
        return len(self.shown) + len(self.stale) + self.others >= MOST


async def drawn(workers: Workers, rooms: Sequence[str] = ROOMS) -> dict[str, bytes]:
    """The signs of these rooms as PNGs, by their names."""
    found: dict[str, bytes] = {}
    for room in rooms:
        found |= await workers.run_with(Urgency.LONG, signs_of, room)
    return found


async def make_known(client: discord.Client, wanted: dict[str, bytes], *, pause: float = PAUSE) -> Catalogue:
    """Tell Discord of the signs that are new or have changed, show them, and remove what they replace.

    Those that can't be had are words; the log is told once how many, and the next start tries again.
    `pause` is how many seconds lie between two uploads.
    """
    catalogue, reason = Catalogue(wanted), "Discord takes no more of them"
    try:
        catalogue.sort(await client.fetch_application_emojis())
        signs.show(catalogue.shown)
        await _upload(client, catalogue, pause)
        await _remove(catalogue)
    except UNREACHED as error:
        reason = str(error)
    if catalogue.missing:
        lacking, every = len(catalogue.missing), len(wanted)
        log.warning("%s of %s signs stay words until the next start: %s", lacking, every, reason)
    return catalogue


async def _upload(client: discord.Client, catalogue: Catalogue, pause: float) -> None:
    """Upload the signs that Discord lacks, and show each from then on; what is refused is left out."""
    missing = catalogue.missing
    for number, sign in enumerate(missing):
        if catalogue.full and not catalogue.stale:
            return
        if catalogue.full:
            await _remove(catalogue, 1)
        if number:
            await asyncio.sleep(pause)
        png = catalogue.wanted[sign]
        upload = partial(client.create_application_emoji, name=emoji_name(sign, png), image=png)
        try:
            emoji = await _patiently(upload)
        except discord.HTTPException as error:
            if error.status != BAD_REQUEST:
                raise
            log.warning("the sign %s was refused: %s", sign, error)
            continue
        catalogue.shown[sign] = _partial(emoji)
        signs.show(catalogue.shown)
    if missing:
        log.info("uploaded %s emoji", len(missing))


async def _remove(catalogue: Catalogue, most: int = MOST) -> None:
    """Remove emoji of ours that stand for nothing any more, at most so many."""
    for emoji in catalogue.stale[-most:]:
        await _patiently(emoji.delete)
        catalogue.stale.remove(emoji)


async def _patiently(request: Callable[[], Awaitable[R]]) -> R:
    """Make a request as soon as Discord's limits allow it."""
    while True:
        try:
            return await request()
        except discord.RateLimited as limited:
            await asyncio.sleep(limited.retry_after)


def _partial(emoji: discord.Emoji) -> discord.PartialEmoji:
    return discord.PartialEmoji(name=emoji.name, id=emoji.id)
