"""A move from a panel or a command, for every game: make it, then show its seat what comes next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import discord
import msgspec

from cogs.face import face
from cogs.house import House, house_of, named, table_here
from cogs.tables import may_act, renewed
from cogs.ui.page import Button, Page
from cogs.ui.press import Press
from cogs.ui.reply import reply
from engines.engine import Step, readable
from tables.model import Refused, Stale, Table
from tables.play import Sight

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
    house = house_of(interaction)
    try:
        sight, steps = await house.parlour.play.move(table_id, interaction.user.id, made, seen)
    except Stale as stale:
        return await renewed(interaction, table_id, stale)
    ended = any(isinstance(event, ends) for step in steps for event in step.events)
    await reply(interaction, turn_page(house, sight, _told(sight, steps), ended=ended), edit=edit)


def _told(sight: Sight, steps: Sequence[Step]) -> list[str]:
    speaker, names = face(sight.table), sight.table.names
    lines = [
        line
        for step in steps
        for event in readable(step.events, sight.seat)
        for line in [speaker.event_line(event, sight.view, names)]
        if line is not None
    ]
    if not sight.table.owing:
        lines.append(f"**{speaker.result(sight.view, names)}**")
    return lines


async def turn_page(house: House, sight: Sight, told: Sequence[str], *, ended: bool) -> Page:
    """The panel after a move: what comes next in the same turn, or that the turn is over."""
    if ended or not await may_act(house, sight):
        page = done(sight, told)
        waiting = sight.seat not in sight.table.owing and not sight.table.computers_owing
        if waiting and await undoable(house, sight):
            page.parts.append([undo_button(sight.table)])
        return page
    page = await face(sight.table).panel(house, sight)
    if told:
        page.parts.insert(0, "\n".join(told))
    return page


def done(sight: Sight, told: Sequence[str]) -> Page:
    """What stands in the panel when its turn is over; where the same seat is next, the way on."""
    table = sight.table
    if sight.seat in table.owing:
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


async def undoable(house: House, sight: Sight) -> bool:
    """Whether the seat that looks may take its last step back."""
    user = sight.table.seats[sight.seat or 0].user_id
    return user is not None and await house.parlour.play.can_undo(sight.table.id, user)


async def seen_by(interaction: Interaction, table_id: int) -> tuple[House, Sight]:
    """The house, and the table as whoever asks may see it."""
    house = house_of(interaction)
    return house, await house.parlour.play.sight(table_id, interaction.user.id)


async def standing(interaction: Interaction, press: Press) -> tuple[House, Sight] | None:
    """The house and the sight of a press, or None, answered already, when its panel's time has passed."""
    house, sight = await seen_by(interaction, press.table)
    table, seat = sight.table, sight.seat
    if (
        seat is None
        or not await house.parlour.play.stands(table, seat, press.version)
        or not await may_act(house, sight)
    ):
        await renewed(interaction, press.table, Stale())
        return None
    return house, sight


async def redraft(
    interaction: Interaction,
    press: Press,
    drafted: Callable[[House, Sight], Awaitable[Any]],
    panel: Callable[[House, Sight], Coroutine[Any, Any, Page]],
    **changes: Any,
) -> None:
    """Change what a seat has drafted in its game's panel and show it again; nothing of it is sent."""
    found = await standing(interaction, press)
    if found is not None:
        house, sight = found
        draft = msgspec.structs.replace(await drafted(house, sight), **changes)
        await house.parlour.save_draft(sight.table, sight.seat or 0, draft)
        await reply(interaction, panel(house, sight), edit=True)


async def legal(interaction: Interaction) -> tuple[Sight | None, list[Any]]:
    """For autocomplete: what the caller may do at the table that the command is about."""
    try:
        recent = house_of(interaction).parlour.recent
        table = await table_here(interaction, interaction.namespace.table, lists=recent)
        house, sight = await seen_by(interaction, table.id)
    except Refused:
        return None, []
    return sight, await house.parlour.play.moves(table.id, interaction.user.id)
