"""`/help`: everything on one screen."""

from discord import app_commands
from discord.ext import commands

from cogs import VERSION, learning
from cogs.ui.form import reply
from cogs.ui.page import PRIMARY, Button, Page, Part
from cogs.ui.press import Press
from cogs.ui.text import Interaction, anywhere
from engines.registry import SLUGS, games

TEXT = """### Tangle Parlour
Board games in threads, played over days. I ping you when it's your turn, and only then.

**New to a game?** Choose one under *Learn a game by playing it*, or type `/learn`. You get a table of your own, with \
notes on the way.
**Open a table** in a channel: press **Play …** below, or type {openers}. Others press **Join**, and the host \
presses **Start**. Computer players can take free seats.
**Play** with **Take turn** under the latest board. Only you see that panel, and nothing counts until you send it. In some games, you can plan your turn there while others move.
**The deal of the day** is the same for everyone, and you have one try. `/daily play` opens it.
**Puzzles** come from games between computers. `/puzzle` opens one.
**A cup** is a small tournament for 4 to 64 players. `/cup new` opens one.
`/mine` lists your tables. `/me settings` sets where I notify you, and turns pictures into text. \
`/privacy` shows what I keep about you.
**My hand** shows your hand at any time. I also send it to you by DM if it's secret.

`/table list` finds tables, `/table history` shows what happened, `/table undo` undoes a step, \
`/table resign` leaves a game, `/table verify` checks that the deal was fair.
Every button has a command too: type `/` and the game's name. *Apps* in the menu of a person or a post of mine has more commands. Admins have `/admin`.
-# Tangle Parlour {version}"""


def open_buttons() -> list[Button]:
    return [Button(f"Play {game.title}", Press("lobby", "new", 0, 0, game.slug), PRIMARY) for game in games()]


def ways_in() -> list[Part]:
    return [learning.learn_menu(), open_buttons(), learning.rules_menu()]


class HelpCommand(commands.Cog):
    """The `/help` command."""

    @anywhere
    @app_commands.command(description="See how the bot works, on one screen")
    async def help(self, interaction: Interaction) -> None:
        openers = ", ".join(f"`/{slug} new`" for slug in SLUGS[:-1])
        text = TEXT.format(openers=f"{openers} or `/{SLUGS[-1]} new`", version=VERSION)
        await reply(interaction, Page([text, *ways_in()]))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(HelpCommand())
