"""Lessons, first-time notes, and rules."""

import tomllib
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec

from cogs.core import rulebook
from cogs.core.app import App, app_of, name_of
from cogs.core.presenter import presenter, presenter_of
from cogs.lobby.lobby import close_unless_shown, place_here, show_card
from cogs.ui.form import reply
from cogs.ui.page import PRIMARY, Button, Menu, Option, Page, Part
from cogs.ui.press import Press, number_of, on_press, slug_of
from cogs.ui.text import Interaction
from engines.game import Strength
from engines.registry import game, games
from render.core.canvas import Picture
from tables.clocks.pace import NONE
from tables.core.table import NO_SERVER, Hints, LessonDeal, Occupant, Refused, Table, Terms, encode
from tables.play.play import Perspective


@on_press("table", "rules")
async def on_rules(interaction: Interaction, press: Press) -> None:
    table = await app_of(interaction).parlour.table(press.table)
    await show_rules(interaction, table.slug, 0)


async def show_rules(interaction: Interaction, slug: str, page: int | str, *, edit: bool = False) -> None:
    number = rulebook.page_number(slug, page) if isinstance(page, str) else page
    await reply(interaction, _rules(slug, number), edit=edit)


def _rules(slug: str, number: int) -> Page:
    pages = presenter_of(slug).rules()
    number = max(0, min(number, len(pages) - 1))
    page = Page(list(pages[number].parts))
    page.parts.append(
        [
            Button("Back", Press("rules", "page", 0, 0, f"{slug}.{number - 1}"), disabled=number == 0),
            Button(f"{number + 1} of {len(pages)}", Press("rules", "here", 0, 0, slug), disabled=True),
            Button(
                "Next",
                Press("rules", "page", 0, 0, f"{slug}.{number + 1}"),
                PRIMARY,
                disabled=number + 1 == len(pages),
            ),
        ]
    )
    return page


@on_press("rules", "page")
async def rules_page(interaction: Interaction, press: Press) -> None:
    slug, _, number = press.arg.partition(".")
    await show_rules(interaction, slug_of(slug), number_of(number), edit=True)


@on_press("rules", "open")
async def rules_open(interaction: Interaction, press: Press) -> None:
    await show_rules(interaction, slug_of(press.arg or press.choice), 0)


def rules_menu() -> Menu:
    lines = [Option(f"Rules of {one.title}", one.slug, presenter_of(one.slug).tagline) for one in games()]
    return Menu(Press("rules", "open"), "Read the rules of a game", lines)


SIGN, NEW = "📖", "New: "
"""The sign of a lesson, and the prefix of its title on a button."""
MOST_LINES = 3
"""Lines of a lesson at most."""
MOST_UNMET = 3
"""Unmet topics that the end of a lesson explains."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A note for somebody who meets something for the first time.

    Attributes:
        key: its name in the game's `lessons.applicable_notes`.
        title: its subject.
        text: its meaning, and the usual considerations.
        page: a heading in the rules with more about it.
        brief: its meaning in a line, for a panel without room for the text.
    """

    key: str
    title: str
    text: str
    page: str
    brief: str = ""


class LessonTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to learn at.

    Attributes:
        minutes: about how long the game takes a beginner.
        seats: the number of seats; all but one are computers.
        seed: of a deal that shows much early, in hexadecimal digits.
        options: of the game, if they aren't the usual ones.
    """

    minutes: int
    seats: int
    seed: str
    options: dict[str, Any] = {}


class LessonSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All lessons of a game, and its lesson table; None if it has none."""

    lesson: tuple[Lesson, ...] = ()
    learn: LessonTable | None = None


@cache
def course(slug: str) -> LessonSet:
    """Return a game's lessons; empty if its room has no `lessons.toml`."""
    path = Path(__file__).parent / slug / "lessons.toml"
    return (
        msgspec.convert(tomllib.loads(path.read_text("utf-8")), LessonSet) if path.exists() else LessonSet()
    )


@dataclass(frozen=True)
class Note:
    """A lesson in a panel: its text, its buttons, or `short` as a line or a button."""

    text: str
    buttons: list[Button]
    short: Button | list[Part]
    is_new: bool

    @property
    def parts(self) -> list[Part]:
        return [self.text, self.buttons]


async def lesson_of(app: App, perspective: Perspective) -> Note | None:
    table, seat = perspective.table, perspective.seat
    user_id = None if seat is None else table.seats[seat].user_id
    if seat is None or user_id is None or table.study is not None:
        return None
    lessons = {one.key: one for one in course(table.slug).lesson}

    applying = partial(presenter(table).lessons.applicable_notes, perspective.view, seat)
    chosen = await app.parlour.lessons.next_lesson(user_id, table, lessons, applying)
    if chosen is None:
        return None
    return _note(table.slug, lessons[chosen.key], is_new=chosen.is_new)


def _note(slug: str, lesson: Lesson, *, is_new: bool) -> Note:
    page = rulebook.page_number(slug, lesson.page)
    more = Button("Read more", Press("lesson", "more", 0, 0, f"{slug}.{page}"))
    stop = Button("No more notes", Press("lesson", "stop", 0, 0, slug))
    press = Press("lesson", "note", 0, 0, f"{slug}.{lesson.key}")
    button = Button(f"{NEW}{lesson.title}", press, emoji=SIGN)
    brief: list[Part] = [f"{SIGN} {lesson.brief}"]
    text = f"{SIGN} **{lesson.title}**\n{lesson.text}"
    return Note(text, [more, stop], brief if lesson.brief else button, is_new)


