"""Ribbon Tangle in Discord: its presenter, and the `/ribbon` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.ribbon import hints, lessons, panel
from cogs.ribbon.commands import RibbonCog
from cogs.ribbon.presenter import RibbonPresenter

PRESENTER = RibbonPresenter(panel, hints, lessons)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(RibbonCog())
