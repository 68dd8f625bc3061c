"""Tanglewood in Discord: its presenter, and the `/tanglewood` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.tanglewood import hints, lessons, panel
from cogs.tanglewood.commands import TanglewoodCog
from cogs.tanglewood.presenter import TanglewoodPresenter

PRESENTER = TanglewoodPresenter(panel, hints, lessons)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(TanglewoodCog())
