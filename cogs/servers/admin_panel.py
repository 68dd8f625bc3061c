"""`/admin panel`: a server's settings by page, and links to its tables and its audit log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from cogs.core import time_words
from cogs.core.app import app_of
from cogs.core.authority import require_admin
from cogs.daily.posts import missing_permissions_in
from cogs.discord import reasons
from cogs.lobby import terms
from cogs.servers import admin_ways
from cogs.servers import config_words as words
from cogs.servers.admin_list import show_list
from cogs.servers.admin_page import Search
from cogs.servers.admin_ways import ways
from cogs.servers.audit import show as show_audit
from cogs.servers.config import (
    MOST_CHANNELS,
    MOST_EACH,
    MOST_TABLES,
    Change,
    PaceKind,
    SettingsResult,
    change,
    put_up,
    require_admin_role,
    require_assignable_role,
    take_down,
    with_limits,
    with_paces,
)
from cogs.ui.form import Field, InputForm, Typed, ask
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Menu, Option, Page, Part, Pick
from cogs.ui.press import NOT_OURS, Press, number_of, on_press
from cogs.ui.reply import reply
from db.records import ServerSettings
from engines.registry import game
from tables.clocks.pace import CUSTOM, EXAMPLE, PACES, pace_words
from tables.core.guards import MOST_OPEN
from tables.core.table import Refused, WhenLate
from tables.daily.daily import wanted_games
from tables.daily.rota import daily_games
from tables.lobby.decisions import is_allowed
from tables.lobby.opening import channels
from tables.time.zones import read_zone

HEAD = "### Running the tables of this server"
FIRST = "opening"
KINDS: tuple[PaceKind, ...] = get_args(PaceKind)


def _existing_ids(guild: discord.Guild | None, ids: Sequence[int | None]) -> list[int]:
    """Return those channels and roles that the server still has."""
    if guild is None:
        return []
    return [one for one in ids if one is not None and (guild.get_role(one) or guild.get_channel(one))]


def _opening(settings: ServerSettings, guild: discord.Guild | None) -> list[Part]:
    threads = settings.place == "threads"
    return [
        words.whole("open_in", settings),
        Pick(
            Press("panel", "open_in"),
            "Choose channels, or none to allow all",
            "channel",
            _existing_ids(guild, channels(settings)),
            most=MOST_CHANNELS,
        ),
        words.whole("open_role", settings),
        Pick(
            Press("panel", "open_role"),
            "Choose a role, or none for everyone",
            "role",
            _existing_ids(guild, [settings.open_role_id]),
        ),
        words.whole("place", settings),
        [
            Button("Threads of their own", Press("panel", "place", arg="threads"), disabled=threads),
            Button("The channel itself", Press("panel", "place", arg="channel"), disabled=not threads),
        ],
    ]


def _time(settings: ServerSettings, _guild: discord.Guild | None) -> list[Part]:
    offered = [pace for pace in PACES.values() if is_allowed(settings, pace)]
    paces = [
        Option(pace.name.capitalize(), pace.name, pace_words(pace), chosen=pace.name == settings.pace)
        for pace in offered
    ]
    forbidden = settings.forbidden_paces
    kinds = [Option(words.pace_kind(kind).capitalize(), kind, chosen=kind in forbidden) for kind in KINDS]
    late = [
        Option(
            text[0].upper() + text[1:], rule.value, terms.LATE_MEANS[rule], chosen=rule == settings.when_late
        )
        for rule, text in time_words.WHEN_LATE.items()
    ]
    own = [Button("A pace of your own", Press("panel", "own_pace"))] if CUSTOM not in forbidden else []
    return [
        words.whole("pace", settings),
        Menu(Press("panel", "pace"), "Usual pace", paces),
        *([own] if own else []),
        words.whole("forbidden", settings),
        Menu(Press("panel", "forbid"), "Forbidden paces", kinds, 0, len(kinds)),
        words.whole("late", settings),
        Menu(Press("panel", "late"), "When someone is late", late),
    ]


def _limits(settings: ServerSettings, _guild: discord.Guild | None) -> list[Part]:
    return [
        words.whole("most_tables", settings),
        words.whole("most_each", settings),
        [Button("Change", Press("panel", "limits"))],
        words.whole("computers", settings),
        [_switch("Computer players", "computers", settings.computers)],
        words.whole("hints", settings),
        [_switch("Hints", "hints", settings.hints)],
    ]


def _ratings(settings: ServerSettings, _guild: discord.Guild | None) -> list[Part]:
    return [
        words.whole("rated", settings),
        [_switch("Rated", "rated", settings.rated)],
        words.whole("rate_computers", settings),
        [_switch("Rated with computer players", "rate_computers", settings.rate_computers)],
    ]


def _calls(settings: ServerSettings, guild: discord.Guild | None) -> list[Part]:
    board = _existing_ids(guild, [settings.board_channel_id])
    return [
        words.whole("asked", settings),
        Pick(
            Press("panel", "asked"),
            "Choose a role, or none",
            "role",
            _existing_ids(guild, [settings.asked_role_id]),
        ),
        words.whole("board", settings),
        Pick(Press("panel", "board"), "Choose a channel, or none for no board", "channel", board),
    ]


def _admins(settings: ServerSettings, guild: discord.Guild | None) -> list[Part]:
    return [
        words.whole("role", settings),
        Pick(
            Press("panel", "role"),
            "Choose a role, or none",
            "role",
            _existing_ids(guild, [settings.admin_role_id]),
        ),
        f"-# {words.OVERRIDE}",
    ]


def _daily(settings: ServerSettings, guild: discord.Guild | None) -> list[Part]:
    channel = _existing_ids(guild, [settings.daily_channel_id])
    hours = [Option(f"{hour}:00", str(hour), chosen=hour == settings.daily_hour) for hour in range(24)]
    chosen = wanted_games(settings)
    games = [Option(game(slug).title, slug, chosen=slug in chosen) for slug in daily_games()]
    row = [_switch("Deal of the day", "daily", settings.daily)] if channel else []
    trouble = _daily_obstacle(settings, guild)
    return [
        words.whole("daily", settings) + trouble,
        *([row] if row else []),
        words.whole("daily_channel", settings),
        Pick(
            Press("panel", "daily_channel"), "Choose a channel, or none to turn this off", "channel", channel
        ),
        words.whole("daily_hour", settings),
        Menu(Press("panel", "daily_hour"), "Hour of the post", hours),
        [Button("Time zone", Press("panel", "zone"))],
        words.whole("daily_games", settings),
        Menu(Press("panel", "daily_games"), "Choose games, or none for all", games, 0, len(games)),
    ]


def _daily_obstacle(settings: ServerSettings, guild: discord.Guild | None) -> str:
    """Return why the daily post fails; empty if it works."""
    channel = None if guild is None else guild.get_channel(settings.daily_channel_id or 0)
    missing = missing_permissions_in(channel) if isinstance(channel, discord.TextChannel) else []
    return f"\n⚠ I can't post in its channel: I need {', '.join(missing)} there." if missing else ""


PAGES: dict[str, Callable[[ServerSettings, discord.Guild | None], list[Part]]] = {
    "opening": _opening,
    "time": _time,
    "limits": _limits,
    "ratings": _ratings,
    "calls": _calls,
    "daily": _daily,
    "admins": _admins,
}
"""The pages of settings, each with the function that makes its parts."""
PAGE_OF = {
    **dict.fromkeys(("open_in", "open_role", "place"), "opening"),
    **dict.fromkeys(("pace", "own_pace", "forbid", "late"), "time"),
    **dict.fromkeys(("limits", "computers", "hints"), "limits"),
    **dict.fromkeys(("rated", "rate_computers"), "ratings"),
    **dict.fromkeys(("asked", "board"), "calls"),
    **dict.fromkeys(("daily", "daily_channel", "daily_hour", "daily_games", "zone"), "daily"),
    "role": "admins",
}
"""The page of each press."""


def _switch(what: str, verb: str, holds: bool) -> Button:
    return Button(f"{what} {'off' if holds else 'on'}", Press("panel", verb, arg=str(int(not holds))))


async def show_panel(interaction: Interaction, name: str = FIRST, done: SettingsResult | None = None) -> None:
    """Show a page of the panel below the last change.

    A logged change can get a reason.

    Raise Refused if the asker doesn't run the server.
    """
    settings = await app_of(interaction).parlour.settings(await require_admin(interaction))
    head = f"{HEAD}\n{done.told}" if done is not None else HEAD
    why = [] if done is None or not done.entry else [_why(done.entry, name)]
    page = Page([head, *why, ways(name), *PAGES[name](settings, interaction.guild)])
    await reply(interaction, page, edit=True)


class AdminPanel(commands.GroupCog):
    """The part of the `/admin` commands that opens the panel."""

    @app_commands.command(name="panel", description="See settings, tables and the audit log on one panel")
    @app_commands.guild_only()
    async def panel(self, interaction: Interaction) -> None:
        await show_panel(interaction)


@on_press("panel", "page")
async def on_page(interaction: Interaction, press: Press) -> None:
    match press.choice:
        case admin_ways.TABLES:
            await show_list(interaction, Search())
        case admin_ways.AUDIT:
            await show_audit(interaction, None, None, 1)
        case name if name in PAGES:
            await show_panel(interaction, name)
        case _:
            raise Refused(NOT_OURS)


def _why(entry: int, name: str) -> list[Button]:
    """Return the button that asks for a log entry's reason."""
    return [Button("Give a reason", Press("panel", "why", arg=f"{entry} {name}"))]


