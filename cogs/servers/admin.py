"""Commands for those who run a server: Manage Server, and whom they have let in besides."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.servers.admin_list import AdminList
from cogs.servers.admin_panel import AdminPanel
from cogs.servers.admin_tables import AdminTables
from cogs.servers.audit import AuditLog
from cogs.servers.config import Config


@app_commands.default_permissions(manage_guild=True)
class Admin(
    AdminPanel,
    AdminList,
    AdminTables,
    AuditLog,
    Config,
    group_name="admin",
    group_description="For admins of this server",
):
    """`/admin`: every step that can't be undone is asked about, written down, and told at the table.

    Discord shows the commands to Manage Server, and to whom the Integrations of a server allow them.
    """


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(Admin())
