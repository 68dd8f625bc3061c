from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

import discord
import pytest
from msgspec.structs import replace

from cogs.core.app import App
from cogs.core.pictures import Pictures, ReplayRenderer
from cogs.daily import posts as daily_posts
from cogs.daily.posts import DailyPosts
from cogs.discord.messages import EditedPost
from cogs.ui.page import Page
from db.records import DailyDealRow, DailyNoticeRow, DailyPostRow, ServerSettings
from tables.runtime import TryLater, wait_for_end
from tests.tables.house import House


class PlainChannel(discord.TextChannel):
    """A text channel in which the bot may do everything, or nothing at all."""

    def __init__(self, guild: PlainGuild, allowed: discord.Permissions) -> None:
        self.id = guild.id
        self.guild: Any = guild
        self.allowed = allowed

    def permissions_for(self, _who: Any, /) -> discord.Permissions:
        return self.allowed


class PlainGuild:
    """A server with one channel, which has its number."""

    unavailable = False
    me = None

    def __init__(self, number: int) -> None:
        self.id = number
        self.channel = PlainChannel(self, discord.Permissions.all())

    def get_channel(self, _number: int) -> PlainChannel:
        return self.channel


class PlainBot:
    """The servers of a bot."""

    user = None

    def __init__(self, numbers: Collection[int]) -> None:
        self.guilds = {number: PlainGuild(number) for number in numbers}

    def get_guild(self, number: int) -> PlainGuild | None:
        return self.guilds.get(number)

    def get_partial_messageable(self, number: int) -> PlainGuild:
        return self.guilds[number]


class Rows:
    """The rows of the deal of the day, in memory; only what the posts ask for."""

    def __init__(self, on: Collection[int]) -> None:
        self.on = set(on)
        self.posts: dict[tuple[int, str], DailyPostRow] = {}
        self.deals: dict[tuple[str, str], DailyDealRow] = {}
        self.stale: list[DailyPostRow] = []
        self.notices: dict[int, DailyNoticeRow] = {}

    async def servers(self) -> list[ServerSettings]:
        return [
            ServerSettings(number, daily=True, daily_channel_id=number, daily_hour=0) for number in self.on
        ]

    async def open_posts(self) -> list[DailyPostRow]:
        return list(self.posts.values())

    async def stale_posts(self, limit: int, after: tuple[str, int] | None) -> list[DailyPostRow]:
        return [row for row in self.stale if after is None or (row.day, row.guild_id) > after][:limit]

    async def claim_post(self, row: DailyPostRow) -> DailyPostRow:
        return self.posts.setdefault((row.guild_id, row.day), row)

    async def save_post(self, guild_id: int, day: str, **values: Any) -> None:
        key = guild_id, day
        self.stale = [row for row in self.stale if (row.guild_id, row.day) != key]
        if key in self.posts:
            self.posts[key] = replace(self.posts[key], **values)

    async def close_post(self, guild_id: int, day: str, *_: object) -> None:
        self.posts.pop((guild_id, day), None)

    async def deal(self, day: str, game: str) -> DailyDealRow | None:
        return self.deals.get((day, game))

    async def keep_deal(self, row: DailyDealRow) -> DailyDealRow:
        """Keep a deal, and forget those of earlier days."""
        self.deals = {(row.day, row.game): row}
        return row

    async def change_notice(self, row: DailyNoticeRow) -> None:
        self.notices[row.user_id] = row

    async def last_post(self, *_: object) -> None:
        """Return no earlier post."""

    async def nobody(self, *_: object, **__: object) -> list[Any]:
        return []

    async def nothing(self, *_: object, **__: object) -> dict[int, Any]:
        return {}

    plays_ended = finishers = people_to_notify = people_who_began = ask_notices = forget_notices = (
        note_members
    ) = nobody
    members = nothing


class PostWorld:
    """The posts of a house in some servers, whose days go by."""

    def __init__(self, house: House, servers: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.house = house
        self.bot = cast(Any, PlainBot(range(1, servers + 1)))
        self.rows: Any = Rows(self.bot.guilds)
        self.shown: list[int] = []
        self.failing: set[int] = set()
        monkeypatch.setattr(house.store, "daily", self.rows)
        monkeypatch.setattr(house.parlour.daily, "_store", self.rows)
        for name in ("day_page", "results_page"):
            monkeypatch.setattr(daily_posts, name, self._page)
        monkeypatch.setattr(daily_posts, "edit", self._edit)
        monkeypatch.setattr(EditedPost, "show", self._show)
        monkeypatch.setattr(house.parlour, "write_down", self._page)
        workers, record = house.workers, house.parlour.record
        self.app = App(self.bot, house.parlour, Pictures(workers), ReplayRenderer(record, workers), workers)
        self.posts = DailyPosts(self.bot, self.app)

    @staticmethod
    async def _page(*_: object, **__: object) -> Page:
        return Page(["A page."])

    async def _edit(self, place: PlainGuild, *_: object) -> None:
        await self._mark_shown(place.id)

    async def _show(self, channel: PlainChannel, *_: object) -> tuple[int, bool]:
        await self._mark_shown(channel.id)
        return channel.id, True

    async def _mark_shown(self, number: int) -> None:
        if number in self.failing:
            raise TryLater("Discord takes nothing here")
        self.shown.append(number)

    async def look(self) -> None:
        await self.posts._look()
        await self.posts._queue_stale()
        while self.posts._tasks:
            await wait_for_end(self.posts._tasks.values())