async def _change_settings(interaction: Interaction, press: Press, changed: Change) -> None:
    done = await change(interaction, changed)
    await show_panel(interaction, PAGE_OF[press.verb], done)


@on_press("panel", "why")
async def on_why(interaction: Interaction, press: Press) -> None:
    """Ask for the reason of an action, and log it."""
    await require_admin(interaction)
    number, _, name = press.arg.partition(" ")
    entry = number_of(number)
    if name not in PAGES:
        raise Refused(NOT_OURS)

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        guild_id, why = await require_admin(answered), reasons.clean_reason(typed["reason"])
        await app_of(answered).parlour.audit.explain(entry, guild_id, answered.user.id, why)
        await show_panel(answered, name, SettingsResult("The audit log shows the reason."))

    await ask(interaction, InputForm("Why?", [reasons.KEPT_FIELD], on_filled))


def _id_of_pick(press: Press) -> int | None:
    """Return the picked id; None if the menu was cleared."""
    return press.choice_number if press.values else None


@on_press("panel", "open_in")
async def on_open_in(interaction: Interaction, press: Press) -> None:
    ids = tuple(number_of(value) for value in press.values)
    await _change_settings(interaction, press, lambda settings: replace(settings, open_in=ids))


@on_press("panel", "open_role")
async def on_open_role(interaction: Interaction, press: Press) -> None:
    role = require_assignable_role(interaction, _id_of_pick(press))
    await _change_settings(interaction, press, lambda settings: replace(settings, open_role_id=role))


