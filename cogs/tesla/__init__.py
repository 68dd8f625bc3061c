"""Tesla's Tangle in Discord: its presenter, and the `/tesla` commands."""

from discord.ext.commands import Bot

from cogs.tesla import panel, presenter
from cogs.tesla.commands import TeslaCog

PRESENTER = presenter.TeslaPresenter(panel, presenter, presenter)


async def setup(bot: Bot) -> None:
    await bot.add_cog(TeslaCog())
