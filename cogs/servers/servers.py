"""Notes the servers that the bot is in: removals, and new invitations."""

import discord
from discord.ext import commands

from cogs.core.app import App, app_in
from cogs.discord.work import DiscordBackground


class ServerEvents(commands.Cog):
    """Reports servers that come and go to the parlour. A server out of Discord's reach has not gone."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._background = DiscordBackground()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Note servers that came or went while the bot was disconnected."""
        present = [guild.id for guild in self._bot.guilds]
        comparing = self._app.parlour.servers.compare(present)
        await self._background.run("comparing servers", comparing)

    @commands.Cog.listener()
    async def on_shards_taken(self) -> None:
        """Note the additional servers of this process."""
        await self.on_ready()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        leaving = self._app.parlour.servers.on_removal(guild.id)
        await self._background.run(f"the leave of server {guild.id}", leaving)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume a server's tables, whose posts ended at the removal."""
        await self._background.run(f"the return to server {guild.id}", self._return(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume a reachable server; it may be a new invitation too."""
        if guild.id in await self._app.parlour.servers.removed_servers():
            await self._background.run(f"the return to server {guild.id}", self._return(guild.id))

    async def _return(self, guild_id: int) -> None:
        parlour = self._app.parlour
        await parlour.servers.on_return(guild_id)
        for table in await parlour.tables_in(guild_id):
            await parlour.refresh(table.id, "lobby" if table.deal is None else "board")


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(ServerEvents(bot, app_in(bot)))