@on_press("panel", "asked")
async def on_asked(interaction: Interaction, press: Press) -> None:
    role = require_assignable_role(interaction, _id_of_pick(press))
    await _change_settings(interaction, press, lambda settings: replace(settings, asked_role_id=role))


@on_press("panel", "role")
async def on_role(interaction: Interaction, press: Press) -> None:
    """Set the role that may use `/admin` in addition to Manage Server."""
    await require_admin(interaction)
    role = require_admin_role(interaction, _id_of_pick(press))
    await _change_settings(interaction, press, lambda settings: replace(settings, admin_role_id=role))


@on_press("panel", "place")
async def on_place(interaction: Interaction, press: Press) -> None:
    if press.arg not in ("threads", "channel"):
        raise Refused(NOT_OURS)
    await _change_settings(interaction, press, lambda settings: replace(settings, place=press.arg))


@on_press("panel", "computers", "hints", "rated", "rate_computers", "daily")
async def on_switch(interaction: Interaction, press: Press) -> None:
    holds = {press.verb: bool(press.number)}
    await _change_settings(interaction, press, lambda settings: replace(settings, **holds))


@on_press("panel", "pace")
async def on_pace(interaction: Interaction, press: Press) -> None:
    await _change_settings(interaction, press, lambda settings: with_paces(settings, press.choice))


@on_press("panel", "own_pace")
async def on_own_pace(interaction: Interaction, press: Press) -> None:

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        await _change_settings(answered, press, lambda settings: with_paces(settings, typed["pace"]))

    await require_admin(interaction)
    field = Field(
        "pace",
        "Starting time + time added each turn",
        f"Like {EXAMPLE}",
        longest=terms.PACE_LENGTH,
        required=True,
    )
    await ask(interaction, InputForm("A pace of your own", [field], on_filled))


