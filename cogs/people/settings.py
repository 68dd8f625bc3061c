"""`/me`: a person's own settings, in forms of one private panel or typed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from inspect import Parameter
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from discord import app_commands
from discord.ext import commands

from cogs.core import settings as panels
from cogs.core.app import App, app_of
from cogs.people.overview import BlockCommands
from cogs.ui.form import Field, Typed, reply
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction, anywhere
from cogs.ui.text import Line as TypedLine
from engines import marks, registry
from tables.core.people import Notices, Person, begin_holiday, end_holiday, in_zone, with_quiet
from tables.core.table import Refused
from tables.time.reading import read_time, read_until, read_zone, zone_name, zones_like

WORDS = panels.load_words(Path(__file__).with_name("settings.toml"))
OFF = ("", "off", "none", "no", "-")
MOST_OFFERED = 25
"""Lines that Discord shows while somebody types."""
BACK = "back"
"""The press that ends a holiday."""
WELL_KNOWN = (
    "UTC",
    *(f"Europe/{city}" for city in ("London", "Berlin", "Athens")),
    *(f"Africa/{city}" for city in ("Lagos", "Johannesburg")),
    *(f"Asia/{city}" for city in ("Dubai", "Kolkata", "Singapore", "Shanghai", "Tokyo")),
    *("Australia/Sydney", "Pacific/Auckland"),
    *(f"America/{city}" for city in ("Sao_Paulo", "New_York", "Chicago", "Denver", "Los_Angeles")),
)
"""Time zones that are offered before anybody has typed."""
NOT_AWAY = "You aren't away."


def clock(minutes: int) -> str:
    """Format minutes as a time of day.

    >>> clock(7 * 60), clock(22 * 60 + 30)
    ('7:00', '22:30')
    """
    return f"{minutes // 60}:{minutes % 60:02d}"


HOURS = {"off": "off", **{str(hour): clock(hour * 60) for hour in range(24)}}


def now_in(zone: str, now: float) -> str:
    wall = datetime.fromtimestamp(now, ZoneInfo(zone))
    return clock(wall.hour * 60 + wall.minute)


async def offer_zones(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: time zones, each with the time there; at first, your own."""
    parlour = app_of(interaction).parlour
    if not current.strip():
        names = dict.fromkeys([(await parlour.people.person(interaction.user.id)).zone, *WELL_KNOWN])
    else:
        names = dict.fromkeys(zones_like(current))
    now = parlour.clock()
    return [
        app_commands.Choice(name=f"{zone_name(name)} ({now_in(name, now)})", value=name)
        for name in list(names)[:MOST_OFFERED]
    ]


@dataclass(frozen=True)
class QuietHours(panels.Setting[Person]):
    """Sets quiet hours; empty or ``off`` ends them."""

    def value(self, settings: Person, now: float) -> str:
        begins, ends = _hours(settings)
        return f"{begins} to {ends}" if begins else self.words.values["none"]

    def fields(self, at: panels.PanelContext[Person]) -> list[Field]:
        return self.lines(*_hours(at.settings))

    def fill(self, interaction: Interaction, settings: Person, filled: Typed) -> Person:
        return self.read(interaction, settings, filled)

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return (TypedLine, Parameter.empty), (TypedLine, "")

    def read(self, _: Interaction, settings: Person, given: Mapping[str, Any]) -> Person:
        begins, ends = (given.get(name, "") for name in self.words.fields)
        if begins.lower() in OFF and ends.lower() in OFF:
            return with_quiet(settings, None, None)
        return with_quiet(settings, read_time(begins), read_time(ends))


def _hours(person: Person) -> tuple[str, str]:
    quiet = person.quiet
    return ("", "") if quiet is None else (clock(quiet.begins), clock(quiet.ends))


