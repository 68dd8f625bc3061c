"""The land before anything grows: dry cracked ground, and the arrows between spaces."""

import math
from collections.abc import Collection, Iterator
from functools import lru_cache
from random import Random

from PIL import Image

from engines.tangle.pieces.amounts import Resource
from engines.tangle.pieces.components import SPACES, AreaCode, AreaFacts, SpaceCode
from render.core.canvas import Canvas, Point, Sketch, Sprite
from render.core.palette import Rgb, mix
from render.tangle import figures, growth
from render.tangle import layout as layouts
from render.tangle.colours import TangleCanvas, TangleSketch, TangleTheme
from render.tangle.layout import LandLayout, letters

EDGE = 7
"""The width of the land's edge."""
PATCHES = 12
"""The number of patches of dry ground that crack differently."""
ARROW = 0.39
"""The place of an arrow on the way from the space that is fed to the one that feeds it."""


@lru_cache(maxsize=8)
def land(theme: TangleTheme, layout: LandLayout) -> Image.Image:
    """Draw the land without anything that changes in a game."""
    canvas = Canvas(layout.width, layout.height, theme)
    result = layouts.areas(layout.seats)
    for grow, colour in ((EDGE + 3, mix(theme.dust_edge, theme.dust, 1 / 3)), (EDGE, theme.dust_edge)):
        for area in result:
            canvas.paint(triangle(theme, area.up, layout.unit, grow, colour), layout.area(area.code))
    for area in result:
        canvas.paint(triangle(theme, area.up, layout.unit, 2, theme.dust), layout.area(area.code))
    for area in result:
        at = layout.area(area.code)
        canvas.paint(bare(theme, area.code, layout.unit), at)
        for litter, (x, y) in _barren(theme, area, layout.unit):
            canvas.paint(litter, (at[0] + x, at[1] + y))
        canvas.word(layout.area(area.code), area.code, letters(0.42, layout.unit), theme.faint, weight=600)
    return canvas.image


@lru_cache(maxsize=64)
def triangle(theme: TangleTheme, up: bool, unit: int, grow: int, colour: Rgb) -> Sprite:
    """Draw the triangle of an area, a little larger than it is."""
    sketch = Sketch((-unit - 16, -1.3 * unit - 16, unit + 16, 1.3 * unit + 16), theme)
    points = _corners(up, unit)
    sketch.polygon(points, colour, colour, 2 * grow)
    return sketch.sprite()


def _corners(up: bool, unit: float) -> list[Point]:
    sign = -1 if up else 1
    high = layouts.ROW * unit / 3
    return [(0.0, sign * 2 * high), (unit, -sign * high), (-unit, -sign * high)]


@lru_cache(maxsize=8)
def living(theme: TangleTheme, up: bool, unit: int) -> Sprite:
    """Draw living ground, with grass on corners without spaces."""
    sketch = Sketch((-unit - 4, -1.3 * unit - 4, unit + 4, 1.3 * unit + 4), theme)
    sketch.polygon(_corners(up, unit), theme.living, theme.living, 2)
    for x, y in _corners(up, unit):
        for dx, dy in ((0.0, 0.1), (-0.09, 0.04), (0.1, 0.06)):
            growth.grass(sketch, (0.74 * x + dx * unit, 0.74 * y + dy * unit), 0.13 * unit)
    return sketch.sprite()


def bare(theme: TangleTheme, code: AreaCode, unit: int) -> Sprite:
    """Draw an area on which nothing grows, without its code."""
    return _dry(theme, Random(code).randrange(PATCHES), unit)


@lru_cache(maxsize=8 * PATCHES)
def _dry(theme: TangleTheme, patch: int, unit: int) -> Sprite:
    """Draw a patch of dry ground with cracks of its own."""
    rng = Random(patch)
    reach = 1.2 * layouts.APOTHEM * unit
    sketch = Sketch((-reach, -reach, reach, reach), theme)
    sketch.polygon(layouts.hexagon((layouts.APOTHEM - 0.03) * unit), theme.dry)
    for _ in range(3):
        _crack(sketch, rng, unit)
    return sketch.sprite()


