"""The `/tesla` commands and the handlers of its panel: parse, call the tables, answer."""

from functools import partial
from typing import Any, ClassVar

from discord import app_commands

from cogs.core.app import App, app_of
from cogs.core.lookup import OpenTable
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import current, load_draft, on_panel
from cogs.tesla import draft as drafts
from cogs.tesla import panel
from cogs.ui.form import reply
from cogs.ui.page import Page
from cogs.ui.press import Press, number_of
from cogs.ui.text import Interaction
from engines.tesla import moves, preview
from engines.tesla.pieces.components import TeslaOptions, shape
from engines.tesla.view import TeslaView
from tables.core.table import Stale
from tables.play.play import Perspective

redraft = partial(turn.update_draft, drafts.TeslaDraft)


def _choose_spot(press: Press) -> dict[str, Any]:
    cell, _, turned = press.choice.partition(" ")
    return {"cell": cell, "turn": number_of(turned)}


def _choose_circuit(press: Press) -> dict[str, Any]:
    circuit, _, spot = press.choice.partition(" ")
    return {"circuit": number_of(circuit), "spot": spot}


turn.edit_on_press(
    "tesla",
    drafts.TeslaDraft,
    {
        "home": lambda _: {"step": "home", "page": 0},
        "tiles": lambda _: {"step": "tile", "page": 0},
        # The cursor stays if the tile fits there.
        "tile": lambda press: {"step": "tile", "tile": press.number, "group": "best", "page": 0},
        "by_hand": lambda press: {"by_hand": bool(press.number)},
        "group": lambda press: {"group": press.choice, "page": 0, "cell": None},
        "spot": _choose_spot,
        "page": lambda press: {"page": max(0, press.number)},
        "marker": lambda _: {"step": "marker", "page": 0, "circuit": None, "spot": None},
        "circuit": _choose_circuit,
        "where": lambda press: {"spot": press.choice},
        "discard": lambda _: {"step": "discard", "thrown": ()},
    },
)


@on_panel("tesla", "nudge")
async def on_nudge(interaction: Interaction, press: Press) -> None:
    nudge: Any = press.arg
    await redraft(interaction, press, partial(panel.panel, nudge=nudge))


@on_panel("tesla", "throw")
async def on_throw(interaction: Interaction, press: Press) -> None:
    app, perspective = await turn.find_perspective(interaction, press)
    thrown = set((await load_draft(app, perspective, drafts.TeslaDraft)).thrown) ^ {press.number}
    await redraft(interaction, press, thrown=tuple(sorted(thrown)))


async def _load_draft(interaction: Interaction, press: Press) -> tuple[Perspective, drafts.TeslaDraft]:
    app, perspective = await current(interaction, press)
    return perspective, await load_draft(app, perspective, drafts.TeslaDraft)


@on_panel("tesla", "place")
async def on_place(interaction: Interaction, press: Press) -> None:
    """Place the shown tile, and with an argument end the turn."""
    perspective, draft = await _load_draft(interaction, press)
    view: TeslaView = perspective.view
    move = _placement(view, draft)
    match press.arg:
        case panel.ENDING:
            await turn.send(interaction, press, move, moves.TeslaEndTurn())
        case panel.USUAL:
            ending = await app_of(interaction).workers.run(drafts.ending_after, view, move)
            if ending is None or ending.marker is None or not perspective.table.suggests:
                raise Stale()
            await turn.send(interaction, press, move, *ending.marker.moves_to_the_end())
        case _:
            await turn.send(interaction, press, move)


@on_panel("tesla", "all")
async def on_place_all(interaction: Interaction, press: Press) -> None:
    """Place the shown tile, and the others at the proposed places."""
    perspective, draft = await _load_draft(interaction, press)
    table, view = perspective.table, perspective.view
    if not table.suggests:
        raise Stale()
    workers = app_of(interaction).workers
    await turn.send(
        interaction, press, *await workers.run(drafts.best_places, view, table.names, _placement(view, draft))
    )


def _placement(view: TeslaView, draft: drafts.TeslaDraft) -> drafts.Placement:
    """Return the placement under the cursor. Raise Stale if there is none."""
    tiles = drafts.own_hand(view)
    if draft.cell is None or not 1 <= draft.tile <= len(tiles):
        raise Stale()
    kind = moves.Replace if draft.cell in view.board.tiles else moves.TeslaPlace
    return kind(tiles[draft.tile - 1], draft.turn, draft.cell)


