"""Commands for those who run a server: people with Manage Server, and others they allow."""

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
    """The `/admin` commands: irreversible steps are confirmed, logged, and reported at the table.

    Discord shows the commands to Manage Server, and to those whom a server's Integrations allow.
    """


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Admin())
