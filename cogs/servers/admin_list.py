"""A server's tables for its administrators: the list, and one table with its actions."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
import msgspec
from discord import app_commands
from discord.ext import commands

from cogs.core import lookup, time_words, words
from cogs.core.app import app_of
from cogs.discord import messages
from cogs.servers import admin_tables
from cogs.servers.admin_tables import IDLE, PHASES, Search, Which, admins_table, answer, digest_of, table_page
from cogs.time import seat_at
from cogs.ui.form import Field, InputForm, Typed, ask, reply
from cogs.ui.page import Button, Menu, Option, Page, Pick
from cogs.ui.press import NOT_OURS, Press, number_of, on_press, slug_of
from cogs.ui.text import Interaction, Line
from engines.marks import clean, quote_player, quote_players
from engines.registry import game, games
from tables.core.table import Refused, Table

TABLES, AUDIT = "tables", "audit"
TITLES = {
    TABLES: ("Tables", "See who has to move, and manage tables"),
    "opening": ("Who and where", "Who can open tables, and where"),
    "time": ("Time", "The usual pace, forbidden paces, late players"),
    "limits": ("Limits and computers", "Limits for open tables, and computer players"),
    "ratings": ("Ratings", "Which tables count for the ratings"),
    "calls": ("Pings and notice board", "Who gets a ping from Ask around, and where all tables are listed"),
    "daily": ("Daily", "The deal of the day: where, when, which games"),
    "admins": ("Who can use /admin", "Which role can use /admin, besides members with Manage Server"),
    AUDIT: ("What admins did", "Who did what, and when"),
}
"""The pages of the panel, with their contents."""


def ways(current: str) -> Menu:
    lines = [Option(title, name, about, chosen=name == current) for name, (title, about) in TITLES.items()]
    return Menu(Press("panel", "page"), "Page", lines)


LAST = 10_000
"""The largest page number of the list."""
ANY = "any"
UNTIL_HELP = "For example 3 days, 2026-12-24 or friday 18:00. Leave empty for no end"
MORE_HELP = "For example 1d12h, 3 days or 90 minutes (at most 30 days)"


def search_of(arg: str) -> Search:
    """Return a press's search (default: open tables). Raise Refused if malformed.

    >>> search_of("open.ribbon.0.3")
    Search(which='open', game='ribbon', member=0, idle=3)
    """
    if not arg:
        return Search()
    which, slug, member, idle = (*arg.split("."), "", "", "", "")[:4]
    search = Search(which, slug and slug_of(slug), number_of(member), number_of(idle))
    if which not in PHASES or search.idle not in IDLE:
        raise Refused(NOT_OURS)
    return search


async def show_list(interaction: Interaction, search: Search, page: int = 1) -> None:
    await reply(interaction, await _list(interaction, search, min(max(page, 1), LAST)), edit=True)


async def _list(interaction: Interaction, search: Search, number: int) -> Page:
    guild_id = await lookup.require_admin(interaction)
    tables, more = await app_of(interaction).parlour.tables_like(guild_id, search.filters, number)
    what = [f"{search.which.capitalize()} tables"]
    if search.game:
        what.append(f"of {game(search.game).title}")
    if search.member:
        what.append(f"that wait for <@{search.member}>")
    if search.idle:
        what.append(IDLE[search.idle].lower())
    order = "longest idle" if search.which == "open" else "oldest"
    title = f"### Tables of this server\n-# {' '.join(what)} · {order} first · page {number}"
    page = Page([ways(TABLES), title])
    lines = [
        f"- {words.status(table)}{why and f' · {why}'} · last active <t:{table.touched_at:.0f}:R>"
        for table in tables
        for why in [time_words.refusal(table)]
    ]
    like = " like that" if search != Search(search.which) else ""
    page.parts.append("\n".join(lines) or f"This server has no {search.which} table{like}.")
    if tables:
        options = [
            Option(f"{one.id} · {one.game.title}", str(one.id), ", ".join(quote_players(one.players)))
            for one in tables
        ]
        page.parts.append(Menu(Press("admin", "choose", 0, 0, search.arg), "Choose a table", options))
    kinds = [Option("Any game", ANY, chosen=not search.game)]
    kinds += [Option(one.title, one.slug, chosen=one.slug == search.game) for one in games()]
    days = [Option(text, str(number), chosen=number == search.idle) for number, text in IDLE.items()]
    who = (search.member,) if search.member else ()
    page.parts += [
        Menu(Press("admin", "game", 0, 0, search.arg), "Game", kinds),
        Menu(Press("admin", "idle", 0, 0, search.arg), "Idle or not", days),
    ]
    if search.which == "open":
        waiting = Press("admin", "member", 0, 0, search.arg)
        page.parts.append(Pick(waiting, "Waiting for anyone", "member", who))
    turn = [
        Button("Previous page", Press("admin", "list", 0, number - 1, search.arg), disabled=number <= 1),
        Button("Next page", Press("admin", "list", 0, number + 1, search.arg), disabled=not more),
    ]
    others = [one for one in PHASES if one != search.which]
    turn += [
        Button(one.capitalize(), Press("admin", "which", 0, 0, _with(search, which=one))) for one in others
    ]
    return Page([*page.parts, turn])


def _with(search: Search, **changes: Any) -> str:
    return msgspec.structs.replace(search, **changes).arg


@on_press("admin", "list", "which")
async def on_list(interaction: Interaction, press: Press) -> None:
    await show_list(interaction, search_of(press.arg), press.moment)


@on_press("admin", "game")
async def on_game(interaction: Interaction, press: Press) -> None:
    slug = "" if press.choice == ANY else slug_of(press.choice)
    await show_list(interaction, search_of(_with(search_of(press.arg), game=slug)))


@on_press("admin", "idle")
async def on_idle(interaction: Interaction, press: Press) -> None:
    await show_list(interaction, search_of(_with(search_of(press.arg), idle=press.choice_number)))


@on_press("admin", "member")
async def on_member(interaction: Interaction, press: Press) -> None:
    member = press.choice_number if press.values else 0
    await show_list(interaction, search_of(_with(search_of(press.arg), member=member)))


@on_press("admin", "choose")
async def on_choose(interaction: Interaction, press: Press) -> None:
    await _show(interaction, await admins_table(interaction, press.choice_number), search_of(press.arg))


@on_press("admin", "table")
async def on_table(interaction: Interaction, press: Press) -> None:
    await _show(interaction, await admins_table(interaction, press.table), Search())


async def _show(interaction: Interaction, table: Table, search: Search) -> None:
    await reply(interaction, await table_page(interaction, table, search), edit=True)


CHANGED = "The table has changed. Here it is now."
AtTable = Callable[[Interaction, Table], Awaitable[None]]
OfPerson = Callable[[Interaction, Table, int], Awaitable[None]]


async def _pause(interaction: Interaction, table: Table) -> None:
    async def on_filled(answered: Interaction, typed: Typed) -> None:
        result, reason = await admins_table(answered, table.id), clean(typed["reason"])
        await admin_tables.pause(answered, result, typed["until"], reason)

    fields = [Field("until", "Until", UNTIL_HELP, longest=100), messages.FIELD]
    await ask(interaction, InputForm(f"Pause table {table.id}", fields, on_filled))


async def _resume(interaction: Interaction, table: Table) -> None:
    async def on_filled(answered: Interaction, typed: Typed) -> None:
        result = await admins_table(answered, table.id)
        await admin_tables.resume(answered, result, clean(typed["reason"]))

    await ask(interaction, InputForm(f"End the pause of table {table.id}", [messages.FIELD], on_filled))


async def _give(interaction: Interaction, table: Table, user_id: int) -> None:
    async def on_filled(answered: Interaction, typed: Typed) -> None:
        result, reason = await admins_table(answered, table.id), clean(typed["reason"])
        await admin_tables.give(answered, result, user_id, typed["by"], reason)

    fields = [Field("by", "How much more", MORE_HELP, required=True, longest=100), messages.FIELD]
    title = f"Deadline of {quote_player(table.names, seat_at(table, user_id))}"
    await ask(interaction, InputForm(title, fields, on_filled))


AT_TABLE: dict[str, AtTable] = {
    "pause": _pause,
    "resume": _resume,
    "skip": admin_tables.ask_skip,
    "rollback": lambda interaction, table: admin_tables.ask_rollback(interaction, table, 1),
    "move": admin_tables.ask_move,
    "close": admin_tables.ask_close,
}
OF_PERSON: dict[str, OfPerson] = {
    "deadline": _give,
    "replace": admin_tables.ask_replace,
    "kick": admin_tables.ask_kick,
}
WHOM = {"deadline": "Whose deadline?", "replace": "Whose seat?", "kick": "Who leaves the table?"}


@on_press("admin", "do")
async def on_done(interaction: Interaction, press: Press) -> None:
    """Start a button's action; ask for the player among several. If the page is outdated, renew it first."""
    table = await admins_table(interaction, press.table)
    if press.moment not in (0, digest_of(table, press.arg)):
        return await reply(interaction, await table_page(interaction, table, Search(), CHANGED), edit=True)
    if press.arg in AT_TABLE:
        return await AT_TABLE[press.arg](interaction, table)
    if press.arg not in OF_PERSON:
        raise Refused(NOT_OURS)
    people = [(seat, one.user_id) for seat, one in enumerate(table.seats) if one.user_id is not None]
    if press.arg == "deadline":
        people = [one for one in people if one[0] in table.owing] or people
    if not people:
        raise Refused("This table has only computers.")
    if len(people) == 1:
        return await OF_PERSON[press.arg](interaction, table, people[0][1])
    options = [Option(quote_player(table.names, seat), str(user_id)) for seat, user_id in people]
    whom = WHOM[press.arg]
    menu = Menu(Press("admin", "whom", table.id, 0, press.arg), whom, options)
    await answer(interaction, table, f"**{whom}**", menu)


