"""The settings that only a server has: channels, paces, limits, games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import discord
from discord import app_commands
from msgspec.structs import replace

from cogs.core.settings import PanelContext, Selection, Setting, Suggestions, Switch, existing_ids
from cogs.core.time_words import moment
from cogs.daily.posts import missing_permissions_in
from cogs.lobby import terms
from cogs.ui.form import Field, Typed
from cogs.ui.page import Option
from cogs.ui.press import number_of
from cogs.ui.text import Interaction
from db.records import ServerSettings
from engines.registry import game
from engines.words import join_words
from tables.clocks.pace import CUSTOM, DEFAULT, NONE, PACES, next_hour, pace_words, read_pace
from tables.core.table import Refused
from tables.daily import daily_games
from tables.lobby.decisions import channels, is_allowed
from tables.time.reading import read_zone, zone_name

PaceKind = Literal["none", "live", "brisk", "daily", "relaxed", "weekly", "custom"]
"""Paces to forbid: a named one, or all custom ones."""
KINDS: tuple[PaceKind, ...] = get_args(PaceKind)
MOST_CHANNELS = 25


@dataclass(frozen=True)
class OpenChannels(Setting[ServerSettings]):
    """Chooses the channels for new tables; none allows all."""

    def value(self, settings: ServerSettings, now: float) -> str:
        return ", ".join(f"<#{channel}>" for channel in channels(settings)) or self.words.values["none"]

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        chosen = existing_ids(at.guild, channels(at.settings))
        return [self.choice(chosen, pick="channel", most=MOST_CHANNELS)]

    def fill(self, _: Interaction, settings: ServerSettings, filled: Typed) -> ServerSettings:
        return replace(settings, open_in=tuple(map(number_of, filled[self.name].splitlines())))

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(discord.TextChannel | None, None)] * 2

    def read(self, _: Interaction, settings: ServerSettings, given: Mapping[str, Any]) -> ServerSettings:
        add, remove = ([given[name].id] if name in given else [] for name in self.words.options)
        kept = dict.fromkeys([*channels(settings), *add])
        if len(kept) > MOST_CHANNELS:
            raise Refused(f"Choose at most {MOST_CHANNELS} channels, or none to allow every channel.")
        return replace(settings, open_in=tuple(channel for channel in kept if channel not in remove))


@dataclass(frozen=True)
class UsualPace(Setting[ServerSettings]):
    """Chooses the pace of new tables from a menu, or as a text."""

    def value(self, settings: ServerSettings, now: float) -> str:
        pace = read_pace(settings.pace)
        return f"{pace.name} ({pace_words(pace)})" if pace.name in PACES else pace_words(pace)

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        return terms.pace_fields(at.settings, read_pace(at.settings.pace))

    def fill(self, _: Interaction, settings: ServerSettings, filled: Typed) -> ServerSettings:
        return replace(settings, pace=terms.read_pace_form(filled).name)

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(terms.PaceName | None, None)]

    def suggestions(self) -> dict[str, Suggestions]:
        return {"pace": terms.paces}

    def read(self, _: Interaction, settings: ServerSettings, given: Mapping[str, Any]) -> ServerSettings:
        return replace(settings, pace=terms.pace_of(given["pace"]).name)


@dataclass(frozen=True)
class ForbiddenPaces(Setting[ServerSettings]):
    """Chooses the paces that new tables can't use."""

    def value(self, settings: ServerSettings, now: float) -> str:
        return ", ".join(map(_kind, settings.forbidden_paces)) or self.words.values["none"]

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        kinds = [Option(_kind(kind).capitalize(), kind) for kind in KINDS]
        return [self.choice("\n".join(at.settings.forbidden_paces), kinds, len(kinds))]

    def fill(self, _: Interaction, settings: ServerSettings, filled: Typed) -> ServerSettings:
        chosen = filled[self.name].splitlines()
        return replace(settings, forbidden_paces=tuple(kind for kind in KINDS if kind in chosen))

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(PaceKind | None, None)] * 2

    def read(self, _: Interaction, settings: ServerSettings, given: Mapping[str, Any]) -> ServerSettings:
        forbid, allow = map(given.get, self.words.options)
        if forbid == allow:
            raise Refused(
                "You can't forbid a pace and allow one at the same time. Use one of the two options."
            )
        forbidden = {*settings.forbidden_paces, forbid}
        kept = tuple(kind for kind in KINDS if kind in forbidden and kind != allow)
        return replace(settings, forbidden_paces=kept)


@dataclass(frozen=True)
class Limit(Setting[ServerSettings]):
    """Limits a number; 0 or an empty form lifts the limit."""

    most: int = 0

    def value(self, settings: ServerSettings, now: float) -> str:
        return str(getattr(settings, self.field) or self.words.values["none"])

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        return self.lines(str(getattr(at.settings, self.field) or ""), longest=5)

    def fill(self, interaction: Interaction, settings: ServerSettings, filled: Typed) -> ServerSettings:
        return self.read(interaction, settings, filled)

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(app_commands.Range[int, 0, self.most] | None, None)]

    def read(self, _: Interaction, settings: ServerSettings, given: Mapping[str, Any]) -> ServerSettings:
        typed = str(given[self.name])
        if typed and not (typed.isascii() and typed.isdecimal() and int(typed) <= self.most):
            raise Refused(f"“{typed}” isn't a number from 1 to {self.most:,}. Nothing changed.")
        return replace(settings, **{self.field: int(typed or 0) or None})


