"""Pictures of Tesla's Tangle, its signs in texts, and its proof sheets.

The board for everybody, a hand, and previews of moves. The signs are every tile as in a hand, and a marker.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from engines.game import Seat
from engines.tesla.moves import Closed, Joined, Split
from engines.tesla.pieces.board import CircuitId, TeslaBoard
from engines.tesla.pieces.components import Face, Tiles, shape
from engines.tesla.preview import Fit, Site, move_preview, open_cells
from engines.tesla.view import TeslaChanges, TeslaView
from engines.tesla.words import captions
from render.core import emoji
from render.core.canvas import Box, Canvas, Picture
from render.tesla import paths, scene, scoreboard, tiles
from render.tesla.colours import THEMES, TeslaCanvas, TeslaSketch, TeslaTheme
from render.tesla.scene import BoardScene

__all__ = [
    "SIGNS",
    "THEMES",
    "board",
    "choices",
    "hand",
    "preview",
    "proofs",
    "table",
    "turn",
    "whole_preview",
]

LIGHT = THEMES["light"]
WIDTH = 1200
MARGIN = 24
HIGHEST = 1100
"""The most height of a board in a picture."""
PREVIEW_HIGHEST = 860
"""The most height of the part around a tried tile: panels must fit one screen."""
REACH = 2.4
"""The radius shown around a tried tile, in widths of a tile: large enough on a phone."""
EDGE = 44
"""The room beside a board for the numbers of its rows, if cells are too small for their whole names."""


def board(view: TeslaView, names: Sequence[str], theme: TeslaTheme = LIGHT) -> Picture:
    """Draw the table as everybody may see it."""
    canvas = table(view, names, theme=theme)
    return Picture(canvas.png(), captions.describe_board(view, names), "tesla-table.png")


def hand(view: TeslaView, seat: Seat, names: Sequence[str], theme: TeslaTheme = LIGHT) -> Picture | None:
    """Draw a seat's tiles from its own view, numbered from 1. None if the view shows none."""
    if not view.hands[seat]:
        return None
    canvas = scoreboard.large(theme, view, seat, names)
    return Picture(canvas.png(), captions.describe_hand(view, seat, names), "tesla-hand.png")


def turn(
    view: TeslaView, names: Sequence[str], named: Sequence[CircuitId] = (), theme: TeslaTheme = LIGHT
) -> Picture:
    seat = view.viewer
    if seat is None or not view.hands[seat]:
        canvas = table(view, names, theme=theme, own=seat, named=named)
        return Picture(canvas.png(), captions.describe_board(view, names), "tesla-table.png")
    canvas = table(view, names, below=scoreboard.STRIP_HEIGHT, theme=theme, own=seat, named=named)
    scoreboard.strip(canvas, view, seat)
    return Picture(canvas.png(), captions.describe_turn(view, seat, names), "tesla-turn.png")


def preview(
    view: TeslaView,
    names: Sequence[str],
    fit: Fit,
    face_number: int,
    named: Sequence[CircuitId] = (),
    theme: TeslaTheme = LIGHT,
    *,
    is_whole: bool = False,
) -> Picture:
    """Draw a tried tile amid the board with the hand beside it.

    The tried tile is framed in the hand; empty cells in which it doesn't fit have no names. If a `named`
    circuit is far away, the whole board is drawn.
    """
    coming = move_preview(view, fit.move)
    after = coming.view
    named = [circuit for circuit in named if circuit in after.board.circuits]
    board_here, shown = scene.around(after.board, fit.move.cell, REACH)
    if is_whole or not _circuits(board_here).issuperset(named):
        board_here, shown = after.board, scene.area(after.board)
    laid, room = _lay_out(shown, HIGHEST if is_whole else PREVIEW_HIGHEST, WIDTH - scoreboard.PILLAR_WIDTH)
    hand_height = len(view.hands[view.seat] or ()) * scoreboard.STRIP_HEIGHT
    canvas = Canvas(WIDTH, round(max(room[3] + MARGIN, hand_height)), theme)
    told = {event.circuit for event in coming.events if isinstance(event, (Joined, Split, Closed))}.union(
        named
    )
    lengths, here = scene.lengths(after.board, told), _circuits(board_here)
    tags = {circuit: text for circuit, text in lengths.items() if circuit in here}
    picture = BoardScene(
        board_here,
        laid,
        shown,
        scene.live(theme, after.board),
        tags,
        view.changes,
        tried=fit.move.cell,
        number=face_number,
        named=open_cells(view, fit.move.tile),
        news=view.news or (),
    )
    picture.draw(canvas, room)
    scoreboard.pillar(canvas, view, face_number, canvas.image.height / 2)
    return Picture(canvas.png(), captions.describe_preview(view, fit, after, names), "tesla-preview.png")


def whole_preview(
    view: TeslaView, names: Sequence[str], fit: Fit, face_number: int, theme: TeslaTheme = LIGHT
) -> Picture:
    """Draw a tried tile as `preview` does, on the whole board."""
    return preview(view, names, fit, face_number, theme=theme, is_whole=True)


