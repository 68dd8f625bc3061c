"""The small figures that signs are made of: tiles and plants, cards, arrows, and a figure for each resource.

Every figure is drawn around a point; its size is its height in pixels.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from engines.game import Seat
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.components import Resource, Seed
from render.core.canvas import Point, Sketch, Sprite, bow
from render.core.theme import Rgb, mix
from render.tangle.colours import APOTHEM, TangleSketch, TangleTheme, hexagon

Lobe = tuple[float, float, float]
"""A round part of a crown: its middle and its radius."""
RIM, LINING = 0.095, 0.03
"""The width of the owner's rim, and of the light line within it, in half steps."""


@lru_cache(maxsize=256)
def seat_tile(theme: TangleTheme, kind: Kind, owner: Seat, unit: int, *, below: bool = False) -> Sprite:
    """Draw a tile with its owner's rim. Its picture in the middle or, `below` a code, smaller."""
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    rim = theme.seat(owner)
    size = APOTHEM * unit
    sketch.polygon(hexagon(size), mix(rim, theme.black, 0.5), mix(rim, theme.black, 0.5), 0.03 * unit)
    sketch.polygon(hexagon(size - 0.012 * unit), rim)
    sketch.polygon(hexagon(size - RIM * unit), theme.card)
    sketch.polygon(hexagon(size - (RIM + LINING) * unit), theme.floors[kind])
    at, size = ((-0.02 * unit, 0.1 * unit), 0.9 * unit) if below else ((0.0, 0.0), 1.05 * unit)
    PICTURES[kind](sketch, at, size)
    return sketch.sprite()


def earth(sketch: TangleSketch, at: Point, unit: float) -> None:
    x, y = at
    for high, half in ((-0.14, 0.34), (0.04, 0.4), (0.22, 0.32)):
        side, height = half * unit, y + high * unit
        way = bow((x - side, height), (x, y + (high - 0.1) * unit), (x + side, height))
        sketch.line(way, sketch.theme.soil_dark, 0.035 * unit)
        sketch.line([(px, py + 0.045 * unit) for px, py in way[1:-1]], sketch.theme.soil_light, 0.025 * unit)


def meadow(sketch: TangleSketch, at: Point, unit: float) -> None:
    x, y = at
    for dx, dy in ((-0.22, 0.14), (0.04, 0.1), (0.2, 0.28), (-0.16, 0.34), (0.14, -0.02)):
        grass(sketch, (x + dx * unit, y + dy * unit), 0.16 * unit)
    spots = ((-0.17, -0.03), (0.03, -0.06), (0.14, 0.1), (-0.06, 0.17), (-0.27, 0.24), (0.3, 0.26))
    for index, (dx, dy) in enumerate(spots):
        flower(sketch, (x + dx * unit, y + dy * unit), 0.075 * unit, sketch.theme.petals[index % 3])


def grass(sketch: TangleSketch, foot: Point, high: float) -> None:
    x, y = foot
    for lean in (-0.5, 0.0, 0.5):
        way = bow(
            (x + 0.2 * lean * high, y), (x + 0.3 * lean * high, y - 0.6 * high), (x + lean * high, y - high)
        )
        sketch.line(way, sketch.theme.grass_dark, 0.16 * high)


def flower(sketch: TangleSketch, at: Point, size: float, petals: Rgb) -> None:
    theme = sketch.theme
    x, y = at
    heart = theme.berry if petals == theme.petals[1] else theme.petals[1]
    for grow, colour in ((0.22 * size, theme.pen), (0.0, petals)):
        for dx, dy in ((-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)):
            sketch.disc((x + dx * size, y + dy * size), 0.55 * size + grow, colour)
    sketch.disc(at, 0.38 * size, heart)


def lake(sketch: TangleSketch, at: Point, unit: float) -> None:
    x, y = at
    waves = (
        (-0.2, -0.1, 0.13),
        (0.2, -0.04, 0.14),
        (-0.12, 0.1, 0.17),
        (0.18, 0.24, 0.12),
        (-0.26, 0.26, 0.1),
    )
    for dx, dy, half in waves:
        wave(sketch, (x + dx * unit, y + dy * unit), half * unit, 0.036 * unit)


