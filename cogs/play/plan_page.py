"""The panel of a turn that isn't there yet: its choices, and the plan of them."""

from collections.abc import Sequence
from typing import Any

from cogs.core.app import App
from cogs.core.presenter import presenter
from cogs.play.assembly import PanelBuilder, describe_board, optional_part, table_press
from cogs.play.screen import one_screen, order_parts, with_extras
from cogs.ui.page import PRIMARY, SUCCESS, Button, Extra, Page
from engines import engine, marks, registry
from engines.words import join_words
from tables.play.plans import GONE, PlannedPerspective
from tables.play.play import Perspective

WAITING = "**It's {waited}'s turn.** Plan yours, and I'll play it if every step still does what you see now."
SENT = "**Your turn is planned.** I'll play it on your turn if every step still does what you see now."
COMPLETE = (
    "**Your turn is planned to its end.** Send your plan ahead, and I'll play it if every step still does "
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
