"""Pictures of Tesla's Tangle: the board for everybody, a hand, and previews of moves."""

from collections.abc import Sequence

from engines.game import Seat
from engines.tesla.moves import Closed, Joined, Split
from engines.tesla.pieces.board import CircuitId, TeslaBoard
from engines.tesla.preview import Fit, Site, move_preview
from engines.tesla.view import TeslaChanges, TeslaView
from engines.tesla.words import captions
from render.core.canvas import Box, Canvas, Picture
from render.tesla import scene, scoreboard
from render.tesla.colours import THEMES, TeslaCanvas, TeslaTheme
from render.tesla.scene import BoardScene

__all__ = ["THEMES", "board", "choices", "hand", "preview", "table", "turn", "whole_preview"]

LIGHT = THEMES["light"]
WIDTH = 1200
MARGIN = 24
HIGHEST = 1100
"""The most height of a board in a picture."""
PREVIEW_HIGHEST = 700
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
    scoreboard.strip(canvas, view, seat, canvas.image.height - scoreboard.STRIP_HEIGHT - 6)
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
    """Draw a tried tile amid the board, and the hand below.

    The tried tile is framed in the hand. If a `named` circuit is far away, the whole board is drawn.
    """
    coming = move_preview(view, fit.move)
    after = coming.view
    named = [circuit for circuit in named if circuit in after.board.circuits]
    board_here, shown = scene.around(after.board, fit.move.cell, REACH)
    if is_whole or not _circuits(board_here).issuperset(named):
        board_here, shown = after.board, scene.area(after.board)
    laid, room = _lay_out(shown, HIGHEST if is_whole else PREVIEW_HIGHEST)
    canvas = Canvas(WIDTH, round(room[3]) + MARGIN + scoreboard.STRIP_HEIGHT, theme)
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
        TeslaChanges(),
        tried=fit.move.cell,
        number=face_number,
    )
    picture.draw(canvas, room)
    scoreboard.strip(canvas, view, view.seat, canvas.image.height - scoreboard.STRIP_HEIGHT - 6, face_number)
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


def _lay_out(shown: scene.Area, highest: int = HIGHEST) -> tuple[scene.Grid, Box]:
    """Lay the board out as large as the width and `highest` allow. Return it with its room."""
    unit = scene.unit_for(shown, WIDTH - 2 * MARGIN, highest)
    if not scene.names_fit(unit):
        unit = scene.unit_for(shown, WIDTH - 2 * MARGIN - 2 * EDGE, highest)
    room = (MARGIN, MARGIN, WIDTH - MARGIN, MARGIN + round(shown.height * unit))
    return scene.lay_out(shown, unit, room), room
