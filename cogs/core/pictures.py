"""Draws views in worker processes, never on the event loop, and caches the pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from copy import copy
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from cachetools import LRUCache

from cogs.ui.page import Described
from engines.workers import Urgency, Workers
from render.core.picture import Picture
from render.cup import Standings
from render.daily import Boards, Month
from render.result import Result
from render.standings import Sheet
from tables.core.table import Table
from tables.play.play import Perspective

KEPT = 64 * 1024 * 1024
"""The most bytes of pictures that are kept in memory."""
OVERHEAD = 300
PAGES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
Drawing = asyncio.Future[Picture | None]
Shown = Picture | Described
"""A picture, or words in place of one."""


def page_picture(slug: str, name: str, alt: str) -> Picture:
    """A picture of a game's page in the docs, by the name of its file."""
    return Picture((PAGES / slug / name).read_bytes(), alt, f"{slug}-{name}")


def _draw(room: str, what: str, *args: Any) -> Picture | None:
    drawn: Picture | None = getattr(import_module(f"render.{room}"), what)(*args)
    return drawn


def _size(picture: Picture | None) -> int:
    return OVERHEAD + (0 if picture is None else len(picture.png) + len(picture.alt))


class Pictures:
    """Draws views in the workers, and keeps the newest pictures by all that they were drawn from."""

    def __init__(self, workers: Workers, kept: int = KEPT) -> None:
        """At most `kept` bytes of pictures stay in memory."""
        self._workers = workers
        self._urgency = Urgency.ANSWER
        self._kept: LRUCache[bytes, Picture | None] = LRUCache(kept, getsizeof=_size)
        self._under_way: dict[tuple[bytes, Urgency], Drawing] = {}

    def for_posts(self) -> Pictures:
        """The same pictures, for those who can wait: whatever somebody waits for is drawn first."""
        twin = copy(self)
        twin._urgency = Urgency.POST
        return twin

    async def board(self, table: Table, view: Any) -> Shown:
        """The picture of the whole table."""
        return await self.special(table, "board", view)

    async def hand(self, perspective: Perspective) -> Shown | None:
        """The picture of a seat's own hand; None where there is none to show."""
        if perspective.seat is None:
            return None
        return await self._picture(
            perspective.table.slug, "hand", perspective.view, perspective.seat, perspective.table.names
        )

    async def special(self, table: Table, what: str, view: Any, *args: Any) -> Shown:
        """A picture of the game's own, drawn by `what(view, names, *args)` in its room of `render`."""
        picture = await self._picture(table.slug, what, view, table.names, *args)
        if picture is None:
            raise TypeError(f"render.{table.slug} drew no {what}")
        return picture

    async def result(self, result: Result, names: Sequence[str]) -> Picture:
        """The result card of a finished game."""
        picture = await self._picture("result", "card", result, names)
        if picture is None:
            raise TypeError("render.result drew no card")
        return picture

    async def cup(self, standings: Standings) -> Picture:
        """The standings of a cup."""
        picture = await self._picture("cup", "picture", standings)
        if picture is None:
            raise TypeError("render.cup drew no standings")
        return picture

    async def standings(self, sheet: Sheet) -> Picture:
        """A leaderboard, or what somebody has played."""
        picture = await self._picture("standings", "sheet", sheet)
        if picture is None:
            raise TypeError("render.standings drew no sheet")
        return picture

    async def calendar(self, month: Month) -> Shown:
        """A month of somebody who plays the deal of the day."""
        picture = await self._picture("daily", "calendar", month)
        if picture is None:
            raise TypeError("render.daily drew no calendar")
        return picture

    async def boards(self, sheet: Boards) -> Picture:
        """Final boards side by side."""
        picture = await self._picture("daily", "boards", sheet)
        if picture is None:
            raise TypeError("render.daily drew no boards")
        return picture

    async def _picture(self, room: str, what: str, *args: Any) -> Picture | None:
        """A picture by all that it is drawn from; who asks while it is being drawn waits for it."""
        key = sha256(msgspec.json.encode((room, what, args))).digest()
        if key in self._kept:
            return self._kept[key]
        # What is drawn for somebody who can wait may still be queued, so that only others of those join it.
        for urgency in Urgency:
            drawing = self._under_way.get((key, urgency))
            if drawing is not None and urgency <= self._urgency:
                return await asyncio.shield(drawing)
        drawing = asyncio.ensure_future(self._workers.run_with(self._urgency, _draw, room, what, *args))
        place = key, self._urgency
        self._under_way[place] = drawing
        drawing.add_done_callback(lambda done: self._drawn(place, done))
        return await asyncio.shield(drawing)

    def _drawn(self, place: tuple[bytes, Urgency], drawing: Drawing) -> None:
        del self._under_way[place]
        if not drawing.cancelled() and drawing.exception() is None:
            picture = drawing.result()
            if _size(picture) <= self._kept.maxsize:
                self._kept[place[0]] = picture
