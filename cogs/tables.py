"""Commands and buttons of a table that are the same for every game."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs import words
from cogs.app import (
    App,
    app_of,
    game_of,
    link,
    name_of,
    named,
    of_game,
    require_permissions,
    table_here,
)
from cogs.board import board_post, hand_page, lines_of
from cogs.lobby import show_card
from cogs.presenter import presenter, presenter_of
from cogs.ui.errors import say
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply
from engines.game import Strength
from engines.registry import SLUGS
from tables.fairness import draw_of
from tables.model import EVER, OPEN, Phase, Refused, Stale, Table
from tables.play import Perspective
from tables.repository import require_play

PRIMARY, DANGER = discord.ButtonStyle.primary, discord.ButtonStyle.danger
HISTORY_PAGE = 20
Interaction = discord.Interaction[Any]


async def table_choices(
    interaction: Interaction, current: str, phases: tuple[Phase, ...]
) -> list[app_commands.Choice[int]]:
    """The tables that a command may be about, the caller's own first; for a game's own, tables of it."""
    recent = app_of(interaction).parlour.recent
    mine = await recent.tables_of(interaction.user.id, phases)
    others = [] if interaction.guild_id is None else await recent.tables_in(interaction.guild_id, phases)
    seen: dict[int, Table] = {}
    for table in of_game(game_of(interaction), [*mine, *others]):
        if interaction.guild_id in (None, table.guild_id):
            seen.setdefault(table.id, table)
    return [
        app_commands.Choice(
            name=f"{table.id} · {table.game.title}: {', '.join(table.names)}"[:100], value=table.id
        )
        for table in seen.values()
        if current in str(table.id) or current.lower() in ", ".join(table.names).lower()
    ][:25]


async def open_tables(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: open tables."""
    return await table_choices(interaction, current, OPEN)


