"""The signs of the action spaces, of the resources and of a few other things, drawn around a point.

Every painter takes a sketch and the height of the sign in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from engines.tangle.amounts import Resource
from engines.tangle.data import Action
from engines.tangle.land import Kind, Stack
from engines.tangle.pieces import TrackName
from render.canvas import Canvas, Point, Sketch, Sprite, bow
from render.palette import CARD, INK, Rgb, mix
from render.tangle import growth, shades
from render.tangle.plan import hexagon
from render.tangle.shades import PEN


def hex_tile(sketch: Sketch, at: Point, size: float, kind: Kind) -> None:
    """A small tile, so many pixels high."""
    x, y = at
    for part, colour in ((0.5, PEN), (0.43, shades.GROUNDS[kind])):
        sketch.polygon([(x + px, y + py) for px, py in hexagon(part * size)], colour)
    growth.PICTURES[kind](sketch, at, 0.74 * size)


def arrow(sketch: Sketch, way: list[Point], thick: float, colour: Rgb = INK) -> None:
    """A line that ends in an arrowhead."""
    (x, y), (u, v) = way[-2], way[-1]
    far = math.hypot(u - x, v - y) or 1.0
    dx, dy = (u - x) / far, (v - y) / far
    reach = 2.3 * thick
    sketch.line([*way[:-1], (u - dx * reach, v - dy * reach)], colour, thick)
    wing = 1.5 * thick
    base = (u - dx * reach, v - dy * reach)
    head = [(u, v), (base[0] - dy * wing, base[1] + dx * wing), (base[0] + dy * wing, base[1] - dx * wing)]
    sketch.polygon(head, colour, colour, 0.3 * thick)


def plus(sketch: Sketch, at: Point, size: float, colour: Rgb = INK) -> None:
    """A plus sign on a light disc."""
    x, y = at
    sketch.disc(at, 0.62 * size, CARD)
    for dx, dy in ((0.36, 0.0), (0.0, 0.36)):
        start, end = (x - dx * size, y - dy * size), (x + dx * size, y + dy * size)
        sketch.line([start, end], colour, 0.26 * size)


def card(sketch: Sketch, at: Point, high: float, lean: float = 0) -> None:
    """An enchantment card, turned by so many degrees."""
    angle = math.radians(lean)
    sine, cosine = math.sin(angle), math.cos(angle)

    def spot(x: float, y: float) -> Point:
        return at[0] + (x * cosine - y * sine) * high, at[1] + (x * sine + y * cosine) * high

    line = max(1.0, 0.05 * high)
    sheet = [spot(-0.34, -0.48), spot(0.34, -0.48), spot(0.34, 0.48), spot(-0.34, 0.48)]
    sketch.polygon(sheet, CARD, PEN, line)
    star(sketch, spot(0, 0), 0.26 * high, shades.RESOURCES["M"])


def star(sketch: Sketch, at: Point, radius: float, colour: Rgb) -> None:
    """A star of four points."""
    x, y = at
    points = []
    for turn in range(8):
        reach = radius if turn % 2 == 0 else 0.36 * radius
        angle = turn * math.pi / 4
        points.append((x + reach * math.sin(angle), y - reach * math.cos(angle)))
    sketch.polygon(points, colour)


def drop(sketch: Sketch, at: Point, high: float, fill: Rgb = shades.RESOURCES["W"]) -> None:
    """A drop of water."""
    x, y = at
    tip, foot = (x, y - 0.5 * high), (x, y + 0.46 * high)
    points = [
        *bow(tip, (x - 0.14 * high, y - 0.14 * high), (x - 0.32 * high, y + 0.12 * high), 6),
        *bow((x - 0.32 * high, y + 0.12 * high), (x - 0.36 * high, y + 0.44 * high), foot, 6),
        *bow(foot, (x + 0.36 * high, y + 0.44 * high), (x + 0.32 * high, y + 0.12 * high), 6),
        *bow((x + 0.32 * high, y + 0.12 * high), (x + 0.14 * high, y - 0.14 * high), tip, 6),
    ]
    sketch.polygon(points, fill, CARD, 0.06 * high)
    gleam = bow(
        (x - 0.16 * high, y + 0.14 * high), (x - 0.14 * high, y + 0.3 * high), (x, y + 0.32 * high), 6
    )
    sketch.line(gleam, mix(fill, CARD, 0.75), 0.08 * high)


def clods(sketch: Sketch, at: Point, high: float, fill: Rgb = shades.RESOURCES["E"]) -> None:
    """A small heap of earth."""
    x, y = at
    heap = [
        *bow((x - 0.5 * high, y + 0.36 * high), (x - 0.24 * high, y - 0.5 * high), (x, y - 0.36 * high), 8),
        *bow((x, y - 0.36 * high), (x + 0.3 * high, y - 0.42 * high), (x + 0.5 * high, y + 0.36 * high), 8),
    ]
    sketch.polygon(heap, fill, CARD, 0.06 * high)
    for dx, dy in ((-0.18, 0.14), (0.08, -0.1), (0.2, 0.2)):
        sketch.disc((x + dx * high, y + dy * high), 0.07 * high, mix(fill, CARD, 0.6))


def fruit(sketch: Sketch, at: Point, high: float, fill: Rgb = shades.RESOURCES["N"]) -> None:
    """A leaf and a fruit: nourishment."""
    x, y = at
    sketch.disc((x, y + 0.12 * high), 0.38 * high, CARD)
    sketch.disc((x, y + 0.12 * high), 0.33 * high, fill)
    sketch.line([(x, y - 0.12 * high), (x + 0.04 * high, y - 0.4 * high)], PEN, 0.09 * high)
    growth.leaf(sketch, (x + 0.02 * high, y - 0.24 * high), 0.36 * high, -0.16 * high)
    sketch.disc((x - 0.12 * high, y + 0.02 * high), 0.07 * high, mix(fill, CARD, 0.75))


def crystal(sketch: Sketch, at: Point, high: float, fill: Rgb = shades.RESOURCES["M"]) -> None:
    """A crystal: mana."""
    x, y = at
    shape = ((0, -0.5), (0.3, -0.16), (0.3, 0.16), (0, 0.5), (-0.3, 0.16), (-0.3, -0.16))
    sketch.polygon([(x + px * high, y + py * high) for px, py in shape], fill, CARD, 0.06 * high)
    for way in (((-0.27, -0.14), (0, 0.0), (0.27, -0.14)), ((0, 0.0), (0, 0.42))):
        points = [(x + px * high, y + py * high) for px, py in way]
        sketch.line(points, mix(fill, CARD, 0.75), 0.05 * high)


THINGS: dict[Resource, Callable[[Sketch, Point, float], None]] = {
    "W": drop,
    "E": clods,
    "N": fruit,
    "M": crystal,
}


def _spring(sketch: Sketch, size: float) -> None:
    sketch.ellipse((-0.48 * size, -0.02 * size, 0.48 * size, 0.44 * size), shades.STONE, PEN, 0.04 * size)
    sketch.ellipse(
        (-0.36 * size, 0.06 * size, 0.36 * size, 0.34 * size), shades.WATER, shades.WATER_DARK, 0.04 * size
    )
    star(sketch, (0, -0.2 * size), 0.28 * size, shades.RESOURCES["M"])


def _clean_earth(sketch: Sketch, size: float) -> None:
    hex_tile(sketch, (-0.08 * size, 0.02 * size), 0.86 * size, "earth")
    plus(sketch, (0.34 * size, -0.28 * size), 0.32 * size)


def _lake(sketch: Sketch, size: float) -> None:
    hex_tile(sketch, (-0.08 * size, 0.02 * size), 0.86 * size, "lake")
    plus(sketch, (0.34 * size, -0.28 * size), 0.32 * size)


def _meadows(sketch: Sketch, size: float) -> None:
    hex_tile(sketch, (-0.08 * size, 0.02 * size), 0.86 * size, "meadow")
    plus(sketch, (0.34 * size, -0.28 * size), 0.32 * size)


def _bush_seed(sketch: Sketch, size: float) -> None:
    growth.seed(sketch, (0, 0.08 * size), 0.9 * size, "bush")


def _tree_seed(sketch: Sketch, size: float) -> None:
    growth.seed(sketch, (0, 0), 0.9 * size, "tree")


def _plant(sketch: Sketch, size: float) -> None:
    clods(sketch, (0, 0.26 * size), 0.72 * size, shades.SOIL_DARK)
    growth.seed(sketch, (-0.14 * size, -0.26 * size), 0.46 * size, "tree")
    arrow(sketch, [(0.28 * size, -0.46 * size), (0.28 * size, 0.06 * size)], 0.09 * size)


def _grow(sketch: Sketch, size: float) -> None:
    growth.sapling(sketch, (-0.14 * size, 0.06 * size), 1.2 * size)
    arrow(sketch, [(0.36 * size, 0.4 * size), (0.36 * size, -0.42 * size)], 0.1 * size)


def _cards(sketch: Sketch, size: float) -> None:
    for x, y, lean in ((-0.24, 0.05, -16), (0.24, 0.05, 16), (0.0, 0.0, 0)):
        card(sketch, (x * size, y * size), 0.72 * size, lean)


def _water(sketch: Sketch, size: float) -> None:
    growth.tree(sketch, (-0.16 * size, 0.04 * size), 1.2 * size)
    drop(sketch, (0.28 * size, 0.12 * size), 0.6 * size)


def _sprout(sketch: Sketch, size: float) -> None:
    growth.tree(sketch, (-0.2 * size, 0.02 * size), 1.15 * size)
    growth.sapling(sketch, (0.3 * size, 0.14 * size), 0.86 * size)


def _spread_meadows(sketch: Sketch, size: float) -> None:
    hex_tile(sketch, (-0.24 * size, 0.16 * size), 0.6 * size, "meadow")
    hex_tile(sketch, (0.24 * size, -0.14 * size), 0.6 * size, "meadow")
    plus(sketch, (0.3 * size, 0.32 * size), 0.26 * size)


def _spread_bushes(sketch: Sketch, size: float) -> None:
    growth.bush(sketch, (-0.16 * size, 0.0), 1.3 * size)
    growth.seed(sketch, (0.34 * size, 0.24 * size), 0.44 * size, "bush")


def _gather_cards(sketch: Sketch, size: float) -> None:
    hex_tile(sketch, (-0.2 * size, 0.12 * size), 0.66 * size, "meadow")
    card(sketch, (0.24 * size, -0.06 * size), 0.72 * size, 10)


def _contained(sketch: Sketch, size: float) -> None:
    pot = [(-0.3, 0.1), (0.3, 0.1), (0.22, 0.48), (-0.22, 0.48)]
    growth.sapling(sketch, (0, -0.14 * size), 1.1 * size)
    sketch.polygon([(x * size, y * size) for x, y in pot], shades.SOIL, PEN, 0.05 * size)


def _mana(sketch: Sketch, size: float) -> None:
    crystal(sketch, (-0.24 * size, -0.12 * size), 0.66 * size)
    arrow(
        sketch,
        bow((-0.06 * size, -0.42 * size), (0.34 * size, -0.4 * size), (0.36 * size, -0.06 * size)),
        0.08 * size,
    )
    for x, y, letter in TRADED:
        sketch.disc((x * size, y * size), 0.12 * size, shades.resource(letter), CARD, 0.03 * size)


TRADED: tuple[tuple[float, float, Resource], ...] = ((0.32, 0.12, "W"), (0.14, 0.34, "E"), (0.42, 0.36, "N"))


def _shift(sketch: Sketch, size: float) -> None:
    hex_tile(sketch, (-0.25 * size, 0.0), 0.5 * size, "bush")
    hex_tile(sketch, (0.25 * size, 0.0), 0.5 * size, "lake")
    for sign in (-1, 1):
        way = bow(
            (-sign * 0.26 * size, -sign * 0.3 * size),
            (0, -sign * 0.62 * size),
            (sign * 0.28 * size, -sign * 0.28 * size),
        )
        arrow(sketch, way, 0.075 * size)


def _diverse(sketch: Sketch, size: float) -> None:
    for x, y, kind in DIVERSE:
        hex_tile(sketch, (x * size, y * size), 0.5 * size, kind)


DIVERSE: tuple[tuple[float, float, Kind], ...] = (
    (-0.26, 0.22, "earth"),
    (0.26, 0.22, "meadow"),
    (0.0, -0.24, "sapling"),
)


def _sacrifice(sketch: Sketch, size: float) -> None:
    stone = [(-0.42, 0.46), (-0.34, 0.2), (0.34, 0.2), (0.42, 0.46)]
    flame = [
        *bow((-0.26 * size, 0.14 * size), (-0.3 * size, -0.16 * size), (0.02 * size, -0.5 * size), 8),
        *bow((0.02 * size, -0.5 * size), (0.08 * size, -0.22 * size), (0.26 * size, -0.06 * size), 8),
        *bow((0.26 * size, -0.06 * size), (0.28 * size, 0.1 * size), (0.2 * size, 0.16 * size), 5),
    ]
    sketch.polygon(flame, shades.FLAME, PEN, 0.04 * size)
    sketch.ellipse((-0.1 * size, -0.1 * size, 0.12 * size, 0.16 * size), shades.PETALS[1])
    sketch.polygon([(x * size, y * size) for x, y in stone], shades.STONE, PEN, 0.04 * size)


def _hibernate(sketch: Sketch, size: float) -> None:
    sketch.disc((-0.08 * size, 0.04 * size), 0.42 * size, shades.NIGHT)
    sketch.disc((0.1 * size, -0.08 * size), 0.34 * size, CARD)
    for x, y, half in ((0.16, 0.06, 0.11), (0.34, -0.24, 0.08)):
        way = [(x - half, y - half), (x + half, y - half), (x - half, y + half), (x + half, y + half)]
        sketch.line([(px * size, py * size) for px, py in way], shades.NIGHT, 0.06 * size)


def _takeover(sketch: Sketch, size: float) -> None:
    hex_tile(sketch, (0.2 * size, 0.12 * size), 0.7 * size, "earth")
    way = bow((-0.44 * size, -0.34 * size), (0.0, -0.4 * size), (0.18 * size, 0.1 * size))
    arrow(sketch, way, 0.13 * size, shades.BERRY)


ACTIONS: dict[Action, Callable[[Sketch, float], None]] = {
    "resource": _spring,
    "clean_earth": _clean_earth,
    "place_lake": _lake,
    "place_meadows": _meadows,
    "bush_seed": _bush_seed,
    "tree_seed": _tree_seed,
    "plant": _plant,
    "grow": _grow,
    "take_cards": _cards,
    "gather_water": _water,
    "sprout": _sprout,
    "spread_meadows": _spread_meadows,
    "spread_bushes": _spread_bushes,
    "gather_cards": _gather_cards,
    "contained_growth": _contained,
    "mana": _mana,
    "shift": _shift,
    "diverse": _diverse,
    "sacrifice": _sacrifice,
    "hibernate": _hibernate,
    "takeover": _takeover,
}


def _drawn(size: int, paint: Callable[[Sketch], None]) -> Sprite:
    sketch = Sketch((-0.75 * size - 2, -0.75 * size - 2, 0.75 * size + 2, 0.75 * size + 2))
    paint(sketch)
    return sketch.sprite()


@lru_cache(maxsize=128)
def action(kind: Action, size: int) -> Sprite:
    """The sign of an action."""
    return _drawn(size, lambda sketch: ACTIONS[kind](sketch, size))


@lru_cache(maxsize=64)
def resource(letter: Resource, size: int) -> Sprite:
    """The sign of a resource."""
    return _drawn(size, lambda sketch: THINGS[letter](sketch, (0, 0), size))


@lru_cache(maxsize=32)
def seed(kind: str, size: int) -> Sprite:
    """A seed of a bush or a tree."""
    return _drawn(size, lambda sketch: growth.seed(sketch, (0, 0), size, kind))


@lru_cache(maxsize=32)
def cards(size: int) -> Sprite:
    """A card, standing for those in a hand or in front of a seat."""
    return _drawn(size, lambda sketch: card(sketch, (0, 0), size, 8))


@lru_cache(maxsize=32)
def lasting(size: int) -> Sprite:
    """A ring: an enchantment that works as long as it lies there."""
    return _drawn(size, lambda sketch: sketch.disc((0, 0), 0.42 * size, None, shades.LEAF, 0.17 * size))


@lru_cache(maxsize=32)
def once(size: int) -> Sprite:
    """An hourglass: an enchantment that works once."""

    def paint(sketch: Sketch) -> None:
        glass = [(-0.26, -0.36), (0.26, -0.36), (-0.26, 0.36), (0.26, 0.36)]
        sketch.polygon([(x * size, y * size) for x, y in (*glass[:2], glass[2], glass[3])], shades.NUT)
        for y in (-0.4, 0.4):
            sketch.line([(-0.32 * size, y * size), (0.32 * size, y * size)], PEN, 0.12 * size)

    return _drawn(size, paint)


def root(canvas: Canvas, seat: int, at: Point, radius: float, *, asleep: bool = False) -> None:
    """A root: a light disc with the emblem of its seat; one that sleeps lies in the dark."""
    canvas.disc(at, radius, INK)
    canvas.disc(at, radius - max(1.5, 0.1 * radius), shades.NIGHT if asleep else CARD)
    canvas.emblem(seat, at, 0.62 * radius)


@lru_cache(maxsize=32)
def territory(size: int, *, joined: bool) -> Sprite:
    """Tiles of any kind: some that lie apart, or a group that hangs together."""
    spread = 0.22 if joined else 0.27

    def paint(sketch: Sketch) -> None:
        for x, y in ((-1, 0.6), (1, 0.6), (0, -0.8)):
            hex_tile(
                sketch, (x * spread * size, y * spread * size), (0.48 if joined else 0.38) * size, "earth"
            )

    return _drawn(size, paint)


@lru_cache(maxsize=32)
def stack(kind: Stack, size: int) -> Sprite:
    """A stack of tiles that lie in a stash."""

    def paint(sketch: Sketch) -> None:
        for shift in (0.2, 0.1):
            for part, colour in ((0.44, PEN), (0.39, CARD)):
                points = [(x, y + shift * size) for x, y in hexagon(part * size)]
                sketch.polygon(points, colour)
        hex_tile(sketch, (0, -0.04 * size), 0.88 * size, kind)

    return _drawn(size, paint)


@lru_cache(maxsize=32)
def roots(seat: int, size: int) -> Sprite:
    """Roots that lie in a stash."""

    def paint(sketch: Sketch) -> None:
        ways = [
            bow((x * size, -0.36 * size), (bend * size, -0.1 * size), (tip * size, low * size), 8)
            for x, bend, tip, low in ROOTS
        ]
        for thick, colour in ((0.19, PEN), (0.11, shades.seat(seat))):
            for way in ways:
                sketch.line(way, colour, thick * size)

    return _drawn(size, paint)


ROOTS = (
    (-0.06, -0.06, -0.44, 0.2),
    (-0.03, -0.02, -0.18, 0.42),
    (0.03, 0.02, 0.18, 0.42),
    (0.06, 0.06, 0.44, 0.2),
)
"""Four roots from one stem: where each begins, bends, and ends."""


@lru_cache(maxsize=8)
def hand(size: int) -> Sprite:
    """The backs of cards in a hand."""

    def paint(sketch: Sketch) -> None:
        for x, lean in ((-0.2, -14), (0.14, 10)):
            angle = math.radians(lean)
            sine, cosine = math.sin(angle), math.cos(angle)
            sheet = ((-0.28, -0.42), (0.28, -0.42), (0.28, 0.42), (-0.28, 0.42))
            points = [
                ((x + px * cosine - py * sine) * size, (px * sine + py * cosine) * size) for px, py in sheet
            ]
            sketch.polygon(points, shades.RESOURCES["M"], PEN, 0.05 * size)

    return _drawn(size, paint)


@lru_cache(maxsize=16)
def track(name: TrackName, size: int) -> Sprite:
    """What an upkeep track is about: lakes, growth or cards."""

    def paint(sketch: Sketch) -> None:
        match name:
            case "lakes":
                hex_tile(sketch, (0, 0), 0.94 * size, "lake")
            case "growth":
                hex_tile(sketch, (0, 0), 0.94 * size, "bush")
            case "cards":
                card(sketch, (0, 0), 0.94 * size, 8)

    return _drawn(size, paint)
