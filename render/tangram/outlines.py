"""The outline of a tile: the way around its filled quarters, and the lines that run along inside.

Points are in squares from the tile's top left; outlines go clockwise, so that the inside is on the right.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from engines.tangram.pieces.geometry import EAST, NORTH, SOUTH, WEST, TileForm
from render.core.canvas import Point

Loop = tuple[Point, ...]
_CORNERS = {NORTH: (0, 1), EAST: (1, 2), SOUTH: (2, 3), WEST: (3, 0)}
"""The corners of a square, clockwise from its top left one, at both ends of a quarter's side."""


@dataclass(frozen=True, slots=True)
class Eave:
    """One straight side of an outline, and the shift of its ends for each square's length inwards.

    Attributes:
        start, end: its ends, clockwise.
        start_step, end_step: the way along the corner's bisector.
        facing: the outward direction, of length 1.
    """

    start: Point
    end: Point
    start_step: Point
    end_step: Point
    facing: Point

    def at(self, depth: float) -> tuple[Point, Point] | None:
        """Return the side that far inside. None if nothing is left of it."""
        one = (self.start[0] + depth * self.start_step[0], self.start[1] + depth * self.start_step[1])
        two = (self.end[0] + depth * self.end_step[0], self.end[1] + depth * self.end_step[1])
        along = (two[0] - one[0]) * -self.facing[1] + (two[1] - one[1]) * self.facing[0]
        return (one, two) if along > 1e-6 else None

    def point(self, share: float, depth: float) -> Point:
        """Return a point inwards from a share of the side."""
        return (
            self.start[0] + (self.end[0] - self.start[0]) * share - depth * self.facing[0],
            self.start[1] + (self.end[1] - self.start[1]) * share - depth * self.facing[1],
        )


@lru_cache(maxsize=512)
def loops(form: TileForm) -> tuple[Loop, ...]:
    """Return the corners of each outline of a form. Several if parts only touch in a point."""
    ways: dict[Point, list[Point]] = {}
    sides = _sides(form)
    for start, end in sides:
        if (end, start) not in sides:
            ways.setdefault(start, []).append(end)
    entries = []
    while ways:
        first = min(ways)
        loop, here = [first], _next(ways, first, None)
        while here != first:
            loop.append(here)
            here = _next(ways, here, loop[-2])
        entries.append(_straighten(loop))
    return tuple(entries)


def _sides(form: TileForm) -> set[tuple[Point, Point]]:
    """Return every side of every quarter, clockwise."""
    result = set()
    for column, row, quarters in form.cells:
        corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        middle = (column + 0.5, row + 0.5)
        for quarter, (one, two) in _CORNERS.items():
            if quarters & quarter:
                a, b = corners[one], corners[two]
                result |= {(a, b), (b, middle), (middle, a)}
    return result


def _next(ways: dict[Point, list[Point]], here: Point, before: Point | None) -> Point:
    """Take the way on from a point. Of several the one that turns most to the right."""
    choices = ways[here]
    if before is not None and len(choices) > 1:
        came = math.atan2(here[1] - before[1], here[0] - before[0])
        choices.sort(key=lambda to: -_bend(math.atan2(to[1] - here[1], to[0] - here[0]) - came))
    chosen = choices.pop(0)
    if not choices:
        del ways[here]
    return chosen


def _bend(angle: float) -> float:
    """Normalise an angle to half a turn left or right."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def _straighten(loop: list[Point]) -> Loop:
    """Remove the points in the middle of straight sides."""
    kept = []
    for index, (x, y) in enumerate(loop):
        (x0, y0), (x1, y1) = loop[index - 1], loop[(index + 1) % len(loop)]
        if abs((x - x0) * (y1 - y) - (y - y0) * (x1 - x)) > 1e-9:
            kept.append((x, y))
    return tuple(kept)


@lru_cache(maxsize=512)
def eaves(form: TileForm) -> tuple[Eave, ...]:
    """Return every side of a form's outlines."""
    entries = []
    for loop in loops(form):
        count = len(loop)
        inward = [_inward(loop[index], loop[(index + 1) % count]) for index in range(count)]
        steps = [_step(inward[index - 1], inward[index]) for index in range(count)]
        for index in range(count):
            after, (x, y) = (index + 1) % count, inward[index]
            entries.append(Eave(loop[index], loop[after], steps[index], steps[after], (-x, -y)))
    return tuple(entries)


def _inward(one: Point, two: Point) -> Point:
    length = math.dist(one, two)
    return -(two[1] - one[1]) / length, (two[0] - one[0]) / length


def _step(one: Point, two: Point) -> Point:
    """Return a corner's shift if both sides move inwards by 1."""
    share = 1 + one[0] * two[0] + one[1] * two[1]
    return (one[0] + two[0]) / share, (one[1] + two[1]) / share
