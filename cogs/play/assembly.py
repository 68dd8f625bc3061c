"""Assembles a panel: recap, note, question, answers, and the board in words.

It fits on one screen of a phone; **More** leads to the rest.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from discord import app_commands

from cogs.core import folding, lookup, story, time_words
from cogs.core.app import App, app_of
from cogs.core.pictures import (
    NOW,
    board_of_panel,
    board_parts,
    headings,
    key_of,
    names_of,
    opening,
    with_heading,
)
from cogs.core.presenter import presenter
from cogs.learning import Note, lesson_of
from cogs.review.record import note_of
from cogs.ui.form import Field, InputForm, Typed, ask, reply, suggest_choices
from cogs.ui.page import PRIMARY, Button, Described, Extra, Menu, Page, Part, height
from cogs.ui.press import Press, number_of, on_press
from cogs.ui.text import Interaction, without_icons
from engines.registry import words
from engines.words import MOST_CHARACTERS, NoSuchPlace, join_words
from render.core.canvas import Picture
from tables.core.table import Phase, Refused, Table
from tables.play.plans import PlannedPerspective
from tables.play.play import Perspective
from tables.review.record import MissedTurns
from tables.runtime import LogOnce, Together

LINES = 4
HAPPENED = "What happened"
FROM_START, SINCE = "**What has happened so far**", "**Since your last step**"
EARLIER = "-# To see {count}, press **All that happened**."


def mark_missed(perspective: Perspective, missed: MissedTurns | None) -> Perspective:
    """Return the perspective with all missed changes marked, not only the last."""
    if missed is None or not missed.turns:
        return perspective
    view = perspective.table.game.since(perspective.view, missed.seen)
    return msgspec.structs.replace(perspective, view=view)


@dataclass(frozen=True)
class MissedTurnsRecap:
    """A panel's recap of missed turns: the lines with a button, or a button `instead`."""

    lines: Sequence[str] = ()
    parts: list[Part] = field(default_factory=list)
    beside: Sequence[Button] = ()
    instead: Sequence[Button] = ()


async def recap_missed(app: App, perspective: Perspective, missed: MissedTurns | None) -> MissedTurnsRecap:
    """Return a recap of missed turns; `perspective` is marked.

    Empty if nobody has looked yet. A single turn, which the newest post repeats, is left to a button if
    there are posts to look at.
    """
    if missed is None:
        return MissedTurnsRecap()
    table, view, seat = perspective.table, perspective.view, perspective.seat
    taken = await story.rollback_lines(app.parlour.record, table, missed.rows)
    views = await story.turn_views(app.parlour.record, table, view, missed.rows, seat)
    lines = story.turn_lines(table, view, views, missed.rows, taken, seat)
    lines = await story.with_cause(app.parlour.record, table, missed.rows, lines, seat)
    if not lines:
        return MissedTurnsRecap()
    lines[0] = lines[0].removeprefix(f"{folding.FOLLOWS} ")
    number = missed.turns[0].number if missed.turns else 0
    press = Press("record", "turn", table.id, 0, str(number))
    happened = [Button(HAPPENED, press)]
    if len(missed.turns) < 2 and not (table.is_alone or app.is_text_only):
        return MissedTurnsRecap(lines, [], happened, happened)
    title = FROM_START if missed.first else SINCE
    more = [Button("All that happened", press)] if len(lines) > LINES else []
    return MissedTurnsRecap(
        lines, ["\n".join([title, *folding.newest(lines, LINES, EARLIER)])], more, happened
    )


NOT_BEGUN = "Table {number} hasn't begun, so there's no board yet."
IN_PLAN = "It isn't your turn yet. This is what you can plan."


async def words_page(interaction: Interaction, table_id: int, heading: str = "", at: str = NOW) -> Page:
    """Return a board in words: a heading's part, or the first ones.

    `at` is a turn's number, for the board after it. Raise Refused if there is no board.
    """
    app, perspective = await _require_begun(interaction, table_id)
    table = perspective.table
    parts = board_parts(table, await _view(app, perspective, at))
    part = next((part for part in parts if key_of(part) == heading), None)
    page = Page([opening(parts, MOST_CHARACTERS) if part is None else with_heading(part)], is_spoken=True)
    if len(parts) > 1:
        page.parts.append(
            headings(parts, Press("table", "heading", table.id, arg=at), "" if part is None else heading)
        )
    if at == NOW:
        is_playing = table.phase is Phase.PLAY and perspective.seat is not None
        page.parts.append([_look_button(table), *([_reach_button(table)] if is_playing else [])])
    return page


