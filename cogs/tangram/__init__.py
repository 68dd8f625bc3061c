"""Tangram City in Discord: its face, and the `/tangram` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.tangram.commands import TangramCog
from cogs.tangram.presenter import TangramFace

FACE = TangramFace()


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(TangramCog())
