"""The two lines above a city, with its builder and its numbers, and the signs in them."""

import math
from collections.abc import Sequence

from engines.captions import seat_name
from engines.game import Seat
from engines.tangram.pieces.city import Balance, score
from engines.tangram.pieces.geometry import SIDES, Side
from engines.tangram.view import TangramView
from engines.tangram.words import captions
from render.core.canvas import Point, polygon_mask
from render.core.palette import Rgb
from render.core.text import fit
from render.tangram import cards
from render.tangram.cards import BASIN
from render.tangram.colours import TangramCanvas
from render.tangram.pieces import ONE

HEIGHT = 124
"""The height of a plate."""


def plate(
    canvas: TangramCanvas, view: TangramView, seat: Seat, names: Sequence[str], at: Point, width: float
) -> None:
    """Draw a seat's emblem, name and score. Below its counts of both colours, and its status."""
    theme = canvas.theme
    left, top = at
    right = left + width
    gone = seat in view.out
    ink = theme.faded if gone else theme.ink
    canvas.emblem(seat, (left + 24, top + 34), 23, theme.faded if gone else theme.seats[seat])
    points = canvas.write((right, top + 34), str(view.scores[seat]), 62, ink, weight=700, anchor="right")
    gain = sum(one.points for one in view.news or () if one.seat == seat)
    if gain > 0:
        points += 14 + _gain(canvas, f"+{gain}", (right - points - 14, top + 34), theme.seats[seat])
    marked = seat == view.start and not view.over
    room = width - 60 - points - 16 - (52 if marked else 0)
    name = canvas.write((left + 60, top + 34), seat_name(names, seat), 42, ink, weight=700, width=room)
    if marked:
        flag(canvas, (left + 60 + name + 14, top + 34), 42)
    counts(canvas, score(view.cities[seat]).balance, (left, top + 92))
    _status(canvas, view, seat, (right, top + 92))


def _gain(canvas: TangramCanvas, text: str, at: Point, colour: Rgb) -> float:
    """Draw points just made on a small plate; return its width."""
    wide = fit(text, 200, 38, 700).width + 28
    right, y = at
    for reach, shade in ((0, colour), (-4, canvas.theme.card)):
        box = (right - wide - reach, y - 26 - reach, right + reach, y + 26 + reach)
        canvas.box(box, shade, radius=14)
    canvas.word((right - wide / 2, y), text, 38, canvas.theme.ink, weight=700)
    return wide


def _status(canvas: TangramCanvas, view: TangramView, seat: Seat, at: Point) -> None:
    """Draw a seat's status. The text beside the picture lists who has answered."""
    text = captions.status(view, seat)
    if text:
        canvas.write(
            at,
            text,
            40,
            canvas.theme.faded if seat in view.out else canvas.theme.ink,
            weight=700,
            anchor="right",
        )


def counts(canvas: TangramCanvas, balance: Balance, at: Point, size: int = 40) -> None:
    """Draw both colours' numbers, and scales with their difference."""
    pen = at[0]
    unit = round(size * 0.54) * 2
    for side, count in zip(SIDES, (balance.black, balance.green), strict=True):
        whole(canvas, side, (pen + unit / 2, at[1]), unit)
        pen += unit + 8
        pen += canvas.write((pen, at[1]), str(count), size, canvas.theme.ink, weight=700) + 14
    scales(canvas, (pen + 0.66 * size, at[1]), size, balance)
    pen += 1.32 * size + 8
    canvas.write((pen, at[1]), str(balance.distance), size, canvas.theme.ink, weight=700)


def whole(canvas: TangramCanvas, side: Side, centre: Point, unit: int) -> None:
    """Draw a whole square, the sign of a colour's squares."""
    cards.lying(canvas, ONE, side, centre, unit)


def scales(canvas: TangramCanvas, centre: Point, size: float, balance: Balance) -> None:
    """Draw a pair of scales, the heavier colour's pan lower. Black hangs on the left."""
    theme = canvas.theme
    x, y = centre
    lean = max(-1.0, min(1.0, (balance.black - balance.green) / 5)) * 0.2 * size
    top = y - 0.42 * size
    canvas.line([(x, top - 0.06 * size), (x, y + 0.46 * size)], theme.ink, 0.11 * size)
    canvas.line(
        [(x - 0.24 * size, y + 0.48 * size), (x + 0.24 * size, y + 0.48 * size)], theme.ink, 0.12 * size
    )
    left, right = (x - 0.48 * size, top + lean), (x + 0.48 * size, top - lean)
    canvas.line([left, right], theme.ink, 0.11 * size)
    for (a, b), colour in ((left, theme.roof_middle), (right, theme.leaf)):
        canvas.line([(a, b), (a, b + 0.3 * size)], theme.ink, 0.05 * size)
        pan = (a - 0.22 * size, b + 0.26 * size, a + 0.22 * size, b + 0.5 * size)
        canvas.box(pan, colour, radius=0.1 * size)


def flag(canvas: TangramCanvas, foot: Point, size: float) -> None:
    """Draw the start marker: a pennant, its pole at the left."""
    x, y = foot
    canvas.line([(x, y - 0.5 * size), (x, y + 0.5 * size)], canvas.theme.ink, 0.11 * size)
    edge = math.ceil(size)
    points = ((0.0, 0.0), (0.8 * size, 0.27 * size), (0.0, 0.54 * size))
    mask = polygon_mask(points, edge, edge)
    canvas.image.paste(canvas.theme.ink, (round(x), round(y - 0.5 * size)), mask)


def basin(canvas: TangramCanvas, centre: Point, unit: int) -> None:
    """Draw a fountain, the sign of those that are left."""
    cards.lying(canvas, BASIN, "water", centre, unit)
