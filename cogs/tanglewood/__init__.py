"""Tanglewood in Discord: its presenter, and the `/tanglewood` commands."""

from discord.ext.commands import Bot

from cogs.tanglewood import panel, presenter
from cogs.tanglewood.commands import TanglewoodCog

PRESENTER = presenter.TanglewoodPresenter(panel, presenter, presenter)


async def setup(bot: Bot) -> None:
    await bot.add_cog(TanglewoodCog())
