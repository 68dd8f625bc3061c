"""Commands to export a game, import one, fork it at one of its turns, or get its log."""

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of, name_of, require_permissions, table_link
from cogs.core.lookup import FinishedTable, PlayedTable, table_here
from cogs.lobby.lobby import close_unless_shown, place_here, require_opening, show_card
from cogs.review.log import log_of
from cogs.ui.answering import say
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Document, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply
from cogs.ui.signs import to_label
from cogs.ui.suggest import suggest_choices
from engines.names import quote_player
from tables.core.table import EVER, Occupant, Phase, Refused, Table
from tables.review.format import is_importable, require_small


async def turns(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: the turns to fork a finished game at, the last first."""
    app = app_of(interaction)
    try:
        table = await table_here(interaction, interaction.namespace.table, EVER, app.parlour.table_lists)
        entries = await app.parlour.record.turns(table)
    except Refused:
        return []
    lines = {
        turn.number: to_label(
            f"{turn.number} · {', '.join(quote_player(table.names, seat) for seat in turn.seats)}"
        )
        for turn in reversed(entries[:-1])
    }
    return suggest_choices({**lines, 0: "0 · the deal"} if 0 in lines else lines, current)


class ImportExportCommands(commands.GroupCog):
    """The part of the `/table` commands that imports, exports and forks games."""

    @app_commands.command(
        name="export", description="Get the game as a file, with everything you're allowed to see"
    )
    async def export(self, interaction: Interaction, table: PlayedTable | None = None) -> None:
        target = await table_here(interaction, table, EVER)
        await reply(interaction, await _file(interaction, target))

    @app_commands.command(name="log", description="Get the whole game as text, turn by turn")
    async def log(self, interaction: Interaction, table: PlayedTable | None = None) -> None:
        target = await table_here(interaction, table, EVER)
        await reply(interaction, await _log(interaction, target))

    @app_commands.command(name="import", description="Open a table from a file that /table export made")
    @app_commands.guild_only()
    async def import_file(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Import a file: a past game, or a lobby with its deal."""
        guild_id, channel_id = await place_here(interaction)
        require_small(file.size)
        app, host = app_of(interaction), Occupant(name_of(interaction.user), interaction.user.id)
        table = await app.parlour.import_export.open(guild_id, channel_id, host, await _read(file))
        if table.phase is Phase.LOBBY:
            async with close_unless_shown(app, table):
                return await show_card(interaction, app, table)
        await say(interaction, f"Your game is at table {table.id} now. I'll post the last board in a moment.")

    @app_commands.command(name="fork", description="Continue a finished game from any turn, at a new table")
    @app_commands.describe(at="Which turn to continue from; 0 is the deal")
    @app_commands.autocomplete(at=turns)
    @app_commands.guild_only()
    async def fork(
        self,
        interaction: Interaction,
        at: app_commands.Range[int, 0, 9999],
        table: FinishedTable | None = None,
    ) -> None:
        await _fork(interaction, await table_here(interaction, table, EVER), at)


async def _fork(interaction: Interaction, table: Table, at: int) -> None:
    require_permissions(interaction)
    await require_opening(interaction, table.guild_id, table.channel_id)
    app, host = app_of(interaction), Occupant(name_of(interaction.user), interaction.user.id)
    fork = await app.parlour.import_export.fork(table.id, at, host)
    async with close_unless_shown(app, fork):
        if interaction.channel_id == fork.channel_id:
            return await show_card(interaction, app, fork)
        await app.parlour.refresh(fork.id, "lobby", fresh=True)
    await say(interaction, f"Table {fork.id} is open. {table_link(fork)}")


def export_buttons(table_id: int) -> list[Button]:
    """Return the buttons to export a game as file and text."""
    return [
        Button("Export", Press("table", "export", table_id)),
        Button("Log", Press("table", "log", table_id)),
    ]


@on_press("table", "export")
async def on_export(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _file(interaction, await app_of(interaction).parlour.table(press.table)))


@on_press("table", "log")
async def on_log(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _log(interaction, await app_of(interaction).parlour.table(press.table)))


@on_press("table", "fork")
async def on_fork(interaction: Interaction, press: Press) -> None:
    await _fork(interaction, await app_of(interaction).parlour.table(press.table), press.number)


async def _read(file: discord.Attachment) -> bytes:
    try:
        return await file.read()
    except discord.HTTPException:
        raise Refused("Discord didn't give me that file. Try again.") from None


async def _file(interaction: Interaction, table: Table) -> Page:
    data = await app_of(interaction).parlour.import_export.export(
        table.id, table.seat_of(interaction.user.id)
    )
    if table.phase is Phase.OVER:
        text = f"This is the whole game of table {table.id}. `/table import` opens the file in any server."
    else:
        text = (
            f"This is the game of table {table.id} so far, with everything you're allowed to see. "
            "You can't import this file. When the game is over, export the game again to get a "
            "complete file that you can import."
        )
    if not is_importable(table.slug, data):
        text += " This file is too large to import."
    return Page([text, Document(f"{table.slug}-{table.id}.json", data)])


async def _log(interaction: Interaction, table: Table) -> Page:
    result = await log_of(app_of(interaction), table, table.seat_of(interaction.user.id))
    text = (
        f"The log of table {table.id}{'' if table.phase is Phase.OVER else ', with everything you can see'}."
    )
    return Page([text, Document(f"{table.slug}-{table.id}.txt", result.encode())])