def _crack(sketch: TangleSketch, rng: Random, unit: int) -> None:
    """Draw a crack that runs inwards from the edge, and forks."""
    x, y = _along(layouts.hexagon((layouts.APOTHEM - 0.05) * unit), rng.uniform(0, 6))
    way = [(x, y)]
    heading = math.atan2(-y, -x) + rng.uniform(-0.7, 0.7)
    for _ in range(3):
        heading += rng.uniform(-0.8, 0.8)
        way.append(_onwards(way[-1], heading, 0.13 * unit))
    sketch.line(way, sketch.theme.crack, 0.028 * unit)
    fork = _onwards(way[1], heading + rng.choice((-1.2, 1.2)), 0.14 * unit)
    sketch.line([way[1], fork], sketch.theme.crack, 0.02 * unit)


def _onwards(start: Point, heading: float, far: float) -> Point:
    """Return the point at a distance and a direction in radians."""
    return start[0] + far * math.cos(heading), start[1] + far * math.sin(heading)


def _barren(theme: TangleTheme, area: AreaFacts, unit: int) -> Iterator[tuple[Sprite, Point]]:
    """Yield stones or dead twigs for an area's corners, with places. Spaces hide most of them."""
    rng = Random(f"barren {area.code}")
    for x, y in _corners(area.up, unit):
        spot = 0.74 * x + rng.uniform(-0.05, 0.05) * unit, 0.74 * y + rng.uniform(-0.03, 0.03) * unit
        yield (_stones if rng.random() < 0.5 else _twigs)(theme, unit), spot


@lru_cache(maxsize=8)
def _stones(theme: TangleTheme, unit: int) -> Sprite:
    """Draw three stones side by side."""
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    for shift, size in ((0.0, 0.09), (0.12, 0.06), (-0.1, 0.045)):
        left, top = (shift - size) * unit, (0.06 - 0.7 * size) * unit
        box = (left, top, left + 2 * size * unit, top + 1.4 * size * unit)
        sketch.ellipse(box, theme.stone, theme.slate, 0.02 * unit)
    return sketch.sprite()


@lru_cache(maxsize=8)
def _twigs(theme: TangleTheme, unit: int) -> Sprite:
    """Draw three dead twigs from one foot."""
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    foot = (0.0, 0.1 * unit)
    for lean, high in ((-0.12, 0.16), (0.02, 0.24), (0.13, 0.14)):
        sketch.line([foot, (foot[0] + lean * unit, foot[1] - high * unit)], theme.faint, 0.022 * unit)
    return sketch.sprite()


def _along(rim: list[Point], turn: float) -> Point:
    """Return a point of a hexagon's edge. The whole part names the side, the rest its share."""
    side, share = int(turn) % 6, turn % 1
    (x, y), (u, v) = rim[side], rim[(side + 1) % 6]
    return x + share * (u - x), y + share * (v - y)


def arrows(canvas: TangleCanvas, layout: LandLayout, exchanged: Collection[SpaceCode]) -> None:
    """Draw short lettered arrows from feeding to fed spaces. Exchanged spaces are fed no more."""
    for space in layouts.spaces(layout.seats):
        if space.code in exchanged:
            continue
        x, y = layout.space(space.code)
        for source, letter in space.arrows.items():
            if SPACES[source].section > layout.seats:
                continue
            sx, sy = layout.space(source)
            turn = math.degrees(math.atan2(y - sy, x - sx))
            at = (x + ARROW * (sx - x), y + ARROW * (sy - y))
            canvas.paint(_arrow(canvas.theme, letter, round(turn), layout.unit), at)


@lru_cache(maxsize=256)
def _arrow(theme: TangleTheme, letter: Resource, turn: int, unit: int) -> Sprite:
    """Draw a lettered arrow, turned clockwise by degrees."""
    colour = theme.resources[letter]
    shape = ((-0.15, -0.14), (0.1, -0.14), (0.27, 0.0), (0.1, 0.14), (-0.15, 0.14))
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    high = letters(0.26, unit)
    sketch.polygon(
        figures.place_shape(shape, (0, 0), high / 0.29, turn),
        colour,
        mix(colour, theme.ink, 0.4),
        0.03 * unit,
    )
    arrow = sketch.sprite()
    canvas = Canvas.over(arrow.image, theme)
    spot = (-arrow.at[0], -arrow.at[1])
    canvas.word(spot, letter, high, theme.card, weight=700)
    return Sprite(canvas.image, arrow.mask, arrow.at)
