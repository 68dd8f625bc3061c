"""What the group of commands of every game has in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.lookup import open_tables, table_here
from cogs.learning.lessons import open_lesson
from cogs.learning.rulebook import show_rules
from cogs.play.tables import show_board, show_hand
from cogs.ui.press import Press

Interaction = discord.Interaction[Any]


class GameCog(commands.GroupCog):
    """A game's group `/<slug>` with `rules`, `learn`, `hand` and `board`; its own cog adds `new` and moves.

    Class attributes: `slug`; `told`, what a shared command is described by in this game.
    """

    slug: ClassVar[str]
    told: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        super().__init__()
        for command in self.walk_app_commands():
            command.description = self.told.get(command.name, command.description)

    @app_commands.command(name="rules", description="How it is played")
    async def rules(self, interaction: Interaction) -> None:
        """Show the rules."""
        await show_rules(interaction, self.slug, 0)

    @app_commands.command(name="learn", description="Learn it in ten minutes, at a table of your own")
    @app_commands.guild_only()
    async def learn(self, interaction: Interaction) -> None:
        """Open a table to learn the game at, and begin."""
        await open_lesson(interaction, self.slug)

    @app_commands.command(name="hand", description="Your hand, for your eyes only")
    @app_commands.autocomplete(table=open_tables)
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        """Show the caller's hand."""
        found = await table_here(interaction, table)
        await show_hand(interaction, Press("table", "hand", found.id))

    @app_commands.command(name="board", description="The board as it lies")
    @app_commands.autocomplete(table=open_tables)
    async def board(self, interaction: Interaction, table: int | None = None) -> None:
        """Show the board."""
        await show_board(interaction, await table_here(interaction, table))
