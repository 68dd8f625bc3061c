"""`/learn`: a game that explains itself, for one person alone, in a DM or anywhere else."""

from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of, is_in_server
from cogs.core.lookup import offer_games, read_game
from cogs.learning import open_lesson, own_lesson, unmet_topics
from cogs.play.panel import at_the_end, solo_page, step_lines
from cogs.ui.form import reply
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import Press, on_press, slug_of
from cogs.ui.text import Interaction, Line, anywhere
from tables.core.table import Phase
from tables.play.play import Perspective


class Learn(commands.Cog):
    """The `/learn` command, which needs no server."""

    @anywhere
    @app_commands.command(description="Learn a game by playing it, just for you")
    @app_commands.describe(game="Which game")
    @app_commands.autocomplete(game=offer_games)
    async def learn(self, interaction: Interaction, game: Line) -> None:
        await _learn_alone(interaction, read_game(game))


@on_press("lobby", "learn")
async def on_learn(interaction: Interaction, press: Press) -> None:
    """Open a lesson in the channel, or else for one person alone."""
    slug = slug_of(press.arg or press.choice)
    await (open_lesson if is_in_server(interaction) else _learn_alone)(interaction, slug)


@on_press("learn", "again")
async def on_again(interaction: Interaction, press: Press) -> None:
    await _learn_alone(interaction, slug_of(press.arg), edit=True)


async def _learn_alone(interaction: Interaction, slug: str, *, edit: bool = False) -> None:
    app, user_id = app_of(interaction), interaction.user.id
    table = await own_lesson(interaction, slug)
    perspective = await app.parlour.play.perspective(table.id, user_id)
    await reply(interaction, await solo_page(app, user_id, perspective), edit=edit)


@at_the_end
async def on_lesson_end(app: App, perspective: Perspective) -> Page | None:
    table = perspective.table
    if not table.learning or table.phase is Phase.PLAY:
        return None
    board = await app.pictures.board(table, perspective.view)
    again = [Button("Once more", Press("learn", "again", 0, 0, table.slug), PRIMARY)]
    looks = {"Replay": "replay", "History": "history", "What decided it": "why"}
    again += [Button(label, Press("table", verb, table.id, table.version)) for label, verb in looks.items()]
    return Page(["\n".join(step_lines(perspective, [])), board, *await unmet_topics(app, table), again])


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Learn())
