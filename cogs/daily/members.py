"""Server membership: a play counts in every server that its player is in.

The bot sees no lists of members. It notes who has used it in a server, and asks Discord for others, now and
then, in each server that posts the deal of the day.
"""

import asyncio
from collections.abc import Collection, Mapping

import discord
from cachetools import TTLCache
from discord.ext import commands

from cogs.core.app import App
from db.records.daily import DailyMemberRow
from tables.clocks.pace import DAY, HOUR
from tables.runtime.background import Together

LOOKUPS_AT_ONCE = 4
"""Members looked up at once."""
MOST_SERVERS = 25
"""Servers with the post up to which Discord is asked; beyond, people count where they used the bot."""
CACHE_SECONDS = {True: DAY / 2, False: 3 * DAY}
"""Seconds for which a membership (True) or its absence (False) is cached."""
REMEMBERED = 50_000
Known = Mapping[int, DailyMemberRow]
"""The known memberships of a server, by person."""


class Members:
    """Knows, looks up and notes the members of servers."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._gate = asyncio.Semaphore(LOOKUPS_AT_ONCE)
        self._noted: TTLCache[tuple[int, int], bool] = TTLCache(REMEMBERED, 6 * HOUR, app.parlour.clock)

    async def note_use(self, guild_id: int, user_id: int) -> None:
        """Note a person who uses the bot as a server's member."""
        if (guild_id, user_id) in self._noted:
            return
        if await self._app.parlour.daily.note_member(guild_id, user_id, member=True):
            self._noted[guild_id, user_id] = True

    async def find_members(
        self, guild: discord.Guild, user_ids: Collection[int], known: Known, *, many: bool
    ) -> set[int]:
        """Return the members among some people; `known` has their rows.

        Discord is asked about people with no row or an old one. If `many` servers post the deal, it is asked
        only about people with a row.
        """
        now = self._app.parlour.clock()
        wanted = [
            user_id
            for user_id in user_ids
            if (user_id not in known and not many)
            or (user_id in known and now - known[user_id].checked_at > CACHE_SECONDS[known[user_id].member])
        ]
        async with Together() as together:
            asked = [together.create_task(self._look_up(guild, user_id)) for user_id in wanted]
        rows = {row.user_id: row for row in (task.result() for task in asked) if row is not None}
        await self._app.parlour.store.daily.note_members(list(rows.values()))
        here = {**known, **rows}
        return {user_id for user_id in user_ids if user_id in here and here[user_id].member}

    async def _look_up(self, guild: discord.Guild, user_id: int) -> DailyMemberRow | None:
        """Ask Discord about a member; return None if it can't answer."""
        now = self._app.parlour.clock()
        async with self._gate:
            try:
                await guild.fetch_member(user_id)
            except discord.NotFound:
                return DailyMemberRow(guild.id, user_id, False, now)
            except discord.HTTPException:
                return None
        return DailyMemberRow(guild.id, user_id, True, now)
