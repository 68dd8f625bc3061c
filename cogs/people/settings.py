"""`/me`: a person's own settings, in one private panel or typed."""

from __future__ import annotations

from collections.abc import Callable

from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from cogs.core.app import App, app_of
from cogs.people import settings_words as words
from cogs.people.blocks import BlockCommands
from cogs.ui.errors import say
from cogs.ui.form import Field, InputForm, Typed, ask
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Line as TypedLine
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.places import anywhere
from cogs.ui.press import NOT_OURS, Press, number_of, on_press
from cogs.ui.reply import reply
from engines.registry import SLUGS
from tables.core.people import Notices, Person, begin_holiday, end_holiday, in_zone, with_quiet
from tables.core.table import Refused
from tables.time.reading import read_time, read_until
from tables.time.zones import read_zone, zone_name, zones_like

Change = Callable[[Person], Person]
HOURS: tuple[int | None, ...] = (None, *range(24))
OFF = ("", "off", "none", "no", "-")
MOST_OFFERED = 25
"""Lines that Discord shows while somebody types."""


def settings_page(person: Person, now: float) -> Page:
    away = person.away_until(now) is not None
    hours = [
        Option(words.hour(hour).capitalize(), _value(hour), chosen=hour == person.digest_hour)
        for hour in HOURS
    ]
    where = [
        Option(text.capitalize(), place.value, chosen=place is person.notices)
        for place, text in words.WHERE.items()
    ]
    return Page(
        [
            words.TITLE,
            words.notices(person),
            Menu(Press("me", "where"), "Where to notify you", where),
            f"{words.reminders(person)}\n{words.hands(person)}",
            [
                _switch("Reminders", "reminders", person.reminders),
                _switch("Hands by DM", "hands", person.hands),
            ],
            f"{words.quiet(person)}\n{words.zone(person, now)}",
            [
                Button("Quiet hours", Press("me", "quiet")),
                Button("Time zone", Press("me", "zone")),
            ],
            words.away(person, now),
            [
                Button("I'm back", Press("me", "back"))
                if away
                else Button("I'll be away", Press("me", "away"))
            ],
            words.digest(person),
            Menu(Press("me", "digest"), "Digest hour", hours),
            words.daily(person),
            [_switch("Deal of the day", "daily", person.daily)],
            words.profile_visibility_line(person),
            [
                Button(
                    "Show it to all" if person.hidden else "Hide it",
                    Press("me", "hide", arg=str(int(not person.hidden))),
                )
            ],
            words.in_words(person),
            [
                Button(
                    "Show boards as pictures" if person.in_words else "Show boards as text",
                    Press("me", "words", arg=str(int(not person.in_words))),
                )
            ],
        ]
    )


def _switch(what: str, verb: str, holds: bool) -> Button:
    return Button(f"{what} {'off' if holds else 'on'}", Press("me", verb, arg=str(int(not holds))))


def _value(hour: int | None) -> str:
    return "off" if hour is None else str(hour)


def with_hours(person: Person, begins: str, ends: str) -> Person:
    """Return the person with typed quiet hours; none if empty or ``off``."""
    if begins.lower() in OFF and ends.lower() in OFF:
        return with_quiet(person, None, None)
    return with_quiet(person, read_time(begins), read_time(ends))


def go_away(person: Person, until: str, note: str, now: float) -> Person:
    """Return the person, away until a typed time."""
    return begin_holiday(person, read_until(until, now, person.zone), " ".join(note.split())[:100], now)


async def _change_and_render(app: App, user_id: int, change: Change) -> Page:
    person = await app.parlour.personal_settings.change(user_id, change)
    return settings_page(person, app.parlour.clock())


async def _change(interaction: Interaction, change: Change) -> None:
    await reply(
        interaction, await _change_and_render(app_of(interaction), interaction.user.id, change), edit=True
    )


async def _change_and_say(
    interaction: Interaction, change: Change, line: Callable[[Person, float], str]
) -> None:
    parlour = app_of(interaction).parlour
    person = await parlour.personal_settings.change(interaction.user.id, change)
    await say(interaction, line(person, parlour.clock()))


