"""The app that cogs share, and helpers about the asker, their server and their permissions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

import discord
from cachetools import LRUCache
from discord.ext import commands

from cogs.core.pictures import DescribedPictures, Pictures, ReplayRenderer
from cogs.ui.press import NOT_IN_A_DM
from cogs.ui.text import Interaction, register_text_check, wants_text
from engines.marks import clean
from engines.workers import Workers
from tables.clocks.pace import MINUTE
from tables.core.people import Person
from tables.core.table import Refused, Table
from tables.parlour import Parlour

NOT_ADDED = "That only works in a server I'm in. `/daily play`, `/learn` and `/puzzle` work here."
THEME = "theme"
"""The key of the asker's theme in an interaction's extras."""
NEEDED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)


STAYS = 10 * MINUTE
"""Seconds after a press in which its person still sees what is posted there."""
MOST_VISITS = 10_000


@dataclass
class App:
    """The parts of the running bot that cogs share. Long tasks run in `workers`.

    `places` lists where tables may live: not every client has threads.
    """

    bot: commands.AutoShardedBot
    parlour: Parlour
    pictures: Pictures
    replays: ReplayRenderer
    workers: Workers
    places: tuple[str, ...] = ("threads", "channel")
    visits: LRUCache[tuple[int, int], float] = field(default_factory=lambda: LRUCache(MOST_VISITS))
    """The last press or command of people in channels, by the ids of both."""

    @property
    def is_text_only(self) -> bool:
        return isinstance(self.pictures, DescribedPictures)

    def in_theme(self, theme: str) -> App:
        same = theme == self.pictures.theme
        return self if same else replace(self, pictures=self.pictures.in_theme(theme))

    def is_there(self, channel_id: int, user_id: int) -> bool:
        """Return True if somebody has just pressed or typed in a channel."""
        return self.parlour.clock() - self.visits.get((channel_id, user_id), -STAYS) < STAYS

    def for_person(self, person: Person) -> App:
        """Return the app for a person's private pages: their theme, or words."""
        app = self.in_theme(person.theme)
        return app.in_words() if person.in_words else app

    async def for_server(self, guild_id: int) -> App:
        """Return the app for posts in a server, in its theme."""
        return self.in_theme((await self.parlour.settings(guild_id)).theme)

    def in_words(self) -> App:
        return replace(self, pictures=DescribedPictures(self.pictures))


def app_in(bot: discord.Client) -> App:
    return cast(App, cast(Any, bot).app)


def app_with_pictures(interaction: Interaction) -> App:
    """Return the bot's app, drawing in the asker's theme."""
    return app_in(interaction.client).in_theme(interaction.extras.get(THEME, "light"))


def app_of(interaction: Interaction) -> App:
    app = app_with_pictures(interaction)
    return app.in_words() if wants_text(interaction) else app


@register_text_check
async def note_wishes(interaction: Interaction) -> bool:
    """Note the asker's visit and theme; return True for boards in words."""
    app = app_in(interaction.client)
    app.visits[interaction.channel_id or 0, interaction.user.id] = app.parlour.clock()
    person = await app.parlour.people.person(interaction.user.id)
    interaction.extras[THEME] = person.theme
    return person.in_words


def guild_of(interaction: Interaction) -> discord.Guild:
    """Return the server of an interaction.

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
    return interaction.guild_id is not None and interaction.client.get_guild(interaction.guild_id) is not None


def name_of(user: discord.abc.User) -> str:
    """Return a person's name for a table: visible, at most 32 characters."""
    name = " ".join(user.display_name.split())[:32].strip()
    return next((one for one in (name, user.name) if clean(one)), f"Player {user.id % 10000}")


def table_url(table: Table) -> str:
    place = table.thread_id or table.channel_id
    return f"https://discord.com/channels/{table.guild_id}/{place}"


def table_link(table: Table, words: str = "Go there") -> str:
    return f"[{words}]({table_url(table)})"


def missing_permissions(had: discord.Permissions) -> list[str]:
    """Return permissions that a table lacks, as Discord names them."""
    held = dict(had)
    return [
        "View Channel" if name == "read_messages" else name.replace("_", " ").title().replace(" In ", " in ")
        for name, needed in NEEDED
        if needed and not held[name]
    ]


def ping_obstacle(role: discord.Role, had: discord.Permissions) -> str:
    if role.is_default():
        return "I never ping everyone. An admin can choose another role with `/admin config ask_role:`."
    if role.mentionable or had.mention_everyone:
        return ""
    return (
        f"Nobody in {role.mention} would get my ping. An admin can turn on **Allow anyone to @mention this "
        "role** in its settings, or give me **Mention @everyone, @here, and All Roles**."
    )


def require_permissions(interaction: Interaction) -> None:
    missing = missing_permissions(interaction.app_permissions)
    if missing:
        raise Refused(f"I need these permissions in this channel first: {', '.join(missing)}.")