def wave(sketch: TangleSketch, at: Point, half: float, thick: float) -> None:
    """Draw a wave of two crests. `half` is its half width in pixels."""
    x, y = at
    for shift, colour in ((0.0, sketch.theme.water_dark), (1.3 * thick, sketch.theme.white)):
        way = [
            *bow((x - half, y + shift), (x - 0.5 * half, y + shift - 0.7 * half), (x, y + shift), 6),
            *bow((x, y + shift), (x + 0.5 * half, y + shift + 0.7 * half), (x + half, y + shift), 6),
        ]
        sketch.line(way, colour, thick)


def crown(sketch: TangleSketch, lobes: Sequence[Lobe], line: float, dark: Rgb, light: Rgb) -> None:
    """Draw leaves in round clouds, lit from the upper left."""
    for grow, colour in ((line, sketch.theme.pen), (0.0, dark)):
        for x, y, radius in lobes:
            sketch.disc((x, y), radius + grow, colour)
    for x, y, radius in lobes:
        sketch.disc((x - 0.2 * radius, y - 0.22 * radius), 0.68 * radius, light)
    for x, y, radius in lobes[:2]:
        sketch.disc((x - 0.34 * radius, y - 0.36 * radius), 0.32 * radius, sketch.theme.leaf_pale)


def _lobes(at: Point, unit: float, lobes: Sequence[Lobe]) -> list[Lobe]:
    return [(at[0] + x * unit, at[1] + y * unit, radius * unit) for x, y, radius in lobes]


def bush(sketch: TangleSketch, at: Point, unit: float) -> None:
    theme = sketch.theme
    x, y = at
    lobes = _lobes(at, unit, ((0, -0.06, 0.2), (-0.2, 0.08, 0.16), (0.2, 0.08, 0.16), (0, 0.12, 0.18)))
    crown(sketch, lobes, 0.026 * unit, theme.leaf, theme.leaf_light)
    for dx, dy in ((-0.22, 0.02), (-0.06, 0.12), (0.08, -0.08), (0.22, 0.08), (0.09, 0.2), (-0.14, 0.18)):
        sketch.disc((x + dx * unit, y + dy * unit), 0.05 * unit, theme.berry, theme.pen, 0.014 * unit)


def sapling(sketch: TangleSketch, at: Point, unit: float) -> None:
    x, y = at
    stem = bow((x, y + 0.28 * unit), (x - 0.05 * unit, y), (x + 0.02 * unit, y - 0.24 * unit))
    sketch.line(stem, sketch.theme.pen, 0.08 * unit)
    sketch.line(stem, sketch.theme.trunk, 0.045 * unit)
    for dx, dy, side in ((0.0, 0.08, -1), (0.0, 0.0, 1), (0.01, -0.14, -1), (0.02, -0.18, 1)):
        leaf(sketch, (x + dx * unit, y + dy * unit), side * 0.24 * unit, -0.12 * unit)


def leaf(sketch: TangleSketch, root: Point, reach: float, rise: float) -> None:
    theme = sketch.theme
    x, y = root
    tip = (x + reach, y + rise)
    across = (-0.34 * rise, 0.34 * reach)
    middle = (x + 0.5 * reach, y + 0.5 * rise)
    one = (middle[0] + across[0], middle[1] + across[1])
    two = (middle[0] - across[0], middle[1] - across[1])
    line = max(0.8, 0.07 * abs(reach))
    sketch.polygon([*bow(root, one, tip, 6), *bow(tip, two, root, 6)], theme.leaf_light, theme.pen, line)
    sketch.line([root, (x + 0.7 * reach, y + 0.7 * rise)], theme.leaf, line)


