"""A seat's private panel, for every game: opening it, moving, undoing, planning, and the next step."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from cogs.core.app import App, app_of
from cogs.core.lookup import asker_perspective, table_here
from cogs.core.presenter import presenter
from cogs.core.story import merge_events
from cogs.people import overview as mine_words
from cogs.play import assembly as since
from cogs.play.assembly import (
    PanelBuilder,
    SecretLine,
    assemble,
    describe_board,
    one_screen,
    optional_part,
    order_parts,
    table_press,
    turn_press,
    undo_buttons,
    with_extras,
)
from cogs.ui.form import reply
from cogs.ui.page import PRIMARY, SUCCESS, Button, Extra, Page
from cogs.ui.press import Handler, Press, on_press
from cogs.ui.text import Interaction
from engines import engine, marks, registry
from engines.game import Seat
from engines.words import join_words
from tables.core.change import require_going, require_play
from tables.core.table import NoTable, Phase, Refused, Stale, StudyKind, Table
from tables.play import plans
from tables.play.plans import GONE, PlannedPerspective
from tables.play.play import Perspective
from tables.review.record import MissedTurns

D = TypeVar("D", bound=msgspec.Struct)
COMPUTER_TIMEOUT = 20.0
"""Seconds for which a panel waits for the computers' answers."""
UNDONE = "-# I took back your last step."
THINKING = "-# The computer is thinking. **Go on** shows its moves."
Ending = Callable[[App, Perspective], Awaitable[Page | None]]


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
    return Press(table.slug, verb, table.id, table.moment, arg)


async def load_draft(app: App, perspective: Perspective, kind: type[D]) -> D:
    """Return a seat's draft; `kind()` if it has none."""
    result: D | None = await app.parlour.drafts.draft(perspective.table, perspective.me, kind)
    return result or kind()


async def send(interaction: Interaction, press: Press, *made: Any) -> None:
    await make_moves(interaction, press.table, made, press.moment, edit=True)


async def find_typed_turn(interaction: Interaction, number: int | None) -> tuple[App, Perspective]:
    """Return a typed move's table, or the turn to plan.

    Raise Refused if it isn't their turn, and they can't plan it.
    """
    app, perspective = await asker_perspective(interaction, (await table_here(interaction, number)).id)
    if not await may_act(app, perspective):
        planned = await app.parlour.plans.perspective(perspective.table.id, interaction.user.id)
        if planned is None:
            require_turn(perspective)
        elif planned.is_whole:
            raise Refused(f"{whose_turn(perspective)} Yours is planned: **Take turn** shows your plan.")
        else:
            return app, planned
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
    app, user_id = app_of(interaction), interaction.user.id
    play = app.parlour.play
    is_typed_ahead = seen is None and await app.parlour.plans.perspective(table_id, user_id) is not None
    try:
        if is_typed_ahead or (seen or 0) < 0:
            await app.parlour.decide(table_id, plans.add_choice, user_id=user_id, moves=made, seen=seen)
            page = await panel_page(interaction, table_id, may_plan=True)
            return await reply(interaction, page, edit=edit)
        before = (await play.perspective(table_id, user_id)).view if len(made) > 1 else None
        perspective, steps = await play.move(table_id, user_id, made, seen)
    except Stale as stale:
        return await reply_stale(interaction, table_id, stale, seen)
    perspective, skipped, why = await _play_obvious_moves(app, perspective, user_id)
    steps = [*steps, *skipped]
    lines = step_lines(perspective, steps, before)
    if perspective.table.is_alone:
        page = await solo_page(app, user_id, perspective, [*lines, *why])
        return await reply(interaction, page, edit=edit)
    lines = [*why, *lines]
    ended = farewell and _has_ended(perspective, steps)
    await reply(interaction, await _turn_page(interaction, perspective, lines, ended=ended), edit=edit)


def _has_ended(perspective: Perspective, steps: Sequence[engine.Step]) -> bool:
    ends = presenter(perspective.table).ends
    return any(isinstance(event, ends) for step in steps for event in step.events)


