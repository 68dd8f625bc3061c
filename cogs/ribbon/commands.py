"""The `/ribbon` commands and the handlers of its panel: parse, call the tables, answer."""

from __future__ import annotations

from typing import ClassVar, Literal

from discord import app_commands

from cogs.core.app import app_of
from cogs.core.lookup import OpenTable, asker_perspective, legal_moves_here, table_here
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import (
    current,
    edit_on_press,
    load_draft,
    move_on_press,
    on_panel,
    panel_page,
    send,
    send_typed,
)
from cogs.ribbon import panel
from cogs.ribbon.draft import RibbonDraft, draft_moves, face, preview, read_draft, steps
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Word
from cogs.ui.page import Page
from cogs.ui.press import Press
from cogs.ui.reply import reply
from engines.ribbon import moves
from engines.ribbon.options import RibbonOptions
from engines.ribbon.pieces.circle import after
from engines.ribbon.pieces.components import COLOURS, LETTERS, PLACES
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
    """Return the picked line; None if the menu was cleared."""
    return press.values[0] if press.values else None


move_on_press(
    "ribbon",
    {
        "colour": lambda press: _colour(press.arg),
        "starthand": lambda press: moves.ChooseHand(press.number),
        "flip": lambda press: moves.Flip(press.choice_number),
        "answer": lambda press: moves.AnswerTie(press.arg == "yes"),
        "tie": lambda _: moves.OfferTie(),
    },
)
edit_on_press(
    "ribbon",
    RibbonDraft,
    {
        "swap": lambda press: {"swap": press.choice_number if press.values else None},
        "put": lambda press: {"put": _first_value(press)},
        "take": lambda press: {"take": _first_value(press)},
        "clear": lambda _: {"swap": None, "put": None, "take": None},
    },
)


@on_panel("ribbon", "back")
async def on_back(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await panel_page(interaction, press.table), edit=True)


@on_panel("ribbon", "end", "drop", "lose")
async def on_end(interaction: Interaction, press: Press) -> None:
    """Send the draft and end the turn; confirm losses first."""
    app, perspective = await current(interaction, press)
    if perspective.view.phase != "arrange":
        raise Stale()
    draft = await load_draft(app, perspective, RibbonDraft)
    ahead = preview(perspective.view, draft)
    made = steps(perspective.view, draft)
    if press.verb == "end" and (draft.put is None) != (draft.take is None):
        return await reply(interaction, panel.half_exchange_page(perspective.table, draft), edit=True)
    if press.verb != "lose" and would_lose(ahead) and isinstance(made[-1], moves.RibbonEndTurn):
        return await reply(interaction, _ask(perspective, ahead), edit=True)
    await send(interaction, press, *made)


@on_panel("ribbon", "play")
async def on_play(interaction: Interaction, press: Press) -> None:
    """Play the safe draft that a button names, and end the turn."""
    _, perspective = await current(interaction, press)
    draft = read_draft(press.arg)
    if would_lose(preview_turn(perspective.view, draft.swap, draft.exchange)):
        raise Stale()
    await send(interaction, press, *draft_moves(perspective.view, draft))


def _ask(perspective: Perspective, ahead: RibbonView) -> Page:
    return panel.losing_page(perspective.table, ahead, hopeless=not can_end_safely(perspective.view))


def _choices(pairs: dict[int, str], current: str) -> list[app_commands.Choice[int]]:
    return [
        app_commands.Choice(name=name[:100], value=place)
        for place, name in pairs.items()
        if name.lower().startswith(current.lower())
    ][:25]


