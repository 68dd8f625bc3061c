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
from render.cup import CupStandings
from render.daily import Boards, MonthSheet
from render.result import ResultCard
from render.standings import StandingsSheet
from tables.core.table import Table
from tables.play.play import Perspective

CACHE_BYTES = 64 * 1024 * 1024
"""Bytes of pictures that the cache may hold."""
OVERHEAD = 300
PAGES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
Drawing = asyncio.Future[Picture | None]
Shown = Picture | Described


def page_picture(slug: str, name: str, alt: str) -> Picture:
    """Return a picture of a game's docs page by its file's name."""
    return Picture((PAGES / slug / name).read_bytes(), alt, f"{slug}-{name}")


def _draw(room: str, what: str, theme: str, *args: Any) -> Picture | None:
    module = import_module(f"render.{room}")
    drawn: Picture | None = getattr(module, what)(*args, theme=module.THEMES[theme])
    return drawn


def _size(picture: Picture | None) -> int:
    return OVERHEAD + (0 if picture is None else len(picture.png) + len(picture.alt))


class Pictures:
    """Draws views in the workers, and caches the newest pictures by their inputs.

    Attributes:
        theme: the name of the theme that it draws in.
    """

    def __init__(self, workers: Workers, kept: int = CACHE_BYTES) -> None:
        """Keep at most `kept` bytes of pictures in memory."""
        self._workers = workers
        self._urgency = Urgency.ANSWER
        self.theme = "light"
        self._kept: LRUCache[bytes, Picture | None] = LRUCache(kept, getsizeof=_size)
        self._under_way: dict[tuple[bytes, Urgency], Drawing] = {}

    def for_posts(self) -> Pictures:
        """Return the same pictures at low priority: people who wait go first."""
        twin = copy(self)
        twin._urgency = Urgency.POST
        return twin

    def in_theme(self, theme: str) -> Pictures:
        twin = copy(self)
        twin.theme = theme
        return twin

    async def board(self, table: Table, view: Any) -> Shown:
        return await self.special(table, "board", view)

    async def hand(self, perspective: Perspective) -> Shown | None:
        """Return a seat's own hand; None if there is none to show."""
        if perspective.seat is None:
            return None
        return await self._picture(
            perspective.table.slug, "hand", perspective.view, perspective.seat, perspective.table.names
        )

    async def special(self, table: Table, what: str, view: Any, *args: Any) -> Shown:
        """Return a picture drawn by `what` of the game's room in `render`."""
        return await self._require_picture(table.slug, what, view, table.names, *args)

    async def result(self, result: ResultCard, names: Sequence[str]) -> Picture:
        return await self._require_picture("result", "card", result, names)

    async def cup(self, standings: CupStandings) -> Picture:
        return await self._require_picture("cup", "picture", standings)

    async def standings(self, sheet: StandingsSheet) -> Picture:
        """Return the picture of a leaderboard or a profile."""
        return await self._require_picture("standings", "sheet", sheet)

    async def calendar(self, month: MonthSheet) -> Shown:
        """Return the picture of a player's month of daily deals."""
        return await self._require_picture("daily", "calendar", month)

    async def boards(self, sheet: Boards) -> Picture:
        return await self._require_picture("daily", "boards", sheet)

    async def _require_picture(self, room: str, what: str, *args: Any) -> Picture:
        picture = await self._picture(room, what, *args)
        if picture is None:
            raise TypeError(f"render.{room} drew no {what}")
        return picture

    async def _picture(self, room: str, what: str, *args: Any) -> Picture | None:
        """Return a cached picture, or draw it once for all callers."""
        key = sha256(msgspec.json.encode((self.theme, room, what, args))).digest()
        if key in self._kept:
            return self._kept[key]
        # What is drawn for somebody who can wait may still be queued, so that only others of those join it.
        for urgency in Urgency:
            drawing = self._under_way.get((key, urgency))
            if drawing is not None and urgency <= self._urgency:
                return await asyncio.shield(drawing)
        drawing = asyncio.ensure_future(
            self._workers.run_with(self._urgency, _draw, room, what, self.theme, *args)
        )
        place = key, self._urgency
        self._under_way[place] = drawing
        drawing.add_done_callback(lambda done: self._cache_picture(place, done))
        return await asyncio.shield(drawing)

    def _cache_picture(self, place: tuple[bytes, Urgency], drawing: Drawing) -> None:
        del self._under_way[place]
        if not drawing.cancelled() and drawing.exception() is None:
            picture = drawing.result()
            if _size(picture) <= self._kept.maxsize:
                self._kept[place[0]] = picture
