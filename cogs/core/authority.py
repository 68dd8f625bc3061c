"""Decides who may administer a server's tables: Manage Server, a role, or its Integrations."""

import logging
from typing import Any, cast

import discord
from cachetools import TTLCache
from discord.ext import commands

from cogs.core.app import app_of
from cogs.ui.answering import NOT_IN_A_DM
from cogs.ui.interaction import Interaction
from tables.core.table import Refused
from tables.runtime.cache import Cache

log = logging.getLogger(__name__)
GROUP = "admin"
Permissions = tuple[discord.app_commands.AppCommandPermissions, ...]
CACHE_SECONDS = 60.0
"""Seconds for which a server's Integrations settings are cached."""
SERVERS = 1000


class Integrations(commands.Cog):
    """Caches who may use `/admin` under *Server Settings → Integrations*.

    Discord itself checks these settings before a typed command, but not before the press of a button.
    """

    def __init__(self, bot: commands.Bot) -> None:
        self._bot = bot
        self._command: discord.app_commands.AppCommand | None = None
        self._known: Cache[int, Permissions] = Cache(TTLCache(SERVERS, CACHE_SECONDS))

    async def is_allowed(self, member: discord.Member) -> bool:
        """Return True if the server allows a member or role `/admin`.

        A permission for everybody makes nobody an administrator.
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
        """Return a server's permissions for `/admin`; empty if it has set none."""
        return await self._known.read(guild.id, lambda: self._fetch_permissions(guild))

    async def _fetch_permissions(self, guild: discord.Guild) -> Permissions:
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
    member = interaction.user
    if interaction.guild_id is None or not isinstance(member, discord.Member):
        return False
    if interaction.permissions.manage_guild:
        return True
    role = (await app_of(interaction).parlour.settings(interaction.guild_id)).admin_role_id
    if role is not None and member.get_role(role) is not None:
        return True
    bot = cast(commands.Bot, interaction.client)
    return await cast(Integrations, bot.get_cog("Integrations")).is_allowed(member)


async def require_admin(interaction: Interaction) -> int:
    """Return the server of an administrator's request. Raise Refused for anybody else."""
    if interaction.guild_id is None or not isinstance(interaction.user, discord.Member):
        raise Refused(NOT_IN_A_DM)
    if not await is_admin(interaction):
        raise Refused(
            "Only this server's admins can do that. Someone with Manage Server can make you one in "
            "`/admin config`."
        )
    return interaction.guild_id


async def log_action(interaction: Interaction, table_id: int | None, action: str, **details: Any) -> int:
    """Log what an administrator did here; return the entry's number.

    `details` are those of `tables.servers.audit`.
    """
    parlour = app_of(interaction).parlour
    return await parlour.write_down(
        interaction.guild_id or 0, table_id, interaction.user.id, action, **details
    )


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Integrations(bot))