@dataclass(frozen=True)
class PersonZone(panels.Setting[Person]):
    """Sets a person's time zone."""

    def value(self, settings: Person, now: float) -> str:
        return f"{marks.quote(zone_name(settings.zone))} (now {now_in(settings.zone, now)})"

    def fields(self, at: panels.PanelContext[Person]) -> list[Field]:
        return self.lines(at.settings.zone, required=1)

    def fill(self, interaction: Interaction, settings: Person, filled: Typed) -> Person:
        return self.read(interaction, settings, filled)

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(TypedLine, Parameter.empty)]

    def suggestions(self) -> dict[str, panels.Suggestions]:
        return {"zone": offer_zones}

    def read(self, _: Interaction, settings: Person, given: Mapping[str, Any]) -> Person:
        # A line of the list ends with the time there.
        return in_zone(settings, read_zone(given["zone"].partition(" (")[0]))


@dataclass(frozen=True)
class Holiday(panels.Setting[Person]):
    """Begins a holiday; a button ends it."""

    def value(self, settings: Person, now: float) -> str:
        until = settings.away_until(now)
        note = f" ({marks.quote(settings.away_note)})" if settings.away_note else ""
        return self.words.values["none"] if until is None else f"until <t:{until:.0f}:f>{note}"

    def fields(self, at: panels.PanelContext[Person]) -> list[Field]:
        return self.lines("", "", longest=100, required=1)

    def fill(self, interaction: Interaction, settings: Person, filled: Typed) -> Person:
        return self.read(interaction, settings, filled)

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return (TypedLine, Parameter.empty), (TypedLine, "")

    def read(self, interaction: Interaction, settings: Person, given: Mapping[str, Any]) -> Person:
        now, note = app_of(interaction).parlour.clock(), " ".join(given.get("note", "").split())[:100]
        return begin_holiday(settings, read_until(given["until"], now, settings.zone), note, now)


def end_absence(person: Person, now: float) -> Person:
    if person.away_until(now) is None:
        raise Refused(NOT_AWAY)
    return end_holiday(person, now)


GROUPS: tuple[panels.Group[Person], ...] = (
    panels.Group(
        "notices",
        "Notices",
        (
            panels.Selection("where", WORDS, "notices", saved=Notices),
            panels.Switch("reminders", WORDS),
            panels.Switch("here", WORDS, "always_called"),
            panels.Switch("hands", WORDS),
        ),
    ),
    panels.Group(
        "dms",
        "Daily DMs",
        (
            panels.Selection(
                "digest",
                WORDS,
                "digest_hour",
                key=lambda hour: "off" if hour is None else str(hour),
                saved=lambda key: None if key == "off" else int(key),
                texts=HOURS,
                default=Parameter.empty,
            ),
            panels.Switch("daily", WORDS, default=True),
        ),
    ),
    panels.Group(
        "hours", "Quiet hours and time zone", (PersonZone("zone", WORDS), QuietHours("quiet", WORDS))
    ),
    panels.Group("away", "I'll be away", (Holiday("away", WORDS),)),
    panels.Group(
        "display",
        "Pictures, words and privacy",
        (
            panels.Switch("words", WORDS, "in_words", default=True),
            panels.Selection("theme", WORDS, default=Parameter.empty),
            panels.Switch("typed", WORDS, "confirms", default=True),
            panels.Switch("hide", WORDS, "hidden", default=True),
        ),
    ),
)
BY_NAME = {group.name: group for group in GROUPS}
SETTINGS = {row.name: row for group in GROUPS for row in group.rows}


TITLE = "### Your settings\n-# These settings are for all your tables, in every server."
WELCOME_BACK = "Welcome back! Your clocks run again."
NOTES = {
    True: "Your panels show all notes once more, in every game.",
    False: "Your panels no longer explain things. `/me notes on:True` brings the notes back.",
}


def _page_of(groups: Iterable[panels.Group[Person]], person: Person, now: float) -> Page:
    """Show groups of settings; a holiday that has begun can be ended."""
    page, at = Page(), panels.PanelContext(person, None, now)
    for group in groups:
        page.parts += group.parts("me", at)
        if group.name == "away" and person.away_until(now) is not None:
            page.parts[-1] = [Button("I'm back", Press("me", BACK))]
    return page


