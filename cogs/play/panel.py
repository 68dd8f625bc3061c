"""A seat's private panel, for every game: opening it, moving, undoing, and the next step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from cogs.core import time_words
from cogs.core.app import App, app_of
from cogs.core.lookup import asker_perspective, table_here
from cogs.core.presenter import presenter
from cogs.learning.lessons import lesson_of
from cogs.people import overview_words as mine_words
from cogs.play import catch_up as since
from cogs.play.height import ONE_SCREEN, height
from cogs.play.in_words import IN_WORDS
from cogs.play.plan_page import WHOLE, add_kept_plan, plan_page
from cogs.play.screen import fits, one_screen, order_parts, with_extras
from cogs.review.notes import note_of
from cogs.ui.interaction import Interaction
from cogs.ui.page import PRIMARY, Button, Described, Extra, Page
from cogs.ui.press import Handler, Press, on_press
from cogs.ui.reply import reply
from cogs.ui.signs import without_icons
from engines.engine import Step, select_readable
from engines.game import Seat
from engines.marks import with_icon
from engines.names import quote_player
from tables.core.requirements import require_going, require_play
from tables.core.table import Phase, Refused, Stale, Table
from tables.play.plans import PlannedPerspective
from tables.play.play import Perspective
from tables.review.record import MissedTurns
from tables.runtime.background import Together

D = TypeVar("D", bound=msgspec.Struct)
COMPUTER_TIMEOUT = 20.0
"""Seconds for which a panel waits for the computers' answers."""
THINKING = "-# The computer is thinking. **Go on** shows its moves."
Ending = Callable[[App, Perspective], Awaitable[Page | None]]
Heading = Callable[[App, Perspective, Page], Awaitable[None]]
PanelBuilder = Callable[[App, Perspective], Coroutine[Any, Any, Page]]
RECAP_SIZES = ((3, 200), (2, 100), (1, 0))
"""Sizes of a recap above the next question: (full lines, letters of the earlier, small ones).

A panel takes the first that isn't too tall.
"""


def on_panel(room: str, *verbs: str) -> Callable[[Handler], Handler]:
    """Register a panel's handler; Stale shows the current panel."""

    def register(handler: Handler) -> Handler:
        async def handle(interaction: Interaction, press: Press) -> None:
            try:
                await handler(interaction, press)
            except Stale as stale:
                await reply_stale(interaction, press.table, stale, press.moment)

        on_press(room, *verbs)(handle)
        return handler

    return register


def panel_press(table: Table, verb: str, arg: str = "") -> Press:
    """Return a press of a table's game, at its current moment."""
    return Press(table.slug, verb, table.id, table.moment, arg)


async def load_draft(app: App, perspective: Perspective, kind: type[D]) -> D:
    """Return a seat's draft; `kind()` if it has none."""
    result: D | None = await app.parlour.drafts.draft(perspective.table, perspective.me, kind)
    return result or kind()


async def send(interaction: Interaction, press: Press, *made: Any) -> None:
    """Make a press's moves, and replace the panel."""
    await make_moves(interaction, press.table, made, press.moment, edit=True)


async def send_typed(interaction: Interaction, number: int | None, *made: Any) -> None:
    """Make typed moves, at that table or the one at hand."""
    await make_moves(interaction, (await table_here(interaction, number)).id, made)


async def find_typed_turn(interaction: Interaction, number: int | None) -> tuple[App, Perspective]:
    """Return a typed move's table, or the turn to plan.

    Raise Refused if it isn't their turn, and they can't plan it.
    """
    app, perspective = await asker_perspective(interaction, (await table_here(interaction, number)).id)
    if not await may_act(app, perspective):
        planned = await app.parlour.plans.perspective(perspective.table.id, interaction.user.id)
        if planned is not None:
            return app, planned
        require_turn(perspective)
    return app, perspective


