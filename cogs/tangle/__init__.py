"""Tangle in Discord: its presenter, and the `/tangle` commands."""

from discord.ext.commands import Bot

from cogs.tangle import panel, presenter
from cogs.tangle.commands import TangleCog

PRESENTER = presenter.TanglePresenter(panel, presenter, presenter)


async def setup(bot: Bot) -> None:
    await bot.add_cog(TangleCog())
