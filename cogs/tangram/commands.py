"""The `/tangram` commands and the handlers of its panel: parse, call the tables, answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from discord import app_commands

from cogs.core.app import App
from cogs.core.lookup import OpenTable, legal_moves_here
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import (
    current,
    edit_on_press,
    find_typed_turn,
    load_draft,
    make_moves,
    move_on_press,
    on_panel,
    send,
    send_typed,
)
from cogs.tangram import draft as drafts
from cogs.tangram import panel
from cogs.tangram.draft import TangramDraft
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Word
from cogs.ui.press import Press
from cogs.ui.reply import reply
from engines.tangram import moves
from engines.tangram.legal.tile_cursor import CORNER_NAMES, over
from engines.tangram.options import TangramOptions
from engines.tangram.pieces.city import TangramLaid
from engines.tangram.pieces.components import FOUNTAIN, TILES, TileId
from engines.tangram.pieces.geometry import CORNERS, SQUARES, Corner, Side, canonical_turn
from engines.tangram.view import TangramView
from tables.core.table import Refused, Stale
from tables.play.play import Perspective

MOST = 25
redraft = partial(turn.update_draft, TangramDraft)
edit_on_press(
    "tangram",
    TangramDraft,
    {
        "later": lambda _: {"cursor": None, "busy": False, "declining": False, "later": True},
        "decline": lambda _: {"declining": True},
        "back": lambda _: {"declining": False},
        "keep": lambda _: {"cursor": None, "busy": False, "declining": False},
    },
)
move_on_press(
    "tangram",
    {
        "return": lambda press: moves.TakeBack(press.number),
        "done": lambda _: moves.TangramDone(),
    },
)


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


@on_panel("tangram", "place")
async def on_place(interaction: Interaction, press: Press) -> None:
    app, perspective = await current(interaction, press)
    cursor = (
        drafts.read(press.arg) if press.arg else (await load_draft(app, perspective, TangramDraft)).cursor
    )
    if cursor is None:
        raise Stale()
    await _send(interaction, press, app, perspective, cursor.move)


@on_panel("tangram", "aside")
async def on_aside(interaction: Interaction, press: Press) -> None:
    app, perspective = await current(interaction, press)
    tile = panel.tile_at_hand(perspective.view, await load_draft(app, perspective, TangramDraft))
    move = moves.DeclineFountain() if tile == FOUNTAIN else moves.Decline(tile)
    await _send(interaction, press, app, perspective, move)


async def _send(
    interaction: Interaction, press: Press, app: App, perspective: Perspective, move: Any
) -> None:
    """Send an answer and drop the draft, for the next tile."""
    draft = await load_draft(app, perspective, TangramDraft)
    await app.parlour.save_draft(perspective.table, perspective.view.viewer, TangramDraft(later=draft.later))
    try:
        await send(interaction, press, move)
    except Refused:
        await app.parlour.save_draft(perspective.table, perspective.view.viewer, draft)
        raise


def _step(view: TangramView, tile: str | None, *, water: bool = False) -> TileId:
    """Return a typed answer's tile (`water`: the fountain).

    Raises:
        Refused: if none is being placed, or in the last round none is named.
    """
    asked = [number for number in drafts.tiles_to_answer(view) if water or number != FOUNTAIN]
    if not asked:
        raise Refused("Now place your fountain: `/tangram fountain`.")
    if tile is None and (len(asked) == 1 or view.phase != "final"):
        return asked[0]
    for number in asked:
        if tile is not None and tile.strip().lower() in (_tile_name(number), str(number)):
            return number
    raise Refused(f"Add `tile:` and one of these names: {', '.join(map(_tile_name, asked))}.")


def _tile_name(tile: TileId) -> str:
    return "fountain" if tile == FOUNTAIN else TILES[tile].name


def _find_typed(
    view: TangramView, made: Sequence[Any], tile: TileId, at: str, side: Side | None, angle: int | None
) -> Any:
    """Return a typed placement; a missing side or angle must be unique.

    Raises:
        Refused: for an invalid angle, or if the placement is ambiguous.
    """
    square = at.strip().upper()
    ways = [
        move
        for move in made
        if isinstance(move, moves.TangramPlace)
        and (move.tile, move.at) == (tile, square)
        and side in (None, move.side)
        and angle in (None, move.turn, *_same(move))
    ]
    if len(ways) == 1:
        return ways[0]
    if len(ways) > 1:
        text = ", ".join(f"{move.side} {move.turn}°" for move in ways[:8])
        raise Refused(
            f"The tile fits {square} in {len(ways)} ways. Choose one with `side:` and `turn:`: {text}."
        )
    turned: Any = angle or 0
    if turned % 90 or turned not in range(360):
        raise Refused("You can turn a tile by 90, 180 or 270 degrees.")
    return moves.TangramPlace(tile, side or "black", canonical_turn(tile, side or "black", turned), square)


def _same(move: moves.TangramPlace) -> list[int]:
    """Return the turns that look like a placement's own."""
    return [angle for angle in (0, 90, 180, 270) if canonical_turn(move.tile, move.side, angle) == move.turn]