@on_press("lesson", "note")
async def on_note(interaction: Interaction, press: Press) -> None:
    slug, _, key = press.arg.partition(".")
    lesson = next((one for one in course(slug_of(slug)).lesson if one.key == key), None)
    if lesson is None:
        raise Refused("This note is gone. **Rules** explains the game.")
    page = rulebook.pages(slug)[rulebook.page_number(slug, lesson.page)]
    example = [part for part in page.parts if isinstance(part, Picture)][:1]
    note = _note(slug, lesson, is_new=True)
    await reply(interaction, Page([note.text, *example, note.buttons]))


async def unmet_topics(app: App, table: Table) -> list[Part]:
    """Return what a lesson didn't show. A button for each of the first topics shows its picture."""
    if not table.learning:
        return []
    met = await app.parlour.lessons.lessons_read(table.host_id, table)
    left = [one for one in course(table.slug).lesson if one.key not in met]
    if not left:
        return [f"{SIGN} That's all there is to learn here."]
    first, others = left[:MOST_UNMET], "; ".join(one.title for one in left[MOST_UNMET:])
    lines = [f"{SIGN} **You haven't met these yet:**"]
    ideas = [(one.brief or one.text).partition("\n")[0].partition(". ")[0].removesuffix(".") for one in first]
    lines += [f"- **{one.title}**: {idea}." for one, idea in zip(first, ideas, strict=True)]
    lines += [f"-# `/{table.slug} rules` also explains: {others}."] if others else []
    row = [Button(one.title, Press("lesson", "note", 0, 0, f"{table.slug}.{one.key}")) for one in first]
    return ["\n".join(lines), row]


async def open_lesson(interaction: Interaction, slug: str) -> None:
    """Open and start a lesson table: easy computers, no deadline.

    Raise Refused if none can be opened, or the game has no such table.
    """
    setup = course(slug).learn
    if setup is None:
        raise Refused(f"{game(slug).title} has no lesson. `/{slug} rules` explains it.")
    app = app_of(interaction)
    guild_id, channel_id = await place_here(interaction)
    hints = Hints.ALLOWED if (await app.parlour.settings(guild_id)).hints else Hints.USUAL
    table = await _lesson(interaction, (guild_id, channel_id), slug, setup, hints)
    async with close_unless_shown(app, table):
        table = await _with_computers(app, table)
        await show_card(interaction, app, table)
    await app.parlour.lobby.start(table.id, interaction.user.id)


async def own_lesson(interaction: Interaction, slug: str) -> Table:
    """Return a person's private lesson table, an existing one if any.

    Raise Refused for a game without a lesson.
    """
    setup = course(slug).learn
    if setup is None:
        raise Refused(f"{game(slug).title} has no lesson. **Rules** explains it.")
    app = app_of(interaction)
    known = await app.parlour.lessons.running_lesson(interaction.user.id, slug)
    if known is not None:
        return known
    _, deal = lesson_deal(slug, setup)
    again = await app.parlour.lessons.begin_again(interaction.user.id, slug, deal)
    if again is not None:
        return again
    table = await _lesson(interaction, (NO_SERVER, NO_SERVER), slug, setup, Hints.ALLOWED)
    table = await _with_computers(app, table)
    return await app.parlour.lobby.start(table.id, interaction.user.id)


async def _lesson(
    interaction: Interaction, place: tuple[int, int], slug: str, setup: LessonTable, hints: Hints
) -> Table:
    host = Occupant(name_of(interaction.user), interaction.user.id)
    terms = Terms(NONE, private=True, rated=False, hints=hints)
    options, deal = lesson_deal(slug, setup)
    origin = LessonDeal(deal, (host.name, *[""] * (setup.seats - 1)))
    create = app_of(interaction).parlour.lobby.create
    return await create(*place, host, slug, options, terms=terms, origin=origin)


async def _with_computers(app: App, table: Table) -> Table:
    while table.taken < table.room:
        table = await app.parlour.lobby.add_computer(table.id, table.host_id, Strength.EASY)
    return table


def lesson_deal(slug: str, setup: LessonTable) -> tuple[Any, str]:
    """Return a lesson table's options, and its deal as JSON."""
    rules = game(slug)
    options = rules.settle(setup.seats, msgspec.convert(setup.options, rules.Options))
    return options, encode(rules.deal(setup.seats, options, bytes.fromhex(setup.seed)))


@on_press("lesson", "more")
async def on_more(interaction: Interaction, press: Press) -> None:
    slug, _, number = press.arg.partition(".")
    await show_rules(interaction, slug_of(slug), number_of(number))


@on_press("lesson", "stop")
async def on_stop(interaction: Interaction, press: Press) -> None:
    slug = slug_of(press.arg)
    await app_of(interaction).parlour.lessons.stop(interaction.user.id, [slug])
    text = f"No more notes about {game(slug).title}. `/me notes on:True` brings them all back."
    await reply(interaction, Page([text]))


def learn_menu() -> Menu:
    lines = [
        Option(
            f"Learn {one.title}", one.slug, f"about {setup.minutes} minutes against the computer, no deadline"
        )
        for one in games()
        if (setup := course(one.slug).learn) is not None
    ]
    return Menu(Press("lobby", "learn"), "Learn a game by playing it", lines)
