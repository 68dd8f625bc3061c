"""The board in words: all of it by headings, one place of it, and the legal moves."""

from typing import Any

from discord import app_commands

from cogs.core.app import App, app_of
from cogs.core.described import NOW, board_parts, headings, key_of, names_of, opening, with_heading
from cogs.core.lookup import asker_perspective, moves_of, table_here
from cogs.play.catch_up import mark_missed
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, number_of, on_press
from cogs.ui.reply import reply
from cogs.ui.suggest import suggest_choices
from engines.registry import words
from engines.words import MOST_CHARACTERS, NoSuchPlace
from tables.core.table import Phase, Refused, Table
from tables.play.plans import PlannedPerspective
from tables.play.play import Perspective

IN_WORDS = "In words"
NOT_BEGUN = "Table {number} hasn't begun, so there's no board yet."
IN_PLAN = "It isn't your turn yet. This is what you can plan."


def in_words_button(table: Table) -> Button:
    return Button(IN_WORDS, Press("table", "words", table.id))


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
    if at == NOW and table.phase is Phase.PLAY and perspective.seat is not None:
        page.parts.append([Button("What you can do", Press("table", "reach", table.id))])
    return page


async def _require_begun(interaction: Interaction, table_id: int) -> tuple[App, Perspective]:
    if (await app_of(interaction).parlour.table(table_id)).deal is None:
        raise Refused(NOT_BEGUN.format(number=table_id))
    return await asker_perspective(interaction, table_id)


async def _view(app: App, perspective: Perspective, at: str) -> Any:
    """Return the current view, or after a turn (at most the last)."""
    table, record = perspective.table, app.parlour.record
    if at == NOW:
        user_id = None if perspective.seat is None else table.seats[perspective.seat].user_id
        if user_id is None:
            return await record.mark_last_turn(table, table.version, perspective.view)
        return mark_missed(perspective, await record.find_missed(table, user_id)).view
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
    moves = await moves_of(app, perspective, user_id)
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
    await reply(interaction, Page([text], is_spoken=True))


async def places(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the places to look at."""
    try:
        lists = app_of(interaction).parlour.table_lists
        table = await table_here(interaction, interaction.namespace.table, lists=lists)
        _, perspective = await _require_begun(interaction, table.id)
    except Refused:
        return []
    return suggest_choices({place: place for place in words(table.slug).places(perspective.view)}, current)
