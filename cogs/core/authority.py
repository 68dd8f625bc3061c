"""Who may administer the tables of a server: Manage Server, a role, and whom Discord lets use `/admin`."""

from __future__ import annotations

import logging
from typing import Any, cast

import discord
from cachetools import TTLCache
from discord.ext import commands

from cogs.core.app import app_of
from cogs.ui.errors import NOT_IN_A_DM
from cogs.ui.interaction import Interaction
from tables.core.table import Refused
from tables.runtime.cache import Cache

log = logging.getLogger(__name__)
GROUP = "admin"
Permissions = tuple[discord.app_commands.AppCommandPermissions, ...]
KNOWN_FOR = 60.0
"""Seconds for which it is remembered whom a server has let in by its Integrations."""
SERVERS = 1000


class Integrations(commands.Cog):
    """Knows whom a server has allowed `/admin` under *Server Settings → Integrations*.

    Discord itself asks these settings before a typed command; a press of a button it lets through from
    anybody who sees it, so they are looked up.
    """

    def __init__(self, bot: commands.Bot) -> None:
        self._bot = bot
        self._command: discord.app_commands.AppCommand | None = None
        self._known: Cache[int, Permissions] = Cache(TTLCache(SERVERS, KNOWN_FOR))

    async def let_in(self, member: discord.Member) -> bool:
        """Whether the server allows this member, or a role of theirs, the `/admin` commands by name.

        What it says of everybody makes nobody an administrator.
        """
        own = list[bool]()
        roles = {role.id for role in member.roles if not role.is_default()}
        of_roles = list[bool]()
        for one in await self._permissions(member.guild):
            if one.id == member.id:
                own.append(one.permission)
            elif one.id in roles:
                of_roles.append(one.permission)
        return any(own or of_roles)

    async def _permissions(self, guild: discord.Guild) -> Permissions:
        """What a server has set for `/admin` itself; nothing where it has set nothing."""
        return await self._known.read(guild.id, lambda: self._asked(guild))

    async def _asked(self, guild: discord.Guild) -> Permissions:
        if self._command is None:
            registered = await self._bot.tree.fetch_commands()
            self._command = next((one for one in registered if one.name == GROUP), None)
        if self._command is None:
            return ()
        try:
            return tuple((await self._command.fetch_permissions(guild)).permissions)
        except discord.NotFound:  # the server has set nothing
            return ()
        except discord.HTTPException as error:
            log.warning("server %s: its Integrations can't be read: %s", guild.id, error)
            return ()


async def is_admin(interaction: Interaction) -> bool:
    """Whether the asker may administer the tables of this server."""
    member = interaction.user
    if interaction.guild_id is None or not isinstance(member, discord.Member):
        return False
    if interaction.permissions.manage_guild:
        return True
    role = (await app_of(interaction).parlour.settings(interaction.guild_id)).admin_role_id
    if role is not None and member.get_role(role) is not None:
        return True
    bot = cast(commands.Bot, interaction.client)
    return await cast(Integrations, bot.get_cog("Integrations")).let_in(member)


async def require_admin(interaction: Interaction) -> int:
    """The server in which an administrator asks. Raises Refused for anybody else."""
    if interaction.guild_id is None or not isinstance(interaction.user, discord.Member):
        raise Refused(NOT_IN_A_DM)
    if not await is_admin(interaction):
        raise Refused(
            "That's for admins of this server: Manage Server, the role set in `/admin config`, "
            "or anyone Server Settings → Integrations lets use `/admin`."
        )
    return interaction.guild_id


async def write_down(interaction: Interaction, table_id: int | None, action: str, **details: Any) -> int:
    """Write down what an administrator has done here, and give back the number of the entry.

    `details` are those of `tables.servers.audit`.
    """
    parlour = app_of(interaction).parlour
    return await parlour.write_down(
        interaction.guild_id or 0, table_id, interaction.user.id, action, **details
    )


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(Integrations(bot))
