"""Tiles in a hand: large for their owner, or as a strip below the board."""

from collections.abc import Sequence

from engines.captions import seat_name
from engines.game import Seat
from engines.tesla.options import Tiles
from engines.tesla.pieces.components import Face, segments
from engines.tesla.view import TeslaView
from engines.words import plural
from render.core.canvas import Canvas, Point
from render.tesla import paths, tiles
from render.tesla.colours import TeslaCanvas, TeslaTheme

STRIP_UNIT = 68
STRIP_HEIGHT = 196
LARGE_UNIT = 112
LARGE_HEIGHT = 400
LARGE_WIDTH = 1040


def single(canvas: TeslaCanvas, shape: Tiles, face: Face, at: Point, unit: int) -> None:
    """Draw a tile that isn't on the board."""
    theme = canvas.theme
    bowed = paths.is_bowed(shape, face)
    pieces = [tiles.shadow(theme, shape, unit), tiles.slate(theme, shape, unit)]
    pieces += [tiles.wire(theme, shape, segment, theme.free, None, unit, bowed) for segment in segments(face)]
    for piece in pieces:
        canvas.image.paste(
            piece.image, (round(at[0]) + piece.step[0], round(at[1]) + piece.step[1]), piece.mask
        )


def strip(canvas: TeslaCanvas, view: TeslaView, seat: Seat, top: float, chosen: int | None = None) -> None:
    """Draw the hand in a row, the chosen tile framed. Tiles count from 1."""
    theme = canvas.theme
    held = view.hands[seat] or ()
    width = canvas.image.width
    y = top + STRIP_HEIGHT / 2
    pitch = min(240.0, (width - 200) / max(1, len(held)))
    left = width / 2 - pitch * (len(held) - 1) / 2
    for number, face in enumerate(held, start=1):
        x = left + (number - 1) * pitch + 22
        if number == chosen:
            box = (x - 132, top + 8, x + 88, top + STRIP_HEIGHT - 8)
            canvas.box(box, theme.highlight, radius=16)
            canvas.box((box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4), theme.glow, radius=12)
        single(canvas, view.board.shape, face, (x, y), STRIP_UNIT)
        canvas.badge((x - 96, y), 26, str(number), theme.highlight if number == chosen else theme.ink)


def large(theme: TeslaTheme, view: TeslaView, seat: Seat, names: Sequence[str]) -> TeslaCanvas:
    """Draw the hand for its owner."""
    held = view.hands[seat] or ()
    canvas = Canvas(LARGE_WIDTH, LARGE_HEIGHT, theme)
    canvas.emblem(seat, (60, 48), 20, theme.seats[seat])
    canvas.write((94, 48), seat_name(names, seat), 34, theme.ink, weight=700, width=LARGE_WIDTH - 300)
    canvas.write(
        (LARGE_WIDTH - 44, 48), plural(len(held), "tile"), 28, theme.muted, weight=500, anchor="right"
    )
    pitch = (LARGE_WIDTH - 60) / 4
    left = LARGE_WIDTH / 2 - pitch * (len(held) - 1) / 2
    for number, face in enumerate(held, start=1):
        x, y = left + (number - 1) * pitch, 224.0
        single(canvas, view.board.shape, face, (x, y), LARGE_UNIT)
        canvas.badge((x, y + LARGE_UNIT + 22), 26, str(number))
    return canvas
