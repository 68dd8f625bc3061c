"""Tesla's Tangle in Discord: its presenter, and the `/tesla` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.tesla import hints, lessons, panel, words
from cogs.tesla.commands import TeslaCog
from cogs.tesla.presenter import TeslaPresenter

PRESENTER = TeslaPresenter(words, panel, hints, lessons)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(TeslaCog())