def tree(sketch: TangleSketch, at: Point, unit: float) -> None:
    theme = sketch.theme
    x, y = at
    for side in (-1, 1):
        start, bend = (x, y + 0.16 * unit), (x + side * 0.06 * unit, y + 0.3 * unit)
        way = bow(start, bend, (x + side * 0.24 * unit, y + 0.3 * unit))
        sketch.line(way, theme.pen, 0.09 * unit)
        sketch.line(way, theme.trunk, 0.05 * unit)
    stem = [
        (x - 0.06 * unit, y - 0.05 * unit),
        (x + 0.06 * unit, y - 0.05 * unit),
        (x + 0.09 * unit, y + 0.3 * unit),
        (x - 0.09 * unit, y + 0.3 * unit),
    ]
    sketch.polygon(stem, theme.trunk, theme.pen, 0.022 * unit)
    lobes = _lobes(at, unit, ((0, -0.2, 0.2), (-0.2, -0.06, 0.17), (0.2, -0.06, 0.17), (0, 0, 0.16)))
    crown(sketch, lobes, 0.026 * unit, theme.crown, theme.crown_light)


def berry(sketch: TangleSketch, at: Point, size: float) -> None:
    """Draw the seed of a bush; `size` is its height in pixels."""
    theme = sketch.theme
    x, y = at
    sketch.disc((x, y + 0.08 * size), 0.36 * size, theme.berry, theme.pen, max(1.0, 0.06 * size))
    sketch.disc((x - 0.12 * size, y - 0.05 * size), 0.08 * size, theme.white)
    leaf(sketch, (x, y - 0.26 * size), 0.3 * size, -0.12 * size)


def acorn(sketch: TangleSketch, at: Point, size: float) -> None:
    """Draw the seed of a tree; `size` is its height in pixels."""
    theme = sketch.theme
    x, y = at
    line = max(1.0, 0.06 * size)
    stalk, tip = [(0, -0.3), (0.06, -0.46)], (0, 0.48)
    nut = [*bow((-0.28, -0.08), (-0.32, 0.34), tip), *bow(tip, (0.32, 0.34), (0.28, -0.08))]
    cup = [*bow((-0.36, -0.06), (-0.32, -0.36), (0, -0.36)), *bow((0, -0.36), (0.32, -0.36), (0.36, -0.06))]
    stalk, nut, cup = ([(x + px * size, y + py * size) for px, py in way] for way in (stalk, nut, cup))
    sketch.line(stalk, theme.pen, 0.1 * size)
    sketch.polygon(nut, theme.nut, theme.pen, line)
    sketch.polygon(cup, theme.trunk, theme.pen, line)


Painter = Callable[[TangleSketch, Point, float], None]
SEEDS: dict[Seed, Painter] = {"bush": berry, "tree": acorn}
PICTURES: dict[Kind, Painter] = {
    "earth": earth,
    "bush": bush,
    "meadow": meadow,
    "lake": lake,
    "sapling": sapling,
    "tree": tree,
}


def place_shape(points: Iterable[Point], at: Point, size: float, lean: float = 0) -> list[Point]:
    """Scale a unit shape, turn it by degrees, and move it."""
    sine, cosine = math.sin(math.radians(lean)), math.cos(math.radians(lean))
    return [
        (at[0] + (x * cosine - y * sine) * size, at[1] + (x * sine + y * cosine) * size) for x, y in points
    ]


def tile(sketch: TangleSketch, at: Point, size: float, kind: Kind) -> None:
    """Draw a tile without owner."""
    for part, colour in ((0.5, sketch.theme.pen), (0.43, sketch.theme.floors[kind])):
        sketch.polygon(place_shape(hexagon(part), at, size), colour)
    PICTURES[kind](sketch, at, 0.74 * size)


def sheet(sketch: TangleSketch, at: Point, size: float, fill: Rgb, lean: float = 0) -> None:
    corners = ((-0.34, -0.48), (0.34, -0.48), (0.34, 0.48), (-0.34, 0.48))
    sketch.polygon(place_shape(corners, at, size, lean), fill, sketch.theme.card_edge, max(1.0, 0.05 * size))


def card(sketch: TangleSketch, at: Point, size: float, lean: float = 0) -> None:
    """Draw an enchantment."""
    sheet(sketch, at, size, sketch.theme.card, lean)
    star(sketch, at, 0.26 * size, sketch.theme.resources["M"])


def star(sketch: TangleSketch, at: Point, radius: float, colour: Rgb) -> None:
    """Draw a star of four points."""
    points = []
    for turn in range(8):
        reach, angle = 0.36 if turn % 2 else 1.0, turn * math.pi / 4
        points.append((reach * math.sin(angle), -reach * math.cos(angle)))
    sketch.polygon(place_shape(points, at, radius), colour)


