"""Commands to export, import or fork a game, and its log as text."""

from collections.abc import AsyncIterator, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import story, words
from cogs.core.app import App, app_of, name_of, require_permissions, table_link
from cogs.core.lookup import FinishedTable, PlayedTable, table_here
from cogs.core.presenter import presenter
from cogs.lobby.lobby import close_unless_shown, place_here, require_opening, show_card
from cogs.ui.form import reply, suggest_choices
from cogs.ui.page import Document, Page
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction, to_label
from engines.game import Seat
from engines.marks import player_name, quote_player
from tables.core.table import EVER, Occupant, Phase, Refused, Table
from tables.review.format import is_importable, require_small
from tables.review.record import RecordedTurn

AT_ONCE = 8
"""Turns whose positions are replayed at once."""


async def log_of(app: App, table: Table, seat: Seat | None) -> str:
    """Return the log that a seat (None: everybody) may read. Raise Refused if the game has not begun."""
    turns = await app.parlour.record.turns(table)
    over = f", over {words.instant(turns[-1].at)}" if table.phase is Phase.OVER else ""
    lines = [
        f"{table.game.title}, table {table.id}",
        words.plain(presenter(table).describe_game(table.options, len(table.seats))),
        f"Players: {', '.join(name_player(table, seat) for seat in range(len(table.seats)))}",
        f"Begun {words.instant(turns[0].at)}{over}",
    ]
    parts = ["\n".join(lines)]
    async for part in _turn_texts(app, table, turns, seat):
        parts.append(part)
    view = await app.parlour.record.view(table, turns[-1].version, seat)
    if table.phase is Phase.PLAY:
        parts.append("The game isn't over yet.")
    elif table.outcome is None:
        parts.append(words.CALLED_OFF)
    else:
        parts.append(f"The end: {words.plain(presenter(table).words.result(view, table.names))}")
    return "\n\n".join(parts) + "\n"


def name_player(table: Table, seat: Seat) -> str:
    occupant = table.seats[seat]
    name = player_name(table.names, seat)
    return f"{name} (computer, {occupant.strength})" if occupant.computer else name


async def _turn_texts(
    app: App, table: Table, turns: Sequence[RecordedTurn], seat: Seat | None
) -> AsyncIterator[str]:
    """Yield each turn with its lines, as of its own moment."""
    for begin in range(0, len(turns), AT_ONCE):
        some = turns[begin : begin + AT_ONCE]
        for turn, view in zip(some, await app.parlour.record.views(table, some, seat), strict=True):
            rows = await app.parlour.record.entries(table, turn)
            lines = await story.record_lines(app.parlour.record, table, view, rows, seat)
            result = "\n".join(f"  {line}" for text in lines for line in words.plain(text).splitlines())
            # While all answer at once, even the number of answers is a secret.
            if result or not table.game.simultaneous or table.phase is Phase.OVER:
                title = f"Turn {turn.number}" if turn.number else "The start"
                if turn.seats and not table.game.simultaneous:
                    title += f": {', '.join(player_name(table.names, seat) for seat in turn.seats)}"
                yield f"{title}, {words.instant(turn.at)}\n{result}".rstrip()


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

    @app_commands.command(description="Get the game as a file, with everything you're allowed to see")
    async def export(self, interaction: Interaction, table: PlayedTable = None) -> None:
        await reply(interaction, await _file(interaction, await table_here(interaction, table, EVER)))

    @app_commands.command(description="Get the whole game as text, turn by turn")
    async def log(self, interaction: Interaction, table: PlayedTable = None) -> None:
        await reply(interaction, await _log(interaction, await table_here(interaction, table, EVER)))

    @app_commands.command(name="import", description="Open a table from a file that /table export made")
    async def import_file(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Import a file: a past game, or a lobby with its deal."""
        guild_id, channel_id = await place_here(interaction)
        require_small(file.size)
        app, host = app_of(interaction), Occupant(name_of(interaction.user), interaction.user.id)
        try:
            data = await file.read()
        except discord.HTTPException:
            raise Refused("Discord didn't give me that file. Try again.") from None
        table = await app.parlour.import_export.open(guild_id, channel_id, host, data)
        if table.phase is Phase.LOBBY:
            async with close_unless_shown(app, table):
                return await show_card(interaction, app, table)
        await say(interaction, f"Your game is at table {table.id} now. I'll post the last board in a moment.")

    @app_commands.command(description="Continue a finished game from any turn, at a new table")
    @app_commands.describe(at="Which turn to continue from; 0 is the deal")
    @app_commands.autocomplete(at=turns)
    async def fork(
        self, interaction: Interaction, at: app_commands.Range[int, 0, 9999], table: FinishedTable = None
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


@on_press("table", "export")
async def on_export(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _file(interaction, await app_of(interaction).parlour.table(press.table)))


@on_press("table", "log")
async def on_log(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await _log(interaction, await app_of(interaction).parlour.table(press.table)))


@on_press("table", "fork")
async def on_fork(interaction: Interaction, press: Press) -> None:
    await _fork(interaction, await app_of(interaction).parlour.table(press.table), press.number)


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
