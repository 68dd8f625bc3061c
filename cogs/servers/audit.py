"""`/admin audit`: the log of administrators' actions, page by page."""

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of
from cogs.core.authority import require_admin
from cogs.servers import audit_words as words
from cogs.servers.admin_ways import AUDIT, ways
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply

LAST = 10_000
"""The largest page number of the log."""


class AuditLog(commands.GroupCog):
    """The part of the `/admin` commands that shows the log."""

    @app_commands.command(name="audit", description="See what admins did here, newest first")
    @app_commands.describe(
        table="Only at this table", by="Only by this person", page="Ten lines a page, newest first"
    )
    @app_commands.guild_only()
    async def audit(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1, 2**31 - 1] | None = None,
        by: discord.User | None = None,
        page: app_commands.Range[int, 1, LAST] = 1,
    ) -> None:
        await show(interaction, table, None if by is None else by.id, page)


async def show(interaction: Interaction, table_id: int | None, actor_id: int | None, page: int) -> None:
    """Show a page of the log. Raise Refused unless the asker administers."""
    await reply(interaction, await _page(interaction, table_id, actor_id, page), edit=True)


async def _page(interaction: Interaction, table_id: int | None, actor_id: int | None, number: int) -> Page:
    audit = app_of(interaction).parlour.audit
    entries, more = await audit.page(await require_admin(interaction), table_id, actor_id, number)

    def press(page: int) -> Press:
        return Press("audit", "page", table_id or 0, page, "" if actor_id is None else str(actor_id))

    row = [
        Button("Page before", press(max(1, number - 1)), disabled=number <= 1),
        Button("Page after", press(number + 1), disabled=not more or number >= LAST),
    ]
    if table_id is not None:
        row.append(Button(f"Table {table_id}", Press("admin", "table", table_id)))
    return Page([ways(AUDIT), words.heading(table_id, actor_id, number), words.lines(entries, number), row])


@on_press("audit", "page")
async def on_page(interaction: Interaction, press: Press) -> None:
    actor_id = press.number if press.arg else None
    await show(interaction, press.table or None, actor_id, min(max(press.moment, 1), LAST))
