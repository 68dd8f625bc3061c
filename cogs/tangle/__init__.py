"""Tangle in Discord: its presenter, and the `/tangle` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.tangle import hints, lessons, panel
from cogs.tangle.commands import TangleCog
from cogs.tangle.presenter import TanglePresenter

PRESENTER = TanglePresenter(panel, hints, lessons)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(TangleCog())