async def all_tables(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: open and finished tables."""
    return await table_choices(interaction, current, EVER)


class Tables(
    commands.GroupCog, group_name="table", group_description="Tables: look, sit down, leave, look back"
):
    """The `/table` commands. Without `table:` they mean the table of the thread or channel."""

    @app_commands.command(name="list", description="The open tables of this server")
    @app_commands.guild_only()
    async def list_tables(self, interaction: Interaction) -> None:
        """List a server's open tables."""
        parlour = app_of(interaction).parlour
        tables = await parlour.tables_in(interaction.guild_id or 0, limit=26)
        if not tables:
            openers = ", ".join(f"`/{slug} new`" for slug in SLUGS)
            return await say(interaction, f"No table is open here. Open one with {openers}.")
        lines = [words.status(table) for table in tables[:25]]
        if len(tables) > 25:
            lines.append("… and more; `/table show` finds any by its number.")
        await reply(interaction, _plain("\n".join(lines)))

    @app_commands.command(name="show", description="How a table stands")
    @app_commands.autocomplete(table=all_tables)
    async def show(self, interaction: Interaction, table: int | None = None) -> None:
        """Show a table's card, or its board with who is waited for."""
        found = await table_here(interaction, table, EVER)
        text = words.status(found)
        speaker = presenter(found)
        await reply(
            interaction, _plain(f"{text}\n{speaker.summary(found.options, len(found.seats))}\n{link(found)}")
        )

    @app_commands.command(name="join", description="Sit down at a table")
    @app_commands.autocomplete(table=open_tables)
    async def join(self, interaction: Interaction, table: int | None = None) -> None:
        """Take a seat."""
        app = app_of(interaction)
        found = await table_here(interaction, table)
        joined = await app.parlour.lobby.join(found.id, interaction.user.id, name_of(interaction.user))
        app.parlour.outbox.wake(joined.id)
        await say(interaction, f"You sit at table {joined.id} now. {link(joined)}")

    @app_commands.command(name="leave", description="Give up your seat before the game begins")
    @app_commands.autocomplete(table=open_tables)
    async def leave(self, interaction: Interaction, table: int | None = None) -> None:
        """Give up a seat in a lobby."""
        app = app_of(interaction)
        found = await table_here(interaction, table)
        if found.phase is Phase.PLAY and found.seat_of(interaction.user.id) is not None:
            return await reply(interaction, _leaving(found))
        left = await app.parlour.lobby.leave(found.id, interaction.user.id)
        app.parlour.outbox.wake(left.id)
        await say(interaction, f"You have left table {left.id}.")

    @app_commands.command(name="start", description="Begin the game (the host)")
    @app_commands.autocomplete(table=open_tables)
    async def start(self, interaction: Interaction, table: int | None = None) -> None:
        """Deal and begin."""
        app = app_of(interaction)
        found = await table_here(interaction, table)
        if interaction.channel_id == found.channel_id:
            require_permissions(interaction)
        begun = await app.parlour.lobby.start(found.id, interaction.user.id)
        await say(interaction, f"Table {begun.id} begins.")

    @app_commands.command(name="hand", description="Your own hand, for your eyes only")
    @app_commands.autocomplete(table=open_tables)
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        """Show one's own hand."""
        found = await table_here(interaction, table)
        await show_hand(interaction, Press("table", "hand", found.id))

    @app_commands.command(name="board", description="The board as it stands, for your eyes only")
    @app_commands.autocomplete(table=all_tables)
    async def board(self, interaction: Interaction, table: int | None = None) -> None:
        """Show the board."""
        await show_board(interaction, await table_here(interaction, table, EVER))

    @app_commands.command(name="undo", description="Take back your last step")
    @app_commands.autocomplete(table=open_tables)
    async def undo(self, interaction: Interaction, table: int | None = None) -> None:
        """Take back one's own last step."""
        found = await table_here(interaction, table)
        await undo_step(interaction, found.id, None)

    @app_commands.command(name="resign", description="Leave a game that is going on")
    @app_commands.autocomplete(table=open_tables)
    async def resign(self, interaction: Interaction, table: int | None = None) -> None:
        """Ask how to leave."""
        found = await table_here(interaction, table)
        if found.phase is not Phase.PLAY:
            raise Refused("The game has not begun. `/table leave` gives up your seat.")
        if found.seat_of(interaction.user.id) is None:
            raise Refused("You don't play at this table.")
        await reply(interaction, _leaving(found))

    @app_commands.command(name="history", description="What has happened, line by line")
    @app_commands.autocomplete(table=all_tables)
    async def history(self, interaction: Interaction, table: int | None = None) -> None:
        """Show a table's history, the newest page first."""
        found = await table_here(interaction, table, EVER)
        await reply(interaction, _history(interaction, found.id, None))

    @app_commands.command(name="verify", description="Check that the deal was fair")
    @app_commands.autocomplete(table=all_tables)
    async def verify(self, interaction: Interaction, table: int | None = None) -> None:
        """Deal again from the seed and compare."""
        found = await table_here(interaction, table, EVER)
        await say(interaction, words.verdict(found, draw_of(found)))


async def show_board(interaction: Interaction, table: Table) -> None:
    """Answer with the board as it stands."""
    app = app_of(interaction)
    if table.deal is None:
        raise Refused("The game has not begun yet, so there is no board.")

    async def build() -> Page:
        return (await board_post(app, table.id, after=None, memo=None)).page

    await reply(interaction, build())


@on_press("table", "hand")
async def show_hand(interaction: Interaction, press: Press) -> None:
    """Answer with the presser's own hand."""
    app = app_of(interaction)
    perspective = await app.parlour.play.perspective(press.table, interaction.user.id)
    if perspective.seat is None:
        raise Refused(words.NO_HAND)
    await reply(interaction, hand_page(app, perspective))


@on_press("table", "turn")
async def take_turn(interaction: Interaction, press: Press) -> None:
    """Open the presser's private panel."""
    await reply(interaction, panel_page(interaction, press.table), edit=True)


async def panel_page(interaction: Interaction, table_id: int) -> Page:
    """The panel of whoever asks, with what was drafted in it. Raises Refused when it isn't their turn."""
    app = app_of(interaction)
    table = await app.parlour.table(table_id)
    if table.phase in (Phase.OVER, Phase.CLOSED):
        raise Refused("This game is over. **Rematch** under the last post opens a new one.")
    perspective = await app.parlour.play.perspective(table_id, interaction.user.id)
    if not await may_act(app, perspective):
        require_turn(perspective)
    return await presenter(perspective.table).panel(app, perspective)


async def may_act(app: App, perspective: Perspective) -> bool:
    """Whether the seat owes a move or, in a simultaneous game, may still change the answer it gave."""
    if perspective.seat is None or perspective.seat in perspective.table.owing:
        return perspective.seat is not None
    user = perspective.table.seats[perspective.seat].user_id
    return (
        perspective.table.game.simultaneous
        and user is not None
        and bool(await app.parlour.play.moves(perspective.table.id, user))
    )


def require_turn(perspective: Perspective) -> None:
    """Raises Refused for who doesn't owe a move, saying who does."""
    if perspective.seat is None:
        raise Refused("You don't play at this table. `/table list` shows tables that wait for players.")
    require_play(perspective.table)
    if perspective.seat not in perspective.table.owing:
        waited = ", ".join(f"**{named(perspective.table.names, seat)}**" for seat in perspective.table.owing)
        raise Refused(f"It isn't your turn; {waited} is to move. You'll be mentioned when it is yours.")


async def undo_step(interaction: Interaction, table_id: int, seen: int | None, *, edit: bool = False) -> None:
    """Take back the asker's last step and show the panel as it is then."""
    app = app_of(interaction)
    await app.parlour.play.undo(table_id, interaction.user.id, seen)
    app.parlour.outbox.wake(table_id)
    await reply(interaction, panel_page(interaction, table_id), edit=edit)


@on_press("table", "undo")
async def undo_pressed(interaction: Interaction, press: Press) -> None:
    """Take back a step from the panel."""
    try:
        await undo_step(interaction, press.table, press.moment, edit=True)
    except Stale as stale:
        await renewed(interaction, press.table, stale)


async def renewed(interaction: Interaction, table_id: int, stale: Stale) -> None:
    """Answer a press on a panel that the table has left behind: say so, and show the panel of now."""

    async def build() -> Page:
        try:
            page = await panel_page(interaction, table_id)
        except Refused as refused:
            return Page([f"The table has moved on. {refused}"])
        page.parts.insert(0, f"*{stale}*")
        return page

    await reply(interaction, build(), edit=True)


@on_press("table", "rules")
async def rules_pressed(interaction: Interaction, press: Press) -> None:
    """Show the rules of the table's game."""
    table = await app_of(interaction).parlour.table(press.table)
    await show_rules(interaction, table.slug, 0)


async def show_rules(interaction: Interaction, slug: str, number: int, *, edit: bool = False) -> None:
    """Show one page of a game's rules, with the way to the others."""
    await reply(interaction, _rules(slug, number), edit=edit)


async def _rules(slug: str, number: int) -> Page:
    pages = presenter_of(slug).rules()
    number = max(0, min(number, len(pages) - 1))
    page = Page(list(pages[number].parts))
    page.parts.append(
        [
            Button("Back", Press("rules", "page", 0, 0, f"{slug}.{number - 1}"), disabled=number == 0),
            Button(f"{number + 1} of {len(pages)}", Press("rules", "here", 0, 0, slug), disabled=True),
            Button(
                "Next",
                Press("rules", "page", 0, 0, f"{slug}.{number + 1}"),
                PRIMARY,
                disabled=number + 1 == len(pages),
            ),
        ]
    )
    return page


@on_press("rules", "page")
async def rules_page(interaction: Interaction, press: Press) -> None:
    """Turn a page of the rules."""
    slug, _, number = press.arg.partition(".")
    await show_rules(interaction, slug, int(number), edit=True)


@on_press("rules", "open")
async def rules_open(interaction: Interaction, press: Press) -> None:
    """Open the rules of a game from the help."""
    await show_rules(interaction, press.arg, 0)


@on_press("table", "more")
async def more(interaction: Interaction, press: Press) -> None:
    """What else can be done at a table."""
    table = await app_of(interaction).parlour.table(press.table)

    async def build() -> Page:
        row = [
            Button("Board now", Press("table", "board", table.id)),
            Button("History", Press("table", "history", table.id)),
            Button("Check the deal", Press("table", "verify", table.id)),
        ]
        if table.phase is Phase.PLAY and table.seat_of(interaction.user.id) is not None:
            row.append(Button("Leave the game", Press("table", "leave", table.id), DANGER))
        return Page(
            [f"{words.status(table)}\n{presenter(table).summary(table.options, len(table.seats))}", row]
        )

    await reply(interaction, build())


@on_press("table", "board")
async def board_pressed(interaction: Interaction, press: Press) -> None:
    """Show the board as it stands."""
    await show_board(interaction, await app_of(interaction).parlour.table(press.table))


@on_press("table", "history")
async def history_pressed(interaction: Interaction, press: Press) -> None:
    """Show a page of the history; from its own buttons in place."""
    number = int(press.arg) if press.arg else None
    await reply(interaction, _history(interaction, press.table, number), edit=number is not None)


async def _history(interaction: Interaction, table_id: int, number: int | None) -> Page:
    app = app_of(interaction)
    perspective = await app.parlour.play.perspective(table_id, interaction.user.id)
    rows = await app.parlour.play.line(table_id)
    told = lines_of(perspective.table, perspective.view, rows, perspective.seat)
    pages = max(1, -(-len(told) // HISTORY_PAGE))
    at = pages - 1 if number is None else max(0, min(number, pages - 1))
    part = told[at * HISTORY_PAGE : (at + 1) * HISTORY_PAGE]
    page = Page([f"**Table {table_id}**, page {at + 1} of {pages}\n" + "\n".join(part)])
    if pages > 1:
        page.parts.append(
            [
                Button("Earlier", Press("table", "history", table_id, 0, str(at - 1)), disabled=at == 0),
                Button(
                    "Later", Press("table", "history", table_id, 0, str(at + 1)), disabled=at + 1 == pages
                ),
            ]
        )
    return page


@on_press("table", "verify")
async def verify_pressed(interaction: Interaction, press: Press) -> None:
    """Check the deal."""
    table = await app_of(interaction).parlour.table(press.table)
    await say(interaction, words.verdict(table, draw_of(table)))


async def _leaving(table: Table) -> Page:
    row = [
        Button("Resign", Press("table", "resign", table.id), DANGER),
        Button("Let a computer play on for me", Press("table", "handover", table.id)),
        Button("Stay", Press("table", "stay", table.id), PRIMARY),
    ]
    return Page([f"**Leave {table.game.title}, table {table.id}?** It can't be undone.", row])


@on_press("table", "leave")
async def leave_pressed(interaction: Interaction, press: Press) -> None:
    """Ask how to leave."""
    await reply(interaction, _leaving(await app_of(interaction).parlour.table(press.table)))


@on_press("table", "stay")
async def stay(interaction: Interaction, press: Press) -> None:
    """Think better of it."""
    await reply(interaction, _plain("You stay. Good."), edit=True)


@on_press("table", "resign")
async def resign_pressed(interaction: Interaction, press: Press) -> None:
    """Leave the game for good."""
    await app_of(interaction).parlour.play.resign(press.table, interaction.user.id)
    await reply(interaction, _plain("You have left the game."), edit=True)


@on_press("table", "handover")
async def hand_over(interaction: Interaction, press: Press) -> None:
    """Leave the seat to a computer player."""
    parlour = app_of(interaction).parlour
    table = await parlour.table(press.table)
    seat = table.seat_of(interaction.user.id)
    if seat is None:
        raise Refused("You don't play at this table.")
    await parlour.play.hand_over(table.id, seat, interaction.user.id, Strength.STRONG)
    await reply(interaction, _plain("A computer player goes on for you. Thank you for playing."), edit=True)


@on_press("table", "rematch")
async def rematch(interaction: Interaction, press: Press) -> None:
    """Open a lobby with the same people and options, in the channel of the table."""
    app = app_of(interaction)
    table = await app.parlour.rematch(press.table, interaction.user.id)
    if interaction.channel_id == table.channel_id:
        await show_card(interaction, app, table)
    else:
        await app.parlour.refresh(table.id, "lobby")
        await say(interaction, f"Table {table.id} is open for a rematch: {link(table)}")


async def _plain(text: str) -> Page:
    return Page([text])


async def setup(bot: commands.Bot) -> None:
    """Add the cog to a bot."""
    await bot.add_cog(Tables())
