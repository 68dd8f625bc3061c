"""Menus on people and on posts of mine: what commands and buttons do, with the same checks."""

import re
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of, guild_of, name_of
from cogs.core.lookup import ROOMS_WITHOUT_TABLES, asker_perspective, table_here
from cogs.lobby.looking import invite
from cogs.standings.standings import show_profile
from cogs.time import require_person
from cogs.ui.form import reply
from cogs.ui.page import Menu, Option, Page, components_of
from cogs.ui.press import NOT_IN_A_DM, Press, handle, on_press, parse
from cogs.ui.text import Interaction
from engines.marks import quote, quote_players
from tables.core.table import EVER, Phase, Refused, Table

NO_POST = "That isn't a post of one of my tables."
NO_LOBBY = "None of your tables needs players. `/help` shows how to open one."
TABLE = re.compile(r"· table (\d{1,9})$", re.MULTILINE)
"""The end of a post's heading, which it keeps when its buttons go."""


async def _tables_of(interaction: Interaction, phase: Phase) -> list[Table]:
    """Return the asker's tables in this server, last touched first."""
    if interaction.guild_id is None:
        raise Refused(NOT_IN_A_DM)
    tables = await app_of(interaction).parlour.tables_of(interaction.user.id, (phase,))
    return [table for table in tables if table.guild_id == interaction.guild_id]


async def on_invite(interaction: Interaction, member: discord.Member) -> None:
    """Invite a person to the asker's open table; of several, ask which."""
    require_person(member, interaction.user.id)
    tables = await _tables_of(interaction, Phase.LOBBY)
    if not tables:
        raise Refused(NO_LOBBY)
    if len(tables) == 1:
        return await invite(interaction, member, tables[0])
    options = [
        Option(
            f"{table.game.title}, table {table.id}", str(table.id), ", ".join(quote_players(table.players))
        )
        for table in tables[:25]
    ]
    menu = Menu(Press("company", "invite", arg=str(member.id)), "Which table?", options)
    await reply(interaction, Page([f"Where do you want to invite {quote(name_of(member))}?", menu]))


@on_press("company", "invite")
async def on_choose_table(interaction: Interaction, press: Press) -> None:
    table = await table_here(interaction, press.choice_number, (Phase.LOBBY,))
    try:
        member = await guild_of(interaction).fetch_member(press.number)
    except discord.NotFound:
        raise Refused("That person has left this server.") from None
    await invite(interaction, member, table)


async def on_profile(interaction: Interaction, member: discord.Member) -> None:
    await show_profile(interaction, member)


async def on_rematch(interaction: Interaction, member: discord.Member) -> None:
    """Open a rematch of the last game that the two finished here."""
    require_person(member, interaction.user.id)
    tables = await _tables_of(interaction, Phase.OVER)
    table = next((table for table in tables if member.id in table.people), None)
    if table is None:
        raise Refused(f"You haven't finished a game with {quote(name_of(member))} here yet.")
    await handle(interaction, Press("table", "rematch", table.id, table.version))


async def on_read(interaction: Interaction, message: discord.Message) -> None:
    await handle(interaction, Press("table", "words", (await _press_of(interaction, message)).table))


async def on_tell_turns(interaction: Interaction, message: discord.Message) -> None:
    """Show the first turn since the asker's own, or the last."""
    press, parlour = await _press_of(interaction, message), app_of(interaction).parlour
    table = await parlour.table(press.table)
    missed = await parlour.record.find_missed(table, interaction.user.id)
    turns = (await parlour.record.turns(table))[-1:] if missed is None or not missed.turns else missed.turns
    await handle(interaction, Press("record", "turn", table.id, arg=str(turns[0].number if turns else 0)))


async def on_try(interaction: Interaction, message: discord.Message) -> None:
    """Open a sandbox after the turn that a post shows. Raise Refused where none is allowed."""
    press, parlour = await _press_of(interaction, message), app_of(interaction).parlour
    _, perspective = await asker_perspective(interaction, press.table)
    if (why := await parlour.studies.refusal(perspective.table, interaction.user.id)) is not None:
        raise Refused(why)
    turns = await parlour.record.turns(perspective.table)
    # A post that a newer one has replaced has no buttons, but it was sent right after its turn.
    at = message.created_at.timestamp()
    shown = [turn for turn in turns if (turn.version <= press.moment if press.moment else turn.at <= at)]
    await handle(
        interaction, Press("study", "sandbox", press.table, arg=str(shown[-1].number if shown else 0))
    )


async def _press_of(interaction: Interaction, message: discord.Message) -> Press:
    """Return a press of a post's table, with moment 0 if unknown."""
    if interaction.client.user is None or message.author.id != interaction.client.user.id:
        raise Refused(NO_POST)
    interaction.message = message  # the checks before a press look at it
    parts = list(components_of(message))
    presses = [parse(getattr(part, "custom_id", None) or "") for part in parts]
    known = [one for one in presses if one and one.table and one.room not in ROOMS_WITHOUT_TABLES]
    if known:
        return known[0]
    texts = [str(getattr(part, "content", "")) for part in parts]
    number = next((match for match in map(TABLE.search, texts) if match), None)
    table = await table_here(interaction, None if number is None else int(number[1]), EVER)
    return Press("table", "words", table.id)


MENUS: dict[str, Any] = {
    "Invite to a table": on_invite,
    "Profile": on_profile,
    "Play rematch": on_rematch,
    "Read it to me": on_read,
    "What happened": on_tell_turns,
    "Try from here": on_try,
}
"""The menus on a person, then those on a post."""


async def setup(bot: commands.Bot) -> None:
    for name, callback in MENUS.items():
        app_commands.guild_only(callback)
        bot.tree.add_command(app_commands.ContextMenu(name=name, callback=callback))
