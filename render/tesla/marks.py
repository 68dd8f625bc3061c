"""The things on wires and tiles: markers, and the numbers of placed tiles."""

from __future__ import annotations

from render.core.canvas import Canvas, Point
from render.core.palette import CARD, INK, SEAT_COLOURS, Rgb, contrast
from render.tesla.colours import LATEST, SLATE_EDGE

NUMBER = 21
"""Half the size of a number's plate, in pixels."""


def ink_on(colour: Rgb) -> Rgb:
    """Return the most legible colour of letters on a seat's colour."""
    return max((CARD, INK), key=lambda shade: contrast(shade, colour))


def token_radius(unit: int) -> float:
    return max(12.0, 0.31 * unit)


def token(canvas: Canvas, seat: int, at: Point, radius: float) -> None:
    """Draw a marker: the emblem of its seat on a pale disc."""
    canvas.disc(at, radius + 2, SLATE_EDGE)
    canvas.disc(at, radius, CARD)
    canvas.emblem(seat, at, radius * 0.76, SEAT_COLOURS[seat])


def number(canvas: Canvas, at: Point, text: str) -> None:
    """Draw a placed tile's number on a small plate."""
    x, y = at
    for reach, colour in ((NUMBER + 2, SLATE_EDGE), (NUMBER - 0.5, LATEST)):
        canvas.box((x - reach, y - reach, x + reach, y + reach), colour, radius=round(reach * 0.35))
    canvas.word(at, text, round(NUMBER * 1.3), INK, weight=700)