@on_press("panel", "forbid")
async def on_forbidden(interaction: Interaction, press: Press) -> None:
    kinds = [kind for kind in KINDS if kind in press.values]
    if len(kinds) < len(press.values):
        raise Refused(NOT_OURS)

    def forbid_kinds(settings: ServerSettings) -> ServerSettings:
        settings = replace(settings, forbidden_paces=())
        for kind in kinds:
            settings = with_paces(settings, forbid=kind)
        return settings

    await _change_settings(interaction, press, forbid_kinds)


@on_press("panel", "late")
async def on_late(interaction: Interaction, press: Press) -> None:
    if press.choice not in list(WhenLate):
        raise Refused(NOT_OURS)
    await _change_settings(interaction, press, lambda settings: replace(settings, when_late=press.choice))


@on_press("panel", "limits")
async def on_limits(interaction: Interaction, press: Press) -> None:
    settings = await app_of(interaction).parlour.settings(await require_admin(interaction))

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        tables = _limit(typed["tables"], MOST_TABLES)
        each = _limit(typed["each"], MOST_EACH)
        await _change_settings(answered, press, lambda settings: with_limits(settings, tables, each))

    fields = [
        Field(
            "tables",
            "Open tables at once",
            f"From 1 to {MOST_TABLES:,}; leave empty for any number",
            str(settings.most_tables or ""),
            5,
        ),
        Field(
            "each",
            "Open tables per person",
            f"From 1 to {MOST_EACH}; leave empty for {MOST_OPEN}",
            str(settings.most_each or MOST_OPEN),
            2,
        ),
    ]
    await ask(interaction, InputForm("Limits", fields, on_filled))


@on_press("panel", "daily_channel")
async def on_daily_channel(interaction: Interaction, press: Press) -> None:
    """Set the daily deal's channel; none turns it off."""
    channel = _id_of_pick(press)
    result = None if interaction.guild is None or channel is None else interaction.guild.get_channel(channel)
    if channel is not None and not isinstance(result, discord.TextChannel):
        raise Refused("The deal of the day needs a text channel. Choose another one.")
    known = {"daily_channel_id": channel, "daily": channel is not None}
    await _change_settings(interaction, press, lambda settings: replace(settings, **known))


@on_press("panel", "daily_hour")
async def on_daily_hour(interaction: Interaction, press: Press) -> None:
    hour = press.choice_number
    if hour not in range(24):
        raise Refused(NOT_OURS)
    await _change_settings(interaction, press, lambda settings: replace(settings, daily_hour=hour))


@on_press("panel", "daily_games")
async def on_daily_games(interaction: Interaction, press: Press) -> None:
    if not set(press.values) <= set(daily_games()):
        raise Refused(NOT_OURS)
    games = tuple(slug for slug in daily_games() if slug in press.values)
    await _change_settings(interaction, press, lambda settings: replace(settings, daily_games=games))


@on_press("panel", "zone")
async def on_zone(interaction: Interaction, press: Press) -> None:
    settings = await app_of(interaction).parlour.settings(await require_admin(interaction))

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        zone = read_zone(typed["zone"])
        await _change_settings(answered, press, lambda settings: replace(settings, zone=zone))

    field = Field(
        "zone", "Where this server is", "A city or a name, like Berlin or UTC", settings.zone, required=True
    )
    await ask(interaction, InputForm("Time zone of the server", [field], on_filled))


def _limit(text: str, most: int) -> int:
    """Return a limit (0: default). Raise Refused beyond `most`."""
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= most):
        raise Refused(f"“{text}” isn't a number from 1 to {most:,}. Nothing changed.")
    return int(text)


@on_press("panel", "board")
async def on_board(interaction: Interaction, press: Press) -> None:
    await require_admin(interaction)
    if not press.values:
        return await show_panel(interaction, "calls", await take_down(interaction))
    channel = None if interaction.guild is None else interaction.guild.get_channel(press.choice_number)
    if not isinstance(channel, discord.TextChannel):
        raise Refused("The notice board needs a text channel. Choose another one.")
    await show_panel(interaction, "calls", await put_up(interaction, channel))
