"""Arrows, and the sign of a seat beside a change."""

import math
from collections.abc import Sequence
from typing import Any

from render.core.canvas import Canvas, Point
from render.core.palette import Rgb, mix

HEAD = 2.1
"""The length of an arrow's head, in thicknesses of its line."""


def arrow(
    canvas: Canvas[Any], way: Sequence[Point], colour: Rgb, thick: float, *, is_double: bool = False
) -> None:
    """Draw a line on a pale edge, with one head or two."""
    ends = [(way[-2], way[-1])] + ([(way[1], way[0])] if is_double else [])
    heads = [_head(start, end, thick) for start, end in ends]
    tips = {end: _shorten(start, end, thick * HEAD / 2) for start, end in ends}
    line = [tips.get(point, point) for point in way]
    for shade, edge in ((canvas.theme.card, 3.0), (colour, 0.0)):
        canvas.line(line, shade, thick + 2 * edge)
        for head in heads:
            canvas.line([*head, head[0], head[1]], shade, 2 * edge + 2)
            canvas.polygon(head, shade)


def _head(start: Point, end: Point, thick: float) -> list[Point]:
    """Return the corners of a head that points from `start` to `end`."""
    turn = math.atan2(end[1] - start[1], end[0] - start[0])
    length, half = thick * HEAD, thick * HEAD * 0.62
    corners = ((0.0, 0.0), (-length, -half), (-length, half))
    sine, cosine = math.sin(turn), math.cos(turn)
    return [(end[0] + x * cosine - y * sine, end[1] + x * sine + y * cosine) for x, y in corners]


def _shorten(start: Point, end: Point, by: float) -> Point:
    """Return the end of a line that is that much shorter."""
    length = math.dist(start, end) or 1.0
    share = by / length
    return end[0] + (start[0] - end[0]) * share, end[1] + (start[1] - end[1]) * share


def seat_mark(
    canvas: Canvas[Any], seat: int, at: Point, radius: float, colour: Rgb, *, is_quiet: bool = False
) -> None:
    """Draw the emblem of a seat on a pale disc."""
    reach = radius * (0.8 if is_quiet else 1)
    canvas.disc(at, reach + 2, colour if not is_quiet else mix(colour, canvas.theme.card, 0.4))
    canvas.disc(at, reach, canvas.theme.card)
    canvas.emblem(seat, at, reach * 0.62, colour)
