"""The `/tanglewood` commands and the handlers of its panel: parse, call the tables, answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from discord import app_commands

from cogs.core.lookup import OpenTable, legal, seen_by, table_here
from cogs.learning.rulebook import show_rules
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import current, drafted, make_moves, on_panel, send, send_typed, typed_turn
from cogs.play.questions import by_name, named
from cogs.tanglewood import draft as drafts
from cogs.tanglewood import words
from cogs.tanglewood.draft import Draft
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Line, Word
from cogs.ui.page import Page
from cogs.ui.press import Press, number_of
from cogs.ui.reply import reply
from cogs.ui.signs import to_label
from cogs.ui.suggest import suggested
from engines.tanglewood import moves
from engines.tanglewood.options import TanglewoodOptions
from engines.tanglewood.pieces.components import REGIONS, TRACKS, Faction
from tables.core.table import Refused, Stale
from tables.play.play import Perspective

redraft = partial(turn.redraft, Draft)


@on_panel("tanglewood", "home")
async def home_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, region=None, votes=False)


@on_panel("tanglewood", "votes")
async def votes_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, votes=True)


@on_panel("tanglewood", "region")
async def region_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, region=press.arg if press.arg in REGIONS else None)


@on_panel("tanglewood", "again")
async def again_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, picks=())


@on_panel("tanglewood", "pick")
async def pick_pressed(interaction: Interaction, press: Press) -> None:
    await _answer(interaction, press, press.arg)


@on_panel("tanglewood", "chosen")
async def chosen(interaction: Interaction, press: Press) -> None:
    await _answer(interaction, press, drafts.answer(press.values))


async def _answer(interaction: Interaction, press: Press, pick: str) -> None:
    """Record an answer; send it at once if it needs no confirmation."""
    app, perspective = await current(interaction, press)
    draft = await drafted(app, perspective, Draft)
    asked = drafts.asked(perspective.view, draft.picks)
    asked = drafts.asked(perspective.view, (*asked.picks, pick))
    if asked.move is not None and drafts.sent_at_once(perspective.view, asked.move):
        return await send(interaction, press, asked.move)
    await redraft(interaction, press, picks=asked.picks)


@on_panel("tanglewood", "place")
async def place_pressed(interaction: Interaction, press: Press) -> None:
    move = moves.TanglewoodPlace(press.arg[:1], number_of(press.arg[1:]))
    await send(interaction, press, move)


@on_panel("tanglewood", "draw", "drawn")
async def draw_pressed(interaction: Interaction, press: Press) -> None:
    wanted = press.picked if press.verb == "drawn" else press.arg
    step: Faction | None = next((key for key in TRACKS if key == wanted), None)
    await send(interaction, press, moves.TanglewoodDraw(step))


@on_panel("tanglewood", "confirm")
async def confirm_pressed(interaction: Interaction, press: Press) -> None:
    """Send the choice that the button's own panel showed."""
    _, perspective = await current(interaction, press)
    asked = drafts.asked(perspective.view, tuple(press.arg.split("/")))
    if asked.move is None:
        raise Stale()
    await send(interaction, press, asked.move)


async def choosable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the caller's choices for a step, a Tangle or a scoring."""
    perspective, made = await legal(interaction)
    if perspective is None or perspective.view.phase == "turn":
        return []
    return suggested({name: name for name in await _named(perspective, made)}, current)


async def _named(perspective: Perspective, made: Sequence[moves.Move]) -> dict[str, moves.Move]:
    return await named(made, lambda move: words.choice(move, perspective.table.names))


async def placeable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the regions, each with its Tangle."""
    perspective, _ = await legal(interaction)
    if perspective is None:
        return []
    named = {
        region: to_label(words.place(region) + ("" if card is None else f": {words.tangle(card)}"))
        for region, card in perspective.view.tangles.items()
    }
    return suggested(named, current)


class TanglewoodCog(GameCog, group_name="tanglewood", group_description="Tanglewood"):
    """`/tanglewood`: open a table, look, and every move by typing, with the same effect as the buttons."""

    slug = "tanglewood"
    told: ClassVar = {
        "rules": "How Tanglewood is played",
        "hand": "Your Secret Ballots, and where they would bring you",
        "board": "The forest and everybody's standing",
    }

    new = new_table(
        "tanglewood",
        TanglewoodOptions,
        length="How many Tangles the deck holds",
        fox_tiles="Whether the tiles of the Fox track are shuffled",
        first="Who starts",
    )

    @app_commands.command(name="almanac", description="What every Tangle does, and where each track leads")
    async def almanac(self, interaction: Interaction) -> None:
        await show_rules(interaction, "tanglewood", "almanac")

    @app_commands.command(name="votes", description="What everybody would score if the forest voted now")
    async def votes(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        found = await table_here(interaction, table)
        await reply(interaction, await _votes_page(interaction, found.id))

    @app_commands.command(name="draw", description="Draw markers into your circle")
    @app_commands.describe(step="The track to step up, where drawing comes with a step")
    async def draw(
        self, interaction: Interaction, step: Faction | None = None, table: OpenTable | None = None
    ) -> None:
        await send_typed(interaction, table, moves.TanglewoodDraw(step))

    @app_commands.command(name="place", description="Place markers in a region and carry out its Tangle")
    @app_commands.describe(region="The letter of a region", count="How many markers from your circle")
    @app_commands.autocomplete(region=placeable)
    async def place(
        self, interaction: Interaction, region: Word, count: int = 1, table: OpenTable | None = None
    ) -> None:
        move = moves.TanglewoodPlace(region.strip().upper()[:1], count)
        await send_typed(interaction, table, move)

    @app_commands.command(name="choose", description="Choose what a step, a Tangle or a scoring asks")
    @app_commands.describe(choice="One of the choices offered as you type")
    @app_commands.autocomplete(choice=choosable)
    async def choose(self, interaction: Interaction, choice: Line, table: OpenTable | None = None) -> None:
        app, perspective = await typed_turn(interaction, table)
        if perspective.view.phase == "turn":
            raise Refused("There's nothing to choose now: use `/tanglewood place` or `/tanglewood draw`.")
        made = await app.parlour.play.moves(perspective.table.id, interaction.user.id)
        move = by_name(await _named(perspective, made), choice)
        await make_moves(interaction, perspective.table.id, [move])


async def _votes_page(interaction: Interaction, table_id: int) -> Page:
    _, perspective = await seen_by(interaction, table_id)
    return Page([words.votes_table(perspective.view, perspective.table.names)])