def _look_button(table: Table) -> Button:
    return Button("Look at…", Press("table", "look", table.id))


def _reach_button(table: Table) -> Button:
    return Button("What you can do", Press("table", "reach", table.id))


async def _require_begun(interaction: Interaction, table_id: int) -> tuple[App, Perspective]:
    if (await app_of(interaction).parlour.table(table_id)).deal is None:
        raise Refused(NOT_BEGUN.format(number=table_id))
    return await lookup.asker_perspective(interaction, table_id)


async def _view(app: App, perspective: Perspective, at: str) -> Any:
    """Return the current view, or after a turn (at most the last)."""
    table, record = perspective.table, app.parlour.record
    if at == NOW:
        user_id = None if perspective.seat is None else table.seats[perspective.seat].user_id
        if user_id is None:
            return await record.mark_last_turn(table, table.version, perspective.view)
        missed = await record.find_missed(table, user_id)
        if missed is None:
            return await record.mark_last_turn(table, table.version, perspective.view)
        return mark_missed(perspective, missed).view
    turns = await record.turns(table)
    turn = turns[max(0, min(number_of(at), len(turns) - 1))]
    return await record.view(table, turn.version, perspective.seat)


@on_press("table", "words")
async def on_words(interaction: Interaction, press: Press) -> None:
    """Show the board in a new message, so that the panel stays."""
    heading = press.choice if press.values else ""
    await reply(interaction, await words_page(interaction, press.table, heading, press.arg))


@on_press("table", "heading")
async def on_heading(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await words_page(interaction, press.table, press.choice, press.arg), edit=True)


@on_press("table", "reach")
async def on_reach(interaction: Interaction, press: Press) -> None:
    await look(interaction, press.table, "")


