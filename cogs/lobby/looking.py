"""`/looking`: people say what they would play, and are asked once enough of them match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of, guild_of, name_of
from cogs.lobby.lobby import close_unless_shown, place_here
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.press import NOT_OURS, Press, on_press
from cogs.ui.reply import reply
from db.records import WishRow
from engines.names import quote
from engines.registry import SLUGS, game
from engines.words import join_words
from tables.clocks.pace import PACES, pace_words
from tables.core.table import Occupant, Refused, Table
from tables.lobby.looking import Match, fewest

HEAD = (
    "### Looking for a game\nChoose games and paces. When enough people here want the same, "
    "I open a table and invite you all. Your search lasts a week."
)
ANY = "Any pace"


async def _page(app: App, guild_id: int, user_id: int, text: str = "") -> Page:
    """Return a person's search in a server, with menus to change it."""
    wishes = await app.parlour.looking.of(guild_id, user_id)
    games, paces = {row.game for row in wishes}, set(wishes[0].paces if wishes else ())
    now = (
        f"You're looking for: {join_words([game(row.game).title for row in wishes])}."
        if wishes
        else "You aren't looking for a game."
    )
    lines = []
    for slug in SLUGS:
        others = sum(row.user_id != user_id for row in await app.parlour.looking.looking(guild_id, slug))
        looking = (
            f"{others} {'other is' if others == 1 else 'others are'} looking"
            if others
            else "Nobody else is looking for a game yet"
        )
        who = f"{looking}; {fewest(slug)} needed"
        lines.append(Option(game(slug).title, slug, who, chosen=slug in games))
    speeds = [Option(ANY, "any", chosen=not paces)]
    speeds += [
        Option(name.capitalize(), name, pace_words(pace)[:100], chosen=name in paces)
        for name, pace in PACES.items()
        if pace.kept
    ]
    page = Page(["\n".join([line for line in (HEAD, text, now) if line])])
    page.parts.append(Menu(Press("looking", "games"), "Games you'd play", lines, 1, len(lines)))
    if wishes:
        page.parts.append(Menu(Press("looking", "paces"), "Paces", speeds, 1, len(speeds)))
        page.parts.append([Button("Stop looking", Press("looking", "stop"))])
    return page


class LookingCommand(commands.Cog):
    """The `/looking` command."""

    @app_commands.command(
        name="looking", description="Find players: when enough people want the same game, I open a table"
    )
    @app_commands.guild_only()
    async def looking(self, interaction: Interaction) -> None:
        await reply(
            interaction, await _page(app_of(interaction), guild_of(interaction).id, interaction.user.id)
        )


@on_press("looking", "games")
async def on_games(interaction: Interaction, press: Press) -> None:
    if not press.values or not set(press.values) <= set(SLUGS):
        raise Refused(NOT_OURS)
    wishes = await app_of(interaction).parlour.looking.of(guild_of(interaction).id, interaction.user.id)
    await _look(interaction, press.values, wishes[0].paces if wishes else ())


@on_press("looking", "paces")
async def on_paces(interaction: Interaction, press: Press) -> None:
    if not press.values or not set(press.values) <= {"any", *PACES}:
        raise Refused(NOT_OURS)
    wishes = await app_of(interaction).parlour.looking.of(guild_of(interaction).id, interaction.user.id)
    paces = [] if "any" in press.values else list(press.values)
    await _look(interaction, [row.game for row in wishes], paces)


@on_press("looking", "stop")
async def stop(interaction: Interaction, press: Press) -> None:
    await _look(interaction, [], [])


async def _look(interaction: Interaction, games: Any, paces: Sequence[str]) -> None:
    app, guild_id, user = app_of(interaction), guild_of(interaction).id, interaction.user
    if games:
        await place_here(
            interaction
        )  # where a table would open; better known before somebody is promised one
    match = await app.parlour.looking.look(guild_id, user.id, name_of(user), games, paces)
    text = "" if match is None else await _open(interaction, app, match)
    await reply(interaction, await _page(app, guild_id, user.id, text), edit=True)


async def _open(interaction: Interaction, app: App, match: Match) -> str:
    """Open a table for matched people, and ask them to join.

    Return the result in a sentence.
    """
    _, channel_id = await place_here(interaction)
    host = Occupant(name_of(interaction.user), interaction.user.id)
    try:
        table = await app.parlour.looking.open(match, channel_id, host)
    except Refused as reason:
        return f"Enough people want to play {game(match.game).title}, but I couldn't open a table. {reason}"
    async with close_unless_shown(app, table):
        await app.parlour.refresh(table.id, "lobby", fresh=True)
    return _opening_line(table, [row for row in match.people if row.user_id != host.user_id])


def _opening_line(table: Table, others: list[WishRow]) -> str:
    names = join_words([quote(row.name) for row in others])
    return f"**{table.game.title}, table {table.id}, is open** below. {names} can join."


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(LookingCommand())