@on_panel("tesla", "confirm")
async def on_confirm(interaction: Interaction, press: Press) -> None:
    perspective, draft = await _load_draft(interaction, press)
    if press.arg == panel.USUAL:
        usual = await app_of(interaction).workers.run(drafts.usual_marker, perspective.view)
        if usual is None or not perspective.table.suggests:
            raise Stale()
        # The turn ends with the proposed marker move, unless that wins.
        return await turn.send(interaction, press, *usual.moves_to_the_end())
    sites = {site.circuit: site for site in preview.sites(perspective.view)}
    move = drafts.marker_move(perspective.view, sites.get(draft.circuit or 0), draft)
    if move is None:
        raise Stale()
    ended = [moves.TeslaEndTurn()] if press.arg == panel.ENDING else []
    await turn.send(interaction, press, move, *ended)


@on_panel("tesla", "toss")
async def on_toss(interaction: Interaction, press: Press) -> None:
    perspective, draft = await _load_draft(interaction, press)
    held, order = drafts.own_hand(perspective.view), shape(perspective.view.options.tiles).order
    if not draft.thrown or not all(1 <= place <= len(held) for place in draft.thrown):
        raise Stale()
    tiles = sorted((held[place - 1] for place in draft.thrown), key=order.__getitem__)
    await turn.send(interaction, press, moves.Discard(tuple(tiles)))


@on_panel("tesla", "done", "pass")
async def on_done(interaction: Interaction, press: Press) -> None:
    """End the turn or the replays; confirm an idle turn first."""
    _, perspective = await turn.find_perspective(interaction, press)
    view: TeslaView = perspective.view
    current = perspective.table.moment == press.moment and perspective.seat in perspective.table.owing
    if current and press.verb == "done" and panel.is_idle(view):
        return await reply(interaction, panel.ask_idle(perspective.table, perspective.view), edit=True)
    move = moves.EndReplay() if view.phase == "replay" else moves.TeslaEndTurn()
    await turn.send(interaction, press, move)


class TeslaCog(GameCog, group_name="tesla", group_description="Tesla's Tangle"):
    """`/tesla`: open a table, look, and every move by typing, with the same effect as the buttons."""

    slug = "tesla"
    descriptions: ClassVar = {
        "rules": "How Tesla's Tangle is played",
        "hand": "Your tiles (only you see them)",
        "board": "The board right now",
    }

    new = new_table(
        "tesla",
        TeslaOptions,
        tiles="Six-sided or square tiles",
        opening="How to balance the first player's advantage",
        win="Points to win",
    )

    @app_commands.command(name="done", description="End your turn, or stop putting markers back")
    async def end_turn(self, interaction: Interaction, table: OpenTable = None) -> None:
        _, perspective = await turn.find_typed_turn(interaction, table)
        move = moves.EndReplay() if perspective.view.phase == "replay" else moves.TeslaEndTurn()
        await self.make_or_ask(interaction, perspective, move)

    def explain_unknown(self, view: TeslaView, typed: str, /) -> str | None:
        is_tile = typed.casefold().split()[:1] in (["place"], ["replace"])
        return panel.NO_MORE_TILES if view.phase == "end" and is_tile else None

    async def question(self, app: App, perspective: Perspective, move: moves.Move, /) -> Page | None:
        """Confirm an idle turn, and a marker that eliminates its own seat."""
        view: TeslaView = perspective.view
        match move:
            case moves.TeslaEndTurn() | moves.EndReplay() if panel.is_idle(view):
                return panel.ask_idle(perspective.table, view)
            case moves.Mark(cell, segment) | moves.Replay(cell, segment) if preview.would_ruin(view, move):
                circuit = view.board.circuit_at(cell, segment)
                draft = drafts.TeslaDraft(
                    step="marker", circuit=circuit, spot=f"put {drafts.spot_key(cell, segment)}"
                )
                await app.parlour.save_draft(perspective.table, perspective.me, draft)
                return await panel.panel(app, perspective)
            case _:
                return None