async def offer_zones(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: time zones, each with the time there; at first, your own."""
    parlour = app_of(interaction).parlour
    if not current.strip():
        names = dict.fromkeys([(await parlour.people.person(interaction.user.id)).zone, *words.WELL_KNOWN])
    else:
        names = dict.fromkeys(zones_like(current))
    now = parlour.clock()
    return [
        app_commands.Choice(name=f"{zone_name(name)} ({words.now_in(name, now)})", value=name)
        for name in list(names)[:MOST_OFFERED]
    ]


@anywhere
class MeCommands(BlockCommands, group_name="me", group_description="Notices, quiet hours, holidays and more"):
    """The `/me` commands: each answers in private with the new setting."""

    @app_commands.command(name="settings", description="See all your settings on one panel")
    async def settings(self, interaction: Interaction) -> None:
        await reply(
            interaction,
            await _change_and_render(app_of(interaction), interaction.user.id, lambda person: person),
        )

    @app_commands.command(name="notices", description="Choose where I tell you it's your turn")
    @app_commands.describe(
        where="In the table's thread, by DM, both or nowhere",
        reminders="Reminders when half of your time is left, and again at a tenth",
        hands="Get secret hands by DM; otherwise, press My hand to see yours",
    )
    @app_commands.choices(
        where=[app_commands.Choice(name=text, value=place.value) for place, text in words.WHERE.items()]
    )
    async def notices(
        self,
        interaction: Interaction,
        where: str | None = None,
        reminders: bool | None = None,
        hands: bool | None = None,
    ) -> None:

        def change(person: Person) -> Person:
            return replace(
                person,
                notices=person.notices if where is None else Notices(where),
                reminders=person.reminders if reminders is None else reminders,
                hands=person.hands if hands is None else hands,
            )

        def line(person: Person, _now: float) -> str:
            return "\n".join([words.notices(person), words.reminders(person), words.hands(person)])

        await _change_and_say(interaction, change, line)

    @app_commands.command(name="quiet", description="Quiet hours: I send nothing, and your clocks stop")
    @app_commands.describe(begins="Like 22:00, 22 or 10pm; or off", ends="Like 7:00, 7 or 7am")
    @app_commands.rename(begins="from", ends="to")
    async def quiet(self, interaction: Interaction, begins: TypedLine, ends: TypedLine = "") -> None:
        await _change_and_say(
            interaction,
            lambda person: with_hours(person, begins, ends),
            lambda person, now: f"{words.quiet(person)}\n{words.zone(person, now)}",
        )

    @app_commands.command(name="zone", description="Your time zone")
    @app_commands.describe(zone="A city or a name, like Berlin or America/New_York")
    @app_commands.autocomplete(zone=offer_zones)
    async def zone(self, interaction: Interaction, zone: TypedLine) -> None:
        await _change_and_say(interaction, lambda person: in_zone(person, read_zone(zone)), words.zone)

    @app_commands.command(
        name="digest",
        description="Get one DM a day that lists the tables waiting for you and those that ended",
    )
    @app_commands.describe(hour="At which hour, in your time zone")
    @app_commands.choices(
        hour=[app_commands.Choice(name=words.hour(hour), value=_value(hour)) for hour in HOURS]
    )
    async def digest(self, interaction: Interaction, hour: str) -> None:
        at = None if hour == "off" else number_of(hour)
        await _change_and_say(
            interaction,
            lambda person: replace(person, digest_hour=at),
            lambda person, now: f"{words.digest(person)}\n{words.zone(person, now)}",
        )

    @app_commands.command(name="away", description="Take a holiday: your clocks stop, and I tell your tables")
    @app_commands.describe(
        until="Like 2026-12-24, 24.12., 10 days or friday", note="What to tell your tables"
    )
    async def away(self, interaction: Interaction, until: TypedLine, note: TypedLine = "") -> None:
        now = app_of(interaction).parlour.clock()
        await _change_and_say(
            interaction, lambda person: go_away(person, until, note, now), words.away_answer
        )

    @app_commands.command(name="hide", description="Hide your games, or show them again")
    @app_commands.describe(hidden="Hide your ratings and results from everyone else?")
    async def hide(self, interaction: Interaction, hidden: bool = True) -> None:
        await _change_and_say(
            interaction,
            lambda person: replace(person, hidden=hidden),
            lambda person, _now: words.profile_visibility_line(person),
        )

    @app_commands.command(name="words", description="Get text instead of pictures")
    @app_commands.describe(on="Turn text on or off")
    async def describe_boards(self, interaction: Interaction, on: bool = True) -> None:
        await _change_and_say(
            interaction,
            lambda person: replace(person, in_words=on),
            lambda person, _now: words.in_words(person),
        )

    @app_commands.command(name="daily", description="Get one DM a day when I post the deal of the day")
    @app_commands.describe(on="Turn this DM on or off")
    async def daily(self, interaction: Interaction, on: bool = True) -> None:
        await _change_and_say(
            interaction,
            lambda person: replace(person, daily=on),
            lambda person, _now: words.daily(person),
        )

    @app_commands.command(name="notes", description="Choose whether your panels explain new things")
    @app_commands.describe(on="Turn notes on or off; on explains everything once more")
    async def notes(self, interaction: Interaction, on: bool = True) -> None:
        lessons = app_of(interaction).parlour.lessons
        if on:
            await lessons.restart(interaction.user.id)
        else:
            await lessons.stop(interaction.user.id, SLUGS)
        await say(interaction, words.notes(on))

    @app_commands.command(name="back", description="You're back from a holiday")
    async def back(self, interaction: Interaction) -> None:
        parlour = app_of(interaction).parlour
        await parlour.personal_settings.change(
            interaction.user.id, lambda person: _back(person, parlour.clock())
        )
        await say(interaction, words.BACK)


def _back(person: Person, now: float) -> Person:
    """Return the person, back again. Raise Refused if they aren't away."""
    if person.away_until(now) is None:
        raise Refused(words.NOT_AWAY)
    return end_holiday(person, now)


@on_press("me", "where")
async def on_where(interaction: Interaction, press: Press) -> None:
    if press.choice not in list(Notices):
        raise Refused(NOT_OURS)
    await _change(interaction, lambda person: replace(person, notices=Notices(press.choice)))


@on_press("me", "reminders")
async def on_reminders(interaction: Interaction, press: Press) -> None:
    await _change(interaction, lambda person: replace(person, reminders=bool(press.number)))


@on_press("me", "hands")
async def on_hands(interaction: Interaction, press: Press) -> None:
    await _change(interaction, lambda person: replace(person, hands=bool(press.number)))


@on_press("me", "daily")
async def on_daily(interaction: Interaction, press: Press) -> None:
    await _change(interaction, lambda person: replace(person, daily=bool(press.number)))


@on_press("me", "words")
async def on_words(interaction: Interaction, press: Press) -> None:
    await _change(interaction, lambda person: replace(person, in_words=bool(press.number)))


@on_press("me", "hide")
async def on_hide(interaction: Interaction, press: Press) -> None:
    await _change(interaction, lambda person: replace(person, hidden=bool(press.number)))


@on_press("me", "digest")
async def on_digest(interaction: Interaction, press: Press) -> None:
    at = None if press.choice == "off" else press.choice_number
    if at not in HOURS:
        raise Refused(NOT_OURS)
    await _change(interaction, lambda person: replace(person, digest_hour=at))


@on_press("me", "quiet")
async def on_quiet(interaction: Interaction, press: Press) -> None:

    async def on_filled(interaction: Interaction, typed: Typed) -> None:
        await _change(interaction, lambda person: with_hours(person, typed["from"], typed["to"]))

    quiet = (await app_of(interaction).parlour.people.person(interaction.user.id)).quiet
    begins, ends = ("", "") if quiet is None else (words.clock(quiet.begins), words.clock(quiet.ends))
    fields = [Field("from", "From", words.TIME_HELP, begins), Field("to", "To", "", ends)]
    await ask(interaction, InputForm("Quiet hours", fields, on_filled))


@on_press("me", "zone")
async def on_zone(interaction: Interaction, press: Press) -> None:

    async def on_filled(interaction: Interaction, typed: Typed) -> None:
        await _change(interaction, lambda person: in_zone(person, read_zone(typed["zone"])))

    zone = (await app_of(interaction).parlour.people.person(interaction.user.id)).zone
    await ask(
        interaction,
        InputForm(
            "Time zone", [Field("zone", "Where you are", words.ZONE_HELP, zone, required=True)], on_filled
        ),
    )


@on_press("me", "away")
async def on_away(interaction: Interaction, press: Press) -> None:

    async def on_filled(interaction: Interaction, typed: Typed) -> None:
        now = app_of(interaction).parlour.clock()
        await _change(interaction, lambda person: go_away(person, typed["until"], typed["note"], now))

    fields = [
        Field("until", "Until", words.UNTIL_HELP, required=True),
        Field("note", "What to tell your tables", "Where you are, or why (optional)", longest=100),
    ]
    await ask(interaction, InputForm("Away", fields, on_filled))


@on_press("me", "back")
async def on_back(interaction: Interaction, press: Press) -> None:
    now = app_of(interaction).parlour.clock()
    await _change(interaction, lambda person: _back(person, now))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(MeCommands())
