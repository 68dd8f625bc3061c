"""What lies on wires and tiles: markers, and the numbers of tiles that were placed."""

from __future__ import annotations

from render.core.canvas import Canvas, Point
from render.core.palette import CARD, INK, SEAT_COLOURS, Rgb, contrast
from render.tesla.colours import LATEST, SLATE_EDGE

NUMBER = 21
"""Half as large as the plate of a number, in pixels."""


def ink_on(colour: Rgb) -> Rgb:
    """The colour of letters that read best on a seat's colour."""
    return max((CARD, INK), key=lambda shade: contrast(shade, colour))


def token_radius(unit: int) -> float:
    """How large a marker is."""
    return max(12.0, 0.31 * unit)


def token(canvas: Canvas, seat: int, at: Point, radius: float) -> None:
    """A marker: the emblem of its seat on a pale disc."""
    canvas.disc(at, radius + 2, SLATE_EDGE)
    canvas.disc(at, radius, CARD)
    canvas.emblem(seat, at, radius * 0.76, SEAT_COLOURS[seat])


def number(canvas: Canvas, at: Point, text: str) -> None:
    """The number of a tile that was placed, on a small plate that is no seat's emblem."""
    x, y = at
    for reach, colour in ((NUMBER + 2, SLATE_EDGE), (NUMBER - 0.5, LATEST)):
        canvas.box((x - reach, y - reach, x + reach, y + reach), colour, radius=round(reach * 0.35))
    canvas.word(at, text, round(NUMBER * 1.3), INK, weight=700)
