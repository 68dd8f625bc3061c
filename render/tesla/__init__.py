"""Pictures of Tesla's Tangle: the board for everybody, a hand, and what a move would come to."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Seat
from engines.tesla.events import Closed, Event, Joined, Split
from engines.tesla.pieces.board import CircuitId
from engines.tesla.preview import Fit, Site, move_preview
from engines.tesla.view import TeslaChanges, TeslaView
from render.core.canvas import Box, Canvas
from render.core.picture import Picture
from render.tesla import captions, grid, hands, scene, scoreboard
from render.tesla.colours import PALETTE
from render.tesla.scene import Scene

__all__ = ["PALETTE", "board", "choices", "hand", "preview", "table", "turn"]

WIDTH = 1200
MARGIN = 24
HIGHEST = 1100
"""The most that a board takes of a picture's height."""
REACH = 2.4
"""How far around a tile that is tried the board is shown, in widths of a tile: large on a phone, too."""
EDGE = 44
"""The room beside a board for the numbers of its rows, where cells are too small for their whole names."""


def board(view: TeslaView, names: Sequence[str]) -> Picture:
    """The table as everybody may see it."""
    canvas = table(view, names)
    return Picture(canvas.png(PALETTE), captions.describe_board(view, names), "tesla-table.png")


def hand(view: TeslaView, seat: Seat, names: Sequence[str]) -> Picture | None:
    """A seat's tiles from its own view, numbered from 1; None when the view shows none."""
    if not view.hands[seat]:
        return None
    canvas = hands.large(view, seat, names)
    return Picture(canvas.png(PALETTE), captions.describe_hand(view, seat, names), "tesla-hand.png")


def turn(view: TeslaView, names: Sequence[str]) -> Picture:
    """The table with the hand of the view's own seat below it."""
    seat = view.viewer
    if seat is None or not view.hands[seat]:
        return board(view, names)
    canvas = table(view, names, below=hands.STRIP_HEIGHT)
    hands.strip(canvas, view, seat, canvas.image.height - hands.STRIP_HEIGHT - 6)
    return Picture(canvas.png(PALETTE), captions.describe_turn(view, seat, names), "tesla-turn.png")


def preview(view: TeslaView, names: Sequence[str], fit: Fit, face_number: int) -> Picture:
    """A tile of the hand laid for a try, the board around it, and below it the hand, that tile framed."""
    coming = move_preview(view, fit.move)
    after = coming.view
    board_here, shown = grid.around(after.board, fit.move.cell, REACH)
    laid, room = _laid(shown)
    canvas = Canvas(WIDTH, round(room[3]) + MARGIN + hands.STRIP_HEIGHT)
    here = {circuit for tile in board_here.tiles.values() for circuit in tile.circuits}
    tags = {
        circuit: text
        for circuit, text in scene.lengths(after.board, named(coming.events)).items()
        if circuit in here
    }
    picture = Scene(
        board_here,
        laid,
        shown,
        scene.live(after.board),
        tags,
        TeslaChanges(),
        tried=fit.move.cell,
        number=face_number,
    )
    picture.draw(canvas, room)
    hands.strip(canvas, view, view.seat, canvas.image.height - hands.STRIP_HEIGHT - 6, face_number)
    return Picture(
        canvas.png(PALETTE), captions.describe_preview(view, fit, after, names), "tesla-preview.png"
    )


def named(events: Sequence[Event]) -> set[CircuitId]:
    """The circuits of which is told what a placement does to them."""
    return {event.circuit for event in events if isinstance(event, (Joined, Split, Closed))}


def choices(view: TeslaView, names: Sequence[str], sites: Sequence[Site]) -> Picture:
    """The board with those circuits tagged with letter and value, the others subdued."""
    chosen = scene.offers(view.board, sites)
    shown = grid.area(view.board)
    laid, room = _laid(shown)
    canvas = Canvas(WIDTH, round(room[3]) + MARGIN)
    Scene(view.board, laid, shown, scene.spotlit(view.board, chosen), chosen, TeslaChanges()).draw(
        canvas, room
    )
    return Picture(canvas.png(PALETTE), captions.describe_choices(view, sites), "tesla-choices.png")


def table(view: TeslaView, names: Sequence[str], below: int = 0) -> Canvas:
    """The board over the whole width and the panel below it, not packed into a file yet."""
    shown = grid.area(view.board)
    laid, room = _laid(shown)
    top = room[3] + MARGIN
    canvas = Canvas(WIDTH, round(top) + scoreboard.height(view) + MARGIN + below)
    styles, tags = scene.live(view.board), scene.lengths(view.board)
    Scene(view.board, laid, shown, styles, tags, view.changes).draw(canvas, room)
    scoreboard.draw(canvas, view, names, (MARGIN, top), WIDTH - 2 * MARGIN)
    return canvas


def _laid(shown: grid.Area) -> tuple[grid.Grid, Box]:
    """A board as large as the width allows, and the room that it is drawn in."""
    unit = grid.unit_for(shown, WIDTH - 2 * MARGIN, HIGHEST)
    if not scene.names_fit(unit):
        unit = grid.unit_for(shown, WIDTH - 2 * MARGIN - 2 * EDGE, HIGHEST)
    room = (MARGIN, MARGIN, WIDTH - MARGIN, MARGIN + round(shown.height * unit))
    return grid.laid_out(shown, unit, room), room