async def show_steps(interaction: Interaction, table_id: int, steps: Sequence[engine.Step]) -> None:
    app = app_of(interaction)
    perspective = await app.parlour.play.perspective(table_id, interaction.user.id)
    lines, ended = step_lines(perspective, steps), _has_ended(perspective, steps)
    await reply(interaction, await _turn_page(interaction, perspective, lines, ended=ended), edit=True)


async def _play_obvious_moves(
    app: App, perspective: Perspective, user_id: int
) -> tuple[Perspective, list[engine.Step], list[str]]:
    """Play moves without a choice; return their steps and recap.

    To others it looks like the person's own move, so that it gives nothing away.
    """
    steps, lines, speaker = list[engine.Step](), list[str](), presenter(perspective.table)
    while perspective.seat in perspective.table.owing:
        pair = speaker.obvious(perspective.view)
        if pair is None:
            break
        perspective, more = await app.parlour.play.move(perspective.table.id, user_id, [pair[0]])
        steps += more
        lines.append(SecretLine(pair[1]))
    return perspective, steps, lines


def step_lines(perspective: Perspective, steps: Sequence[engine.Step], before: Any = None) -> list[str]:
    """Return the steps' lines, merged, without the next question's event.

    With the view `before` them, several steps of one seat can share a line.
    """
    with optional_part("recap", perspective.table):  # the steps are made already
        return _step_lines(perspective, steps, before)
    return []


def _step_lines(perspective: Perspective, steps: Sequence[engine.Step], before: Any) -> list[str]:
    speaker, names = presenter(perspective.table), perspective.table.names
    asked = speaker.asks if perspective.seat in perspective.table.owing else ()
    events = [
        event
        for step in steps
        for event in engine.select_readable(step.events, perspective.seat)
        if not isinstance(event, asked)
    ]
    pairs = [
        (event, line) if event.only is None else (None, SecretLine(line))
        for event in events
        for line in [speaker.words.event_line(event, perspective.view, names)]
        if line is not None
    ]
    lines = merge_events(speaker, pairs, perspective.view, names)
    is_own = all(step.seat == perspective.seat for step in steps)
    if before is not None and is_own and all(event.only is None for event in events):
        whole = speaker.digest(events, perspective.me, before, perspective.view, names)
        lines = lines if whole is None else [whole, *(line for line in lines if line.startswith("**"))]
    if not perspective.table.owing:
        lines.append(f"**{speaker.words.result(perspective.view, names)}**")
    return lines


async def _turn_page(
    interaction: Interaction, perspective: Perspective, lines: Sequence[str], *, ended: bool
) -> Page:
    app = app_of(interaction)
    if ended or not await may_act(app, perspective):
        table = perspective.table
        if interaction.channel_id == (table.thread_id or table.channel_id):
            # The post shows the others, except a game's result.
            secret = [line for line in lines if isinstance(line, SecretLine)]
            lines = (secret or ["**Done.**"]) if table.owing else [*secret, *lines[-1:]]
        page = turn_over_page(perspective, lines)
        waiting = perspective.seat not in perspective.table.owing and not perspective.table.computers_owing
        if waiting and (undo := await undo_buttons(app, perspective)):
            page.parts.append(undo)
        if perspective.seat not in perspective.table.owing:
            with optional_part("next table", perspective.table):
                user = table.seats[perspective.me].user_id
                turn = None if user is None else await app.parlour.overviews.next_turn(user, table.id)
                if turn is not None:
                    press = Press("table", "turn", turn.table_id, turn.version)
                    page.parts += [mine_words.next_table(turn), [Button("Next table", press, PRIMARY)]]
        return page
    return await assemble(app, perspective, presenter(perspective.table).panel, lines=lines)


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
        again = Button("Go on", turn_press(table), PRIMARY)
        return Page(["\n".join([*lines, THINKING]), [again]])
    return await panel_of(app, *await _find_missed(app, perspective, user_id), lines)


