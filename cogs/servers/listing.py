"""All open tables of a server on one page: lobbies with free seats, games with those to move."""

from collections.abc import Sequence

import discord

from cogs.core import time_words
from cogs.core.app import App, table_url
from cogs.core.presenter import presenter
from cogs.ui.page import PRIMARY, Button, ButtonLine, Page, Part
from cogs.ui.press import Press
from engines.names import quote, quote_player, quote_players
from engines.registry import SLUGS
from tables.core.table import Phase, Table

LOBBIES, GAMES = 8, 30
"""Lobbies with a button, and games with a line; the others are counted."""
GAMES_LENGTH = 2400
"""The characters of all lines of games, of the 4000 of a message."""


async def listing(app: App, guild: discord.Guild) -> Page:
    """Return the open tables: newest lobbies first, games by number."""
    offered = app.parlour.invitations.filter_offers
    lobbies = await offered(await app.parlour.tables_in(guild.id, (Phase.LOBBY,), 100), None)
    games = await offered(await app.parlour.tables_in(guild.id, (Phase.PLAY,), 100), None)
    page = Page([heading(guild)])
    if not lobbies and not games:
        openers = ", ".join(f"`/{slug} new`" for slug in SLUGS)
        page.parts.append(f"No open tables. Start one with {openers}.")
    if lobbies:
        page.parts.append("**Players wanted**")
        newest = sorted(lobbies, key=lambda table: -table.id)[:LOBBIES]
        page.parts += [await _lobby(app, table) for table in newest]
        page.parts += _more(len(lobbies) - len(newest), "lobby", "lobbies")
    if games:
        page.parts += ["**Being played**", *_games(sorted(games, key=lambda table: table.id))]
    return page


def heading(guild: discord.Guild) -> str:
    """Return the board's first line, which identifies it."""
    return f"### Tables of {quote(guild.name)}"


async def _lobby(app: App, table: Table) -> Part:
    free = table.room - table.taken
    seats = f"{free} {'seat' if free == 1 else 'seats'} free" if free else "full, about to start"
    card = await app.parlour.store.find_last_post(table.id, "lobby", 0)
    address = table_url(table) if card is None else f"{table_url(table)}/{card.message_id}"
    text = (
        f"[**{table.game.title}** · table {table.id}]({address})\n"
        f"{_names(table)} · **{seats}**\n"
        f"-# {presenter(table).summary(table.options, len(table.seats))} · "
        f"{'no clock' if not table.pace.kept else f'pace {table.pace.name}'}"
    )
    join = Button(f"Join table {table.id}", Press("lobby", "join", table.id, 0, "board"), PRIMARY)
    return ButtonLine(text, join) if free else text


def _games(tables: Sequence[Table]) -> list[Part]:
    lines: list[str] = []
    for table in tables[:GAMES]:
        link = f"[**{table.game.title}** · table {table.id}]({table_url(table)})"
        line = f"{link}: {_names(table)}\n-# {_turn(table)}"
        if sum(map(len, lines)) + len(line) > GAMES_LENGTH:
            break
        lines.append(line)
    return ["\n".join(lines), *_more(len(tables) - len(lines), "game", "games")]


def _turn(table: Table) -> str:
    if table.paused_at is not None:
        until = "" if table.paused_until is None else f" until <t:{table.paused_until:.0f}:f>"
        return f"⏸️ paused{until}"
    if table.obstacle is not None:
        return time_words.UNSHOWN
    waited = table.awaited
    if not waited:
        return (
            "🪑 A seat is free"
            if set(table.owing) <= set(table.offered_seats)
            else "🤖 a computer player's turn"
        )
    who = ", ".join(quote_player(table.names, seat) for seat in waited)
    late = [seat for seat in waited if table.clock(seat).late is not None]
    begun = min(table.clock(seat).begun for seat in waited)
    since = f". The turn began <t:{begun:.0f}:R>" if begun else ""
    return f"{'⏰ Late: ' if late else '▶️ Waiting for '}{who}{since}"


def _names(table: Table) -> str:
    return ", ".join(quote_players(table.players))


def _more(number: int, one: str, several: str) -> list[Part]:
    if number <= 0:
        return []
    return [f"-# `/table list` shows {number} more {one if number == 1 else several}."]