@on_press("table", "look")
async def on_look(interaction: Interaction, press: Press) -> None:
    """Ask for a place in a form, and say what is there."""
    _, perspective = await _require_begun(interaction, press.table)
    known = words(perspective.table.slug).places(perspective.view)
    examples = join_words(known[:: max(1, len(known) // EXAMPLES)][:EXAMPLES], "or")

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        await look(answered, press.table, typed["place"])

    field = Field("place", "A place, a row or a card", f"For example {examples}", required=True, longest=60)
    await ask(interaction, InputForm("Look at…", [field], on_filled))


EXAMPLES = 3
"""Places that the form names."""


async def look(interaction: Interaction, table_id: int, place: str) -> None:
    """Say what is at a place, or else the asker's moves.

    Out of turn, those that can be planned. Raise Refused for an unknown place.
    """
    app, perspective = await _require_begun(interaction, table_id)
    table, user_id = perspective.table, interaction.user.id
    if perspective.seat is not None and perspective.seat not in table.owing:
        planned = await app.parlour.plans.perspective(table.id, user_id)
        perspective = perspective if planned is None or planned.is_whole else planned
    game, view, names = words(table.slug), perspective.view, names_of(table)
    moves = await lookup.moves_of(app, perspective, user_id)
    try:
        text = (
            game.describe_place(view, names, place, moves)
            if place.strip()
            else game.describe_moves(view, names, moves)
        )
    except NoSuchPlace as unknown:
        raise Refused(str(unknown)) from None
    if isinstance(perspective, PlannedPerspective):
        text = f"{IN_PLAN}\n{text}"
    buttons = [_look_button(table), *([_reach_button(table)] if place.strip() else [])]
    await reply(interaction, Page([text, buttons], is_spoken=True))


async def places(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    try:
        lists = app_of(interaction).parlour.table_lists
        table = await lookup.table_here(interaction, interaction.namespace.table, lists=lists)
        _, perspective = await _require_begun(interaction, table.id)
    except Refused:
        return []
    return suggest_choices({place: place for place in words(table.slug).places(perspective.view)}, current)


log = logging.getLogger(__name__)
T = TypeVar("T")
PanelBuilder = Callable[[App, Perspective], Coroutine[Any, Any, Page]]
HeadingMaker = Callable[[App, Perspective, Page], Awaitable[None]]
RECAP_SIZES = ((3, 200), (2, 100), (1, 0))
"""Sizes of a recap above the next question: (full lines, letters of the earlier, small ones).

A panel takes the first that isn't too tall.
"""


class SecretLine(str):
    """A line of a panel that no post shows."""

    __slots__ = ()


_headings: list[HeadingMaker] = []
_failures = LogOnce()


@contextmanager
def optional_part(name: str, table: Table) -> Iterator[None]:
    """Leave out a panel's part that fails, and log it once."""
    try:
        yield
    except Exception as error:  # whatever it was, people can still move
        if _failures.note_failure((name, table.id), error):
            log.exception("table %s: the panel is without its %s", table.id, name)


async def _make_optional(name: str, table: Table, making: Awaitable[T], instead: T) -> T:
    with optional_part(name, table):
        return await making
    return instead


def on_study_panel(heading: HeadingMaker) -> HeadingMaker:
    _headings.append(heading)
    return heading


def recap(lines: Sequence[str], whole: int, letters: int) -> str:
    """Return secrets and the last lines in full, others in small print.

    >>> lines = ["Ann places 1.", "↳ Bear step 1.", "↳ Ann gains a vote.", "New: Evict."]
    >>> print(recap(lines, 2, 40))
    -# Ann places 1. Bear step 1.
    ↳ Ann gains a vote.
    New: Evict.
    >>> print(recap(lines, 1, 0))
    New: Evict.
    >>> print(recap(lines[:2], 1, 0))
    Bear step 1.
    >>> print(recap(lines[:2], 3, 40))
    Ann places 1.
    ↳ Bear step 1.
    >>> print(recap([SecretLine("↳ You draw Oak."), *lines], 1, 0))
    You draw Oak.
    New: Evict.
    """
    last = max(0, len(lines) - whole)
    kept = [line for at, line in enumerate(lines) if at >= last or isinstance(line, SecretLine)]
    earlier = [
        line.replace("\n", " ").removeprefix("-# ").removeprefix("↳ ")
        for line in lines[:last]
        if not isinstance(line, SecretLine)
    ]
    while earlier and len(without_icons(" ".join(earlier))) > letters:
        del earlier[0]
    if earlier:
        return "\n".join([f"-# {' '.join(earlier)}", *kept])
    return "\n".join(kept).removeprefix("↳ ")


@dataclass(frozen=True)
class PanelFacts:
    """Everything that a panel is made of; a screen may not hold it all.

    `undo` are buttons that the page lacks; `board` is there if a whole panel shows none.
    """

    perspective: Perspective
    page: Page
    deadline: Sequence[str]
    undo: Sequence[Button]
    lesson: Note | None
    hints: Sequence[Button]
    happened: MissedTurnsRecap
    remarks: Sequence[Extra]
    board: Sequence[Extra]


async def assemble(
    app: App,
    perspective: Perspective,
    panel: PanelBuilder,
    missed: MissedTurns | None = None,
    lines: Sequence[str] = (),
    *,
    is_unfolded: bool = False,
    is_draft: bool = False,
    heading: str = "",
) -> Page:
    """Assemble a panel: recap, note, question, answers, then all else.

    A changed draft's panel repeats no note, for it may ask something else.
    **More** leads to what doesn't fit on one screen: the unfolded panel. In words nothing is folded, and the
    board's part is that of `heading`.
    """
    facts = await gather_facts(app, perspective, panel, missed, is_unfolded=is_unfolded, is_draft=is_draft)
    if app.is_text_only:
        return panel_in_words(facts, lines, heading)
    return whole_panel(facts, lines) if is_unfolded else screen_of_panel(facts, lines)


async def gather_facts(
    app: App,
    perspective: Perspective,
    panel: PanelBuilder,
    missed: MissedTurns | None,
    *,
    is_unfolded: bool,
    is_draft: bool,
) -> PanelFacts:
    """Read and draw everything for a panel. What fails is left out, except the question itself."""
    table = perspective.table

    def begin(name: str, making: Coroutine[Any, Any, T], instead: T) -> asyncio.Task[T]:
        return together.create_task(_make_optional(name, table, making, instead))

    async with Together() as together:
        paging = together.create_task(panel(app, perspective))
        hinting = begin("hint", _may_ask_for_hints(app, perspective), False)
        noting = begin("note", note_of(app, perspective), None)
        timing = begin("deadline", _deadline(app, perspective), [])
        teaching = None if is_draft else begin("lesson", lesson_of(app, perspective), None)
        recapping = begin("catch-up", recap_missed(app, perspective, missed), MissedTurnsRecap())
    page, remark = paging.result(), noting.result()
    for add_heading in _headings if table.study is not None else ():
        with optional_part("heading", table):
            await add_heading(app, perspective, page)
    rows = (part for part in page.parts if isinstance(part, list))
    has_undo = any(one.press is not None and one.press.verb == "undo" for row in rows for one in row)
    has_picture = any(isinstance(part, Picture) for part in page.parts)
    # A panel's own picture marks what changed, and the newest post shows the board, if there are posts.
    lacks_board = is_unfolded and not app.is_text_only and (table.is_alone or not has_picture)
    lacks_board = lacks_board and presenter(table).needs_board(page)
    return PanelFacts(
        perspective,
        page,
        timing.result(),
        await undo_buttons(app, perspective) if table.undoes_everything and not has_undo else [],
        None if teaching is None else teaching.result(),
        [Button("Hint", table_press(table, "hint"), emoji="💡")] if hinting.result() else [],
        recapping.result(),
        [] if remark is None else [[remark]],
        [[await app.pictures.board(table, perspective.view)]] if lacks_board else [],
    )


def _add_deadline(facts: PanelFacts, lines: Sequence[str], *, has_room: bool) -> list[str]:
    """Add the deadline, if there's room, and undo. Return the recaps, long ones first."""
    table, page = facts.perspective.table, facts.page
    page.parts = order_parts(page.parts, presenter(table).shows_board)
    known = {line.removeprefix("↳ ") for line in lines}
    happened = [line for line in facts.happened.lines if line.removeprefix("↳ ") not in known]
    # A table without posts tells in its panels alone what the computers did.
    done = [*lines, *(happened if table.is_alone else ())]
    recaps = [recap(done, *most) for most in RECAP_SIZES] if done else []
    timed = [*page.parts, *facts.deadline]
    room = ONE_SCREEN - MARGIN if recaps else ONE_SCREEN  # what was done comes before the deadline
    if has_room or height(Page([*page.warnings, *recaps[-1:], *timed])) <= room:
        page.parts = timed
    if facts.undo:
        page.parts = with_extras(page, "", facts.undo).parts
    if not table.is_alone and not any(isinstance(line, SecretLine) for line in lines):
        recaps.append("")  # the post tells what a panel has no room for
    return recaps


def panel_in_words(facts: PanelFacts, lines: Sequence[str], heading: str) -> Page:
    recaps, page, happened = _add_deadline(facts, lines, has_room=True), facts.page, facts.happened
    describe_board(facts.perspective, page, heading)
    page.parts[:0] = [] if facts.lesson is None else facts.lesson.parts
    below = [*page.optional, happened.parts, *facts.remarks]
    look_at = _look_button(facts.perspective.table)
    return with_extras(page, "".join(recaps[:1]), [*facts.hints, look_at, *happened.beside, *below])


def whole_panel(facts: PanelFacts, lines: Sequence[str]) -> Page:
    """Return the panel that **More** shows, whatever its height."""
    _add_deadline(facts, lines, has_room=True)
    page, happened, table = facts.page, facts.happened, facts.perspective.table
    page.parts[:0] = [] if facts.lesson is None else facts.lesson.parts
    in_words, less = Button("In words", table_press(table, "spoken")), Button("Less", turn_press(table))
    below = [*page.optional, happened.parts, *facts.remarks, *facts.board]
    return with_extras(page, "", [*facts.hints, in_words, *happened.beside, less, *below])


def screen_of_panel(facts: PanelFacts, lines: Sequence[str]) -> Page:
    """Return what fits; a lesson's long note comes first, alone. Once it's read, **More** shows it again."""
    recaps, page, note = _add_deadline(facts, lines, has_room=False), facts.page, facts.lesson
    table = facts.perspective.table
    more = Button("More", table_press(table, "unfold"))
    extras = [*facts.remarks, *facts.hints, *page.optional, *facts.happened.instead]
    if note is None:
        return one_screen(page, recaps, extras, more)
    whole = Page([*note.parts, *page.parts], page.optional, page.warnings)
    if fits(whole, "".join(recaps[:1]), [*page.optional, more]):
        return one_screen(whole, recaps, extras, more)
    if table.learning:
        return (
            _note_page(table, recaps, note, page) if note.is_new else one_screen(page, recaps, extras, more)
        )
    if isinstance(note.short, Button):
        return one_screen(page, recaps, [note.short, *extras], more)
    page.parts[:0] = note.short
    return one_screen(page, recaps, extras, more)


def _note_page(table: Table, recaps: Sequence[str], note: Note, panel: Page) -> Page:
    """Return a note, with the picture if it fits, before its panel."""
    row = [Button("Go on", turn_press(table), PRIMARY), *note.buttons]
    pictures = [part for part in panel.parts if isinstance(part, Picture)][:1]
    told = [one for one in recaps if one] or [""]
    pages = [
        with_extras(Page([note.text, *shown, row], warnings=panel.warnings), one, [])
        for shown in (pictures, [])
        for one in told
    ]
    return next((page for page in pages if fits(page, "", [])), pages[-1])


def describe_board(perspective: Perspective, page: Page, heading: str) -> None:
    """Describe the board below a panel, and nothing of it twice."""
    table = perspective.table
    board = board_of_panel(table, perspective.view, heading)
    described = set(board.text.split("\n"))
    page.parts = [
        part
        for part in page.parts
        if not isinstance(part, Described) or not (part.whole or described.issuperset(part.text.split("\n")))
    ]
    page.parts.append(board)


async def undo_buttons(app: App, perspective: Perspective) -> list[Button]:
    table = perspective.table
    if isinstance(perspective, PlannedPerspective):
        return []
    user = table.seats[perspective.me].user_id
    with optional_part("undo button", table):
        if user is not None and await app.parlour.play.can_undo(table, user, presenter(table)):
            return [Button("Undo", Press("table", "undo", table.id, table.version))]
    return []


async def _deadline(app: App, perspective: Perspective) -> list[str]:
    lines = [
        time_words.own(one, perspective.table)
        for one in await app.parlour.waited_people(perspective.table)
        if one.seat == perspective.seat
    ]
    return [line for line in lines if line is not None]


async def _may_ask_for_hints(app: App, perspective: Perspective) -> bool:
    table = perspective.table
    return perspective.seat in table.owing and await app.parlour.hints.refusal(table) is None


def table_press(table: Table, verb: str) -> Press:
    return Press("table", verb, table.id, table.moment)


def turn_press(table: Table) -> Press:
    return Press("table", "turn", table.id, table.version)


ONE_SCREEN = 620
"""Pixels between the bars of a phone of 390 by 844."""
MARGIN = 40
"""The error of the estimate, in pixels."""
BUTTONS_PER_ROW = 5
"""Buttons in a row at most."""


def order_parts(parts: Sequence[Part], shows_board: Callable[[Page], bool]) -> list[Part]:
    """Move the board's picture below the controls."""
    boards = [part for part in parts if shows_board(Page([part]))]
    rest = [part for part in parts if part not in boards]
    last = max(
        (place for place, part in enumerate(rest, start=1) if isinstance(part, Menu | list)), default=0
    )
    return [*rest[:last], *boards, *rest[last:]]


def with_extras(page: Page, recap: str, extras: Sequence[Extra]) -> Page:
    """Return a page below a recap, with its extras.

    >>> with_extras(Page(["Flip a card."]), "Ann moved.", [["You have until Friday."]]).parts
    ['Ann moved.', 'Flip a card.', 'You have until Friday.']
    """
    parts: list[Part] = [list(part) if isinstance(part, list) else part for part in page.parts]
    for extra in extras:
        if not isinstance(extra, Button):
            continue
        rows = [part for part in parts if isinstance(part, list)]
        if rows and len(rows[-1]) < BUTTONS_PER_ROW:
            rows[-1].append(extra)
        else:
            controls = [place for place, part in enumerate(parts, start=1) if isinstance(part, Menu | list)]
            parts.insert(controls[-1] if controls else len(parts), [extra])
    for extra in extras:
        parts += [] if isinstance(extra, Button) else extra
    shown = [recap, *parts] if recap else parts
    return Page(shown, warnings=page.warnings, is_spoken=page.is_spoken)


def one_screen(page: Page, recaps: Sequence[str], extras: Sequence[Extra], last: Button) -> Page:
    """Return a page with what fits, and the button `last`.

    Of `recaps`, the first that fits is taken, or else the last one. Earlier extras have priority.
    """
    recap = next((one for one in recaps if fits(page, one, [last])), "".join(recaps[-1:]))
    kept: list[Extra] = []
    for extra in extras:
        if fits(page, recap, [*kept, extra, last]):
            kept.append(extra)
    return with_extras(page, recap, [*kept, last])


def fits(page: Page, recap: str, extras: Sequence[Extra]) -> bool:
    return height(with_extras(page, recap, extras)) <= ONE_SCREEN - MARGIN
