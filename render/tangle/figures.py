"""The small figures that signs are made of: tiles, cards, arrows, and a figure for each resource.

Every figure is drawn around a point; its size is its height in pixels.
"""

import math
from collections.abc import Callable, Iterable

from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.components import Resource
from render.core.canvas import Point, bow
from render.core.theme import Rgb, mix
from render.tangle import growth
from render.tangle.colours import TangleSketch, hexagon


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
    growth.PICTURES[kind](sketch, at, 0.74 * size)


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
    base = place_shape([(-2.3, 0)], tip, thick, turn)
    sketch.line([*way[:-1], *base], colour, thick)
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
    middle, stem, tip, gleam, leaf = place_shape(
        ((0, 0.12), (0, -0.12), (0.04, -0.4), (-0.12, 0.02), (0.02, -0.24)), at, size
    )
    sketch.disc(middle, 0.38 * size, theme.card)
    sketch.disc(middle, 0.33 * size, fill)
    sketch.line([stem, tip], theme.pen, 0.09 * size)
    growth.leaf(sketch, leaf, 0.36 * size, -0.16 * size)
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
