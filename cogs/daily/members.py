"""Who is a member of which server: a play counts in every server that its person is in.

The bot sees no lists of members. It knows who has used it in a server; of others it asks Discord, once in a
while, in each server that posts the deal of the day.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

import discord
from cachetools import TTLCache
from discord.ext import commands

from cogs.core.app import App
from db.records import DailyMemberRow
from tables.clocks.pace import DAY, HOUR

AT_ONCE = 4
"""How many members are looked up at once."""
MOST_SERVERS = 25
"""Where more servers than so many post the deal, people count in those in which they have used the bot."""
LASTS = {True: DAY / 2, False: 3 * DAY}
"""For so many seconds it is believed that somebody is a member, or is none."""
REMEMBERED = 50_000
Known = Mapping[int, DailyMemberRow]
"""What is known of people's membership of a server, by person."""


class Members:
    """Knows, looks up and notes who is a member of a server."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._noted: TTLCache[tuple[int, int], bool] = TTLCache(REMEMBERED, 6 * HOUR, app.parlour.clock)

    async def seen(self, guild_id: int, user_id: int) -> None:
        """Somebody has used the bot in a server, so they are a member of it."""
        if (guild_id, user_id) in self._noted:
            return
        if await self._app.parlour.daily.note_member(guild_id, user_id, member=True):
            self._noted[guild_id, user_id] = True

    async def looked_up(
        self, guild: discord.Guild, user_ids: Collection[int], known: Known, *, many: bool
    ) -> set[int]:
        """Which of some people are members of a server; `known` is what the database says of them.

        Discord is asked about those of whom nothing, or nothing new, is known. With `many` servers that post
        the deal, only about those who are known to have been there.
        """
        now = self._app.parlour.clock()
        wanted = [
            user_id
            for user_id in user_ids
            if (user_id not in known and not many)
            or (user_id in known and now - known[user_id].checked_at > LASTS[known[user_id].member])
        ]
        asked = await asyncio.gather(*(self._look_up(guild, user_id) for user_id in wanted))
        found = {row.user_id: row for row in asked if row is not None}
        await self._app.parlour.store.daily.note_members(list(found.values()))
        here = {**known, **found}
        return {user_id for user_id in user_ids if user_id in here and here[user_id].member}

    async def _look_up(self, guild: discord.Guild, user_id: int) -> DailyMemberRow | None:
        """Whether somebody is a member of a server; None where Discord can't say that now."""
        now = self._app.parlour.clock()
        async with self._gate:
            try:
                await guild.fetch_member(user_id)
            except discord.NotFound:
                return DailyMemberRow(guild.id, user_id, False, now)
            except discord.HTTPException:
                return None
        return DailyMemberRow(guild.id, user_id, True, now)