def _circuits(board: TeslaBoard) -> set[CircuitId]:
    return {circuit for tile in board.tiles.values() for circuit in tile.circuits}


def choices(
    view: TeslaView, names: Sequence[str], sites: Sequence[Site], theme: TeslaTheme = LIGHT
) -> Picture:
    """Draw the board with those circuits tagged, the others subdued."""
    chosen = scene.offers(view.board, sites)
    shown = scene.area(view.board)
    laid, room = _lay_out(shown)
    canvas = Canvas(WIDTH, round(room[3]) + MARGIN, theme)
    BoardScene(
        view.board, laid, shown, scene.spotlit(theme, view.board, chosen), chosen, TeslaChanges()
    ).draw(canvas, room)
    return Picture(canvas.png(), captions.describe_choices(view, sites), "tesla-choices.png")


def table(
    view: TeslaView,
    names: Sequence[str],
    below: int = 0,
    theme: TeslaTheme = LIGHT,
    own: Seat | None = None,
    named: Sequence[CircuitId] = (),
) -> TeslaCanvas:
    """Draw the board and the panel.

    A seat's `own` circuits glow; `named` ones, and those of tiles just placed, have tags.
    """
    shown = scene.area(view.board)
    laid, room = _lay_out(shown)
    top = room[3] + MARGIN
    canvas = Canvas(WIDTH, round(top) + scoreboard.height(view) + MARGIN + below, theme)
    placed = [view.board.tiles[cell] for cell in view.changes.placed if cell in view.board.tiles]
    tagged = {*named, *(circuit for tile in placed for circuit in tile.circuits)}
    styles, tags = scene.live(theme, view.board, own), scene.lengths(view.board, tagged)
    BoardScene(view.board, laid, shown, styles, tags, view.changes, news=view.news or ()).draw(canvas, room)
    scoreboard.draw(canvas, view, names, (MARGIN, top), WIDTH - 2 * MARGIN)
    return canvas


def _lay_out(shown: scene.Area, highest: int = HIGHEST, width: int = WIDTH) -> tuple[scene.Grid, Box]:
    """Lay the board out as large as `width` and `highest` allow. Return it with its room."""
    unit = scene.unit_for(shown, width - 2 * MARGIN, highest)
    if not scene.names_fit(unit):
        unit = scene.unit_for(shown, width - 2 * MARGIN - 2 * EDGE, highest)
    room = (MARGIN, MARGIN, width - MARGIN, MARGIN + round(shown.height * unit))
    return scene.lay_out(shown, unit, room), room


SHAPES: tuple[Tiles, ...] = ("hex", "square")
UNIT = {"hex": emoji.REACH, "square": round(emoji.REACH / paths.APOTHEM)}
"""Pixels to a unit, so that a tile is as large as a sign may be."""
THICK = 0.44
"""The width of a wire with its dark rim, in units."""


def _tile(kind: Tiles, face: Face) -> emoji.Paint:
    def paint(canvas: TeslaCanvas) -> None:
        theme = canvas.theme
        unit = UNIT[kind]
        _paste(canvas, tiles.slate(theme, kind, unit, raised=True))
        for way in paths.wires(kind, face):
            sheet = paths.TeslaSheet(unit, tiles.AROUND, theme.slate_edge)
            for width, colour in (
                (THICK, theme.slate_edge),
                (0.66 * THICK, theme.ready.body),
                (0.4 * THICK, theme.ready.core),
            ):
                sheet.line(way, width, colour)
            _paste(canvas, sheet.piece())

    return paint


def _paste(canvas: TeslaCanvas, piece: paths.TeslaPiece) -> None:
    x, y = emoji.MIDDLE
    canvas.image.paste(piece.image, (round(x) + piece.step[0], round(y) + piece.step[1]), piece.mask)


def _marker(sketch: TeslaSketch) -> None:
    sketch.disc((0, 0), 48, sketch.theme.latest)
    sketch.disc((0, 0), 26, sketch.theme.ink)
    sketch.disc((0, 0), 18, sketch.theme.card)


SIGNS: dict[str, emoji.Paint] = {
    **{
        f"{kind}_{face.replace('-', '_')}": _tile(kind, face)
        for kind in SHAPES
        for face in shape(kind).counts
    },
    "marker": emoji.paint_sketch(_marker),
}


SHEET_UNIT, SIZE = 118, 270
NAMES: tuple[tuple[Tiles, str], ...] = (("hex", "hexagons"), ("square", "squares"))


def proofs() -> tuple[Picture, ...]:
    sheets: list[Picture] = []
    for kind, name in NAMES:
        start = shape(kind).start_face
        items = [
            emoji.ProofItem(
                f"{face} \u00d7{count}{', one to start' if face == start else ''}",
                partial(_draw_tile, kind, face),
            )
            for face, count in shape(kind).counts.items()
        ]
        sheets += emoji.draw_sheets(THEMES["light"], name, f"Tesla's Tangle: {name}", items, (SIZE, SIZE))
    return tuple(sheets)


def _draw_tile(kind: Tiles, face: Face, canvas: Canvas[Any], box: Box) -> None:
    scoreboard.single(canvas, kind, face, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), SHEET_UNIT)
