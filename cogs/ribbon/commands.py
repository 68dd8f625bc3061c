"""The `/ribbon` commands and the handlers of its panel: parse, call the tables, answer."""

from typing import ClassVar

from discord import app_commands

from cogs.core.app import App
from cogs.core.lookup import OpenTable
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.ribbon import panel
from cogs.ribbon.draft import RibbonDraft, draft_moves, preview, read_draft, steps
from cogs.ui.form import reply
from cogs.ui.page import Page
from cogs.ui.press import Press
from cogs.ui.text import Interaction
from engines.ribbon import moves
from engines.ribbon.pieces.components import COLOURS, LETTERS, PLACES, RibbonOptions
from engines.ribbon.preview import can_end_safely, preview_turn, would_lose
from engines.ribbon.view import RibbonView
from tables.core.table import Refused, Stale
from tables.play.play import Perspective

Place = app_commands.Range[int, 1, PLACES]
WHERE = f"A place from 1 to {PLACES}, as on a clock"


def _colour(text: str) -> moves.ChooseRibbon:
    for colour in COLOURS:
        if text.lower() in (colour, LETTERS[colour].lower()):
            return moves.ChooseRibbon(colour)
    raise Refused("I don't know that ribbon. Choose green, orange or purple.")


def _first_value(press: Press) -> str | None:
    return press.values[0] if press.values else None


turn.move_on_press(
    "ribbon",
    {
        "colour": lambda press: _colour(press.arg),
        "starthand": lambda press: moves.ChooseHand(press.number),
        "flip": lambda press: moves.Flip(press.choice_number),
        "answer": lambda press: moves.AnswerTie(press.arg == "yes"),
        "tie": lambda _: moves.OfferTie(),
    },
)
turn.edit_on_press(
    "ribbon",
    RibbonDraft,
    {
        "swap": lambda press: {"swap": press.choice_number if press.values else None},
        "put": lambda press: {"put": _first_value(press)},
        "take": lambda press: {"take": _first_value(press)},
        "clear": lambda _: {"swap": None, "put": None, "take": None},
    },
)


@turn.on_panel("ribbon", "back")
async def on_back(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await turn.panel_page(interaction, press.table), edit=True)


@turn.on_panel("ribbon", "end", "drop", "lose")
async def on_end(interaction: Interaction, press: Press) -> None:
    """Send the draft and end the turn; confirm losses first."""
    app, perspective = await turn.current(interaction, press)
    if perspective.view.phase != "arrange":
        raise Stale()
    draft = await turn.load_draft(app, perspective, RibbonDraft)
    ahead = preview(perspective.view, draft)
    made = steps(perspective.view, draft)
    if press.verb == "end" and (draft.put is None) != (draft.take is None):
        return await reply(interaction, panel.half_exchange_page(perspective.table, draft), edit=True)
    if press.verb == "end" and panel.is_idle(perspective.table, perspective.view, draft):
        return await reply(interaction, panel.idle_page(perspective.table), edit=True)
    warns = press.verb != "lose" and perspective.table.suggests
    if warns and would_lose(ahead) and isinstance(made[-1], moves.RibbonEndTurn):
        return await reply(interaction, _ask(perspective, ahead), edit=True)
    await turn.send(interaction, press, *made)


@turn.on_panel("ribbon", "play")
async def on_play(interaction: Interaction, press: Press) -> None:
    """Play the safe draft that a button names, and end the turn."""
    _, perspective = await turn.current(interaction, press)
    draft = read_draft(press.arg)
    if would_lose(preview_turn(perspective.view, draft.swap, draft.exchange)):
        raise Stale()
    await turn.send(interaction, press, *draft_moves(perspective.view, draft))


def _ask(perspective: Perspective, ahead: RibbonView) -> Page:
    return panel.losing_page(perspective.table, ahead, hopeless=not can_end_safely(perspective.view))


class RibbonCog(GameCog, group_name="ribbon", group_description="Ribbon Tangle"):
    """`/ribbon`: open a table, look, and every move by typing, with the same effect as the buttons."""

    slug = "ribbon"
    descriptions: ClassVar = {
        "rules": "How Ribbon Tangle is played",
        "hand": "Your hand, or all hands in solo",
        "board": "The circle right now",
    }

    new = new_table(
        "ribbon",
        RibbonOptions,
        mode="Versus, co-op or solo",
        difficulty="Solo only",
        ribbon_choice="Versus only: how you get ribbons",
        first="Who goes first",
    )

    @app_commands.command(description="End your turn")
    async def end(self, interaction: Interaction, table: OpenTable = None) -> None:
        _, perspective = await turn.find_typed_turn(interaction, table)
        await self.make_or_ask(interaction, perspective, moves.RibbonEndTurn())

    def explain_unknown(self, view: RibbonView, typed: str, /) -> str | None:
        has_flipped = view.phase == "arrange" and typed.casefold().split()[:1] == ["flip"]
        return "You've flipped already." if has_flipped else None

    async def question(self, app: App, perspective: Perspective, move: moves.Move, /) -> Page | None:
        """Confirm a loss, and drop the draft, which a typed end ignores."""
        view: RibbonView = perspective.view
        if not isinstance(move, moves.RibbonEndTurn) or view.phase != "arrange" or not would_lose(view):
            return None
        await app.parlour.save_draft(perspective.table, perspective.me, RibbonDraft())
        return _ask(perspective, view)
