"""Declares the places of commands: in servers with the bot, or anywhere."""

from typing import TypeVar

from discord import app_commands

T = TypeVar("T")
SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
ADDED_TO_SERVERS = app_commands.AppInstallationType(guild=True, user=False)
"""The default of every command."""


def also_in_dms(command: T) -> T:
    return app_commands.allowed_contexts(guilds=True, dms=True)(command)


def anywhere(command: T) -> T:
    """Offer a command anywhere, also to people who added the app."""
    everywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    return app_commands.allowed_installs(guilds=True, users=True)(everywhere(command))
