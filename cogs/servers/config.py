"""A server's settings: `/admin config`, `/admin board`, and the one function that changes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from cogs.core.app import app_of
from cogs.core.authority import log_action, require_admin
from cogs.discord import reasons
from cogs.lobby import terms
from cogs.servers import config_words as words
from cogs.servers.notice_board import notice_boards
from cogs.ui.errors import say
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Remark
from cogs.ui.page import Page
from cogs.ui.reply import reply
from db.records import ServerSettings
from tables.clocks.pace import CUSTOM, DEFAULT, PACES, read_pace
from tables.core.table import Refused, WhenLate
from tables.lobby.decisions import is_allowed
from tables.lobby.opening import channels

Change = Callable[[ServerSettings], ServerSettings]
PaceKind = Literal["none", "live", "brisk", "daily", "relaxed", "weekly", "custom"]
"""Paces to forbid: a named one, or all custom ones."""
MOST_TABLES, MOST_EACH, MOST_CHANNELS = 10_000, 20, 25


def with_paces(
    settings: ServerSettings,
    pace: str | None = None,
    forbid: PaceKind | None = None,
    allow: PaceKind | None = None,
) -> ServerSettings:
    """Return the settings with another default pace, and paces forbidden or allowed.

    Raises:
        Refused: if the pace can't be parsed, or the default would be forbidden.
    """
    if forbid is not None and forbid == allow:
        raise Refused("You can't forbid a pace and allow one at the same time. Use one of the two options.")
    forbidden = {*settings.forbidden_paces, forbid}
    kept = tuple(kind for kind in get_args(PaceKind) if kind in forbidden and kind != allow)
    chosen = settings.pace if pace is None else terms.pace_of(pace).name
    changed = replace(settings, pace=chosen, forbidden_paces=kept)
    if is_allowed(changed, read_pace(chosen)):
        return changed
    if pace is None:
        raise Refused(
            f"New tables use the pace {chosen}, so you can't forbid it. Choose another usual pace "
            f"first, like `/admin config pace:{_other(changed)}`."
        )
    raise Refused(
        f"The pace {chosen} isn't allowed here. Allow it first: "
        f"`/admin config pace:{chosen} allow_pace:{chosen if chosen in PACES else CUSTOM}`."
    )


def _other(settings: ServerSettings) -> str:
    """Return an allowed pace, as an example."""
    return next((name for name, pace in PACES.items() if is_allowed(settings, pace)), DEFAULT)


def with_limits(
    settings: ServerSettings,
    most_tables: int | None = None,
    most_each: int | None = None,
    rated: bool | None = None,
    rate_computers: bool | None = None,
) -> ServerSettings:
    """Return the settings with new limits (0: none); None keeps one."""
    return replace(
        settings,
        most_tables=settings.most_tables if most_tables is None else most_tables or None,
        most_each=settings.most_each if most_each is None else most_each or None,
        rated=settings.rated if rated is None else rated,
        rate_computers=settings.rate_computers if rate_computers is None else rate_computers,
    )


def with_channels(
    settings: ServerSettings, *, add: int | None = None, remove: int | None = None
) -> ServerSettings:
    """Return the settings with channels added and removed.

    Raises:
        Refused: if there would be too many.
    """
    kept = list(dict.fromkeys([*channels(settings), *([] if add is None else [add])]))
    if len(kept) > MOST_CHANNELS:
        raise Refused(f"Choose at most {MOST_CHANNELS} channels, or none to allow every channel.")
    return replace(settings, open_in=tuple(channel for channel in kept if channel != remove))


def require_assignable_role(interaction: Interaction, role: int | None) -> int | None:
    """Return a role that people can have. Raise Refused for bots'."""
    result = None if role is None or interaction.guild is None else interaction.guild.get_role(role)
    _new_role(None, result, clear=False)
    return role


def require_admin_role(interaction: Interaction, role: int | None) -> int | None:
    """Return an admins' role.

    Raise Refused if the asker may not set it.
    """
    if not interaction.permissions.manage_guild:
        raise Refused("Only members with Manage Server can choose the role for `/admin`.")
    return require_assignable_role(interaction, role)


@dataclass(frozen=True)
class SettingsResult:
    """The result of a change: its message, and its log entry (0: nothing changed)."""

    told: str
    entry: int = 0


async def change(interaction: Interaction, changed: Change, reason: str = "") -> SettingsResult:
    """Change this server's settings, and log each difference.

    Raises:
        Refused: if the asker doesn't run the server, or `changed` refuses.
    """
    guild_id, parlour = await require_admin(interaction), app_of(interaction).parlour
    places = app_of(interaction).places

    def check_and_apply(before: ServerSettings) -> ServerSettings:
        after = changed(before)
        if after.place != before.place and after.place not in places:
            raise Refused("I can't make threads here, so games run in the channel itself.")
        return after

    before, after = await parlour.store.change_guild(guild_id, check_and_apply)
    if after == before:
        return SettingsResult(words.AS_BEFORE)
    lines = words.changes(before, after)
    return SettingsResult(
        "\n".join(lines), await log_action(interaction, None, "config", changes=lines, reason=reason)
    )


async def put_up(interaction: Interaction, channel: discord.TextChannel, reason: str = "") -> SettingsResult:
    """Post the notice board in a channel; return the message about it."""
    await require_admin(interaction)
    address = await notice_boards(interaction).put_up(channel)
    entry = await log_action(interaction, None, "board", channel=channel.id, reason=reason)
    if address is None:
        return SettingsResult(f"I can't post in {channel.mention} right now; I'll keep trying.", entry)
    return SettingsResult(f"The notice board is in {channel.mention}. [Go there]({address})", entry)