@on_press("admin", "whom")
async def on_whom(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    if press.arg not in OF_PERSON:
        raise Refused(NOT_OURS)
    await OF_PERSON[press.arg](interaction, table, press.choice_number)


@on_press("admin", "by")
async def on_by(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    try:
        by = None if interaction.guild is None else await interaction.guild.fetch_member(press.choice_number)
    except discord.NotFound:
        by = None
    if by is None:
        raise Refused("That person has left this server.")
    await admin_tables.replace(interaction, table, press.number, by, messages.read_reason(interaction))


@on_press("admin", "where")
async def on_where(interaction: Interaction, press: Press) -> None:
    table = await admins_table(interaction, press.table)
    channel = None if interaction.guild is None else interaction.guild.get_channel(press.choice_number)
    await admin_tables.move(interaction, table, channel, messages.read_reason(interaction))


class AdminList(commands.GroupCog):
    """The part of the `/admin` commands by which tables are found."""

    @app_commands.command(description="Find tables of this server and manage them")
    @app_commands.rename(slug="game")
    @app_commands.describe(
        which="Which tables: open, finished or closed",
        slug="Only this game's tables",
        waiting_for="Only tables waiting for this person's move",
        idle="Only tables with no move for this long",
        page="Which page: ten tables on each, the longest idle first",
    )
    @app_commands.autocomplete(slug=lookup.offer_games)
    @app_commands.choices(idle=[app_commands.Choice(name=text, value=days) for days, text in IDLE.items()])
    async def tables(
        self,
        interaction: Interaction,
        which: Which = "open",
        slug: Line | None = None,
        waiting_for: discord.User | None = None,
        idle: int = 0,
        page: app_commands.Range[int, 1, LAST] = 1,
    ) -> None:
        member = 0 if waiting_for is None else waiting_for.id
        await show_list(
            interaction, Search(which, "" if slug is None else lookup.read_game(slug), member, idle), page
        )
