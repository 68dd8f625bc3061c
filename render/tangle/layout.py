"""The geometry of the land: a triangular lattice whose points are spaces, its triangles areas.

Lattice points are (x, y) as in the data file: x in half steps to the right, y in rows downwards.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engines.tangle.pieces.components import AREAS, SPACES, AreaCode, AreaFacts, SpaceCode, SpaceFacts
from render.core.canvas import Box, Point

PAD = 24
"""The paper around the land."""
ROW = math.sqrt(3)
"""The distance of two rows, in half steps."""
APOTHEM = 0.55
"""From the middle of a tile to its sides, in half steps: a hexagon that leaves the spaces their room."""
SPACE = 0.55
"""The radius of a space, in half steps."""


LEAST = 29
"""The size of the smallest letters, in pixels: just legible in a picture of this width."""


def letters(share: float, unit: int) -> int:
    """Return a letter size as a share of `unit`, but legible.

    >>> letters(0.4, 100), letters(0.3, 77)
    (40, 29)
    """
    return max(LEAST, round(share * unit))


@dataclass(frozen=True, slots=True)
class LandLayout:
    """The land in play for a number of seats, in the middle of a picture.

    Attributes:
        unit: the pixels of a half step.
        width: the width of the picture.
    """

    seats: int
    unit: int
    width: int

    @property
    def height(self) -> int:
        _, top, _, bottom = reach(self.seats)
        return math.ceil((bottom - top) * ROW * self.unit) + 2 * PAD

    def spot(self, x: float, y: float) -> Point:
        """Map a point of the lattice to the picture."""
        top = reach(self.seats)[1]
        return self.width / 2 + x * self.unit, PAD + (y - top) * ROW * self.unit

    def space(self, code: SpaceCode) -> Point:
        return self.spot(SPACES[code].x, SPACES[code].y)

    def area(self, code: AreaCode) -> Point:
        facts = AREAS[code]
        return self.spot(facts.x, facts.y + (2 / 3 if facts.up else 1 / 3))

    def places(self) -> list[tuple[str, Point, float]]:
        """Return the code, middle and radius of everything with a name."""
        entries = [(area.code, self.area(area.code), APOTHEM * self.unit) for area in areas(self.seats)]
        return entries + [
            (space.code, self.space(space.code), SPACE * self.unit) for space in spaces(self.seats)
        ]


@lru_cache(maxsize=4)
def areas(seats: int) -> tuple[AreaFacts, ...]:
    return tuple(area for area in AREAS.values() if area.section <= seats)


@lru_cache(maxsize=4)
def spaces(seats: int) -> tuple[SpaceFacts, ...]:
    """Return the spaces in play, the centre among them."""
    return tuple(space for space in SPACES.values() if space.section <= seats)


@lru_cache(maxsize=4)
def reach(seats: int) -> Box:
    """Return the box around the areas, in half steps and rows."""
    result = areas(seats)
    return (
        min(area.x for area in result) - 1,
        min(area.y for area in result),
        max(area.x for area in result) + 1,
        max(area.y for area in result) + 1,
    )


def fitting(seats: int, width: int, height: int) -> LandLayout:
    """Return the largest land within a width and a height."""
    left, top, right, bottom = reach(seats)
    wide = (width - 2 * PAD) / (right - left)
    high = (height - 2 * PAD) / ((bottom - top) * ROW)
    return LandLayout(seats, int(min(wide, high)), width)


def hexagon(apothem: float) -> list[Point]:
    """Return the corners of a tile around its middle. Flat at the top and at the bottom."""
    radius = apothem / math.cos(math.pi / 6)
    return [
        (radius * math.cos(turn * math.pi / 3), radius * math.sin(turn * math.pi / 3)) for turn in range(6)
    ]


def around(points: Iterable[Point], margin: float) -> Box:
    """Return the box around some points, with a margin."""
    pairs = list(points)
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
