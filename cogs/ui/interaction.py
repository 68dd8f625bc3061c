"""The type of every handler's argument: an interaction of any kind of client."""

from typing import Any

import discord

Interaction = discord.Interaction[Any]
"""A press, a command or a form that somebody has sent."""