async def _find_missed(
    app: App, perspective: Perspective, user_id: int
) -> tuple[Perspective, MissedTurns | None]:
    with optional_part("catch-up", perspective.table):
        missed = await app.parlour.record.find_missed(perspective.table, user_id)
        return since.mark_missed(perspective, missed), missed
    return perspective, None


async def show_study(interaction: Interaction, table: Table, kind: StudyKind, *, edit: bool) -> None:
    """Show a study; the newest one if another press has replaced it."""
    app, user_id = app_of(interaction), interaction.user.id
    while True:
        try:
            page = await solo_page(app, user_id, await app.parlour.play.perspective(table.id, user_id))
            return await reply(interaction, page, edit=edit)
        except NoTable as missing:
            newest = await app.parlour.studies.newest(user_id, kind)
            if missing.number != table.id or newest is None or newest.id == table.id:
                raise
            table = newest


def at_the_end(ending: Ending) -> Ending:
    """Register the page after the end of something played alone.

    It is None at other tables, and before the end.
    """
    _endings.append(ending)
    return ending


_endings: list[Ending] = []


def turn_over_page(perspective: Perspective, lines: Sequence[str]) -> Page:
    table = perspective.table
    if perspective.seat in table.owing:
        again = Button("Take turn", turn_press(table), PRIMARY)
        duty = presenter(table).words.duty(perspective.view, perspective.me)
        return Page(["\n".join([*lines, f"-# You're next: {duty}."]), [again]])
    if table.computers_owing:
        lines = [*lines, "-# The computer's moves follow at the table."]
    elif table.owing:
        following = join_words(_bold_player(perspective, seat) for seat in table.owing)
        lines = [*lines, f"-# Next: {following}."]
    return Page(["\n".join(lines) or "Done."])


def _bold_player(perspective: Perspective, seat: Seat) -> str:
    table = perspective.table
    sign = presenter(table).seat_sign(perspective.view, seat)
    return marks.with_icon(sign, f"**{marks.quote_player(table.names, seat)}**")


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
    if isinstance(perspective, plans.PlannedPerspective):
        return app, perspective, None
    if (
        seat is None
        or not await app.parlour.play.is_decision_current(table, seat, press.moment)
        or not await may_act(app, perspective)
    ):
        raise Stale()
    return app, *await _find_missed(app, perspective, interaction.user.id)


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
    if isinstance(perspective, plans.PlannedPerspective):
        return await reply(interaction, await plan_page(app, perspective, shown), edit=True)
    await reply(interaction, await assemble(app, perspective, shown, is_draft=True), edit=True)


def edit_on_press(
    room: str, kind: type[msgspec.Struct], edits: Mapping[str, Callable[[Press], Mapping[str, Any]]]
) -> None:
    """Register presses that only change fields of a seat's draft, by verb."""

    async def edit(interaction: Interaction, press: Press) -> None:
        await update_draft(kind, interaction, press, **edits[press.verb](press))

    on_panel(room, *edits)(edit)


def move_on_press(room: str, made: Mapping[str, Callable[[Press], Any]]) -> None:
    async def move(interaction: Interaction, press: Press) -> None:
        await send(interaction, press, made[press.verb](press))

    on_panel(room, *made)(move)


@on_press("table", "turn")
async def take_turn(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await panel_page(interaction, press.table, may_plan=True), edit=True)


async def refuse_in_place(interaction: Interaction, press: Press, reason: str) -> None:
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
    return await panel_of(app, *await _find_missed(app, perspective, interaction.user.id))


async def panel_of(
    app: App, perspective: Perspective, missed: MissedTurns | None = None, lines: Sequence[str] = ()
) -> Page:
    """Return a seat's panel, below its old plan and a recap."""
    page = await assemble(app, perspective, presenter(perspective.table).panel, missed, lines)
    await add_kept_plan(app, perspective, page)
    return page


