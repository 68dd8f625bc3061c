"""The paths of wires: the geometry of one tile, in units of its size, around its middle.

A hexagon reaches one unit from its middle to a corner; a square is as wide as a hexagon. Angles are in
degrees clockwise from the top.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from engines.tesla.options import Tiles
from engines.tesla.pieces import cells
from engines.tesla.pieces.cells import Cell
from engines.tesla.pieces.components import Lie, Segment, Side, segments, shape
from render.core.canvas import Point, on_circle

APOTHEM = math.sqrt(3) / 2
"""From the middle of a tile to the middle of a side."""
BOW = 0.15
"""The distance that three crossing straights keep from their common point."""
STEP = 4.0
"""Degrees of an arc from one point of a path to the next."""
SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73)
"""The places of a marker along its wire, the best first."""

Path = tuple[Point, ...]


def normal(tiles: Tiles, side: Side) -> float:
    sides = shape(tiles).sides
    return (side + (0.5 if tiles == "hex" else 0)) * 360 / sides


def middle_of(tiles: Tiles, side: Side, reach: float = APOTHEM) -> Point:
    """Return the middle of a side, or a point towards it."""
    return on_circle((0, 0), reach, normal(tiles, side))


def corners(tiles: Tiles, inset: float = 0) -> list[Point]:
    """Return a tile's corners, clockwise, starting before side 0."""
    sides = shape(tiles).sides
    reach = (APOTHEM - inset) / math.cos(math.pi / sides)
    return [on_circle((0, 0), reach, normal(tiles, side) - 180 / sides) for side in range(sides)]


def half_height(tiles: Tiles) -> float:
    """Return the distance from a tile's middle to its top."""
    return 1.0 if tiles == "hex" else APOTHEM


def centre(tiles: Tiles, cell: Cell) -> Point:
    """Return a cell's middle relative to the start tile's."""
    across, down = cells.centre(tiles, cell)
    return across * 2 * APOTHEM, down * 2 * APOTHEM


@cache
def path(tiles: Tiles, segment: Segment, bowed: bool = False) -> Path:
    """Return a wire's path from its lower side to its higher one.

    It leaves both sides at right angles: as an arc around the point where the lines of both meet, or
    straight; `bowed` makes a straight pass by the middle.
    """
    start, end = (middle_of(tiles, side) for side in segment)
    sides = shape(tiles).sides
    apart = segment[1] - segment[0]
    if 2 * apart == sides:
        return _bow(start, end, 1 if segment[0] % 2 else -1) if bowed else (start, end)
    half = math.radians(min(apart, sides - apart) * 180 / sides)
    around = (normal(tiles, segment[0]) + normal(tiles, segment[1])) / 2 + (180 if 2 * apart > sides else 0)
    hub, radius = on_circle((0, 0), APOTHEM / math.cos(half), around), APOTHEM * math.tan(half)
    first, last = (math.degrees(math.atan2(point[0] - hub[0], hub[1] - point[1])) for point in (start, end))
    span = (last - first + 180) % 360 - 180
    steps = math.ceil(abs(span) / STEP)
    return tuple(on_circle(hub, radius, first + span * step / steps) for step in range(steps + 1))


def _bow(start: Point, end: Point, sign: int) -> Path:
    """Return a path that passes the middle on one hand."""
    (x, y), steps = start, 24
    across = (sign * y / APOTHEM * BOW, -sign * x / APOTHEM * BOW)
    entries = []
    for step in range(steps + 1):
        share = step / steps
        sway = (1 - math.cos(2 * math.pi * share)) / 2
        entries.append(
            (
                start[0] + (end[0] - start[0]) * share + across[0] * sway,
                start[1] + (end[1] - start[1]) * share + across[1] * sway,
            )
        )
    return tuple(entries)


def is_bowed(tiles: Tiles, lie: Lie) -> bool:
    """Return True if all wires would cross in the middle. Then they bow past it."""
    sides = shape(tiles).sides
    pairs = segments(lie)
    return len(pairs) == 3 and all(2 * (two - one) == sides for one, two in pairs)


@cache
def wires(tiles: Tiles, lie: Lie) -> tuple[Path, ...]:
    """Return the paths of all wires, in the order of segments."""
    bowed = is_bowed(tiles, lie)
    return tuple(path(tiles, segment, bowed) for segment in segments(lie))


@cache
def marker_at(tiles: Tiles, lie: Lie, segment: Segment) -> Point:
    """Return a marker's place on a wire. Near its middle, but clear of the tile's other wires."""
    entries = dict(zip(segments(lie), wires(tiles, lie), strict=True))
    others = [way for other, way in entries.items() if other != segment]
    spots = [along(entries[segment], share) for share in SHARES]
    return max(spots, key=lambda spot: (min(0.34, _clearance(spot, others)), -spots.index(spot)))


def _clearance(spot: Point, ways: Sequence[Path]) -> float:
    points = (along(way, step / 12) for way in ways for step in range(13))
    return min((math.dist(spot, point) for point in points), default=9.0)


def length(way: Sequence[Point]) -> float:
    return sum(math.dist(one, two) for one, two in pairwise(way))


def along(way: Sequence[Point], share: float) -> Point:
    left = share * length(way)
    for one, two in pairwise(way):
        leg = math.dist(one, two)
        if left <= leg:
            return one[0] + (two[0] - one[0]) * left / leg, one[1] + (two[1] - one[1]) * left / leg
        left -= leg
    return way[-1]


def piece(way: Sequence[Point], first: float, last: float) -> list[Point]:
    """Return the part of a way between two shares of it."""
    whole, gone = length(way), 0.0
    pairs = [along(way, first)]
    for one, two in pairwise(way):
        gone += math.dist(one, two)
        if first * whole < gone < last * whole:
            pairs.append(two)
    return [*pairs, along(way, last)]
