"""Assembles a panel: recap, note, question, answers, and what else fits on one screen."""

import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from cogs.core import time_words
from cogs.core.app import App
from cogs.core.described import board_of_panel
from cogs.core.presenter import presenter
from cogs.learning.lessons import Note, lesson_of
from cogs.play import catch_up as since
from cogs.play.height import MARGIN, ONE_SCREEN, height
from cogs.play.in_words import IN_WORDS
from cogs.play.screen import fits, one_screen, order_parts, with_extras
from cogs.review.notes import note_of
from cogs.ui.page import PRIMARY, Button, Described, Extra, Page
from cogs.ui.press import Press
from cogs.ui.signs import without_icons
from render.core.picture import Picture
from tables.core.table import Table
from tables.play.plans import PlannedPerspective
from tables.play.play import Perspective
from tables.review.record import MissedTurns
from tables.runtime.background import LogOnce, Together

log = logging.getLogger(__name__)
T = TypeVar("T")
PanelBuilder = Callable[[App, Perspective], Coroutine[Any, Any, Page]]
Heading = Callable[[App, Perspective, Page], Awaitable[None]]
RECAP_SIZES = ((3, 200), (2, 100), (1, 0))
"""Sizes of a recap above the next question: (full lines, letters of the earlier, small ones).

A panel takes the first that isn't too tall.
"""


class SecretLine(str):
    """A line of a panel that no post shows."""

    __slots__ = ()


_headings: list[Heading] = []
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


def on_study_panel(heading: Heading) -> Heading:
    """Register what adds to the panels of studies."""
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


def _join_once(lines: Sequence[str], happened: Sequence[str]) -> list[str]:
    """Join lines; leave out what the first already say.

    >>> _join_once(["Ann casts.", "↳ Ann keeps C6."], ["Ann keeps C6.", "Bo rests."])
    ['Ann casts.', '↳ Ann keeps C6.', 'Bo rests.']
    """
    known = {line.removeprefix("↳ ") for line in lines}
    return [*lines, *(line for line in happened if line.removeprefix("↳ ") not in known)]


@dataclass(frozen=True)
class _Pieces:
    """The pieces of a panel; a screen may not hold them all."""

    page: Page
    recaps: Sequence[str]
    lesson: Note | None
    hints: Sequence[Button]
    happened: since.MissedTurnsRecap
    remarks: Sequence[Extra]


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
    table = perspective.table
    hint, note_about = _may_ask_for_hints(app, perspective), note_of(app, perspective)
    deadline, recapped = _deadline(app, perspective), since.recap_missed(app, perspective, missed)
    nothing = since.MissedTurnsRecap()
    async with Together() as together:
        paging = together.create_task(panel(app, perspective))
        hinting = together.create_task(_make_optional("hint", table, hint, False))
        noting = together.create_task(_make_optional("note", table, note_about, None))
        timing = together.create_task(_make_optional("deadline", table, deadline, []))
        lesson = None if is_draft else lesson_of(app, perspective)
        teaching = (
            None if lesson is None else together.create_task(_make_optional("lesson", table, lesson, None))
        )
        recapping = together.create_task(_make_optional("catch-up", table, recapped, nothing))
    page, remark, happened = paging.result(), noting.result(), recapping.result()
    for add_heading in _headings if table.study is not None else ():
        with optional_part("heading", table):
            await add_heading(app, perspective, page)
    page.parts = order_parts(page.parts, presenter(table).shows_board)
    # A table without posts tells in its panels alone what the computers did.
    done = _join_once(lines, happened.lines) if table.is_alone else lines
    recaps = [recap(done, *most) for most in RECAP_SIZES] if done else []
    timed = [*page.parts, *timing.result()]
    room = ONE_SCREEN - MARGIN if recaps else ONE_SCREEN  # what was done comes before the deadline
    if app.is_text_only or is_unfolded or height(Page([*page.warnings, *recaps[-1:], *timed])) <= room:
        page.parts = timed
    await _offer_undo(app, perspective, page)
    if not table.is_alone and not any(isinstance(line, SecretLine) for line in lines):
        recaps.append("")  # the post tells what a panel has no room for
    hints = [Button("Hint", table_press(table, "hint"), emoji="💡")] if hinting.result() else []
    remarks: list[Extra] = [] if remark is None else [[remark]]
    note = None if teaching is None else teaching.result()
    pieces = _Pieces(page, recaps, note, hints, happened, remarks)
    if app.is_text_only:
        return _panel_in_words(perspective, pieces, heading)
    return await _whole_panel(app, perspective, pieces) if is_unfolded else _screen_of_panel(table, pieces)


def _panel_in_words(perspective: Perspective, pieces: _Pieces, heading: str) -> Page:
    page, happened, note = pieces.page, pieces.happened, pieces.lesson
    describe_board(perspective, page, heading)
    page.parts[:0] = [] if note is None else note.parts
    below = [*page.optional, happened.parts, *pieces.remarks]
    return with_extras(page, "".join(pieces.recaps[:1]), [*pieces.hints, *happened.beside, *below])


async def _whole_panel(app: App, perspective: Perspective, pieces: _Pieces) -> Page:
    page, happened, table = pieces.page, pieces.happened, perspective.table
    page.parts[:0] = [] if pieces.lesson is None else pieces.lesson.parts
    in_words, less = Button(IN_WORDS, table_press(table, "spoken")), Button("Less", turn_press(table))
    below = [*page.optional, happened.parts, *pieces.remarks]
    if presenter(table).needs_board(page):
        below.append([await app.pictures.board(table, perspective.view)])
    return with_extras(page, "", [*pieces.hints, in_words, *happened.beside, less, *below])


def _screen_of_panel(table: Table, pieces: _Pieces) -> Page:
    """Return what fits; a lesson's long note comes first, alone. Once it's read, **More** shows it again."""
    page, note = pieces.page, pieces.lesson
    more = Button("More", table_press(table, "unfold"))
    extras = [*pieces.remarks, *pieces.hints, *page.optional, *pieces.happened.instead]
    if note is None:
        return one_screen(page, pieces.recaps, extras, more)
    whole = Page([*note.parts, *page.parts], page.optional, page.warnings)
    if fits(whole, "".join(pieces.recaps[:1]), [*page.optional, more]):
        return one_screen(whole, pieces.recaps, extras, more)
    if table.learning:
        read = one_screen(page, pieces.recaps, extras, more)
        return _note_page(table, pieces.recaps, note, page) if note.is_new else read
    if isinstance(note.short, Button):
        return one_screen(page, pieces.recaps, [note.short, *extras], more)
    page.parts[:0] = note.short
    return one_screen(page, pieces.recaps, extras, more)


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
    """Return the undo button; none if nothing can be undone."""
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


async def _offer_undo(app: App, perspective: Perspective, page: Page) -> None:
    """Add an undo button where every step can be undone."""
    rows = (part for part in page.parts if isinstance(part, list))
    there = any(button.press is not None and button.press.verb == "undo" for row in rows for button in row)
    if perspective.table.undoes_everything and not there:
        page.parts = with_extras(page, "", await undo_buttons(app, perspective)).parts


def table_press(table: Table, verb: str) -> Press:
    return Press("table", verb, table.id, table.moment)


def turn_press(table: Table) -> Press:
    return Press("table", "turn", table.id, table.version)
