"""What every cog works with: the parlour, the pictures, and small looks at who asks and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import discord
from discord.ext import commands

from cogs.pictures import Pictures
from engines.workers import Workers
from tables.model import OPEN, Phase, Refused, Table
from tables.parlour import Parlour

NEEDED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)


@dataclass
class House:
    """The parts of the running bot that cogs share. What takes longer than a moment runs in `workers`."""

    bot: commands.Bot
    parlour: Parlour
    pictures: Pictures
    workers: Workers


def house_in(bot: discord.Client) -> House:
    """The house of a bot."""
    return cast(House, cast(Any, bot).house)


def house_of(interaction: discord.Interaction[Any]) -> House:
    """The house of the bot that received this interaction."""
    return house_in(interaction.client)


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
    interaction: discord.Interaction[Any], number: int | None, phases: tuple[Phase, ...] = OPEN
) -> Table:
    """The table that a command is about.

    The one that was named; else that of this thread; else, of the tables in this channel, the
    caller's own before others and the last touched first; else the only table at which they sit.

    Raises:
        Refused: when that leaves none, or the table belongs to another server.
    """
    parlour = house_of(interaction).parlour
    if number is not None:
        table = await parlour.table(number)
        if interaction.guild_id is not None and table.guild_id != interaction.guild_id:
            raise Refused(
                f"There is no table {number} in this server. `/table list` shows those that there are."
            )
        if interaction.guild_id is None and table.seat_of(interaction.user.id) is None:
            raise Refused(f"You don't sit at table {number}. Use the command in its server.")
        return table
    if interaction.channel_id is not None:
        here = await parlour.tables_at(interaction.channel_id, phases)
        if here:
            mine = [table for table in here if table.seat_of(interaction.user.id) is not None]
            return (mine or here)[0]
    mine = [
        table
        for table in await parlour.tables_of(interaction.user.id, phases)
        if interaction.guild_id in (None, table.guild_id)
    ]
    if len(mine) == 1:
        return mine[0]
    if mine:
        numbers = ", ".join(str(table.id) for table in mine[:10])
        raise Refused(f"You sit at several tables ({numbers}); say which with `table:`.")
    raise Refused("There is no table here. `/help` says how to open one.")
