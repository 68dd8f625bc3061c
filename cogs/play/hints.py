"""Learning while playing: hints, and `/learn`.

A hint is the strong computer's best choices, each with its effect and a button that makes it. `/learn` opens
a game that explains itself, for one person alone, in a DM or anywhere else.
"""

from collections.abc import Sequence
from zlib import crc32

import msgspec
from discord import app_commands
from discord.ext import commands

from cogs.core import lookup, words
from cogs.core.app import App, app_of, is_in_server
from cogs.core.pictures import Shown
from cogs.core.presenter import presenter
from cogs.learning import open_lesson, own_lesson, unmet_topics
from cogs.play.assembly import ONE_SCREEN, fits
from cogs.play.panel import at_the_end, current, make_moves, on_panel, solo_page, step_lines
from cogs.review.turning_points import answer_why
from cogs.ui.form import reply
from cogs.ui.page import PLAIN, PRIMARY, Button, Page, height
from cogs.ui.press import Press, on_press, slug_of
from cogs.ui.text import Interaction, Line, anywhere
from engines import game, marks
from render.core.canvas import Picture
from tables.core.table import EVER, Phase, Refused, Table
from tables.play.play import Perspective

HEAD = "💡 **What the strong computer would do**, best move first"
BEST = "💡 **The strong computer's move**"
PICTURED = ". The picture shows the first move"
WHOLE = "whole"
"""The argument of a press that shows everything of the hints."""
NOTHING = "💡 You have nothing to decide right now."


class HintCommands(commands.GroupCog):
    """The part of the `/table` commands that asks the strong computer."""

    @app_commands.command(description="See what the strong computer would do now")
    async def hint(self, interaction: Interaction, table: lookup.OpenTable = None) -> None:
        target = await lookup.table_here(interaction, table)
        app, perspective = await lookup.asker_perspective(interaction, target.id)
        await reply(interaction, await _hints(app, perspective, interaction.user.id))

    @app_commands.command(description="See what decided a finished game")
    async def why(self, interaction: Interaction, table: lookup.FinishedTable = None) -> None:
        target = await lookup.table_here(interaction, table, EVER)
        await answer_why(interaction, target.id)


@on_panel("table", "hint")
async def on_hint(interaction: Interaction, press: Press) -> None:
    """Show the best move in place of the panel; **More**, all."""
    app, perspective = await current(interaction, press)
    page = await _hints(app, perspective, interaction.user.id, is_whole=press.arg == WHOLE)
    await reply(interaction, page, edit=True)


async def _hints(app: App, perspective: Perspective, user_id: int, *, is_whole: bool = False) -> Page:
    table, view = perspective.table, perspective.view
    advice = await app.parlour.hints.advice(table.id, user_id)
    if not advice:
        return Page([NOTHING, [_back(table)]])
    hints, seat = presenter(table).hints, perspective.me
    picture = await hints.picture(app, perspective, advice[0].moves)
    texts = [
        f"**{number}.** {hints.line(view, seat, one, table.names)}"
        for number, one in enumerate(advice, start=1)
    ]
    row = [
        Button(
            f"Do {number}",
            Press("table", "follow", table.id, table.moment, str(_mark(one))),
            PRIMARY if number == 1 else PLAIN,
        )
        for number, one in enumerate(advice, start=1)
    ]
    answer = await _expectation(app, perspective, user_id, advice[0])
    whole = _page(HEAD if len(texts) > 1 else BEST, texts, answer, [*row, _back(table)], picture)
    if is_whole or fits(whole, "", []):
        return whole
    more = Button("More", Press("table", "hint", table.id, table.moment, WHOLE))
    row = [row[0], more, _back(table)]
    told, silent = (_page(BEST, texts[:1], one, row, picture) for one in (answer, ""))
    if fits(told, "", []):
        return told
    return silent if height(silent) <= ONE_SCREEN else _page(BEST, texts[:1], answer, row, None)


def _page(head: str, texts: Sequence[str], answer: str, row: list[Button], picture: Shown | None) -> Page:
    """Return a page of hints, with the expected answer to the first."""
    pictured = PICTURED if isinstance(picture, Picture) and len(texts) > 1 else ""
    first = f"{texts[0]}\n{answer}" if answer else texts[0]
    shown = [] if picture is None else [picture]
    return Page([f"{head}{pictured}.", first, *texts[1:], row, *shown])


async def _expectation(app: App, perspective: Perspective, user_id: int, advice: game.Advice) -> str:
    """Return the whole turn after advice, and the next player's reply.

    Both name only what the person can see.
    """
    table = perspective.table
    expected = await app.parlour.hints.expect_turns(table.id, user_id, advice)
    if expected is None:
        return ""
    own, reply = expected
    told = []
    if len(own.choices) > len(advice.moves):
        whose = "Your whole turn" if own.is_whole else "Your next steps"
        told.append(f"{whose}: {words.name_expected(table, own)}.")
    if reply is not None and (named := words.name_expected(table, reply)):
        told.append(f"Then I'd expect {marks.quote_player(table.names, reply.seat)} to {named}.")
    return f"-# {' '.join(told)}" if told else ""


def _mark(advice: game.Advice) -> int:
    return crc32(msgspec.json.encode(advice.moves))


def _back(table: Table) -> Button:
    return Button("Back", Press("table", "turn", table.id, table.version))


@on_panel("table", "follow", "advised")
async def on_follow(interaction: Interaction, press: Press) -> None:
    app, _ = await current(interaction, press)
    advice = await app.parlour.hints.advice(press.table, interaction.user.id)
    chosen = next((one for one in advice if _mark(one) == press.number), None)
    if chosen is None:
        raise Refused("That hint is out of date. **Take turn** shows the current board.")
    await make_moves(interaction, press.table, chosen.moves, press.moment, edit=True, farewell=False)


class Learn(commands.Cog):
    """The `/learn` command, which needs no server."""

    @anywhere
    @app_commands.command(description="Learn a game by playing it, just for you")
    @app_commands.describe(game="Which game")
    @app_commands.autocomplete(game=lookup.offer_games)
    async def learn(self, interaction: Interaction, game: Line) -> None:
        await _learn_alone(interaction, lookup.read_game(game))


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
