"""Typed moves: one that ends the turn or can't be undone shows its effect before it is made."""

from typing import Any
from zlib import crc32

from cogs.core.app import App, app_of
from cogs.core.lookup import asker_perspective, moves_of
from cogs.play.panel import make_moves, on_panel
from cogs.play.plan_page import event_lines
from cogs.ui.interaction import Interaction
from cogs.ui.page import SUCCESS, Button, Page
from cogs.ui.press import Press
from engines.ahead import Foresight, foresee
from engines.game import IllegalMove
from engines.marks import capital
from engines.registry import move_names
from tables.core.table import Stale, Table, encode
from tables.play.plans import PlannedPerspective
from tables.play.play import Perspective

ENDS = "This ends your turn."
FINAL = "You can't undo this."
UNKNOWN = "Then you'll see something new."
AT_ONCE = "-# `/me typed on:False` makes typed moves at once."


async def preview_page(app: App, perspective: Perspective, user_id: int, move: Any) -> Page | None:
    """Return what a typed move does, with a button that makes it.

    None if the move is made at once: it is planned, can't be made, or can be taken back within the turn.
    """
    if isinstance(perspective, PlannedPerspective) or perspective.seat is None:
        return None
    if not (await app.parlour.people.person(user_id)).confirms:
        return None
    table = perspective.table
    try:
        foresight = foresee(table.slug, perspective.view, perspective.seat, [move])
    except IllegalMove:
        return None  # making it says why
    if not _is_final(table, foresight):
        return None
    name = capital(move_names(table.slug).move_name(move, perspective.view, table.names))
    press = Press("table", "typed", table.id, table.moment, _digest(move))
    text = "\n".join([f"**{name}?**", *event_lines(perspective, foresight.events), _costs(table, foresight)])
    return Page([text, [Button("Do it", press, SUCCESS)], AT_ONCE])


def _is_final(table: Table, foresight: Foresight) -> bool:
    """Return True if a move needs a preview. A simultaneous answer can be changed until all are there."""
    is_kept = foresight.reveals and not table.undoes_everything
    return is_kept or (foresight.ends and not table.game.simultaneous)


def _costs(table: Table, foresight: Foresight) -> str:
    is_named = bool(foresight.events) and foresight.events[-1].is_sure
    sentences = [UNKNOWN] if foresight.reveals and not foresight.ends and not is_named else []
    sentences += [ENDS] if foresight.ends else []
    sentences += [FINAL] if foresight.reveals and not table.undoes_everything else []
    return " ".join(sentences)


def _digest(move: Any) -> str:
    return f"{crc32(encode(move).encode()):08x}"


@on_panel("table", "typed")
async def on_typed(interaction: Interaction, press: Press) -> None:
    """Make the move that a preview showed."""
    app = app_of(interaction)
    _, perspective = await asker_perspective(interaction, press.table)
    made = await moves_of(app, perspective, interaction.user.id)
    move = next((move for move in made if _digest(move) == press.arg), None)
    if move is None:
        raise Stale
    await make_moves(interaction, press.table, [move], press.moment, edit=True)