async def make_moves(
    interaction: Interaction,
    table_id: int,
    made: Sequence[Any],
    seen: int | None = None,
    *,
    edit: bool = False,
    farewell: bool = True,
) -> None:
    """Make moves for the asker, and answer with the next step.

    With `farewell`, the event that ends a turn is followed by a farewell; without, by the next panel as long
    as the seat has a move to make. In a plan, and typed out of turn, they are only planned.
    """
    app = app_of(interaction)
    if await _is_planning(app, table_id, interaction.user.id, seen):
        return await _plan_moves(interaction, table_id, made, seen, edit=edit)
    try:
        perspective, steps = await app.parlour.play.move(table_id, interaction.user.id, made, seen)
    except Stale as stale:
        return await reply_stale(interaction, table_id, stale, seen)
    perspective, skipped, why = await _play_obvious_moves(app, perspective, interaction.user.id)
    steps = [*steps, *skipped]
    if perspective.table.is_alone:
        page = await solo_page(app, interaction.user.id, perspective, [*step_lines(perspective, steps), *why])
        return await reply(interaction, page, edit=edit)
    lines = [*step_lines(perspective, steps), *why]
    ended = farewell and _has_ended(perspective, steps)
    await reply(interaction, await turn_page(app, perspective, lines, ended=ended), edit=edit)


def _has_ended(perspective: Perspective, steps: Sequence[Step]) -> bool:
    ends = presenter(perspective.table).ends
    return any(isinstance(event, ends) for step in steps for event in step.events)


async def show_steps(interaction: Interaction, table_id: int, steps: Sequence[Step]) -> None:
    """Answer with what the asker's steps did, and the next panel."""
    app = app_of(interaction)
    perspective = await app.parlour.play.perspective(table_id, interaction.user.id)
    lines, ended = step_lines(perspective, steps), _has_ended(perspective, steps)
    await reply(interaction, await turn_page(app, perspective, lines, ended=ended), edit=True)


async def _is_planning(app: App, table_id: int, user_id: int, seen: int | None) -> bool:
    """Return True for a plan's moves, and typed ones out of turn."""
    if seen is not None:
        return seen < 0
    return await app.parlour.plans.perspective(table_id, user_id) is not None


async def _plan_moves(
    interaction: Interaction, table_id: int, made: Sequence[Any], seen: int | None, *, edit: bool
) -> None:
    """Add a choice to the asker's plan, and show the next."""
    try:
        await app_of(interaction).parlour.plans.add(table_id, interaction.user.id, made, seen)
    except Stale as stale:
        return await reply_stale(interaction, table_id, stale, seen)
    await reply(interaction, await panel_page(interaction, table_id, may_plan=True), edit=edit)


class SecretLine(str):
    """A line of a panel that no post shows."""

    __slots__ = ()


async def _play_obvious_moves(
    app: App, perspective: Perspective, user_id: int
) -> tuple[Perspective, list[Step], list[str]]:
    """Play moves without a choice; return their steps and recap.

    To others it looks like the person's own move, so that it gives nothing away.
    """
    steps, lines, speaker = list[Step](), list[str](), presenter(perspective.table)
    while perspective.seat in perspective.table.owing:
        pair = speaker.obvious(perspective.view)
        if pair is None:
            break
        perspective, more = await app.parlour.play.move(perspective.table.id, user_id, [pair[0]])
        steps += more
        lines.append(SecretLine(pair[1]))
    return perspective, steps, lines


def step_lines(perspective: Perspective, steps: Sequence[Step]) -> list[str]:
    """Return the steps' lines, without the next question's event."""
    speaker, names = presenter(perspective.table), perspective.table.names
    asked = speaker.asks if perspective.seat in perspective.table.owing else ()
    lines = [
        line if event.only is None else SecretLine(line)
        for step in steps
        for event in select_readable(step.events, perspective.seat)
        if not isinstance(event, asked)
        for line in [speaker.words.event_line(event, perspective.view, names)]
        if line is not None
    ]
    if not perspective.table.owing:
        lines.append(f"**{speaker.words.result(perspective.view, names)}**")
    return lines


