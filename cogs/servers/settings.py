"""A server's settings: `/admin config`, `/admin board`, and the function that changes them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import settings as panels
from cogs.core.app import app_of, ping_obstacle
from cogs.core.lookup import log_action, require_admin
from cogs.core.time_words import WHEN_LATE
from cogs.daily.posts import missing_permissions_in
from cogs.discord import messages
from cogs.lobby.terms import LATE_MEANS
from cogs.servers import controls, notice_board
from cogs.ui.form import reply
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, say
from cogs.ui.text import Interaction, Remark
from db.records import ServerSettings
from engines.words import join_words
from tables.core.table import Refused

WORDS = panels.load_words(Path(__file__).with_suffix(".toml"))
LATE = {str(rule): words for rule, words in WHEN_LATE.items()}
LATE_ABOUT = {str(rule): words for rule, words in LATE_MEANS.items()}
HOURS = {str(hour): f"{hour}:00" for hour in range(24)}


@dataclass(frozen=True)
class DailySwitch(panels.Switch[ServerSettings]):
    """Turns the deal of the day on or off, once it has a channel."""

    def value(self, settings: ServerSettings, now: float) -> str:
        return "off" if settings.daily_channel_id is None else super().value(settings, now)

    def button(self, at: panels.PanelContext[ServerSettings]) -> Button | None:
        return None if at.settings.daily_channel_id is None else super().button(at)

    def warning(self, at: panels.PanelContext[ServerSettings]) -> str:
        channel = None if at.guild is None else at.guild.get_channel(at.settings.daily_channel_id or 0)
        missing = missing_permissions_in(channel) if isinstance(channel, discord.TextChannel) else []
        return f"I can't post in that channel. I need {join_words(missing)} there." if missing else ""


@dataclass(frozen=True)
class AskedRole(panels.RoleSetting[ServerSettings]):
    """Chooses the role that **Ask around** pings, or none."""

    def warning(self, at: panels.PanelContext[ServerSettings]) -> str:
        role = None if at.guild is None else at.guild.get_role(at.settings.asked_role_id or 0)
        return "" if role is None else ping_obstacle(role, role.guild.me.guild_permissions)


def _require_manage_server(interaction: Interaction) -> None:
    if not interaction.permissions.manage_guild:
        raise Refused("Only members with Manage Server can choose the role for `/admin`.")


PAGES: dict[str, tuple[panels.Setting[ServerSettings], ...]] = {
    "opening": (
        controls.OpenChannels("open_in", WORDS),
        panels.RoleSetting("open_role", WORDS, "open_role_id"),
        panels.Selection("place", WORDS),
        panels.Selection("theme", WORDS),
    ),
    "admins": (panels.RoleSetting("role", WORDS, "admin_role_id", _require_manage_server),),
    "time": (
        controls.UsualPace("pace", WORDS),
        controls.ForbiddenPaces("forbid", WORDS),
        panels.Selection("late", WORDS, "when_late", lines=LATE, about=LATE_ABOUT),
    ),
    "limits": (
        controls.Limit("most_tables", WORDS, most=10_000),
        controls.Limit("most_each", WORDS, most=20),
        panels.Switch("computers", WORDS),
        panels.Switch("hints", WORDS),
    ),
    "ratings": (panels.Switch("rated", WORDS), panels.Switch("rate_computers", WORDS)),
    "calls": (AskedRole("asked", WORDS, "asked_role_id"),),
    "daily": (
        DailySwitch("daily", WORDS),
        controls.DailyChannel("daily_channel", WORDS, "daily_channel_id"),
        controls.DailyHour("daily_hour", WORDS, saved=int, lines=HOURS),
        controls.ServerZone("zone", WORDS),
        controls.DailyGames("daily_games", WORDS),
        panels.Switch("daily_puzzle", WORDS),
    ),
}
"""The settings on each page of the panel."""
SETTINGS = {row.name: row for rows in PAGES.values() for row in rows}
PAGE_OF = {row.name: page for page, rows in PAGES.items() for row in rows}


def describe_changes(before: ServerSettings, after: ServerSettings) -> tuple[str, ...]:
    """Return the changes, a line for each setting.

    >>> describe_changes(ServerSettings(1, most_tables=2), ServerSettings(1, most_tables=3))
    ('**Limit of open tables**: 3 (was: 2)',)
    """
    return tuple(
        f"{row.short(after)} (was: {row.value(before, 0)})"
        for row in SETTINGS.values()
        if row.value(before, 0) != row.value(after, 0)
    )


def board_line(settings: ServerSettings) -> str:
    channel, words = settings.board_channel_id, WORDS["board"]
    return f"**{words.title}**: {words.values['none'] if channel is None else f'<#{channel}>'}"


AS_BEFORE = "Nothing changed, because it was already like that."


@dataclass(frozen=True)
class SettingsResult:
    """The result of a change: its message, and its log entry (0: nothing changed)."""

    text: str
    entry: int = 0


async def change(
    interaction: Interaction, changed: panels.Change[ServerSettings], reason: str = ""
) -> SettingsResult:
    """Change this server's settings, and log each difference.

    Raise Refused if the asker doesn't run the server, or `changed` refuses.
    """
    guild_id, parlour = await require_admin(interaction), app_of(interaction).parlour
    places = app_of(interaction).places

    def check_and_apply(before: ServerSettings) -> ServerSettings:
        after = changed(before)
        if after.place != before.place and after.place not in places:
            raise Refused("I can't make threads here, so games run in the channel itself.")
        controls.require_allowed_pace(before, after)
        return after

    before, after = await parlour.store.change_guild(guild_id, check_and_apply)
    if after == before:
        return SettingsResult(AS_BEFORE)
    lines = describe_changes(before, after)
    return SettingsResult(
        "\n".join(lines), await log_action(interaction, None, "config", changes=lines, reason=reason)
    )


async def put_up(interaction: Interaction, channel: discord.TextChannel, reason: str = "") -> SettingsResult:
    """Post the notice board in a channel; return the message about it."""
    await require_admin(interaction)
    address = await notice_board.notice_boards(interaction).put_up(channel)
    entry = await log_action(interaction, None, "board", channel=channel.id, reason=reason)
    if address is None:
        return SettingsResult(f"I can't post in {channel.mention} right now; I'll keep trying.", entry)
    return SettingsResult(f"The notice board is in {channel.mention}. [Go there]({address})", entry)


async def take_down(interaction: Interaction, reason: str = "") -> SettingsResult:
    await notice_board.notice_boards(interaction).take_down(await require_admin(interaction))
    entry = await log_action(interaction, None, "board", what="off", reason=reason)
    return SettingsResult("The notice board is gone. `/admin board` puts up a new one.", entry)


class Config(commands.GroupCog):
    """The part of the `/admin` commands about the server as a whole."""

    @app_commands.command(description="Change this server's settings, like paces and who can use /admin")
    @app_commands.describe(reason=messages.KEPT)
    @panels.with_options(tuple(SETTINGS.values()))
    async def config(self, interaction: Interaction, *, reason: Remark = "", **typed: Any) -> None:
        guild_id = await require_admin(interaction)
        parlour = app_of(interaction).parlour
        named = {name for name, _ in interaction.namespace} - {"reason"}
        if not named:
            settings = await parlour.settings(guild_id)
            lines = [*(row.short(settings) for row in SETTINGS.values()), board_line(settings)]
            return await reply(interaction, Page(["\n".join(lines)]))
        rows = tuple(SETTINGS.values())
        done = await change(interaction, panels.change_by_options(interaction, rows, typed), reason)
        words = [row.words for row in rows if row.words.note and typed.get(row.name)]
        notes = [one.note for one in words if one.title in done.text]
        settings = await parlour.settings(guild_id)
        at = panels.PanelContext(Press("admin", "config"), settings, interaction.guild, parlour.clock())
        warnings = [row.warning(at) for row in rows if named & row.words.options.keys()]
        await reply(interaction, Page([done.text, *notes, *(f"⚠ {one}" for one in warnings if one)]))

    @app_commands.command(description="Post a message that always shows all open tables")
    @app_commands.describe(
        channel="The channel for the notice board", off="Remove the notice board", reason=messages.KEPT
    )
    async def board(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        off: bool = False,
        reason: Remark = "",
    ) -> None:
        guild_id = await require_admin(interaction)
        if off:
            return await say(interaction, (await take_down(interaction, reason)).text)
        if channel is None:
            return await say(interaction, await notice_board.notice_boards(interaction).where(guild_id))
        await say(interaction, (await put_up(interaction, channel, reason)).text)
