"""A move from a panel or a command, for every game: make it, then show its seat what comes next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import discord
import msgspec

from cogs.app import App, app_of, named, table_here
from cogs.presenter import presenter
from cogs.tables import may_act, renewed
from cogs.ui.page import Button, Page
from cogs.ui.press import Press
from cogs.ui.reply import reply
from engines.engine import Step, readable
from tables.model import Refused, Stale, Table
from tables.play import Perspective

Interaction = discord.Interaction[Any]


async def make(
    interaction: Interaction,
    table_id: int,
    made: Sequence[Any],
    seen: int | None,
    *,
    edit: bool,
    ends: type[Any],
) -> None:
    """Make moves for whoever asks, and answer with what comes next for them.

    `ends` is the game's event that ends a turn: after it the answer is no new panel but a farewell.
    """
    app = app_of(interaction)
    try:
        perspective, steps = await app.parlour.play.move(table_id, interaction.user.id, made, seen)
    except Stale as stale:
        return await renewed(interaction, table_id, stale)
    ended = any(isinstance(event, ends) for step in steps for event in step.events)
    await reply(interaction, turn_page(app, perspective, _told(perspective, steps), ended=ended), edit=edit)


def _told(perspective: Perspective, steps: Sequence[Step]) -> list[str]:
    speaker, names = presenter(perspective.table), perspective.table.names
    lines = [
        line
        for step in steps
        for event in readable(step.events, perspective.seat)
        for line in [speaker.event_line(event, perspective.view, names)]
        if line is not None
    ]
    if not perspective.table.owing:
        lines.append(f"**{speaker.result(perspective.view, names)}**")
    return lines


async def turn_page(app: App, perspective: Perspective, told: Sequence[str], *, ended: bool) -> Page:
    """The panel after a move: what comes next in the same turn, or that the turn is over."""
    if ended or not await may_act(app, perspective):
        page = done(perspective, told)
        waiting = perspective.seat not in perspective.table.owing and not perspective.table.computers_owing
        if waiting and await undoable(app, perspective):
            page.parts.append([undo_button(perspective.table)])
        return page
    page = await presenter(perspective.table).panel(app, perspective)
    if told:
        page.parts.insert(0, "\n".join(told))
    return page


def done(perspective: Perspective, told: Sequence[str]) -> Page:
    """What stands in the panel when its turn is over; where the same seat is next, the way on."""
    table = perspective.table
    if perspective.seat in table.owing:
        again = Button(
            "Take turn", Press("table", "turn", table.id, table.version), discord.ButtonStyle.primary
        )
        return Page(["\n".join([*told, "-# It is your turn again."]), [again]])
    if table.computers_owing:
        told = [*told, "-# The computer plays now; the table shows the rest."]
    elif table.owing:
        following = ", ".join(f"**{named(table.names, seat)}**" for seat in table.owing)
        told = [*told, f"-# Next: {following}."]
    return Page(["\n".join(told) or "Done."])


def undo_button(table: Table) -> Button:
    """The button that takes the last step back."""
    return Button("Undo step", Press("table", "undo", table.id, table.version))


async def undoable(app: App, perspective: Perspective) -> bool:
    """Whether the seat that looks may take its last step back."""
    user = perspective.table.seats[perspective.seat or 0].user_id
    return user is not None and await app.parlour.play.can_undo(perspective.table.id, user)


async def seen_by(interaction: Interaction, table_id: int) -> tuple[App, Perspective]:
    """The app, and the table as whoever asks may see it."""
    app = app_of(interaction)
    return app, await app.parlour.play.perspective(table_id, interaction.user.id)


async def current(interaction: Interaction, press: Press) -> tuple[App, Perspective] | None:
    """The app and the perspective of a press, or None, answered already, when its panel's time has passed."""
    app, perspective = await seen_by(interaction, press.table)
    table, seat = perspective.table, perspective.seat
    if (
        seat is None
        or not await app.parlour.play.stands(table, seat, press.moment)
        or not await may_act(app, perspective)
    ):
        await renewed(interaction, press.table, Stale())
        return None
    return app, perspective


async def redraft(
    interaction: Interaction,
    press: Press,
    drafted: Callable[[App, Perspective], Awaitable[Any]],
    panel: Callable[[App, Perspective], Coroutine[Any, Any, Page]],
    **changes: Any,
) -> None:
    """Change what a seat has drafted in its game's panel and show it again; nothing of it is sent."""
    found = await current(interaction, press)
    if found is not None:
        app, perspective = found
        draft = msgspec.structs.replace(await drafted(app, perspective), **changes)
        await app.parlour.save_draft(perspective.table, perspective.seat or 0, draft)
        await reply(interaction, panel(app, perspective), edit=True)


async def legal(interaction: Interaction) -> tuple[Perspective | None, list[Any]]:
    """For autocomplete: what the caller may do at the table that the command is about."""
    try:
        recent = app_of(interaction).parlour.recent
        table = await table_here(interaction, interaction.namespace.table, lists=recent)
        app, perspective = await seen_by(interaction, table.id)
    except Refused:
        return None, []
    return perspective, await app.parlour.play.moves(table.id, interaction.user.id)