async def turn_page(app: App, perspective: Perspective, lines: Sequence[str], *, ended: bool) -> Page:
    """Return the panel after a move: the next step, or the end."""
    if ended or not await may_act(app, perspective):
        page = turn_over_page(perspective, lines)
        waiting = perspective.seat not in perspective.table.owing and not perspective.table.computers_owing
        if waiting and (undo := await undo_buttons(app, perspective)):
            page.parts.append(undo)
        if perspective.seat not in perspective.table.owing:
            await _add_next_table(app, perspective, page)
        return page
    return await _assemble(app, perspective, presenter(perspective.table).panel, lines=lines)


async def solo_page(app: App, user_id: int, perspective: Perspective, lines: Sequence[str] = ()) -> Page:
    """Return a solo player's panel, once the computers have answered.

    Functions given to `at_the_end` make the page after it.
    """
    table = perspective.table
    if table.computers_owing:
        await app.parlour.computers.wait_until_settled(table.id, COMPUTER_TIMEOUT)
        perspective = await app.parlour.play.perspective(table.id, user_id)
        table = perspective.table
    for ending in reversed(_endings):
        page = await ending(app, perspective)
        if page is not None:
            return page
    if not await may_act(app, perspective):
        again = Button("Go on", _turn_press(table), PRIMARY)
        return Page(["\n".join([*lines, THINKING]), [again]])
    missed = await app.parlour.record.find_missed(table, user_id)
    return await panel_of(app, since.mark_missed(perspective, missed), missed, lines)


def recap(lines: Sequence[str], whole: int, letters: int) -> str:
    """Return the last lines in full, earlier ones in small print.

    >>> lines = ["Ann places 1.", "↳ Bear step 1.", "↳ Ann gains a vote.", "New: Evict."]
    >>> print(recap(lines, 2, 40))
    -# Ann places 1. Bear step 1.
    ↳ Ann gains a vote.
    New: Evict.
    >>> print(recap(lines, 1, 0))
    New: Evict.
    """
    earlier = [line.replace("\n", " ").removeprefix("-# ").removeprefix("↳ ") for line in lines[:-whole]]
    while earlier and len(without_icons(" ".join(earlier))) > letters:
        del earlier[0]
    return "\n".join([*([f"-# {' '.join(earlier)}"] if earlier else []), *lines[-whole:]])


def at_the_end(ending: Ending) -> Ending:
    """Register the page after the end of something played alone.

    It is None at other tables, and before the end.
    """
    _endings.append(ending)
    return ending


_endings: list[Ending] = []
_headings: list[Heading] = []


def on_study_panel(heading: Heading) -> Heading:
    """Register what adds to the panels of studies."""
    _headings.append(heading)
    return heading


async def _add_next_table(app: App, perspective: Perspective, page: Page) -> None:
    """Add a link to the person's most urgent other table."""
    user = perspective.table.seats[perspective.me].user_id
    turn = None if user is None else await app.parlour.overviews.next_turn(user, perspective.table.id)
    if turn is not None:
        press = Press("table", "turn", turn.table_id, turn.version)
        button = Button("Next table", press, PRIMARY)
        page.parts += [mine_words.next_table(turn), [button]]


def turn_over_page(perspective: Perspective, lines: Sequence[str]) -> Page:
    """Return the panel after a turn, with a button if next again."""
    table = perspective.table
    if perspective.seat in table.owing:
        again = Button("Take turn", _turn_press(table), PRIMARY)
        return Page(["\n".join([*lines, "-# It's your turn again."]), [again]])
    if table.computers_owing:
        lines = [*lines, "-# The computer plays now. You'll see its moves at the table."]
    elif table.owing:
        following = ", ".join(_bold_player(perspective, seat) for seat in table.owing)
        lines = [*lines, f"-# Next: {following}."]
    return Page(["\n".join(lines) or "Done."])


def _bold_player(perspective: Perspective, seat: Seat) -> str:
    table = perspective.table
    sign = presenter(table).seat_sign(perspective.view, seat)
    return with_icon(sign, f"**{quote_player(table.names, seat)}**")


