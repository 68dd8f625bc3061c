"""Notes which servers the bot is in: one that removes it, one that invites it again."""

from __future__ import annotations

import discord
from discord.ext import commands

from cogs.core.app import App, app_in
from cogs.discord.work import DiscordBackground


class Servers(commands.Cog):
    """Tells the parlour of servers that come and go. One that Discord can't reach for now has not gone."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._background = DiscordBackground()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Connected: servers may have come and gone while nobody listened."""
        present = [guild.id for guild in self._bot.guilds]
        comparing = self._app.parlour.servers.compare(present)
        await self._background.run("comparing servers", comparing)

    @commands.Cog.listener()
    async def on_shards_taken(self) -> None:
        """More servers have fallen to this process."""
        await self.on_ready()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has removed the bot, or is no more."""
        leaving = self._app.parlour.servers.on_removal(guild.id)
        await self._background.run(f"the leave of server {guild.id}", leaving)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Invited, perhaps again: what its open tables have to show was given up when the bot was removed."""
        await self._background.run(f"the return to server {guild.id}", self._return(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Within reach again; one that removed the bot and invited it again may come like that as well."""
        if guild.id in await self._app.parlour.servers.removed_servers():
            await self._background.run(f"the return to server {guild.id}", self._return(guild.id))

    async def _return(self, guild_id: int) -> None:
        parlour = self._app.parlour
        await parlour.servers.on_return(guild_id)
        for table in await parlour.tables_in(guild_id):
            await parlour.refresh(table.id, "lobby" if table.deal is None else "board")


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(Servers(bot, app_in(bot)))
