"""`/me`: a person's own settings, in one private panel or typed."""

from collections.abc import Iterable, Sequence
from typing import Any

from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of
from cogs.core.settings import Change, PressContext, Setting, change_by_options, with_options
from cogs.people.blocks import BlockCommands
from cogs.people.rows import SETTINGS, end_absence
from cogs.ui.answering import say
from cogs.ui.interaction import Interaction
from cogs.ui.page import Page
from cogs.ui.places import anywhere
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply
from engines.registry import SLUGS
from tables.core.people import Person

TITLE = "### Your settings\n-# These settings are for all your tables, in every server."
BACK = "Welcome back! Your clocks run again."
NOTES = {
    True: "Your panels show all notes once more, in every game.",
    False: "Your panels no longer explain things. `/me notes on:True` brings the notes back.",
}


def settings_page(person: Person, now: float) -> Page:
    page = _page_of(SETTINGS.values(), person, now)
    page.parts.insert(0, TITLE)
    return page


def _page_of(rows: Iterable[Setting[Person]], person: Person, now: float) -> Page:
    return Page([part for row in rows for part in row.parts("me", person, None, now)])


async def _change_and_render(app: App, user_id: int, change: Change[Person]) -> Page:
    person = await app.parlour.personal_settings.change(user_id, change)
    return settings_page(person, app.parlour.clock())


def change_command(
    name: str, description: str, *names: str, also: Sequence[str] = ()
) -> app_commands.Command[Any, ..., None]:
    """Return the command that changes some settings.

    Its answer shows them, and `also` others, with what changes them back.
    """
    rows = [SETTINGS[one] for one in names]
    shown = [*rows, *(SETTINGS[one] for one in also)]

    @with_options(rows)
    async def callback(_cog: BlockCommands, interaction: Interaction, **typed: Any) -> None:
        parlour = app_of(interaction).parlour
        change = change_by_options(interaction, rows, typed)
        person = await parlour.personal_settings.change(interaction.user.id, change)
        await reply(interaction, _page_of(shown, person, parlour.clock()))

    return app_commands.command(name=name, description=description)(callback)


@anywhere
class MeCommands(BlockCommands, group_name="me", group_description="Notices, quiet hours, holidays and more"):
    """The `/me` commands: each answers in private with the new setting."""

    @app_commands.command(name="settings", description="See all your settings on one panel")
    async def settings(self, interaction: Interaction) -> None:
        await reply(
            interaction,
            await _change_and_render(app_of(interaction), interaction.user.id, lambda person: person),
        )

    notices = change_command("notices", "Choose where I announce your turns", "where", "reminders", "hands")
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
    daily = change_command("daily", "Get one DM a day when I post the deal of the day", "daily")

    @app_commands.command(name="notes", description="Choose whether your panels explain new things")
    @app_commands.describe(on="Turn notes on or off; if you turn them on, I explain everything again")
    async def notes(self, interaction: Interaction, on: bool = True) -> None:
        lessons = app_of(interaction).parlour.lessons
        if on:
            await lessons.restart(interaction.user.id)
        else:
            await lessons.stop(interaction.user.id, SLUGS)
        await say(interaction, NOTES[on])

    @app_commands.command(name="back", description="You're back from a holiday")
    async def back(self, interaction: Interaction) -> None:
        parlour = app_of(interaction).parlour
        await parlour.personal_settings.change(
            interaction.user.id, lambda person: end_absence(person, parlour.clock())
        )
        await say(interaction, BACK)


@on_press("me", *SETTINGS)
async def on_setting(interaction: Interaction, press: Press) -> None:
    """Change one setting, or ask for it by a form."""
    app = app_of(interaction)

    async def save(answered: Interaction, change: Change[Person]) -> None:
        page = await _change_and_render(app, answered.user.id, change)
        await reply(answered, page, edit=True)

    person = await app.parlour.people.person(interaction.user.id)
    await SETTINGS[press.verb].answer(PressContext(interaction, press, person, save))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(MeCommands())