async def undo_buttons(app: App, perspective: Perspective) -> list[Button]:
    """Return the undo button; none if nothing can be undone."""
    table = perspective.table
    if isinstance(perspective, PlannedPerspective):
        return []
    user = table.seats[perspective.me].user_id
    if user is None or not await app.parlour.play.can_undo(table, user):
        return []
    return [Button("Undo", Press("table", "undo", table.id, table.version))]


async def current(interaction: Interaction, press: Press) -> tuple[App, Perspective]:
    """Return a press's app and perspective. Raise Stale if outdated."""
    app, perspective, _ = await _current(interaction, press)
    return app, perspective


async def find_perspective(interaction: Interaction, press: Press) -> tuple[App, Perspective]:
    """Return the perspective of a press.

    In a plan it is that of the planned turn. Raise Stale for a press of an older plan.
    """
    if press.moment >= 0:
        return await asker_perspective(interaction, press.table)
    app = app_of(interaction)
    planned = await app.parlour.plans.perspective(press.table, interaction.user.id)
    if planned is None or planned.table.moment != press.moment:
        raise Stale()
    return app, planned


async def _current(interaction: Interaction, press: Press) -> tuple[App, Perspective, MissedTurns | None]:
    app, perspective = await find_perspective(interaction, press)
    table, seat = perspective.table, perspective.seat
    if isinstance(perspective, PlannedPerspective):
        return app, perspective, None
    if (
        seat is None
        or not await app.parlour.play.is_decision_current(table, seat, press.moment)
        or not await may_act(app, perspective)
    ):
        raise Stale()
    missed = await app.parlour.record.find_missed(table, interaction.user.id)
    return app, since.mark_missed(perspective, missed), missed


async def update_draft(
    kind: type[msgspec.Struct],
    interaction: Interaction,
    press: Press,
    panel: PanelBuilder | None = None,
    **changes: Any,
) -> None:
    """Change a draft and show its panel, or `panel`; send nothing."""
    app, perspective = await current(interaction, press)
    draft = msgspec.structs.replace(await load_draft(app, perspective, kind), **changes)
    await app.parlour.save_draft(perspective.table, perspective.me, draft)
    shown = panel or presenter(perspective.table).panel
    if isinstance(perspective, PlannedPerspective):
        return await reply(interaction, await plan_page(app, perspective, shown), edit=True)
    await reply(interaction, await _assemble(app, perspective, shown), edit=True)


def edit_on_press(
    room: str, kind: type[msgspec.Struct], edits: Mapping[str, Callable[[Press], Mapping[str, Any]]]
) -> None:
    """Register presses that only change fields of a seat's draft, by verb."""

    async def edit(interaction: Interaction, press: Press) -> None:
        await update_draft(kind, interaction, press, **edits[press.verb](press))

    on_panel(room, *edits)(edit)


def move_on_press(room: str, made: Mapping[str, Callable[[Press], Any]]) -> None:
    """Register presses that make one move each, by verb."""

    async def move(interaction: Interaction, press: Press) -> None:
        await send(interaction, press, made[press.verb](press))

    on_panel(room, *made)(move)


@on_press("table", "turn")
async def take_turn(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await panel_page(interaction, press.table, may_plan=True), edit=True)


async def refuse_in_place(interaction: Interaction, press: Press, reason: str) -> None:
    """Show the panel again, below why a choice was refused."""
    page = await panel_page(interaction, press.table, may_plan=press.moment < 0)
    page.parts.insert(0, f"⚠️ {reason}")
    await reply(interaction, page, edit=True)


async def panel_page(interaction: Interaction, table_id: int, *, may_plan: bool = False) -> Page:
    """Return the asker's panel.

    Out of turn, with `may_plan`, return that of a plan. Raise Refused if it isn't their turn.
    """
    app = app_of(interaction)
    table = await app.parlour.table(table_id)
    if table.is_alone:
        user_id = interaction.user.id
        return await solo_page(app, user_id, await app.parlour.play.perspective(table_id, user_id))
    if table.phase in (Phase.OVER, Phase.CLOSED, Phase.EXPIRED):
        raise Refused("This game is over. **Rematch** under the last post opens a new one.")
    perspective = await app.parlour.play.perspective(table_id, interaction.user.id)
    if not await may_act(app, perspective):
        planned = await app.parlour.plans.perspective(table_id, interaction.user.id) if may_plan else None
        if planned is None:
            require_turn(perspective)
        else:
            return await plan_page(app, planned, presenter(table).panel)
    require_going(table)
    missed = await app.parlour.record.find_missed(table, interaction.user.id)
    return await panel_of(app, since.mark_missed(perspective, missed), missed)


