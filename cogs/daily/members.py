"""Who is a member of which server: a play counts in every server that its person is in.

The bot sees no lists of members. It knows who has used it in a server; of others it asks Discord, once in a
while, in each server that posts the deal of the day.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import discord
from cachetools import TTLCache
from discord.ext import commands

from cogs.core.app import App
from db.records import DailyMemberRow
from tables.clocks.pace import DAY, HOUR

AT_ONCE = 4
"""So many members are looked up side by side."""
MOST_SERVERS = 25
"""Where more servers than so many post the deal, people count in those in which they have used the bot."""
LASTS = {True: DAY / 2, False: 3 * DAY}
"""For so many seconds it is believed that somebody is a member, or is none."""
REMEMBERED = 50_000


class Members:
    """Knows, looks up and notes who is a member of a server."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._noted: TTLCache[tuple[int, int], bool] = TTLCache(REMEMBERED, 6 * HOUR, app.parlour.clock)

    async def seen(self, guild_id: int, user_id: int) -> None:
        """Somebody has used the bot in a server, so they are a member of it."""
        if (guild_id, user_id) not in self._noted:
            self._noted[guild_id, user_id] = True
            await self._app.parlour.daily.note_member(guild_id, user_id, member=True)

    async def looked_up(self, guild: discord.Guild, user_ids: Collection[int], *, many: bool) -> None:
        """Ask Discord about those of whom nothing, or nothing new, is known in a server.

        With `many` servers that post the deal, only of those who are known to have been there.
        """
        store, now = self._app.parlour.store.daily, self._app.parlour.clock()
        known = await store.members(guild.id, user_ids)
        wanted = [
            user_id
            for user_id in user_ids
            if (user_id not in known and not many)
            or (user_id in known and now - known[user_id].checked_at > LASTS[known[user_id].member])
        ]
        found = await asyncio.gather(*(self._look_up(guild, user_id) for user_id in wanted))
        await store.note_members([row for row in found if row is not None])

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
