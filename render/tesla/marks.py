"""What lies on wires and tiles: markers, and the numbers of tiles that were placed."""

from __future__ import annotations

from render.canvas import EMBLEMS, Canvas, Point
from render.palette import CARD, INK, SEAT_COLOURS, Rgb, contrast
from render.tesla.colours import LATEST, SLATE_EDGE

TRIANGLE = EMBLEMS.index("triangle")
"""The seat whose emblem has its middle below half its height."""
SMALLEST_LETTER = 9
"""A smaller letter on an emblem, in pixels, is left out."""


def ink_on(colour: Rgb) -> Rgb:
    """The colour of letters that read best on a seat's colour."""
    return max((CARD, INK), key=lambda shade: contrast(shade, colour))


def token_radius(unit: int) -> float:
    """How large a marker is."""
    return max(12.0, 0.31 * unit)


def token(canvas: Canvas, seat: int, at: Point, radius: float, letter: str) -> None:
    """A marker: the emblem of its seat, with the seat's letter, on a pale disc."""
    colour = SEAT_COLOURS[seat]
    canvas.disc(at, radius + 2, SLATE_EDGE)
    canvas.disc(at, radius, CARD)
    sign(canvas, seat, at, radius * 0.76, letter, colour)


def sign(canvas: Canvas, seat: int, at: Point, radius: float, letter: str, colour: Rgb) -> None:
    """The emblem of a seat with its letter inside."""
    canvas.emblem(seat, at, radius, colour)
    size = round(radius * 1.12)
    if size >= SMALLEST_LETTER:
        at = (at[0], at[1] + (radius * 0.2 if seat == TRIANGLE else 0))
        canvas.word(at, letter, size, ink_on(colour), weight=700, width=radius * 1.5)


def number(canvas: Canvas, at: Point, radius: float, text: str) -> None:
    """The number of a tile that was placed, on a small plate that is no seat's emblem."""
    x, y = at
    for reach, colour in ((radius + 2, SLATE_EDGE), (radius - 0.5, LATEST)):
        canvas.box((x - reach, y - reach, x + reach, y + reach), colour, radius=round(reach * 0.35))
    canvas.word(at, text, round(radius * 1.3), INK, weight=700)
