"""The `/tesla` commands and the handlers of its panel: parse, call the tables, answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

from discord import app_commands

from cogs.core.lookup import OpenTable, asker_perspective, legal_moves_here, table_here
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import (
    current,
    edit_on_press,
    find_typed_turn,
    load_draft,
    make_moves,
    on_panel,
    require_turn,
    send,
)
from cogs.tesla import draft as drafts
from cogs.tesla import panel
from cogs.tesla.draft import TeslaDraft, spot_key
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Word
from cogs.ui.press import Press, number_of
from cogs.ui.reply import reply
from cogs.ui.signs import to_label
from cogs.ui.suggest import suggest_choices
from engines.tesla import moves, preview
from engines.tesla.options import TeslaOptions
from engines.tesla.pieces.board import circuit_name
from engines.tesla.pieces.components import Face, shape
from engines.tesla.view import TeslaView
from engines.tesla.words import nouns
from engines.words import format_points
from tables.core.table import Refused, Stale
from tables.play.play import Perspective

redraft = partial(turn.update_draft, TeslaDraft)


def _choose_spot(press: Press) -> dict[str, Any]:
    cell, _, turned = press.choice.partition(" ")
    return {"cell": cell, "turn": number_of(turned)}


def _choose_circuit(press: Press) -> dict[str, Any]:
    circuit, _, spot = press.choice.partition(" ")
    return {"circuit": number_of(circuit), "spot": spot}


edit_on_press(
    "tesla",
    TeslaDraft,
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
    app, perspective = await asker_perspective(interaction, press.table)
    thrown = set((await load_draft(app, perspective, TeslaDraft)).thrown) ^ {press.number}
    await redraft(interaction, press, thrown=tuple(sorted(thrown)))


async def _load_draft(interaction: Interaction, press: Press) -> tuple[Perspective, TeslaDraft]:
    """Return the draft to send. Raise Stale if it is outdated."""
    app, perspective = await current(interaction, press)
    return perspective, await load_draft(app, perspective, TeslaDraft)


@on_panel("tesla", "place")
async def on_place(interaction: Interaction, press: Press) -> None:
    perspective, draft = await _load_draft(interaction, press)
    tiles = drafts.own_hand(perspective.view)
    if draft.cell is None or not 1 <= draft.tile <= len(tiles):
        raise Stale()
    kind = moves.Replace if draft.cell in perspective.view.board.tiles else moves.TeslaPlace
    move = kind(tiles[draft.tile - 1], draft.turn, draft.cell)
    await send(interaction, press, move)


@on_panel("tesla", "confirm")
async def on_confirm(interaction: Interaction, press: Press) -> None:
    perspective, draft = await _load_draft(interaction, press)
    sites = {site.circuit: site for site in preview.sites(perspective.view)}
    move = panel.marker_move(perspective.view, sites.get(draft.circuit or 0), draft)
    if move is None:
        raise Stale()
    ended = [moves.TeslaEndTurn()] if press.arg == panel.ENDING else []
    await send(interaction, press, move, *ended)


@on_panel("tesla", "toss")
async def on_toss(interaction: Interaction, press: Press) -> None:
    perspective, draft = await _load_draft(interaction, press)
    await send(interaction, press, discarding(perspective.view, draft.thrown))


@on_panel("tesla", "done", "pass")
async def on_done(interaction: Interaction, press: Press) -> None:
    """End the turn or the replays; confirm an idle turn first."""
    _, perspective = await asker_perspective(interaction, press.table)
    view: TeslaView = perspective.view
    current = perspective.table.moment == press.moment and perspective.seat in perspective.table.owing
    if current and press.verb == "done" and panel.is_idle(view):
        return await reply(interaction, panel.ask_idle(perspective.table, perspective.view), edit=True)
    move = moves.EndReplay() if view.phase == "replay" else moves.TeslaEndTurn()
    await send(interaction, press, move)


def discarding(view: TeslaView, places: Iterable[int]) -> moves.Discard:
    """Return the tiles' discard. Raise Refused if the hand lacks one."""
    held = drafts.own_hand(view)
    numbers = sorted(set(places))
    if not numbers or not all(1 <= place <= len(held) for place in numbers):
        raise Refused(
            f"Choose tiles in your hand by number, 1 to {len(held)}. For example, `1 3` discards "
            "tiles 1 and 3."
        )
    order = shape(view.options.tiles).order
    return moves.Discard(tuple(sorted((held[place - 1] for place in numbers), key=order.__getitem__)))


def _face_of(view: TeslaView, tile: Any) -> Face | None:
    held = drafts.own_hand(view)
    return held[tile - 1] if isinstance(tile, int) and 1 <= tile <= len(held) else None


