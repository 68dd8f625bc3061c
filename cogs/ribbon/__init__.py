"""Ribbon Tangle in Discord: its presenter, and the `/ribbon` commands."""

from discord.ext.commands import Bot

from cogs.ribbon import panel, presenter
from cogs.ribbon.commands import RibbonCog

PRESENTER = presenter.RibbonPresenter(panel, presenter, presenter)


async def setup(bot: Bot) -> None:
    await bot.add_cog(RibbonCog())
