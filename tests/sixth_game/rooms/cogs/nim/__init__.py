"""Nim in Discord: its presenter, and the `/nim` commands."""

from discord.ext import commands

from cogs.nim import panel
from cogs.nim.commands import NimCog
from cogs.nim.presenter import NimPresenter

PRESENTER = NimPresenter(panel)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(NimCog())