async def panel_of(
    app: App, perspective: Perspective, missed: MissedTurns | None = None, lines: Sequence[str] = ()
) -> Page:
    """Return a seat's panel, below its old plan and a recap."""
    page = await _assemble(app, perspective, presenter(perspective.table).panel, missed, lines)
    await add_kept_plan(app, perspective, page)
    return page


async def _assemble(
    app: App,
    perspective: Perspective,
    panel: PanelBuilder,
    missed: MissedTurns | None = None,
    lines: Sequence[str] = (),
    *,
    is_unfolded: bool = False,
) -> Page:
    """Assemble a panel: recap, question, answers, then all else.

    **More** leads to what doesn't fit on one screen: the unfolded panel. In words, nothing is folded.
    """
    async with Together() as together:
        paging = together.create_task(panel(app, perspective))
        hinting = together.create_task(_may_ask_for_hints(app, perspective))
        noting = together.create_task(note_of(app, perspective))
        timing = together.create_task(_deadline(app, perspective))
        teaching = together.create_task(lesson_of(app, perspective))
        recapping = together.create_task(since.recap_missed(app, perspective, missed))
    page, note, lesson, happened = paging.result(), noting.result(), teaching.result(), recapping.result()
    table = perspective.table
    for heading in _headings if table.study is not None else ():
        await heading(app, perspective, page)
    page.parts = order_parts(page.parts, presenter(table).shows_board)
    timed = [*page.parts, *timing.result()]
    if app.is_text_only or is_unfolded or height(Page(timed)) <= ONE_SCREEN:
        page.parts = timed
    await _offer_undo(app, perspective, page)
    # A table without posts tells in its panels alone what the computers did.
    done = [*lines, *happened.lines] if table.is_alone else lines
    recaps = [recap(done, *most) for most in RECAP_SIZES] if done else []
    if not table.is_alone and not any(isinstance(line, SecretLine) for line in lines):
        recaps.append("")  # the post tells what a panel has no room for
    hints: list[Extra] = [Button("Hint", _table_press(table, "hint"), emoji="💡")] if hinting.result() else []
    noted: list[Extra] = [] if note is None else [[note]]
    taught: list[Extra] = [] if lesson is None else [lesson.parts]
    below = [*taught, *page.optional, happened.parts, *noted]
    if app.is_text_only:
        _remove_repeated_words(page)
        looks = (
            [] if presenter(table).shows_board(page) else [Button(WHOLE, Press("table", "board", table.id))]
        )
        return with_extras(page, "".join(recaps[:1]), [*hints, *looks, *happened.beside, *below])
    if is_unfolded:
        looks = [Button(IN_WORDS, _table_press(table, "spoken")), *happened.beside]
        looks.append(Button("Less", _turn_press(table)))
        if not presenter(table).shows_board(page):
            below.append([await app.pictures.board(table, perspective.view)])
        return with_extras(page, "", [*hints, *looks, *below])
    more = Button("More", _table_press(table, "unfold"))
    extras = [*noted, *hints, *page.optional, *happened.instead]
    if table.learning:
        return with_extras(one_screen(page, recaps, extras, more), "", taught)
    if lesson is not None and not fits(page, "".join(recaps[:1]), [*taught, *page.optional, more]):
        taught = [lesson.short] if isinstance(lesson.short, Button) else []
        page.parts[:0] = lesson.short if isinstance(lesson.short, list) else []
    return one_screen(page, recaps, [*taught, *extras], more)


def _table_press(table: Table, verb: str) -> Press:
    return Press("table", verb, table.id, table.moment)


def _turn_press(table: Table) -> Press:
    return Press("table", "turn", table.id, table.version)


