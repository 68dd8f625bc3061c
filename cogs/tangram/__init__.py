"""Tangram City in Discord: its presenter, and the `/tangram` commands."""

from discord.ext.commands import Bot

from cogs.tangram import panel, presenter
from cogs.tangram.commands import TangramCog

PRESENTER = presenter.TangramPresenter(panel, presenter, presenter)


async def setup(bot: Bot) -> None:
    await bot.add_cog(TangramCog())