def arrow(sketch: TangleSketch, way: list[Point], thick: float, colour: Rgb | None = None) -> None:
    colour = colour or sketch.theme.ink
    (x, y), tip = way[-2], way[-1]
    turn = math.degrees(math.atan2(tip[1] - y, tip[0] - x))
    sketch.line([*way[:-1], *place_shape([(-2.3, 0)], tip, thick, turn)], colour, thick)
    sketch.polygon(
        place_shape([(0, 0), (-2.3, -1.5), (-2.3, 1.5)], tip, thick, turn), colour, colour, 0.3 * thick
    )


def plus(sketch: TangleSketch, at: Point, size: float) -> None:
    sketch.disc(at, 0.62 * size, sketch.theme.card)
    for reach in ((0.36, 0.0), (0.0, 0.36)):
        sketch.line(place_shape([(-reach[0], -reach[1]), reach], at, size), sketch.theme.ink, 0.26 * size)


def drop(sketch: TangleSketch, at: Point, size: float) -> None:
    fill = sketch.theme.resources["W"]
    outline = [
        *bow((0, -0.5), (-0.14, -0.14), (-0.32, 0.12), 6),
        *bow((-0.32, 0.12), (-0.36, 0.44), (0, 0.46), 6),
        *bow((0, 0.46), (0.36, 0.44), (0.32, 0.12), 6),
        *bow((0.32, 0.12), (0.14, -0.14), (0, -0.5), 6),
    ]
    sketch.polygon(place_shape(outline, at, size), fill, sketch.theme.card, 0.06 * size)
    gleam = bow((-0.16, 0.14), (-0.14, 0.3), (0, 0.32), 6)
    sketch.line(place_shape(gleam, at, size), mix(fill, sketch.theme.card, 0.75), 0.08 * size)


def clods(sketch: TangleSketch, at: Point, size: float) -> None:
    fill = sketch.theme.resources["E"]
    heap = [*bow((-0.5, 0.36), (-0.24, -0.5), (0, -0.36), 8), *bow((0, -0.36), (0.3, -0.42), (0.5, 0.36), 8)]
    sketch.polygon(place_shape(heap, at, size), fill, sketch.theme.card, 0.06 * size)
    for spot in place_shape(((-0.18, 0.14), (0.08, -0.1), (0.2, 0.2)), at, size):
        sketch.disc(spot, 0.07 * size, mix(fill, sketch.theme.card, 0.5))


def fruit(sketch: TangleSketch, at: Point, size: float) -> None:
    """Draw a fruit with a leaf: nourishment."""
    theme = sketch.theme
    fill = theme.resources["N"]
    middle, stem, tip, gleam, stalk = place_shape(
        ((0, 0.12), (0, -0.12), (0.04, -0.4), (-0.12, 0.02), (0.02, -0.24)), at, size
    )
    sketch.disc(middle, 0.38 * size, theme.card)
    sketch.disc(middle, 0.33 * size, fill)
    sketch.line([stem, tip], theme.pen, 0.09 * size)
    leaf(sketch, stalk, 0.36 * size, -0.16 * size)
    sketch.disc(gleam, 0.07 * size, mix(fill, theme.card, 0.75))


def crystal(sketch: TangleSketch, at: Point, size: float) -> None:
    """Draw a crystal: mana."""
    fill = sketch.theme.resources["M"]
    outline = ((0, -0.5), (0.3, -0.16), (0.3, 0.16), (0, 0.5), (-0.3, 0.16), (-0.3, -0.16))
    sketch.polygon(place_shape(outline, at, size), fill, sketch.theme.card, 0.06 * size)
    for way in (((-0.27, -0.14), (0, 0.0), (0.27, -0.14)), ((0, 0.0), (0, 0.42))):
        sketch.line(place_shape(way, at, size), mix(fill, sketch.theme.card, 0.75), 0.05 * size)


RESOURCES: dict[Resource, Callable[[TangleSketch, Point, float], None]] = {
    "W": drop,
    "E": clods,
    "N": fruit,
    "M": crystal,
}
