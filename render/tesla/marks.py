"""The things on wires and tiles: markers, and the numbers of placed tiles."""

from render.core.canvas import Point
from render.core.text import fit
from render.tesla.colours import TeslaCanvas

NUMBER = 21
"""Half the size of a number's plate, in pixels."""
LEAST_MAKER = 17
GAIN = 20
"""Half the height of a plate with points."""


def token_radius(unit: int) -> float:
    return max(12.0, 0.31 * unit)


def token(canvas: TeslaCanvas, seat: int, at: Point, radius: float) -> None:
    """Draw a marker: the emblem of its seat on a pale disc."""
    canvas.disc(at, radius + 2, canvas.theme.slate_edge)
    canvas.disc(at, radius, canvas.theme.card)
    canvas.emblem(seat, at, radius * 0.76, canvas.theme.seats[seat])


def number(canvas: TeslaCanvas, at: Point, text: str) -> None:
    """Draw a placed tile's number on a small plate."""
    x, y = at
    for reach, colour in ((NUMBER + 2, canvas.theme.slate_edge), (NUMBER - 0.5, canvas.theme.latest)):
        canvas.box((x - reach, y - reach, x + reach, y + reach), colour, radius=round(reach * 0.35))
    canvas.word(at, text, round(NUMBER * 1.3), canvas.theme.black, weight=700)


def gain(canvas: TeslaCanvas, seat: int, at: Point, points: int) -> None:
    """Draw points that a seat has made, with its emblem."""
    theme, text = canvas.theme, f"+{points}"
    size = round(GAIN * 1.5)
    wide = fit(text, 200, size, 700).width
    half = (wide + 2.2 * GAIN) / 2
    x, y = at
    for reach, colour in ((4, theme.slate_edge), (2, theme.seats[seat]), (-2, theme.card)):
        box = (x - half - reach, y - GAIN - reach, x + half + reach, y + GAIN + reach)
        canvas.box(box, colour, radius=GAIN * 0.6)
    canvas.emblem(seat, (x - half + 0.8 * GAIN, y), 0.52 * GAIN)
    canvas.word((x + half - wide / 2 - 0.4 * GAIN, y), text, size, theme.ink, weight=700)