async def places(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: a tile's places, with the squares it covers."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    wanted = current.strip().upper()
    if interaction.command is not None and interaction.command.name == "fountain":
        corner = getattr(interaction.namespace, "corner", None)
        free = {
            move.at for move in made if isinstance(move, moves.Fountain) and corner in (None, move.corner)
        }
        return [
            app_commands.Choice(name=square, value=square)
            for square in SQUARES
            if square in free and square.startswith(wanted)
        ][:MOST]
    try:
        tile = _step(perspective.view, getattr(interaction.namespace, "tile", None))
    except Refused:
        return []
    space = interaction.namespace
    fitting: dict[str, list[str]] = {}
    for move in made:
        if isinstance(move, moves.TangramPlace) and move.tile == tile and _is_meant(space, move):
            cursor = over(TangramLaid(move.tile, move.side, move.turn, move.at))
            fitting.setdefault(move.at, []).append(cursor.squares)
    return [
        app_commands.Choice(name=f"{square}: covers {' or '.join(dict.fromkeys(covers))}"[:100], value=square)
        for square, covers in sorted(fitting.items(), key=lambda item: SQUARES.index(item[0]))
        if square.startswith(wanted)
    ][:MOST]


def _is_meant(space: Any, move: moves.TangramPlace) -> bool:
    side, angle = getattr(space, "side", None), getattr(space, "turn", None)
    return side in (None, move.side) and angle in (None, move.turn, *_same(move))


async def playing(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the tiles to answer now."""
    perspective, made = await legal_moves_here(interaction)
    if perspective is None or not made:
        return []
    water = interaction.command is not None and interaction.command.name != "place"
    names = [
        _tile_name(number)
        for number in drafts.tiles_to_answer(perspective.view)
        if water or number != FOUNTAIN
    ]
    return [
        app_commands.Choice(name=name, value=name)
        for name in names
        if name.startswith(current.strip().lower())
    ]


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
        TangramOptions,
        boards="Start with empty cities, or with a few squares already built",
    )

    @app_commands.command(name="place", description="Place the current tile in your city")
    @app_commands.describe(
        at="Where the tile's top left corner goes, for example C4",
        turn="Degrees to turn the tile clockwise",
        side="Side to show; green is the mirror image of black",
        tile="Which tile, if you can place several now",
    )
    @app_commands.autocomplete(at=places, tile=playing)
    async def place(
        self,
        interaction: Interaction,
        at: Word,
        turn: Literal[0, 90, 180, 270] | None = None,
        side: Side | None = None,
        tile: Word | None = None,
        table: OpenTable | None = None,
    ) -> None:
        app, perspective = await find_typed_turn(interaction, table)
        number = _step(perspective.view, tile)
        made = await app.parlour.play.moves(perspective.table.id, interaction.user.id)
        move = _find_typed(perspective.view, made, number, at, side, turn)
        await make_moves(interaction, perspective.table.id, [move], perspective.table.moment)

    @app_commands.command(name="fountain", description="Place a fountain on half of a square")
    @app_commands.describe(at="A square, like C4", corner="Which half of the square")
    @app_commands.autocomplete(at=places)
    async def fountain(
        self,
        interaction: Interaction,
        at: Word,
        corner: Literal["top right", "bottom right", "bottom left", "top left"],
        table: OpenTable | None = None,
    ) -> None:
        half: Corner = next(sign for sign in CORNERS if CORNER_NAMES[sign] == corner)
        await send_typed(interaction, table, moves.Fountain(at.strip().upper(), half))

    @app_commands.command(name="decline", description="Set the tile or the fountain aside for good")
    @app_commands.describe(tile="Which tile or fountain, if you can place several now")
    @app_commands.autocomplete(tile=playing)
    async def decline(
        self, interaction: Interaction, tile: Word | None = None, table: OpenTable | None = None
    ) -> None:
        app, perspective = await find_typed_turn(interaction, table)
        number = _step(perspective.view, tile, water=True)
        cursor = (await app.workers.run(drafts.look, perspective.view, number, None)).cursor
        await app.parlour.save_draft(
            perspective.table, perspective.view.viewer, TangramDraft(cursor, declining=True)
        )
        await reply(interaction, await panel.panel(app, perspective))

    @app_commands.command(
        name="take-back", description="Take back an answer in the last round, or an early answer"
    )
    @app_commands.describe(tile="Which tile, or fountain")
    @app_commands.autocomplete(tile=playing)
    async def take_back(self, interaction: Interaction, tile: Word, table: OpenTable | None = None) -> None:
        _, perspective = await find_typed_turn(interaction, table)
        move = moves.TakeBack(_step(perspective.view, tile, water=True))
        await make_moves(interaction, perspective.table.id, [move], perspective.table.moment)

    @app_commands.command(name="done", description="Confirm your answers in the last round")
    async def confirm(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        await send_typed(interaction, table, moves.TangramDone())
