"""The paths of wires, and pieces in progress around a tile's middle.

A hexagon reaches one unit from its middle to a corner; a square is as wide as a hexagon. Angles are in
degrees clockwise from the top.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFilter

from engines.tesla.pieces import board
from engines.tesla.pieces.components import Lie, Segment, Side, Tiles, segments, shape
from render.core.canvas import OVERSAMPLING, Box, Point, on_circle
from render.core.theme import Rgb

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
    return (side + (0.5 if tiles == "hex" else 0)) * 360 / shape(tiles).sides


def middle_of(tiles: Tiles, side: Side, reach: float = APOTHEM) -> Point:
    """Return the middle of a side, or a point towards it."""
    return on_circle((0, 0), reach, normal(tiles, side))


def corners(tiles: Tiles, inset: float = 0) -> list[Point]:
    """Return a tile's corners, clockwise, starting before side 0."""
    sides = shape(tiles).sides
    reach = (APOTHEM - inset) / math.cos(math.pi / sides)
    return [on_circle((0, 0), reach, normal(tiles, side) - 180 / sides) for side in range(sides)]


def centre(tiles: Tiles, cell: board.Cell) -> Point:
    """Return a cell's middle relative to the start tile's."""
    across, down = board.centre(tiles, cell)
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
    near = [along(way, step / 12) for way in others for step in range(13)]
    clear = [min([0.34, *(math.dist(spot, point) for point in near)]) for spot in spots]
    return spots[clear.index(max(clear))]


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


@dataclass(frozen=True, slots=True)
class TeslaPiece:
    """A part of a picture: its colours, its coverage of the ground, its offset from a tile's middle."""

    image: Image.Image
    mask: Image.Image
    step: tuple[int, int]

    def crop(self) -> TeslaPiece:
        box = self.mask.getbbox() or (0, 0, 1, 1)
        step = (self.step[0] + box[0], self.step[1] + box[1])
        return TeslaPiece(self.image.crop(box), self.mask.crop(box), step)

    def soft(self, blur: float, strength: float) -> Image.Image:
        return self.mask.filter(ImageFilter.GaussianBlur(blur)).point(lambda value: value * strength)


class TeslaSheet:
    """Overlapping shapes in plain colours; they come out with smooth edges."""

    def __init__(self, unit: float, box: Box, ground: Rgb) -> None:
        """Start a sheet for a box, with `unit` pixels to a unit. `ground` is the colour of outer edges."""
        self.unit = unit * OVERSAMPLING
        left, top = (math.floor(edge * unit) - 1 for edge in box[:2])
        right, bottom = (math.ceil(edge * unit) + 1 for edge in box[2:])
        size = ((right - left) * OVERSAMPLING, (bottom - top) * OVERSAMPLING)
        self.step = (left, top)
        self.image, self.mask = Image.new("RGB", size, ground), Image.new("L", size)
        self._pens = (ImageDraw.Draw(self.image), ImageDraw.Draw(self.mask))

    def _place(self, point: Point) -> Point:
        """Map a point. Subtract half a pixel, so that both sides of a shape come out alike."""
        left, top = self.step
        return (
            point[0] * self.unit - left * OVERSAMPLING - 0.5,
            point[1] * self.unit - top * OVERSAMPLING - 0.5,
        )

    def line(self, points: Sequence[Point], width: float, colour: Rgb) -> None:
        """Draw a line that bends gently."""
        spots = [self._place(point) for point in points]
        half = max(0.5, width * self.unit / 2)
        outline = [*_beside(spots, half), *reversed(_beside(spots, -half))]
        colours, cover = self._pens
        colours.polygon(outline, colour)
        cover.polygon(outline, 255)

    def disc(self, centre: Point, radius: float, colour: Rgb) -> None:
        (x, y), reach = self._place(centre), radius * self.unit
        colours, cover = self._pens
        colours.ellipse((x - reach, y - reach, x + reach, y + reach), colour)
        cover.ellipse((x - reach, y - reach, x + reach, y + reach), 255)

    def polygon(self, points: Sequence[Point], radius: float, colour: Rgb) -> None:
        """Draw a polygon, grown by a radius to round its corners."""
        self._polygon(0, points, radius, colour)
        self._polygon(1, points, radius, 255)

    def hole(self, points: Sequence[Point], radius: float) -> None:
        self._polygon(1, points, radius, 0)

    def _polygon(self, layer: int, points: Sequence[Point], radius: float, fill: Rgb | int) -> None:
        pen, spots, reach = self._pens[layer], [self._place(point) for point in points], radius * self.unit
        pen.polygon(spots, fill)
        pen.line([*spots, spots[0]], fill, round(2 * reach))
        for x, y in spots:
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill)

    def piece(self) -> TeslaPiece:
        return self.whole().crop()

    def whole(self) -> TeslaPiece:
        """Return the drawing with the empty border around it."""
        return TeslaPiece(self.image.reduce(OVERSAMPLING), self.mask.reduce(OVERSAMPLING), self.step)


def _beside(points: Sequence[Point], off: float) -> list[Point]:
    """Return the points moved sideways from the line through them."""
    result = []
    for index, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[max(0, index - 1)], points[min(len(points) - 1, index + 1)]
        reach = math.hypot(x1 - x0, y1 - y0) or 1.0
        result.append((x - (y1 - y0) / reach * off, y + (x1 - x0) / reach * off))
    return result
