"""Your own block list: `/me block`, `/me unblock`, `/me blocked`. The people on it never learn of it."""

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of, name_of
from cogs.ui.answering import say
from cogs.ui.interaction import Interaction
from engines.names import quote
from tables.core.table import Refused
from tables.lobby.blocks import MOST

BLOCKED = (
    "You and {who} no longer see or join each other's tables. I don't tell them. `/me "
    "unblock` ends the block."
)
NOBODY = "You haven't blocked anyone. `/me block` hides someone's tables from you, and your tables from them."


class BlockCommands(commands.GroupCog):
    """The part of the `/me` commands that keeps people apart."""

    @app_commands.command(
        name="block", description="Block someone: you no longer see or join each other's tables"
    )
    @app_commands.describe(member="Who to block; I don't tell them")
    async def block(self, interaction: Interaction, member: discord.User) -> None:
        if member.bot:
            raise Refused("Bots don't join tables, so you can't block them.")
        await app_of(interaction).parlour.blocks.block(interaction.user.id, member.id)
        await say(interaction, BLOCKED.format(who=quote(name_of(member))))

    @app_commands.command(name="unblock", description="Unblock someone: you see each other's tables again")
    @app_commands.describe(member="Who to unblock")
    async def unblock(self, interaction: Interaction, member: discord.User) -> None:
        await app_of(interaction).parlour.blocks.unblock(interaction.user.id, member.id)
        await say(interaction, f"{quote(name_of(member))} is no longer blocked.")

    @app_commands.command(name="blocked", description="See whom you've blocked (nobody else sees this)")
    async def list_blocked(self, interaction: Interaction) -> None:
        numbers = await app_of(interaction).parlour.blocks.blocks_of(interaction.user.id)
        names = ", ".join(f"<@{user_id}>" for user_id in numbers)
        count = "1 person" if len(numbers) == 1 else f"{len(numbers)} people"
        await say(
            interaction, f"You've blocked {count} (you can block {MOST}): {names}" if numbers else NOBODY
        )