@on_panel("table", "unfold")
async def on_unfold(interaction: Interaction, press: Press) -> None:
    """Show the whole panel, as **More** promises."""
    app, perspective, missed = await _current(interaction, press)
    panel = presenter(perspective.table).panel
    if isinstance(perspective, plans.PlannedPerspective):
        return await reply(interaction, await plan_page(app, perspective, panel, is_whole=True), edit=True)
    page = await assemble(app, perspective, panel, missed, is_unfolded=True)
    await reply(interaction, page, edit=True)


@on_panel("table", "spoken")
async def on_spoken(interaction: Interaction, press: Press) -> None:
    """Show the panel in words, in place of its pictures."""
    app, perspective, missed = await _current(interaction, press)
    panel, heading = presenter(perspective.table).panel, press.choice if press.values else ""
    spoken = app.in_words()
    if isinstance(perspective, plans.PlannedPerspective):
        page = await plan_page(spoken, perspective, panel, heading=heading)
    else:
        page = await assemble(spoken, perspective, panel, missed, heading=heading)
    if not app.is_text_only:
        page = with_extras(page, "", [Button("Show the picture", turn_press(perspective.table))])
    page.is_spoken = True
    await reply(interaction, page, edit=True)


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
    if perspective.seat is None:
        raise Refused("You aren't playing at this table. `/table list` shows tables that need players.")
    require_play(perspective.table)
    if perspective.seat not in perspective.table.owing:
        raise Refused(f"{whose_turn(perspective)} I'll ping you when it's yours.")


def whose_turn(perspective: Perspective) -> str:
    table = perspective.table
    seats = perspective.waits_for if isinstance(perspective, plans.PlannedPerspective) else table.owing
    return f"It's {join_words(_bold_player(perspective, seat) for seat in seats)}'s turn."


async def undo_step(interaction: Interaction, table_id: int, seen: int | None, *, edit: bool = False) -> None:
    app = app_of(interaction)
    automatic = presenter(await app.parlour.table(table_id))
    await app.parlour.play.undo(table_id, interaction.user.id, seen, automatic)
    app.parlour.outbox.wake(table_id)
    page = await panel_page(interaction, table_id)
    page.parts.insert(0, UNDONE)
    await reply(interaction, page, edit=edit)


@on_panel("table", "undo")
async def on_undo(interaction: Interaction, press: Press) -> None:
    await undo_step(interaction, press.table, press.moment, edit=True)


async def reply_stale(interaction: Interaction, table_id: int, stale: Stale, seen: int | None = None) -> None:
    try:
        page = await panel_page(interaction, table_id, may_plan=(seen or 0) < 0)
    except Refused as refused:
        page = Page([f"The table has changed. {refused}"])
    else:
        page.parts.insert(0, f"*{stale}*")
    await reply(interaction, page, edit=True)


WAITING = "**It's {waited}'s turn.** Plan yours, and I'll play it if every step still does what you see now."
SENT = "**Your turn is planned.** I'll play it on your turn if every step still does what you see now."
COMPLETE = (
    "**Your whole turn is planned.** Send your plan ahead, and I'll play it if every step still does "
    "what you see now."
)
CHANGED = (
    "**Your plan would do something else now.** This is what it does. Send it again if you still like it."
)
KEPT, KEPT_UNNAMED = "**You planned this turn:** {moves}.", "**You planned this turn.**"
MISSED_UNNAMED = "**I didn't play your plan, because it would have done something else.**"
ILLEGAL = "**I didn't play your plan, because it isn't possible now.**"
PLANNED = " You planned: {moves}."


