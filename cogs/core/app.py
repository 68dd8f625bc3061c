"""What every cog works with: the parlour, the pictures, and small questions about who asks and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import discord
from discord.ext import commands

from cogs.core.described import DescribedPictures
from cogs.core.pictures import Pictures
from cogs.core.replay_renderer import ReplayRenderer
from cogs.ui.errors import NOT_IN_A_DM
from cogs.ui.interaction import Interaction
from cogs.ui.listening import asks_whether, listens
from cogs.ui.signs import beside
from engines.names import clean, quote_player
from engines.workers import Workers
from tables.core.table import Refused, Table
from tables.parlour import Parlour

NOT_ADDED = "That only works in a server that I was added to. `/daily play` and `/learn` work here."
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
    """The parts of the running bot that cogs share. What takes longer than a moment runs in `workers`.

    Tables may live in `places`: not everywhere where a bot runs are there threads.
    """

    bot: commands.AutoShardedBot
    parlour: Parlour
    pictures: Pictures
    replays: ReplayRenderer
    workers: Workers
    places: tuple[str, ...] = ("threads", "channel")

    @property
    def heard(self) -> bool:
        """Whether boards are described, and none is drawn."""
        return isinstance(self.pictures, DescribedPictures)

    def in_words(self) -> App:
        """The same for somebody who hears boards."""
        return replace(self, pictures=DescribedPictures(self.pictures))


def app_in(bot: discord.Client) -> App:
    """The app of a bot."""
    return cast(App, cast(Any, bot).app)


def app_of(interaction: Interaction) -> App:
    """The app of the bot that received this interaction, as the person who began it wants to be answered."""
    app = app_in(interaction.client)
    return app.in_words() if listens(interaction) else app


@asks_whether
async def wants_words(interaction: Interaction) -> bool:
    """Whether a person has set that boards are described to them."""
    return (await app_in(interaction.client).parlour.people.person(interaction.user.id)).in_words


def guild_of(interaction: Interaction) -> discord.Guild:
    """Return the server in which something is asked.

    Raises:
        Refused: in a DM, and in a server to which the bot was not added.
    """
    if interaction.guild_id is None:
        raise Refused(NOT_IN_A_DM)
    guild: discord.Guild | None = interaction.client.get_guild(interaction.guild_id)
    if guild is None:
        raise Refused(NOT_ADDED)
    return guild


def is_in_server(interaction: Interaction) -> bool:
    """Return True if something is asked in a server that has the bot."""
    return interaction.guild_id is not None and interaction.client.get_guild(interaction.guild_id) is not None


def name_of(user: discord.abc.User) -> str:
    """The name by which a person is called at a table: at most 32 characters, of which some can be seen."""
    name = " ".join(user.display_name.split())[:32].strip()
    return next((one for one in (name, user.name) if clean(one)), f"Player {user.id % 10000}")


def named(names: Sequence[str], seat: int) -> str:
    """A player's name as it is part of a sentence."""
    return quote_player(names, seat)


def player(names: Sequence[str], seat: int) -> str:
    """A player's name in a sentence, with the sign of the seat before it."""
    return beside(f"seat_{seat + 1}", named(names, seat))


def link(table: Table) -> str:
    """The address of the place where a table lives."""
    place = table.thread_id or table.channel_id
    return f"https://discord.com/channels/{table.guild_id}/{place}"


def linked(table: Table, words: str = "Go there") -> str:
    """Some words as a link to where a table lives."""
    return f"[{words}]({link(table)})"


def missing_permissions(had: discord.Permissions) -> list[str]:
    """What a table needs that isn't among these permissions, as Discord calls it."""
    held = dict(had)
    return [
        "View Channel" if name == "read_messages" else name.replace("_", " ").title().replace(" In ", " in ")
        for name, needed in NEEDED
        if needed and not held[name]
    ]


def require_permissions(interaction: Interaction) -> None:
    """Raises Refused when the bot may not do here what a table needs."""
    missing = missing_permissions(interaction.app_permissions)
    if missing:
        raise Refused(f"I need these permissions in this channel first: {', '.join(missing)}.")