async def _change_and_render(app: App, user_id: int, change: panels.Change[Person]) -> Page:
    person = await app.parlour.personal_settings.change(user_id, change)
    page = _page_of(GROUPS, person, app.parlour.clock())
    page.parts.insert(0, TITLE)
    return page


def change_command(
    name: str, description: str, *names: str, also: Sequence[str] = ()
) -> app_commands.Command[Any, ..., None]:
    """Return the command that changes some settings.

    Its answer shows them and `also` others, with the buttons of their groups.
    """
    rows = [SETTINGS[one] for one in names]
    shown = [
        panels.Group(group.name, group.title, kept)
        for group in GROUPS
        if (kept := tuple(row for row in group.rows if row.name in (*names, *also)))
    ]

    @panels.with_options(rows)
    async def callback(_cog: BlockCommands, interaction: Interaction, **typed: Any) -> None:
        parlour = app_of(interaction).parlour
        change = panels.change_by_options(interaction, rows, typed)
        person = await parlour.personal_settings.change(interaction.user.id, change)
        await reply(interaction, _page_of(shown, person, parlour.clock()))

    return app_commands.command(name=name, description=description)(callback)


@anywhere
class MeCommands(BlockCommands, group_name="me", group_description="Notices, quiet hours, holidays and more"):
    """The `/me` commands: each answers in private with the new setting."""

    @app_commands.command(description="See all your settings on one panel")
    async def settings(self, interaction: Interaction) -> None:
        await reply(
            interaction,
            await _change_and_render(app_of(interaction), interaction.user.id, lambda person: person),
        )

    notices = change_command(
        "notices", "Choose where I announce your turns", "where", "reminders", "here", "hands"
    )
    quiet = change_command(
        "quiet", "Quiet hours: I send nothing, and your clocks stop", "quiet", also=("zone",)
    )
    zone = change_command("zone", "Your time zone", "zone")
    digest = change_command(
        "digest",
        "Get one DM a day that lists the tables waiting for you and those that ended",
        "digest",
        also=("zone",),
    )
    away = change_command("away", "Take a holiday: your clocks stop, and I tell your fellow players", "away")
    hide = change_command("hide", "Hide your games, or show them again", "hide")
    words = change_command("words", "Get text instead of pictures", "words")
    typed = change_command("typed", "See what a typed move does before I make it", "typed")
    theme = change_command("theme", "Get light or dark pictures", "theme")
    daily = change_command("daily", "Get a DM each day when I post the deal of the day", "daily")

    @app_commands.command(description="Choose whether your panels explain new things")
    @app_commands.describe(on="Turn notes on or off. If you turn them on, I explain everything again")
    async def notes(self, interaction: Interaction, on: bool = True) -> None:
        lessons = app_of(interaction).parlour.lessons
        if on:
            await lessons.restart(interaction.user.id)
        else:
            await lessons.stop(interaction.user.id, registry.SLUGS)
        await say(interaction, NOTES[on])

    @app_commands.command(description="You're back from a holiday")
    async def back(self, interaction: Interaction) -> None:
        parlour = app_of(interaction).parlour
        await parlour.personal_settings.change(
            interaction.user.id, lambda person: end_absence(person, parlour.clock())
        )
        await say(interaction, WELCOME_BACK)


async def _save(interaction: Interaction, change: panels.Change[Person]) -> None:
    page = await _change_and_render(app_of(interaction), interaction.user.id, change)
    await reply(interaction, page, edit=True)


@on_press("me", *BY_NAME)
async def on_group(interaction: Interaction, press: Press) -> None:
    parlour = app_of(interaction).parlour
    person = await parlour.people.person(interaction.user.id)
    at = panels.PanelContext(person, None, parlour.clock())
    await BY_NAME[press.verb].ask(interaction, at, _save)


@on_press("me", BACK)
async def on_back(interaction: Interaction, press: Press) -> None:
    now = app_of(interaction).parlour.clock()
    await _save(interaction, lambda person: end_absence(person, now))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(MeCommands())
