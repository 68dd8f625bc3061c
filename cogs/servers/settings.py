"""A server's settings, in the order in which `/admin config` lists them; their words are in settings.toml."""

from dataclasses import dataclass
from pathlib import Path

import discord

from cogs.core.app import ping_obstacle
from cogs.core.settings import PanelContext, RoleSetting, Selection, Setting, Switch, load_words
from cogs.core.time_words import WHEN_LATE
from cogs.daily.posts import missing_permissions_in
from cogs.lobby.terms import LATE_MEANS
from cogs.servers.controls import (
    DailyChannel,
    DailyGames,
    DailyHour,
    ForbiddenPaces,
    Limit,
    OpenChannels,
    ServerZone,
    UsualPace,
)
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button
from db.records.servers import ServerSettings
from engines.words import join_words
from tables.core.table import Refused

WORDS = load_words(Path(__file__).with_suffix(".toml"))
LATE = {str(rule): words for rule, words in WHEN_LATE.items()}
LATE_ABOUT = {str(rule): words for rule, words in LATE_MEANS.items()}
HOURS = {str(hour): f"{hour}:00" for hour in range(24)}


@dataclass(frozen=True)
class DailySwitch(Switch[ServerSettings]):
    """Turns the deal of the day on or off, once it has a channel."""

    def value(self, settings: ServerSettings, now: float) -> str:
        return "off" if settings.daily_channel_id is None else super().value(settings, now)

    def button(self, at: PanelContext[ServerSettings]) -> Button | None:
        return None if at.settings.daily_channel_id is None else super().button(at)

    def warning(self, at: PanelContext[ServerSettings]) -> str:
        channel = None if at.guild is None else at.guild.get_channel(at.settings.daily_channel_id or 0)
        missing = missing_permissions_in(channel) if isinstance(channel, discord.TextChannel) else []
        return f"I can't post in that channel. I need {join_words(missing)} there." if missing else ""


@dataclass(frozen=True)
class AskedRole(RoleSetting[ServerSettings]):
    """Chooses the role that **Ask around** pings, or none."""

    def warning(self, at: PanelContext[ServerSettings]) -> str:
        role = None if at.guild is None else at.guild.get_role(at.settings.asked_role_id or 0)
        return "" if role is None else ping_obstacle(role, role.guild.me.guild_permissions)


def _require_manage_server(interaction: Interaction) -> None:
    if not interaction.permissions.manage_guild:
        raise Refused("Only members with Manage Server can choose the role for `/admin`.")


PAGES: dict[str, tuple[Setting[ServerSettings], ...]] = {
    "opening": (
        OpenChannels("open_in", WORDS),
        RoleSetting("open_role", WORDS, "open_role_id"),
        Selection("place", WORDS),
        Selection("theme", WORDS),
    ),
    "admins": (RoleSetting("role", WORDS, "admin_role_id", _require_manage_server),),
    "time": (
        UsualPace("pace", WORDS),
        ForbiddenPaces("forbid", WORDS),
        Selection("late", WORDS, "when_late", lines=LATE, about=LATE_ABOUT),
    ),
    "limits": (
        Limit("most_tables", WORDS, most=10_000),
        Limit("most_each", WORDS, most=20),
        Switch("computers", WORDS),
        Switch("hints", WORDS),
    ),
    "ratings": (Switch("rated", WORDS), Switch("rate_computers", WORDS)),
    "calls": (AskedRole("asked", WORDS, "asked_role_id"),),
    "daily": (
        DailySwitch("daily", WORDS),
        DailyChannel("daily_channel", WORDS, "daily_channel_id"),
        DailyHour("daily_hour", WORDS, saved=int, lines=HOURS),
        ServerZone("zone", WORDS),
        DailyGames("daily_games", WORDS),
        Switch("daily_puzzle", WORDS),
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
