"""Tanglewood in Discord: its face, and the `/tanglewood` commands."""

from __future__ import annotations

from discord.ext import commands

from cogs.tanglewood.commands import TanglewoodCog
from cogs.tanglewood.presenter import TanglewoodFace

FACE = TanglewoodFace()


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(TanglewoodCog())