@dataclass(frozen=True)
class DailyChannel(Setting[ServerSettings]):
    """Chooses the daily deal's channel; none turns it off."""

    def value(self, settings: ServerSettings, now: float) -> str:
        channel = settings.daily_channel_id
        return self.words.values["none"] if channel is None else f"<#{channel}>"

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        return [self.choice(existing_ids(at.guild, [at.settings.daily_channel_id]), pick="channel")]

    def fill(self, interaction: Interaction, settings: ServerSettings, filled: Typed) -> ServerSettings:
        channel = number_of(filled[self.name] or "0") or None
        if channel is not None and interaction.guild is not None:
            require_text_channel(interaction.guild, channel, "The deal of the day")
        return replace(settings, daily_channel_id=channel, daily=channel is not None)


@dataclass(frozen=True)
class DailySwitch(Switch[ServerSettings]):
    """Turns the deal of the day on or off, once it has a channel."""

    def value(self, settings: ServerSettings, now: float) -> str:
        return "off" if settings.daily_channel_id is None else super().value(settings, now)

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        return super().fields(at) if at.settings.daily_channel_id is not None else []

    def warning(self, at: PanelContext[ServerSettings]) -> str:
        channel = None if at.guild is None else at.guild.get_channel(at.settings.daily_channel_id or 0)
        missing = missing_permissions_in(channel) if isinstance(channel, discord.TextChannel) else []
        return f"I can't post in that channel. I need {join_words(missing)} there." if missing else ""


@dataclass(frozen=True)
class DailyHour(Selection[ServerSettings]):
    """Chooses the hour of the daily deal, and says when the next one comes."""

    def whole(self, at: PanelContext[ServerSettings]) -> str:
        text, settings = super().whole(at), at.settings
        if not settings.daily or settings.daily_channel_id is None:
            return text
        comes = next_hour(at.now, settings.daily_hour, settings.zone)
        return f"{text}\n-# The next deal comes {moment(comes)}."


@dataclass(frozen=True)
class ServerZone(Setting[ServerSettings]):
    """Sets the server's time zone."""

    def value(self, settings: ServerSettings, now: float) -> str:
        return zone_name(settings.zone)

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        return self.lines(at.settings.zone, required=1)

    def fill(self, interaction: Interaction, settings: ServerSettings, filled: Typed) -> ServerSettings:
        return self.read(interaction, settings, filled)

    def read(self, _: Interaction, settings: ServerSettings, given: Mapping[str, Any]) -> ServerSettings:
        return replace(settings, zone=read_zone(given["zone"]))


@dataclass(frozen=True)
class DailyGames(Setting[ServerSettings]):
    """Chooses the games of the daily deal; none allows all."""

    def value(self, settings: ServerSettings, now: float) -> str:
        return ", ".join(game(slug).title for slug in settings.daily_games) or self.words.values["none"]

    def fields(self, at: PanelContext[ServerSettings]) -> list[Field]:
        games = [Option(game(slug).title, slug) for slug in daily_games()]
        return [self.choice("\n".join(at.settings.daily_games), games, len(games))]

    def fill(self, _: Interaction, settings: ServerSettings, filled: Typed) -> ServerSettings:
        chosen = filled[self.name].splitlines()
        return replace(settings, daily_games=tuple(slug for slug in daily_games() if slug in chosen))


def require_text_channel(guild: discord.Guild, number: int, what: str) -> discord.TextChannel:
    channel = guild.get_channel(number)
    if not isinstance(channel, discord.TextChannel):
        raise Refused(f"{what} needs a text channel. Choose another one.")
    return channel


def require_allowed_pace(before: ServerSettings, after: ServerSettings) -> None:
    """Raise Refused if a change makes new tables use a forbidden pace."""
    is_same = (before.pace, before.forbidden_paces) == (after.pace, after.forbidden_paces)
    if is_same or is_allowed(after, read_pace(after.pace)):
        return
    if after.pace == before.pace:
        other = next((name for name, pace in PACES.items() if is_allowed(after, pace)), DEFAULT)
        raise Refused(
            f"New tables use the pace “{after.pace}”, so you can't forbid it. Choose another usual pace "
            f"first, like `/admin config pace:{other}`."
        )
    raise Refused(
        f"The pace “{after.pace}” isn't allowed here. Allow it first: "
        f"`/admin config pace:{after.pace} allow_pace:{after.pace if after.pace in PACES else CUSTOM}`."
    )


def _kind(name: str) -> str:
    """Return a forbidden pace's name.

    >>> _kind("daily"), _kind("none")
    ('daily', 'none (no clock)')
    """
    return "none (no clock)" if name == NONE.name else name
