"""The `/tanglewood` commands and the presses of its panel: parse, one call to the tables, one answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from discord import app_commands

from cogs.core.lookup import legal, open_tables, seen_by, table_here
from cogs.learning.rulebook import show_rules
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import current, renewed, require_turn
from cogs.tanglewood import draft as drafts
from cogs.tanglewood import panel, rulebook, words
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Line, Word
from cogs.ui.page import Page
from cogs.ui.press import Press, number_of, on_press
from cogs.ui.reply import reply
from cogs.ui.signs import worded
from engines.tanglewood import moves
from engines.tanglewood.components import REGIONS, TRACKS, Faction
from engines.tanglewood.events import Ended
from engines.tanglewood.options import Options
from tables.core.table import Refused, Stale

MOST = 25


async def make(
    interaction: Interaction, table_id: int, made: Sequence[Any], seen: int | None, *, edit: bool
) -> None:
    """See `cogs.play.panel.make`."""
    await turn.make(interaction, table_id, made, seen, edit=edit, ends=Ended)


async def redraft(interaction: Interaction, press: Press, **changes: Any) -> None:
    """Change what is drafted in the panel and show it again; nothing of it is sent."""
    await turn.redraft(interaction, press, panel.drafted, panel.panel, **changes)


@on_press("tanglewood", "home")
async def home_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, region=None, votes=False)


@on_press("tanglewood", "votes")
async def votes_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, votes=True)


@on_press("tanglewood", "region")
async def region_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, region=press.arg if press.arg in REGIONS else None)


@on_press("tanglewood", "again")
async def again_pressed(interaction: Interaction, press: Press) -> None:
    await redraft(interaction, press, picks=())


@on_press("tanglewood", "pick")
async def pick_pressed(interaction: Interaction, press: Press) -> None:
    await _answer(interaction, press, press.arg)


@on_press("tanglewood", "chosen")
async def chosen(interaction: Interaction, press: Press) -> None:
    await _answer(interaction, press, drafts.answer(press.values))


async def _answer(interaction: Interaction, press: Press, pick: str) -> None:
    """Take an answer down; one that needs no second look is sent at once."""
    found = await current(interaction, press)
    if found is None:
        return None
    app, perspective = found
    draft = await panel.drafted(app, perspective)
    asked = drafts.asked(perspective.view, draft.picks)
    asked = drafts.asked(perspective.view, (*asked.picks, pick))
    if asked.move is not None and drafts.sent_at_once(perspective.view, asked.move):
        return await make(interaction, press.table, [asked.move], press.moment, edit=True)
    await redraft(interaction, press, picks=asked.picks)


@on_press("tanglewood", "place")
async def place_pressed(interaction: Interaction, press: Press) -> None:
    move = moves.Place(press.arg[:1], number_of(press.arg[1:]))
    await make(interaction, press.table, [move], press.moment, edit=True)


@on_press("tanglewood", "draw")
async def draw_pressed(interaction: Interaction, press: Press) -> None:
    step: Faction | None = next((key for key in TRACKS if key == press.arg), None)
    await make(interaction, press.table, [moves.Draw(step)], press.moment, edit=True)


@on_press("tanglewood", "confirm")
async def confirm_pressed(interaction: Interaction, press: Press) -> None:
    """Send what was chosen, as the button's own panel showed it."""
    found = await current(interaction, press)
    if found is None:
        return None
    asked = drafts.asked(found[1].view, tuple(press.arg.split("/")))
    if asked.move is None:
        return await renewed(interaction, press.table, Stale())
    await make(interaction, press.table, [asked.move], press.moment, edit=True)


async def choosable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: what a step, a Tangle or a scoring lets the caller choose."""
    perspective, made = await legal(interaction)
    if perspective is None or perspective.view.phase == "turn":
        return []
    wanted = current.strip().lower()
    names = (worded(words.choice(move, perspective.table.names))[:100] for move in made)
    return [app_commands.Choice(name=name, value=name) for name in names if wanted in name.lower()][:MOST]


async def placeable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the regions, each with its Tangle."""
    perspective, _ = await legal(interaction)
    if perspective is None:
        return []
    wanted = current.strip().lower()
    named = {
        region: worded(words.place(region) + ("" if card is None else f": {words.tangle(card)}"))
        for region, card in perspective.view.tangles.items()
    }
    return [
        app_commands.Choice(name=name[:100], value=region)
        for region, name in named.items()
        if wanted in name.lower()
    ]


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
        Options,
        length="How many Tangles the deck holds",
        fox_tiles="Whether the tiles of the Fox track are shuffled",
        first="Who starts",
    )

    @app_commands.command(name="almanac", description="What every Tangle does, and where each track leads")
    async def almanac(self, interaction: Interaction) -> None:
        await show_rules(interaction, "tanglewood", rulebook.ALMANAC)

    @app_commands.command(name="votes", description="What everybody would score if the forest voted now")
    @app_commands.autocomplete(table=open_tables)
    async def votes(self, interaction: Interaction, table: int | None = None) -> None:
        found = await table_here(interaction, table)
        await reply(interaction, await _votes_page(interaction, found.id))

    @app_commands.command(name="draw", description="Draw markers into your circle")
    @app_commands.describe(step="The track to step up, where drawing comes with a step")
    @app_commands.autocomplete(table=open_tables)
    async def draw(
        self, interaction: Interaction, step: Faction | None = None, table: int | None = None
    ) -> None:
        found = await table_here(interaction, table)
        await make(interaction, found.id, [moves.Draw(step)], None, edit=False)

    @app_commands.command(name="place", description="Place markers in a region and carry out its Tangle")
    @app_commands.describe(region="The letter of a region", count="How many markers from your circle")
    @app_commands.autocomplete(region=placeable)
    @app_commands.autocomplete(table=open_tables)
    async def place(
        self, interaction: Interaction, region: Word, count: int = 1, table: int | None = None
    ) -> None:
        found = await table_here(interaction, table)
        move = moves.Place(region.strip().upper()[:1], count)
        await make(interaction, found.id, [move], None, edit=False)

    @app_commands.command(name="choose", description="Choose what a step, a Tangle or a scoring asks")
    @app_commands.describe(choice="One of those that are offered while you type")
    @app_commands.autocomplete(choice=choosable)
    @app_commands.autocomplete(table=open_tables)
    async def choose(self, interaction: Interaction, choice: Line, table: int | None = None) -> None:
        found = await table_here(interaction, table)
        app, perspective = await seen_by(interaction, found.id)
        require_turn(perspective)
        if perspective.view.phase == "turn":
            raise Refused("Nothing is to be chosen now: `/tanglewood place` or `/tanglewood draw`.")
        wanted = " ".join(choice.lower().split())
        for move in await app.parlour.play.moves(found.id, interaction.user.id):
            if worded(words.choice(move, perspective.table.names))[:100].lower() == wanted:
                return await make(interaction, found.id, [move], None, edit=False)
        raise Refused("That is not among the choices; those that are come up while you type.")


async def _votes_page(interaction: Interaction, table_id: int) -> Page:
    _, perspective = await seen_by(interaction, table_id)
    return Page([words.votes_table(perspective.view, perspective.table.names)])
