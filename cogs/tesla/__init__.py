"""Tesla's Tangle in Discord: its presenter, and the `/tesla` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.tesla import hints, lessons, panel
from cogs.tesla.commands import TeslaCog
from cogs.tesla.presenter import TeslaPresenter

PRESENTER = TeslaPresenter(panel, hints, lessons)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(TeslaCog())