async def plan_page(
    app: App, planned: PlannedPerspective, panel: PanelBuilder, *, is_whole: bool = False, heading: str = ""
) -> Page:
    """Return the panel of a seat's next turn, or its finished plan.

    `is_whole` shows more than fits on a screen. In words the board's part is that of `heading`.
    """
    table, plan = planned.table, planned.plan
    drop = Button("Drop the plan", table_press(table, "plan_drop"))
    if plan is not None and plan.is_sent:
        change = Button("Change the plan", table_press(table, "plan_change"))
        return Page(["\n".join([SENT, *plan_lines(planned)]), [change, drop]])
    back = Button("Undo", table_press(table, "plan_undo"))
    if planned.is_whole:
        send = Button("Send ahead", table_press(table, "plan_send"), SUCCESS)
        text = CHANGED if planned.has_changed else COMPLETE
        lines = [text, *plan_lines(planned), *_difference(planned, planned.lost, ())]
        return Page(["\n".join(lines), [send, back, drop]])
    page = await panel(app, planned)
    speaker = presenter(table)
    page.parts = order_parts(page.parts, speaker.shows_board)
    waited = [
        marks.with_icon(speaker.seat_sign(planned.view, seat), marks.quote_player(table.names, seat))
        for seat in planned.waits_for
    ]
    news = [GONE] if planned.is_new else [CHANGED] if planned.has_changed else []
    different = _difference(planned, planned.lost, ())
    head = "\n".join([*news, *different, WAITING.format(waited=join_words(waited)), *plan_lines(planned)])
    extras: list[Extra] = [drop] if planned.is_new else [] if plan is None else [back, drop]
    if app.is_text_only:
        describe_board(planned, page, heading)
        return with_extras(page, head, [*extras, *page.optional])
    if is_whole:
        below = list(page.optional)
        if speaker.needs_board(page):
            below.append([await app.pictures.board(table, planned.view)])
        return with_extras(page, head, [*extras, Button("Less", table_press(table, "turn")), *below])
    more = Button("More", table_press(table, "unfold"))
    return one_screen(page, [head], [*extras, *page.optional], more)


def plan_lines(planned: PlannedPerspective) -> list[str]:
    """Return the certain events of a plan, marked as planned."""
    with optional_part("plan", planned.table):
        lines = event_lines(planned, planned.events)
        return [f"**Planned:** {line}" if number == 0 else line for number, line in enumerate(lines)]
    return []


def event_lines(perspective: Perspective, events: Sequence[Any]) -> list[str]:
    speaker, names = presenter(perspective.table), perspective.table.names
    lines = [
        speaker.words.event_line(event, perspective.view, names)
        for event in engine.select_readable(events, perspective.seat)
    ]
    return [line for line in lines if line is not None]


async def add_kept_plan(app: App, perspective: Perspective, page: Page) -> None:
    table, seat = perspective.table, perspective.seat
    plan = table.plan_of(seat)
    user_id = None if seat is None else table.seats[seat].user_id
    if plan is None or user_id is None or seat not in table.owing:
        return
    with optional_part("plan", table):
        kept = await app.parlour.plans.plan_in_hand(table.id, user_id)
        if kept is None:
            return
        text = (MISSED_UNNAMED if kept.is_legal else ILLEGAL) if plan.is_missed else KEPT_UNNAMED
        with optional_part("plan's words", table):
            naming = registry.move_names(table.slug).move_name
            views = await app.parlour.plans.recall_views(table, kept.plan)  # as the choices were made
            names = [
                naming(move, view, table.names)
                for view, made in zip(views, kept.choices, strict=True)
                for move in made
            ]
            moves = marks.capital(", then ".join(names))
            text = (text + PLANNED if plan.is_missed else KEPT).format(moves=moves)
            if plan.is_missed:
                changed = _difference(perspective, kept.lost, kept.new)
                text = "\n".join([text, *([kept.refusal] if kept.refusal else changed)])
        row = [Button("Drop the plan", table_press(table, "plan_drop"))]
        if kept.is_legal:
            row.insert(0, Button("Play my plan", table_press(table, "plan_play"), PRIMARY))
        page.parts[:0] = [text, row]


def _difference(perspective: Perspective, lost: Sequence[Any], new: Sequence[Any]) -> list[str]:
    """Say what a plan would have done, and what it does now."""
    lines = []
    for head, events in (("Before", lost), ("Now", new)):
        told = [line.removeprefix("↳ ").removeprefix("-# ") for line in event_lines(perspective, events)]
        lines += [f"-# {head}: {' '.join(told)}"] if told else []
    return lines
