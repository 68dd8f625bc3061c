"""The `/tangram` commands and the handlers of its panel: parse, call the tables, answer."""

from functools import partial
from typing import Any, ClassVar, Literal

from cogs.core.app import App
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import current, edit_on_press, load_draft, move_on_press, on_panel, refuse_in_place, send
from cogs.tangram import draft as drafts
from cogs.tangram import panel
from cogs.tangram.draft import TangramDraft
from cogs.ui.page import Page
from cogs.ui.press import NOT_OURS, Press
from cogs.ui.text import Interaction
from engines.tangram import moves
from engines.tangram.legal.moves import over
from engines.tangram.pieces.components import FOUNTAIN, Sides, TangramOptions
from engines.tangram.pieces.geometry import SIDES, Side
from tables.core.table import Refused, Stale
from tables.play.play import Perspective


def _side(text: str) -> Side:
    if text not in SIDES:
        raise Refused(NOT_OURS)
    return "black" if text == "black" else "green"


def options(boards: Literal["start", "plain"] = "start", sides: Sides = "random") -> TangramOptions:
    return TangramOptions(boards, sides)


redraft = partial(turn.update_draft, TangramDraft)
NOW_LAST = "Everyone else is done now, so your answer will be final. Press again to send it."


edit_on_press(
    "tangram",
    TangramDraft,
    {
        "later": lambda _: {"cursor": None, "busy": False, "declining": False, "later": True},
        "decline": lambda _: {"declining": True},
        "back": lambda _: {"declining": False},
        "keep": lambda _: {"cursor": None, "busy": False, "declining": False},
        "by_hand": lambda press: {"by_hand": bool(press.number)},
    },
)
move_on_press("tangram", {"return": lambda press: moves.TakeBack(press.number)})


@on_panel("tangram", "nudge")
async def on_nudge(interaction: Interaction, press: Press) -> None:
    nudge: Any = press.arg
    await redraft(interaction, press, partial(panel.panel, nudge=nudge))


@on_panel("tangram", "jump")
async def on_jump(interaction: Interaction, press: Press) -> None:
    cursor = (await load_draft(*await current(interaction, press), TangramDraft)).cursor
    if cursor is not None:
        await redraft(interaction, press, cursor=drafts.jump(cursor, press.choice))


@on_panel("tangram", "tile", "change")
async def on_tile(interaction: Interaction, press: Press) -> None:
    """Hold a tile over the city, at its place if laid."""
    app, perspective = await current(interaction, press)
    view, tile = perspective.view, press.number
    given = next((a.piece for a in view.mine if (a.tile or FOUNTAIN) == tile), None)
    cursor = over(given) if given is not None else None
    if cursor is None:
        cursor = (await app.workers.run(drafts.look, view, tile, None)).cursor
    await redraft(interaction, press, cursor=cursor, busy=True, declining=False)


@on_panel("tangram", "place", "place_last")
async def on_place(interaction: Interaction, press: Press) -> None:
    app, perspective = await current(interaction, press)
    if press.arg == drafts.ALL:
        if not perspective.table.suggests:
            raise Stale()
        every = await app.workers.run(drafts.best_answers, perspective.view)
        return await _send(interaction, press, app, perspective, *every, later=True)
    cursor = (
        drafts.read(press.arg) if press.arg else (await load_draft(app, perspective, TangramDraft)).cursor
    )
    if cursor is None:
        raise Stale()
    await _send(interaction, press, app, perspective, cursor.move)


@on_panel("tangram", "done", "done_last", "side", "side_last")
async def on_answer(interaction: Interaction, press: Press) -> None:
    move = moves.TangramDone() if press.verb.startswith("done") else moves.ChooseSide(_side(press.arg))
    await _send(interaction, press, *await current(interaction, press), move)


@on_panel("tangram", "aside", "aside_last")
async def on_aside(interaction: Interaction, press: Press) -> None:
    app, perspective = await current(interaction, press)
    tile = panel.tile_at_hand(perspective.view, await load_draft(app, perspective, TangramDraft))
    move = moves.DeclineFountain() if tile == FOUNTAIN else moves.Decline(tile)
    await _send(interaction, press, app, perspective, move)


async def _send(
    interaction: Interaction,
    press: Press,
    app: App,
    perspective: Perspective,
    *made: Any,
    later: bool = False,
) -> None:
    """Send answers and drop the draft, for the next tile.

    Ask again if the answer has become the last since its button was drawn. With `later`, the panel doesn't
    ask for answers that could be given ahead.
    """
    draft = await load_draft(app, perspective, TangramDraft)
    is_tile = press.verb.startswith(("place", "aside")) and bool(drafts.tiles_to_answer(perspective.view))
    tile = panel.tile_at_hand(perspective.view, draft) if is_tile else None
    if panel.closes(perspective, tile) and not press.verb.endswith(panel.LAST):
        return await refuse_in_place(interaction, press, NOW_LAST)
    fresh = TangramDraft(later=later or draft.later)
    await app.parlour.save_draft(perspective.table, perspective.view.viewer, fresh)
    try:
        await send(interaction, press, *made)
    except Refused:
        await app.parlour.save_draft(perspective.table, perspective.view.viewer, draft)
        raise


class TangramCog(GameCog, group_name="tangram", group_description="Tangram City"):
    """`/tangram`: open a table, look, and every answer by typing, with the same effect as the buttons."""

    slug = "tangram"
    descriptions: ClassVar = {
        "rules": "How Tangram City is played",
        "hand": "Your city and the cards you can see",
        "board": "All cities side by side",
    }

    new = new_table(
        "tangram",
        options,
        boards="Start with a square and a half already built, or with empty cities",
        sides="Choose each board's side at random, or let everyone choose black or green",
    )

    async def question(self, app: App, perspective: Perspective, move: moves.Move, /) -> Page | None:
        """Confirm that a tile or a fountain is set aside."""
        if not isinstance(move, moves.Decline | moves.DeclineFountain):
            return None
        number = move.tile if isinstance(move, moves.Decline) else FOUNTAIN
        cursor = (await app.workers.run(drafts.look, perspective.view, number, None)).cursor
        await app.parlour.save_draft(perspective.table, perspective.me, TangramDraft(cursor, declining=True))
        return await panel.panel(app, perspective)