async def take_down(interaction: Interaction, reason: str = "") -> SettingsResult:
    """Remove the notice board; return the message about it."""
    await notice_boards(interaction).take_down(await require_admin(interaction))
    entry = await log_action(interaction, None, "board", what="off", reason=reason)
    return SettingsResult("The notice board is gone. `/admin board` puts up a new one.", entry)


class Config(commands.GroupCog):
    """The part of the `/admin` commands about the server as a whole."""

    @app_commands.command(
        name="config", description="Change this server's settings, like paces and who can use /admin"
    )
    @app_commands.describe(
        role="A role that can use /admin, once Server Settings → Integrations allows it too",
        tables_in="Run each game in its own thread, or in the channel itself",
        clear_role="Let only members with Manage Server use /admin",
        open_in="Allow tables in this channel; if you allow none, they can open everywhere",
        not_in="Allow no new tables in this channel",
        open_role="Let only members with this role open tables",
        clear_open_role="Let everyone open tables",
        computers="Can hosts add computer players?",
        pace="The pace of new tables, unless the host chooses another",
        forbid_pace="Forbid a pace here; custom means any pace that a host types",
        allow_pace="Allow a forbidden pace again",
        when_late="What happens if a player is late, unless the host chooses otherwise",
        ask_role="The role that Ask around on a lobby card pings, at most once every six hours",
        clear_ask_role="Turn Ask around off",
        most_tables="How many tables can be open here at once; 0 for any number",
        most_each="How many open tables one person can be at; 0 for the usual limit",
        rated="Do new tables count for the ratings? The host can choose otherwise",
        rate_computers="Do tables with computer players count too?",
        hints="Can players ask the computer for hints, if their table allows hints?",
        reason=reasons.KEPT,
    )
    @app_commands.autocomplete(pace=terms.paces)
    @app_commands.guild_only()
    async def config(
        self,
        interaction: Interaction,
        role: discord.Role | None = None,
        tables_in: Literal["threads", "channel"] | None = None,
        clear_role: bool = False,
        open_in: discord.TextChannel | None = None,
        not_in: discord.TextChannel | None = None,
        open_role: discord.Role | None = None,
        clear_open_role: bool = False,
        computers: bool | None = None,
        pace: terms.PaceName | None = None,
        forbid_pace: PaceKind | None = None,
        allow_pace: PaceKind | None = None,
        when_late: terms.Late | None = None,
        ask_role: discord.Role | None = None,
        clear_ask_role: bool = False,
        most_tables: app_commands.Range[int, 0, MOST_TABLES] | None = None,
        most_each: app_commands.Range[int, 0, MOST_EACH] | None = None,
        rated: bool | None = None,
        rate_computers: bool | None = None,
        hints: bool | None = None,
        reason: Remark | None = None,
    ) -> None:
        guild_id = await require_admin(interaction)
        if not {name for name, _ in interaction.namespace} - {"reason"}:
            settings = await app_of(interaction).parlour.settings(guild_id)
            return await reply(interaction, Page(["\n".join(words.settings_lines(settings))]))
        admins: int | None = None
        if role is not None or clear_role:
            admins = require_admin_role(interaction, None if role is None or clear_role else role.id)

        def apply_options(settings: ServerSettings) -> ServerSettings:
            settings = with_paces(settings, pace, forbid_pace, allow_pace)
            settings = with_limits(settings, most_tables, most_each, rated, rate_computers)
            if open_in is not None or not_in is not None:
                added, removed = (None if one is None else one.id for one in (open_in, not_in))
                settings = with_channels(settings, add=added, remove=removed)
            return replace(
                settings,
                admin_role_id=admins if role is not None or clear_role else settings.admin_role_id,
                place=tables_in or settings.place,
                open_role_id=_new_role(settings.open_role_id, open_role, clear_open_role),
                asked_role_id=_new_role(settings.asked_role_id, ask_role, clear_ask_role),
                computers=settings.computers if computers is None else computers,
                hints=settings.hints if hints is None else hints,
                when_late=settings.when_late if when_late is None else WhenLate(when_late).value,
            )

        lines = [(await change(interaction, apply_options, reasons.clean_reason(reason))).told]
        if role is not None and not clear_role:
            lines.append(words.OVERRIDE)
        await reply(interaction, Page([*lines]))

    @app_commands.command(name="board", description="Post a message that always shows all open tables")
    @app_commands.describe(
        channel="The channel for the notice board", off="Remove the notice board", reason=reasons.KEPT
    )
    @app_commands.guild_only()
    async def board(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        off: bool = False,
        reason: Remark | None = None,
    ) -> None:
        guild_id = await require_admin(interaction)
        if off:
            return await say(interaction, (await take_down(interaction, reasons.clean_reason(reason))).told)
        if channel is None:
            return await say(interaction, await notice_boards(interaction).where(guild_id))
        await say(interaction, (await put_up(interaction, channel, reasons.clean_reason(reason))).told)


def _new_role(before: int | None, role: discord.Role | None, clear: bool) -> int | None:
    """Return the new role: none, the named, or the old one.

    Raises:
        Refused: for the role of a bot.
    """
    if clear:
        return None
    if role is not None and role.is_bot_managed():
        raise Refused(f"{role.mention} belongs to a bot. Choose another one.")
    return before if role is None else role.id
