"""The colours of Tangle, and the layout of its map.

Lattice points are (x, y) as in the data file: x in half steps to the right, y in rows downwards.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from engines.tangle.pieces import components
from engines.tangle.pieces.board import Kind
from render.core.canvas import Box, Canvas, Point, Sketch
from render.core.theme import DARK, LIGHT, Rgb, Theme, mix, ramp, rgb


@dataclass(frozen=True, eq=False)
class TangleTheme(Theme):
    """The colours of Tangle in one theme."""

    pen: Rgb = rgb("4A3B28")
    """The line around everything on the land."""
    card_edge: Rgb = rgb("4A3B28")
    dust: Rgb = rgb("E2D2AE")
    """Dry ground, and the edge of the land."""
    dust_edge: Rgb = rgb("9C855B")
    dry: Rgb = rgb("EBDFC4")
    crack: Rgb = rgb("C4AF84")
    faint: Rgb = rgb("7B6A48")
    """The codes of empty areas."""
    living: Rgb = rgb("C6DC9C")
    """Ground that has come to life, around a tile."""
    living_edge: Rgb = rgb("9DBB70")
    soil: Rgb = rgb("C79C6D")
    soil_dark: Rgb = rgb("9A7145")
    soil_light: Rgb = rgb("DDBB90")
    grass: Rgb = rgb("B9DB78")
    grass_dark: Rgb = rgb("6E9A3C")
    lawn: Rgb = rgb("D8E9AE")
    water: Rgb = rgb("97D0E6")
    water_dark: Rgb = rgb("4590B2")
    shore: Rgb = rgb("E9DDB6")
    glade: Rgb = rgb("BFD98F")
    leaf: Rgb = rgb("5C8F3C")
    leaf_light: Rgb = rgb("8FB95A")
    leaf_pale: Rgb = rgb("BAD67E")
    crown: Rgb = rgb("3F7440")
    crown_light: Rgb = rgb("679A50")
    trunk: Rgb = rgb("80593A")
    berry: Rgb = rgb("B8324A")
    petals: tuple[Rgb, Rgb, Rgb] = (rgb("FFFFFF"), rgb("F4C93C"), rgb("E58BB4"))
    nut: Rgb = rgb("C28440")
    gold: Rgb = rgb("FFCE33")
    """The frame of changed or selectable things: no seat has it."""
    flame: Rgb = rgb("E9832E")
    night: Rgb = rgb("3F4A78")
    stone: Rgb = rgb("D9D4C8")
    slate: Rgb = rgb("8B8679")
    resources: Mapping[components.Resource, Rgb] = field(
        default_factory=lambda: {
            "W": rgb("2C6E9E"),
            "E": rgb("80512B"),
            "N": rgb("55761C"),
            "M": rgb("6C4AA3"),
        }
    )
    """A colour for each resource, dark enough for light letters."""

    @cached_property
    def floors(self) -> dict[Kind, Rgb]:
        """The ground under the picture of a tile."""
        return {
            "earth": self.soil,
            "bush": self.lawn,
            "meadow": self.grass,
            "lake": self.water,
            "sapling": self.lawn,
            "tree": self.glade,
        }

    def own_shades(self) -> list[Rgb]:
        shades = [
            self.dry,
            self.dust,
            self.living,
            self.living_edge,
            self.crack,
            self.faint,
            self.shore,
            self.stone,
            self.slate,
            self.night,
            self.nut,
            self.flame,
            *ramp([self.gold, self.black], 4),
        ]
        shades += ramp([self.dust_edge, self.paper], 5)
        shades += ramp([self.dust_edge, self.dust], 4)
        shades += ramp([self.faint, self.dry], 4)
        shades += [mix(self.living_edge, self.living, 0.5), mix(self.living, self.dust, 0.5), *self.petals]
        leaves = (self.leaf, self.leaf_light, self.leaf_pale, self.crown, self.crown_light)
        for plant in (*leaves, self.trunk, self.berry, self.soil_dark, self.grass_dark):
            shades += [plant, mix(plant, self.pen, 0.5)]
        shades += [self.soil_light, self.water_dark, mix(self.water_dark, self.water, 0.5)]
        shades.append(mix(self.water, self.card, 0.6))
        for floor in self.floors.values():
            shades += [floor, *ramp([self.black, floor], 4)[1:-1], mix(self.pen, floor, 0.5)]
            shades.append(mix(self.card, floor, 0.5))
        for colour in self.resources.values():
            shades += [*ramp([colour, self.card], 5)[:-1], mix(colour, self.ink, 0.4)]
            shades.append(mix(colour, self.dust, 0.5))
        shades += [mix(self.nut, self.pen, 0.5), mix(self.flame, self.card, 0.5)]
        shades += [mix(self.night, self.card, 0.5), mix(self.slate, self.stone, 0.5)]
        shades += [*ramp([self.pen, self.card], 5), mix(self.gold, self.living, 0.5)]
        shades.append(mix(self.gold, self.dust, 0.5))
        for colour in self.seats[:4]:
            shades += [mix(colour, self.living, 0.5), mix(colour, self.black, 0.5)]
        return [*shades, *ramp([self.paper, mix(self.paper, self.shade, 0.45)], 4), *self.seat_shades()]


TangleCanvas = Canvas[TangleTheme]
TangleSketch = Sketch[TangleTheme]
THEMES: Mapping[str, TangleTheme] = {
    "light": TangleTheme.of(LIGHT),
    "dark": TangleTheme.of(
        DARK,
        pen=rgb("1A140D"),
        dust=rgb("484030"),
        dust_edge=rgb("7C6C4C"),
        dry=rgb("383428"),
        crack=rgb("584C38"),
        faint=rgb("B9A883"),
        living=rgb("40542C"),
        living_edge=rgb("6C8A4A"),
        shore=rgb("3C382C"),
        stone=rgb("585850"),
        slate=rgb("8B8679"),
        night=rgb("8E9AD0"),
        card_edge=rgb("B2B4C0"),
        soil=rgb("B4885C"),
        soil_dark=rgb("86613A"),
        soil_light=rgb("CDA877"),
        grass=rgb("9CC05C"),
        lawn=rgb("B8D08C"),
        water=rgb("7CB8D0"),
        water_dark=rgb("3A7F9F"),
        glade=rgb("A4C074"),
        trunk=rgb("96704E"),
        resources={"W": rgb("70B4DC"), "E": rgb("D09478"), "N": rgb("B4D868"), "M": rgb("AC8CF0")},
    ),
}


PAD = 24
"""The paper around the land."""
ROW = math.sqrt(3)
"""The distance of two rows, in half steps."""
APOTHEM = 0.55
"""From the middle of a tile to its sides, in half steps: a hexagon that leaves the spaces their room."""
SPACE = 0.6
"""The radius of a space, in half steps."""


LEAST = 35
"""The size of the smallest letters, in pixels: just legible in a picture of this width."""


def letters(share: float, unit: int) -> int:
    """Return a letter size as a share of `unit`, but legible.

    >>> letters(0.4, 100), letters(0.3, 77)
    (40, 35)
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
        return self.width / 2 + x * self.unit, PAD + (y - reach(self.seats)[1]) * ROW * self.unit

    def space(self, code: components.SpaceCode) -> Point:
        return self.spot(components.SPACES[code].x, components.SPACES[code].y)

    def area(self, code: components.AreaCode) -> Point:
        facts = components.AREAS[code]
        return self.spot(facts.x, facts.y + (2 / 3 if facts.up else 1 / 3))

    def places(self) -> list[tuple[str, Point, float]]:
        """Return the code, middle and radius of everything with a name."""
        entries = [(area.code, self.area(area.code), APOTHEM * self.unit) for area in areas(self.seats)]
        return entries + [
            (space.code, self.space(space.code), SPACE * self.unit) for space in spaces(self.seats)
        ]


@lru_cache(maxsize=4)
def areas(seats: int) -> tuple[components.AreaFacts, ...]:
    return tuple(area for area in components.AREAS.values() if area.section <= seats)


@lru_cache(maxsize=4)
def spaces(seats: int) -> tuple[components.SpaceFacts, ...]:
    return tuple(space for space in components.SPACES.values() if space.section <= seats)


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
    pairs = list(points)
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
