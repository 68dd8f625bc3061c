"""What every cog works with: the parlour, the pictures, and small looks at who asks and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import discord
from discord import app_commands
from discord.ext import commands

from cogs.pictures import Pictures
from engines.registry import SLUGS, game
from engines.workers import Workers
from tables.model import OPEN, Phase, Refused, Table
from tables.parlour import Parlour
from tables.recent import Recent

NEEDED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)


@dataclass
class App:
    """The parts of the running bot that cogs share. What takes longer than a moment runs in `workers`."""

    bot: commands.Bot
    parlour: Parlour
    pictures: Pictures
    workers: Workers


def app_in(bot: discord.Client) -> App:
    """The app of a bot."""
    return cast(App, cast(Any, bot).app)


def app_of(interaction: discord.Interaction[Any]) -> App:
    """The app of the bot that received this interaction."""
    return app_in(interaction.client)


def name_of(user: discord.abc.User) -> str:
    """The name by which a person is called at a table: at most 32 readable characters."""
    name = " ".join(user.display_name.split())[:32].strip()
    return name or user.name


def named(names: list[str], seat: int) -> str:
    """A player's name as it stands in a sentence, with nothing in it that Discord would format."""
    return discord.utils.escape_markdown(names[seat])


def link(table: Table) -> str:
    """The address of the place where a table lives."""
    place = table.thread_id or table.channel_id
    return f"https://discord.com/channels/{table.guild_id}/{place}"


def require_permissions(interaction: discord.Interaction[Any]) -> None:
    """Raises Refused when the bot may not do here what a table needs."""
    had = dict(interaction.app_permissions)
    missing = [
        "View Channel" if name == "read_messages" else name.replace("_", " ").title().replace(" In ", " in ")
        for name, needed in NEEDED
        if needed and not had[name]
    ]
    if missing:
        raise Refused(f"I need these permissions in this channel first: {', '.join(missing)}.")


async def table_here(
    interaction: discord.Interaction[Any],
    number: int | None,
    phases: tuple[Phase, ...] = OPEN,
    lists: Parlour | Recent | None = None,
) -> Table:
    """The table that a command is about; to a game's own command there are only tables of that game.

    The one that was named; else that of this thread; else, of the tables in this channel, the
    caller's own before others and the last touched first; else the only table at which they sit.
    `lists` says what tables there are: the parlour, or for autocomplete what it has said just now.

    Raises:
        Refused: when that leaves none, or the table belongs to another server or to another game.
    """
    parlour, slug = app_of(interaction).parlour, game_of(interaction)
    lists = lists or parlour
    if number is not None:
        table = await parlour.table(number)
        if interaction.guild_id is not None and table.guild_id != interaction.guild_id:
            raise Refused(
                f"There is no table {number} in this server. `/table list` shows those that there are."
            )
        if interaction.guild_id is None and table.seat_of(interaction.user.id) is None:
            raise Refused(f"You don't sit at table {number}. Use the command in its server.")
        require_game(table, slug)
        return table
    if interaction.channel_id is not None:
        here = of_game(slug, await lists.tables_at(interaction.channel_id, phases))
        if here:
            mine = [table for table in here if table.seat_of(interaction.user.id) is not None]
            return (mine or here)[0]
    mine = [
        table
        for table in of_game(slug, await lists.tables_of(interaction.user.id, phases))
        if interaction.guild_id in (None, table.guild_id)
    ]
    if len(mine) == 1:
        return mine[0]
    if mine:
        numbers = ", ".join(str(table.id) for table in mine[:10])
        raise Refused(f"You sit at several tables ({numbers}); say which with `table:`.")
    if slug is not None:
        raise Refused(
            f"You have no table of {game(slug).title} here. `/{slug} new` opens one in a channel; "
            "`/table list` shows those that there are."
        )
    raise Refused("There is no table here. `/help` says how to open one.")


def game_of(interaction: discord.Interaction[Any]) -> str | None:
    """The slug of the game whose group a command belongs to; None for the commands of all games."""
    command = interaction.command
    group = command.root_parent if isinstance(command, app_commands.Command) else None
    return group.name if group is not None and group.name in SLUGS else None


def of_game(slug: str | None, tables: Sequence[Table]) -> list[Table]:
    """Those of the tables at which that game is played, or with None all of them."""
    return [table for table in tables if slug in (None, table.slug)]


def require_game(table: Table, slug: str | None) -> None:
    """Raises Refused when another game than that, if one is meant, is played at the table."""
    if slug not in (None, table.slug):
        raise Refused(
            f"Table {table.id} is a table of {table.game.title}: its commands are those of `/{table.slug}`."
        )
