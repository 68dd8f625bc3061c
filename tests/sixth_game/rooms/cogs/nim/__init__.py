"""Nim in Discord: its presenter, and the `/nim` commands."""

from discord.ext.commands import Bot

from cogs.nim import panel
from cogs.nim.commands import NimCog
from cogs.nim.presenter import NimPresenter

PRESENTER = NimPresenter(panel)


async def setup(bot: Bot) -> None:
    await bot.add_cog(NimCog())