@on_panel("table", "unfold")
async def on_unfold(interaction: Interaction, press: Press) -> None:
    """Show the whole panel, as **More** promises."""
    app, perspective, missed = await _current(interaction, press)
    panel = presenter(perspective.table).panel
    if isinstance(perspective, PlannedPerspective):
        return await reply(interaction, await plan_page(app, perspective, panel, is_whole=True), edit=True)
    page = await _assemble(app, perspective, panel, missed, is_unfolded=True)
    await reply(interaction, page, edit=True)


@on_panel("table", "spoken")
async def on_spoken(interaction: Interaction, press: Press) -> None:
    """Show the panel in words, in place of its pictures."""
    app, perspective, missed = await _current(interaction, press)
    page = await _assemble(app.in_words(), perspective, presenter(perspective.table).panel, missed)
    page = with_extras(page, "", [Button("Show the picture", _turn_press(perspective.table))])
    page.is_spoken = True
    await reply(interaction, page, edit=True)


async def _deadline(app: App, perspective: Perspective) -> list[str]:
    lines = [
        time_words.own(one, perspective.table)
        for one in await app.parlour.waited_people(perspective.table)
        if one.seat == perspective.seat
    ]
    return [line for line in lines if line is not None]


def _remove_repeated_words(page: Page) -> None:
    """Remove words that the whole board in words repeats."""
    whole = {
        line
        for part in page.parts
        if isinstance(part, Described) and part.whole
        for line in part.text.split("\n")
    }
    page.parts = [
        part
        for part in page.parts
        if not isinstance(part, Described) or part.whole or not whole.issuperset(part.text.split("\n"))
    ]


async def _may_ask_for_hints(app: App, perspective: Perspective) -> bool:
    table = perspective.table
    return perspective.seat in table.owing and await app.parlour.hints.refusal(table) is None


async def _offer_undo(app: App, perspective: Perspective, page: Page) -> None:
    """Add an undo button where every step can be undone."""
    rows = (part for part in page.parts if isinstance(part, list))
    there = any(button.press is not None and button.press.verb == "undo" for row in rows for button in row)
    if perspective.table.undoes_everything and not there:
        page.parts = with_extras(page, "", await undo_buttons(app, perspective)).parts


async def may_act(app: App, perspective: Perspective) -> bool:
    """Return True if a seat can move or change its answer."""
    if perspective.seat is None or perspective.seat in perspective.table.owing:
        return perspective.seat is not None
    user = perspective.table.seats[perspective.seat].user_id
    return (
        perspective.table.game.simultaneous
        and user is not None
        and bool(await app.parlour.play.moves(perspective.table.id, user))
    )


def require_turn(perspective: Perspective) -> None:
    """Raise Refused unless the viewer has a move, naming who has."""
    if perspective.seat is None:
        raise Refused("You don't play at this table. `/table list` shows tables that need players.")
    require_play(perspective.table)
    if perspective.seat not in perspective.table.owing:
        waited = ", ".join(_bold_player(perspective, seat) for seat in perspective.table.owing)
        raise Refused(f"It's {waited}'s turn. I'll ping you when it's yours.")


async def undo_step(interaction: Interaction, table_id: int, seen: int | None, *, edit: bool = False) -> None:
    app = app_of(interaction)
    await app.parlour.play.undo(table_id, interaction.user.id, seen)
    app.parlour.outbox.wake(table_id)
    await reply(interaction, await panel_page(interaction, table_id), edit=edit)


@on_panel("table", "undo")
async def on_undo(interaction: Interaction, press: Press) -> None:
    await undo_step(interaction, press.table, press.moment, edit=True)


async def reply_stale(interaction: Interaction, table_id: int, stale: Stale, seen: int | None = None) -> None:
    """Show the current panel or plan after an outdated press."""
    try:
        page = await panel_page(interaction, table_id, may_plan=(seen or 0) < 0)
    except Refused as refused:
        page = Page([f"The table has changed. {refused}"])
    else:
        page.parts.insert(0, f"*{stale}*")
    await reply(interaction, page, edit=True)
