"""Tangram City in Discord: its presenter, and the `/tangram` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.tangram import hints, lessons, panel
from cogs.tangram.commands import TangramCog
from cogs.tangram.presenter import TangramPresenter

PRESENTER = TangramPresenter(panel, hints, lessons)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(TangramCog())
