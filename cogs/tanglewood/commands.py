"""The `/tanglewood` commands and the handlers of its panel: parse, call the tables, answer."""

from functools import partial
from typing import ClassVar

from discord import app_commands

from cogs.core.app import App
from cogs.core.lookup import OpenTable, asker_perspective, legal_moves_here, table_here
from cogs.learning import show_rules
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import current, edit_on_press, find_typed_turn, load_draft, move_on_press, on_panel, send
from cogs.tanglewood import draft as drafts
from cogs.tanglewood.panel import draw_menu, placement_page
from cogs.ui.form import read_choice, reply, suggest_choices
from cogs.ui.page import Page
from cogs.ui.press import Press, number_of
from cogs.ui.text import Interaction, Line
from engines.tanglewood import moves
from engines.tanglewood.pieces.components import REGIONS, TRACKS, Faction, Region, TanglewoodOptions
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import event_lines, nouns
from tables.core.table import Stale
from tables.play.play import Perspective

STEP_LEFT_OUT = "**You can also take a step**, since you have fewer markers than you can place. Which track?"
redraft = partial(turn.update_draft, drafts.TanglewoodDraft)


def _draw(press: Press) -> moves.TanglewoodDraw:
    wanted = press.choice if press.verb == "drawn" else press.arg
    return moves.TanglewoodDraw(next((key for key in TRACKS if key == wanted), None))


edit_on_press(
    "tanglewood",
    drafts.TanglewoodDraft,
    {
        "home": lambda _: {"region": None, "votes": False},
        "votes": lambda _: {"votes": True},
        "region": lambda press: {"region": press.arg if press.arg in REGIONS else None},
        "again": lambda _: {"picks": ()},
    },
)
move_on_press("tanglewood", {"draw": _draw, "drawn": _draw})


@on_panel("tanglewood", "place")
async def on_place(interaction: Interaction, press: Press) -> None:
    """Place markers; with a track, take its step too."""
    track = next((key for key in TRACKS if press.arg.endswith(key)), None)
    count = number_of(press.arg[1:].removesuffix(track or ""))
    steps = [] if track is None else [moves.TanglewoodStep(track)]
    await send(interaction, press, moves.TanglewoodPlace(press.arg[:1], count), *steps)


@on_panel("tanglewood", "pick")
async def on_pick(interaction: Interaction, press: Press) -> None:
    await _answer(interaction, press, press.arg)


@on_panel("tanglewood", "chosen")
async def on_choose(interaction: Interaction, press: Press) -> None:
    await _answer(interaction, press, drafts.answer(press.values))


async def _answer(interaction: Interaction, press: Press, pick: str) -> None:
    """Record an answer; send it at once if it needs no confirmation."""
    app, perspective = await current(interaction, press)
    draft = await load_draft(app, perspective, drafts.TanglewoodDraft)
    picks = drafts.next_question(perspective.view, draft.picks).picks
    asked = drafts.next_question(perspective.view, (*picks, pick))
    if asked.move is not None and drafts.is_sent_at_once(perspective.view, asked.move):
        return await send(interaction, press, asked.move)
    await redraft(interaction, press, picks=asked.picks)


@on_panel("tanglewood", "confirm", "whole")
async def on_confirm(interaction: Interaction, press: Press) -> None:
    """Send a whole choice: the panel's own, or a line of the menu."""
    _, perspective = await current(interaction, press)
    picks = press.choice if press.verb == "whole" else press.arg
    asked = drafts.next_question(perspective.view, tuple(picks.split("/")))
    if asked.move is None:
        raise Stale()
    await send(interaction, press, asked.move)


async def placeable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the regions, each with its Tangle."""
    perspective, _ = await legal_moves_here(interaction)
    if perspective is None:
        return []
    return suggest_choices(_region_names(perspective), current)


def _region_names(perspective: Perspective) -> dict[Region, str]:
    return {
        region: nouns.place(region) + ("" if card is None else f": {nouns.tangle(card)}")
        for region, card in perspective.view.tangles.items()
    }


class TanglewoodCog(GameCog, group_name="tanglewood", group_description="Tanglewood"):
    """`/tanglewood`: open a table, look, and every move by typing, with the same effect as the buttons."""

    slug = "tanglewood"
    descriptions: ClassVar = {
        "rules": "How Tanglewood is played",
        "hand": "Your Secret Ballots, and the place that each would give you",
        "board": "The forest, and everyone's place in each region",
    }

    new = new_table(
        "tanglewood",
        TanglewoodOptions,
        length="How many Tangles are in the deck",
        fox_tiles="The order of the tiles on the Fox track",
        first="Who goes first",
    )

    @app_commands.command(description="What every Tangle and every track does")
    async def almanac(self, interaction: Interaction) -> None:
        await show_rules(interaction, "tanglewood", "The almanac")

    @app_commands.command(description="What everyone would score if the forest voted now")
    async def votes(self, interaction: Interaction, table: OpenTable = None) -> None:
        target = await table_here(interaction, table)
        _, perspective = await asker_perspective(interaction, target.id)
        await reply(interaction, Page([event_lines.votes_table(perspective.view, perspective.table.names)]))

    async def question(self, app: App, perspective: Perspective, move: moves.Move, /) -> Page | None:
        """Ask for the step that a typed draw leaves out."""
        view: TanglewoodView = perspective.view
        if move != moves.TanglewoodDraw() or view.phase != "turn" or perspective.seat != view.seat:
            return None
        if view.circles[perspective.me] >= view.most_placeable(perspective.me):
            return None
        return Page([STEP_LEFT_OUT, draw_menu(perspective)])

    @app_commands.command(description="Draw markers into your circle")
    @app_commands.describe(step="The track, if you also take a step")
    async def draw(
        self, interaction: Interaction, step: Faction | None = None, table: OpenTable = None
    ) -> None:
        _, perspective = await find_typed_turn(interaction, table)
        await self.make_or_ask(interaction, perspective, moves.TanglewoodDraw(step))

    @app_commands.command(description="Place markers in a region and do what its Tangle says")
    @app_commands.describe(
        region="The letter or the name of a region",
        count="How many markers from your circle. Leave it out to see the choices",
    )
    @app_commands.autocomplete(region=placeable)
    async def place(
        self, interaction: Interaction, region: Line, count: int | None = None, table: OpenTable = None
    ) -> None:
        app, perspective = await find_typed_turn(interaction, table)
        meant = read_choice(_region_names(perspective), region) or region.strip().upper()
        view, me = perspective.view, perspective.me
        is_open = view.phase == "turn" and perspective.seat == view.seat and view.tangles.get(meant)
        if count is None and is_open and min(view.most_placeable(me), view.circles[me]) > 1:
            return await reply(interaction, await placement_page(app, perspective, meant))
        await self.make_or_ask(
            interaction, perspective, moves.TanglewoodPlace(meant, 1 if count is None else count)
        )