async def flips(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: places with a face-down card."""
    _, made = await legal_moves_here(interaction)
    return _choices({m.place: f"{m.place}" for m in made if isinstance(m, moves.Flip)}, current)


async def swaps(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: places that can be swapped with the next one."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    circle = perspective.view.circle
    pairs = [(m.place, after(m.place)) for m in made if isinstance(m, moves.RibbonSwap)]
    names = {
        one: f"{one} and {two}: {circle[one - 1] or '?'}, {circle[two - 1] or '?'}" for one, two in pairs
    }
    return _choices(names, current)


async def places(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: places whose card can be exchanged."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    names = {
        m.place: f"{m.place}: {perspective.view.circle[m.place - 1]}"
        for m in made
        if isinstance(m, moves.Exchange)
    }
    return _choices(names, current)


async def cards(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the caller's own cards that can be put down."""
    _, made = await legal_moves_here(interaction)
    held = sorted({m.card for m in made if isinstance(m, moves.Exchange)})
    return [
        app_commands.Choice(name=f"{card}: {face(card)}", value=card)
        for card in held
        if card.startswith(current.upper())
    ]


class RibbonCog(GameCog, group_name="ribbon", group_description="Ribbon Tangle"):
    """`/ribbon`: open a table, look, and every move by typing, with the same effect as the buttons."""

    slug = "ribbon"
    descriptions: ClassVar = {
        "rules": "How Ribbon Tangle is played",
        "hand": "Your hand; in solo, all hands",
        "board": "The circle right now",
    }

    new = new_table(
        "ribbon",
        RibbonOptions,
        mode="Versus, co-op or solo",
        difficulty="Solo only",
        ribbon_choice="Versus only: how ribbons are chosen",
        first="Who goes first",
    )

    @app_commands.command(name="colour", description="Versus: choose your ribbon")
    async def colour(
        self,
        interaction: Interaction,
        colour: Literal["green", "orange", "purple"],
        table: OpenTable | None = None,
    ) -> None:
        await send_typed(interaction, table, _colour(colour))

    @app_commands.command(name="start-hand", description="Solo: choose your first hand")
    async def start_hand(
        self, interaction: Interaction, hand: app_commands.Range[int, 1, 3], table: OpenTable | None = None
    ) -> None:
        await send_typed(interaction, table, moves.ChooseHand(hand))

    @app_commands.command(name="flip", description="Flip a face-down card")
    @app_commands.describe(place=WHERE)
    @app_commands.autocomplete(place=flips)
    async def flip(self, interaction: Interaction, place: Place, table: OpenTable | None = None) -> None:
        await send_typed(interaction, table, moves.Flip(place))

    @app_commands.command(name="swap", description="Swap the card at a place with the next card")
    @app_commands.describe(place=f"The first of the two places, 1 to {PLACES} as on a clock")
    @app_commands.autocomplete(place=swaps)
    async def swap(self, interaction: Interaction, place: Place, table: OpenTable | None = None) -> None:
        await send_typed(interaction, table, moves.RibbonSwap(place))

    @app_commands.command(
        name="exchange", description="Exchange a card in your hand for a face-up card in the circle"
    )
    @app_commands.describe(place=WHERE, card="The letter of a card in your hand")
    @app_commands.autocomplete(place=places)
    @app_commands.autocomplete(card=cards)
    async def exchange(
        self, interaction: Interaction, place: Place, card: Word, table: OpenTable | None = None
    ) -> None:
        await send_typed(interaction, table, moves.Exchange(place, card.strip().upper()[:1]))

    @app_commands.command(name="end", description="End your turn")
    async def end(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        """End the turn; confirm a loss first."""
        target = await table_here(interaction, table)
        _, perspective = await asker_perspective(interaction, target.id)
        if (
            perspective.seat in perspective.table.owing
            and perspective.view.phase == "arrange"
            and would_lose(perspective.view)
        ):
            await _forget_draft(interaction, perspective)
            return await reply(interaction, _ask(perspective, perspective.view))
        await send_typed(interaction, target.id, moves.RibbonEndTurn())

    @app_commands.command(name="tie", description="Versus: offer a tie")
    async def tie(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        await send_typed(interaction, table, moves.OfferTie())

    @app_commands.command(
        name="answer", description="Versus: accept or refuse another player's offer of a tie"
    )
    async def answer(
        self, interaction: Interaction, accept: Literal["yes", "no"], table: OpenTable | None = None
    ) -> None:
        await send_typed(interaction, table, moves.AnswerTie(accept == "yes"))


async def _forget_draft(interaction: Interaction, perspective: Perspective) -> None:
    """Drop the panel's draft: a typed end means the table without it."""
    if perspective.seat is not None:
        await app_of(interaction).parlour.save_draft(perspective.table, perspective.seat, RibbonDraft())