async def tiles(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    perspective, _ = await legal_moves_here(interaction)
    if perspective is None:
        return []
    named = {
        place: to_label(f"{place}: {nouns.tile(perspective.view.options.tiles, face)}")
        for place, face in enumerate(drafts.own_hand(perspective.view), start=1)
    }
    return [
        app_commands.Choice(name=name, value=place)
        for place, name in named.items()
        if name.startswith(current.strip())
    ]


def _placings(perspective: Perspective, made: list[Any], interaction: Interaction) -> list[Any]:
    kind = (
        moves.Replace if interaction.command and interaction.command.name == "replace" else moves.TeslaPlace
    )
    face = _face_of(perspective.view, interaction.namespace.tile)
    return [move for move in made if isinstance(move, kind) and face in (None, move.tile)]


async def cells(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: cells where the chosen tile fits, in alphabetical order."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    entries = sorted({move.cell for move in _placings(perspective, made, interaction)})
    return suggest_choices(
        {cell: cell for cell in entries if cell.lower().startswith(current.strip().lower())}, ""
    )


async def turns(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Autocomplete: the turns at which the chosen tile fits the chosen cell."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    cell = str(interaction.namespace.at or "").strip().upper()
    fitting = {move.turn for move in _placings(perspective, made, interaction) if cell in ("", move.cell)}
    angles = [drafts.turn_to_degrees(perspective.view.options.tiles, turned) for turned in sorted(fitting)]
    return [
        app_commands.Choice(name=f"{angle}° clockwise" if angle else "not turned", value=angle)
        for angle in angles
        if str(angle).startswith(current.strip())
    ]


async def markable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the places for a marker, with their costs."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    named = {}
    for move in made:
        if isinstance(move, moves.Mark | moves.Replay):
            circuit = perspective.view.board.circuit_at(move.cell, move.segment)
            value = perspective.view.board.circuits[circuit].value
            wires = nouns.heading(perspective.view.options.tiles, move.segment)
            key = spot_key(move.cell, move.segment)
            named[key] = f"{move.cell}, {wires}: {circuit_name(circuit)}, {format_points(-value)}"
    return suggest_choices(named, current)


async def takeable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the caller's markers, with their values."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    board, named = perspective.view.board, {}
    for move in made:
        if isinstance(move, moves.Take):
            circuit = board.circuit_at(move.cell, board.markers[move.cell].segment)
            gain = format_points(board.circuits[circuit].value)
            named[move.cell] = f"{move.cell}: {circuit_name(circuit)}, {gain}"
    return suggest_choices(named, current)


async def throwable(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    perspective, made = await legal_moves_here(interaction)
    if perspective is None or not any(isinstance(move, moves.Discard) for move in made):
        return []
    places = range(1, len(drafts.own_hand(perspective.view)) + 1)
    sets = (chosen for count in places for chosen in combinations(places, count))
    return suggest_choices({text: text for chosen in sets for text in [" ".join(map(str, chosen))]}, current)


def _placement(
    perspective: Perspective, made: list[Any], tile: int, at: str, angle: int | None, kind: type[Any]
) -> Any:
    """Return the typed placement; without an angle, the only one that fits.

    Raises:
        Refused: for a tile that the hand lacks, an invalid angle, or a missing one.
    """
    view: TeslaView = perspective.view
    held, face = drafts.own_hand(view), _face_of(view, tile)
    if face is None:
        raise Refused(
            f"You have no tile {tile}. Choose 1 to {len(held)}."
            if held
            else "You have no tiles left this turn."
        )
    cell, sides = at.strip().upper(), shape(view.options.tiles).sides
    step = 360 // sides
    if angle is None:
        ways = [move for move in made if isinstance(move, kind) and (move.tile, move.cell) == (face, cell)]
        if len(ways) > 1:
            text = ", ".join(str(move.turn * step) for move in ways)
            raise Refused(
                f"Tile {tile} fits {cell} in {len(ways)} ways. Add `turn:` and one of these numbers: {text}."
            )
        return ways[0] if ways else kind(face, 0, cell)
    if angle % step:
        raise Refused(f"You can turn a tile in steps of {step}°.")
    lies = shape(view.options.tiles).lies(face)
    return kind(face, angle // step % sides % len(lies), cell)


def _marking(view: TeslaView, made: Sequence[Any], at: str) -> moves.Mark | moves.Replay:
    """Return a typed marker move: a circuit's letter, or a cell.

    Raises:
        Refused: if a cell alone is ambiguous.
    """
    cell, _, wire = at.strip().upper().partition("/")
    kind = moves.Replay if view.phase == "replay" else moves.Mark
    meant = [move for move in made if isinstance(move, kind)]
    if named := [move for move in meant if circuit_name(_circuit(view, move)) == cell]:
        return named[0]
    ways = [
        move
        for move in meant
        if move.cell == cell and wire in ("", spot_key(cell, move.segment).partition("/")[2])
    ]
    if len(ways) > 1:
        text = ", ".join(
            f"`{spot_key(move.cell, move.segment)}` ({nouns.heading(view.options.tiles, move.segment)})"
            for move in ways
        )
        raise Refused(f"{cell} has several wires. Choose one: {text}.")
    if ways:
        return ways[0]
    segment = (int(wire[0]), int(wire[1])) if len(wire) == 2 and wire.isdecimal() else (0, 0)
    return kind(cell, segment)


def _circuit(view: TeslaView, move: moves.Mark | moves.Replay) -> int:
    return view.board.circuit_at(move.cell, move.segment)


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

    @app_commands.command(name="place", description="Place a tile on an empty cell")
    @app_commands.describe(
        tile="The number of a tile in your hand",
        at="A cell, named as in the picture",
        turn="Degrees clockwise; leave it out if the tile fits only one way",
    )
    @app_commands.autocomplete(tile=tiles, turn=turns)
    @app_commands.autocomplete(at=cells)
    async def place(
        self,
        interaction: Interaction,
        tile: int,
        at: Word,
        turn: int | None = None,
        table: OpenTable | None = None,
    ) -> None:
        await self._lay(interaction, table, tile, at, turn, moves.TeslaPlace)

    @app_commands.command(name="replace", description="Replace a tile on the board with your own")
    @app_commands.describe(
        tile="The number of a tile in your hand",
        at="The cell of a tile without a marker",
        turn="Degrees clockwise; leave it out if the tile fits only one way",
    )
    @app_commands.autocomplete(tile=tiles, turn=turns)
    @app_commands.autocomplete(at=cells)
    async def replace(
        self,
        interaction: Interaction,
        tile: int,
        at: Word,
        turn: int | None = None,
        table: OpenTable | None = None,
    ) -> None:
        await self._lay(interaction, table, tile, at, turn, moves.Replace)

    async def _lay(
        self, interaction: Interaction, table: int | None, tile: int, at: str, angle: int | None, kind: Any
    ) -> None:
        app, perspective = await find_typed_turn(interaction, table)
        made = await app.parlour.play.moves(perspective.table.id, interaction.user.id)
        move = _placement(perspective, made, tile, at, angle, kind)
        await make_moves(interaction, perspective.table.id, [move], perspective.table.moment)

    @app_commands.command(name="mark", description="Put a marker on a circuit")
    @app_commands.describe(at="The letter of a circuit, or a cell and a wire. The list shows each price")
    @app_commands.autocomplete(at=markable)
    async def mark(self, interaction: Interaction, at: Word, table: OpenTable | None = None) -> None:
        """Put a marker down; confirm one that eliminates its own seat."""
        app, perspective = await find_typed_turn(interaction, table)
        made = await app.parlour.play.moves(perspective.table.id, interaction.user.id)
        move = _marking(perspective.view, made, at)
        if move in made and preview.would_ruin(perspective.view, move):
            key = spot_key(move.cell, move.segment)
            circuit = perspective.view.board.circuit_at(move.cell, move.segment)
            draft = TeslaDraft(step="marker", circuit=circuit, spot=f"put {key}")
            await app.parlour.save_draft(perspective.table, perspective.view.seat, draft)
            return await reply(interaction, await panel.panel(app, perspective))
        await make_moves(interaction, perspective.table.id, [move], perspective.table.moment)

    @app_commands.command(name="take", description="Take back a marker and score the value of its circuit")
    @app_commands.describe(at="The cell of your marker, or the letter of its circuit")
    @app_commands.autocomplete(at=takeable)
    async def take(self, interaction: Interaction, at: Word, table: OpenTable | None = None) -> None:
        target = await table_here(interaction, table)
        _, perspective = await asker_perspective(interaction, target.id)
        view: TeslaView = perspective.view
        cell = at.strip().upper()
        for marked, marker in view.board.markers.items():
            circuit = view.board.circuit_at(marked, marker.segment)
            if marker.seat == view.viewer and circuit_name(circuit) == cell:
                cell = marked
                break
        await make_moves(interaction, target.id, [moves.Take(cell)])

    @app_commands.command(name="discard", description="Discard tiles and end your turn")
    @app_commands.describe(tiles="The numbers of the tiles, like 1 3")
    @app_commands.autocomplete(tiles=throwable)
    async def discard(self, interaction: Interaction, tiles: Word, table: OpenTable | None = None) -> None:
        target = await table_here(interaction, table)
        _, perspective = await asker_perspective(interaction, target.id)
        numbers = tiles.replace(",", " ").split()
        if not all(number.isdecimal() for number in numbers):
            raise Refused("Type tile numbers. For example, `1 3` discards tiles 1 and 3.")
        require_turn(perspective)
        move = discarding(perspective.view, map(int, numbers))
        await make_moves(interaction, perspective.table.id, [move], perspective.table.moment)

    @app_commands.command(name="done", description="End your turn, or stop putting markers back")
    async def end_turn(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        """End the turn; confirm one without any action first."""
        _, perspective = await find_typed_turn(interaction, table)
        if panel.is_idle(perspective.view):
            return await reply(interaction, panel.ask_idle(perspective.table, perspective.view))
        move = moves.EndReplay() if perspective.view.phase == "replay" else moves.TeslaEndTurn()
        await make_moves(interaction, perspective.table.id, [move], perspective.table.moment)
