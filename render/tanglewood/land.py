"""The forest: regions, plants, and the light on them.

A plant is above the point that it is placed at; `high` is its height in pixels.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from PIL import Image, ImageDraw

from engines.tanglewood.pieces.board import adjacent
from engines.tanglewood.pieces.components import COMPONENTS, REGIONS, Region
from render.core.canvas import Box, Canvas, Point, Sketch, Sprite, bounds, bow, coverage
from render.core.theme import Rgb
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodSketch, TanglewoodTheme
from render.tanglewood.signs import LEAST

Lobe = tuple[float, float, float]
"""A round part of a crown: its middle and radius, in shares of the plant's height above its foot."""

PEN = 1.7


def crown(sketch: TanglewoodSketch, lobes: Sequence[Lobe], high: float, dark: Rgb, light: Rgb) -> None:
    """Draw leaves in round clouds, lit from the upper left."""
    for grow, colour in ((PEN, sketch.theme.bark), (0.0, dark)):
        for x, y, radius in lobes:
            sketch.disc((x * high, -y * high), radius * high + grow, colour)
    for x, y, radius in lobes:
        sketch.disc(((x - 0.2 * radius) * high, -(y + 0.22 * radius) * high), 0.7 * radius * high, light)
    pale = sketch.theme.sunlit(light)
    for x, y, radius in lobes[:3]:
        sketch.disc(((x - 0.34 * radius) * high, -(y + 0.36 * radius) * high), 0.34 * radius * high, pale)


def trunk(
    sketch: TanglewoodSketch, high: float, wide: float, top: float, colour: Rgb, edge: Rgb | None = None
) -> None:
    """Draw a stem up to a share of the height. It is wider at its foot."""
    half = wide * high / 2
    stem = [(-1.5 * half, 0.0), (-0.8 * half, -top * high), (0.8 * half, -top * high), (1.5 * half, 0.0)]
    sketch.polygon(stem, colour, edge or sketch.theme.bark, PEN)


def oak(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    trunk(sketch, high, 0.15, 0.5, theme.trunk)
    lobes = ((0, 0.74, 0.25), (-0.26, 0.58, 0.21), (0.26, 0.58, 0.21), (-0.1, 0.5, 0.2), (0.12, 0.48, 0.19))
    crown(sketch, lobes, high, theme.leaf, theme.leaf_light)
    for x, y in ((-0.28, 0.5), (0.06, 0.6), (0.3, 0.62), (-0.08, 0.82)):
        sketch.ellipse((x * high - 2, -y * high - 2.6, x * high + 2, -y * high + 2.6), theme.nut)


def birch(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    trunk(sketch, high, 0.07, 0.8, theme.birch)
    for y in (0.08, 0.17, 0.24, 0.33):
        sketch.line([(-0.035 * high, -y * high), (0.01 * high, -y * high)], theme.bark, 1.6)
    lobes = ((0, 0.8, 0.17), (-0.12, 0.6, 0.15), (0.12, 0.64, 0.15), (0.03, 0.5, 0.14))
    crown(sketch, lobes, high, theme.leaf_light, theme.spring)


def pine(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    trunk(sketch, high, 0.09, 0.2, theme.trunk)
    for base, top, wide in ((0.12, 0.5, 0.32), (0.3, 0.68, 0.26), (0.48, 0.86, 0.2), (0.66, 1.0, 0.13)):
        side, low = wide * high, -base * high
        tier = [(0.0, -top * high), (side, low), (0.0, -(base + 0.05) * high), (-side, low)]
        sketch.polygon(tier, theme.needle, theme.bark, PEN)
        lit = [
            (-0.01 * high, -(top - 0.07) * high),
            (-0.03 * high, -(base + 0.08) * high),
            (-0.78 * wide * high, -(base + 0.04) * high),
        ]
        sketch.polygon(lit, theme.needle_light)


def elder(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    for lean in (-0.16, 0.0, 0.16):
        stem = bow((0.3 * lean * high, 0), (0.4 * lean * high, -0.3 * high), (lean * high, -0.5 * high))
        sketch.line(stem, theme.bark, 0.06 * high)
        sketch.line(stem, theme.trunk, 0.03 * high)
    lobes = ((0, 0.72, 0.22), (-0.25, 0.56, 0.2), (0.25, 0.56, 0.2), (0, 0.48, 0.18))
    crown(sketch, lobes, high, theme.moss, theme.leaf)
    for x, y in ((-0.22, 0.66), (0.1, 0.86), (0.28, 0.6)):
        plate = (x * high - 7, -y * high - 3.4, x * high + 7, -y * high + 3.4)
        sketch.ellipse(plate, theme.blossom, theme.bark, 0.8)
    for x, y in ((-0.06, 0.6), (-0.02, 0.55), (0.04, 0.59), (-0.32, 0.46), (-0.27, 0.43), (0.2, 0.44)):
        sketch.disc((x * high, -y * high), 2.5, theme.berry)


def hazel(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    for lean in (-0.3, -0.12, 0.1, 0.28):
        stem = bow((0.15 * lean * high, 0), (0.3 * lean * high, -0.35 * high), (lean * high, -0.62 * high))
        sketch.line(stem, theme.trunk, 0.045 * high)
    lobes = (
        (-0.05, 0.78, 0.2),
        (-0.32, 0.6, 0.18),
        (0.28, 0.64, 0.19),
        (-0.12, 0.54, 0.16),
        (0.1, 0.52, 0.16),
    )
    crown(sketch, lobes, high, theme.hazel, theme.hazel_light)
    for x, y in ((-0.3, 0.52), (-0.02, 0.64), (0.26, 0.56), (0.02, 0.46)):
        sketch.disc((x * high, -y * high), 3.4, theme.rust, theme.bark, 0.9)


def fern(sketch: TanglewoodSketch, high: float) -> None:
    for lean, reach in ((-0.62, 0.5), (0.62, 0.5), (-0.34, 0.86), (0.34, 0.86), (0.0, 1.0)):
        stem = bow((0, 0), (0.3 * lean * high, -0.8 * reach * high), (lean * high, -reach * high))
        for index, (x, y) in enumerate(stem[2:]):
            size = (1 - index / len(stem)) * 0.17 * high
            leaves = [(x - size, y - 0.45 * size), (x, y), (x + size, y - 0.45 * size)]
            sketch.line(leaves, sketch.theme.moss, 3.4)
            sketch.line(leaves, sketch.theme.leaf_light, 1.8)
        sketch.line(stem, sketch.theme.moss, 2)


def gorse(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    for step in range(9):
        lean = -0.48 + 0.12 * step
        sketch.line([(0.4 * lean * high, 0), (lean * high, -(0.86 - 0.9 * lean**2) * high)], theme.bark, 4)
    crown(sketch, ((0, 0.5, 0.3), (-0.28, 0.32, 0.26), (0.28, 0.32, 0.26)), high, theme.moss, theme.leaf)
    rng = Random(7)
    for _ in range(30):
        x, y = rng.uniform(-0.46, 0.46), rng.uniform(0.14, 0.76)
        if abs(x) + 0.7 * y < 0.74:
            sketch.disc((x * high, -y * high), rng.choice((2.4, 3.2)), theme.gorse, theme.bark, 0.6)


def clover(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    for lean, top in ((-0.45, 0.5), (0.5, 0.42)):
        x, y = lean * high, -top * high
        sketch.line(bow((0, 0), (0.2 * x, 0.8 * y), (x, y)), theme.moss, 2)
        for dx, dy in ((-0.17, 0.04), (0.17, 0.04), (0, -0.18)):
            sketch.disc((x + dx * high, y + dy * high), 0.18 * high, theme.leaf, theme.bark, 1.1)
            sketch.disc((x + dx * high, y + dy * high), 0.07 * high, theme.spring)
    sketch.line([(0, 0), (0, -0.7 * high)], theme.moss, 2)
    sketch.disc((0, -0.8 * high), 0.2 * high, theme.clover, theme.bark, 1.2)
    for x in (-0.08, 0.0, 0.08):
        sketch.line([(x * high, -0.74 * high), (1.4 * x * high, -0.92 * high)], theme.blossom, 1.2)


def rock(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    points = [(-0.62, 0), (-0.5, 0.5), (-0.18, 0.92), (0.16, 1.0), (0.44, 0.6), (0.6, 0.2), (0.62, 0)]
    sketch.polygon([(x * high, -y * high) for x, y in points], theme.rock, theme.bark, PEN + 0.4)
    shade = [(0.16, 1.0), (0.44, 0.6), (0.6, 0.2), (0.62, 0), (0.24, 0), (0.3, 0.4), (0.1, 0.66)]
    sketch.polygon([(x * high, -y * high) for x, y in shade], theme.rock_dark)
    for way in (((-0.2, 0.9), (-0.1, 0.6), (-0.24, 0.34)), ((-0.4, 0.3), (-0.2, 0.2))):
        sketch.line([(x * high, -y * high) for x, y in way], theme.rock_dark, 1.4)
    vine = bow((-0.44 * high, 0), (-0.1 * high, -0.5 * high), (0.24 * high, -0.9 * high))
    sketch.line(vine, theme.moss, 2)
    for index, (x, y) in enumerate(vine):
        side = 0.07 * high * (1 if index % 2 else -1)
        sketch.disc((x + side, y), 0.075 * high, theme.leaf, theme.bark, 0.9)


def pond(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    sketch.ellipse((-1.3 * high, -0.5 * high, 1.3 * high, 0.08 * high), theme.water, theme.water_dark, 2)
    for x, y, half in ((-0.5, 0.28, 0.24), (0.4, 0.16, 0.3), (0.1, 0.36, 0.16)):
        sketch.line([((x - half) * high, -y * high), ((x + half) * high, -y * high)], theme.blossom, 1.6)
    for x, top in ((-1.0, 0.9), (-0.86, 1.0), (-0.72, 0.8), (0.98, 0.86)):
        sketch.line([(x * high, -0.12 * high), (x * high + 2, -top * high)], theme.moss, 2)
        sketch.line(
            [(x * high + 2, -(top + 0.02) * high), (x * high + 1, -(top - 0.2) * high)], theme.bark, 4
        )


def bush(sketch: TanglewoodSketch, high: float) -> None:
    lobes = ((0, 0.5, 0.4), (-0.4, 0.3, 0.3), (0.4, 0.3, 0.3))
    crown(sketch, lobes, high, sketch.theme.leaf, sketch.theme.leaf_light)


def far_tree(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    trunk(sketch, high, 0.1, 0.4, theme.far_line, theme.far_line)
    for grow, colour in ((1.5, theme.far_line), (0.0, theme.far)):
        for x, y, radius in ((0, 0.68, 0.3), (-0.2, 0.5, 0.24), (0.2, 0.5, 0.24)):
            sketch.disc((x * high, -y * high), radius * high + grow, colour)


def far_fir(sketch: TanglewoodSketch, high: float) -> None:
    theme = sketch.theme
    trunk(sketch, high, 0.08, 0.2, theme.far_line, theme.far_line)
    for base, top, wide in ((0.1, 0.6, 0.28), (0.4, 1.0, 0.2)):
        tier = [(0.0, -top * high), (wide * high, -base * high), (-wide * high, -base * high)]
        sketch.polygon(tier, theme.far, theme.far_line, 1.5)


def grass(sketch: TanglewoodSketch, high: float) -> None:
    for lean in (-0.5, -0.2, 0.15, 0.45):
        way = bow((0.2 * lean * high, 0), (0.3 * lean * high, -0.6 * high), (lean * high, -high))
        sketch.line(way, sketch.theme.leaf, 1.6)


Plant = Callable[[TanglewoodSketch, float], None]


@lru_cache(maxsize=128)
def plant(theme: TanglewoodTheme, kind: Plant, high: int) -> Sprite:
    """Return a plant of that height in pixels; cached."""
    sketch = Sketch((-1.5 * high - 6, -1.15 * high - 6, 1.5 * high + 6, 0.25 * high + 6), theme)
    kind(sketch, high)
    return sketch.sprite()


Growth = tuple[Plant, float, float, int]
"""A plant, its place as a share of an opening's width and in pixels below its edge, its height."""

GROWS: dict[Region, tuple[Growth, ...]] = {
    "A": ((oak, 0.05, 6, 80), (oak, 0.19, 2, 60), (bush, 0.28, 5, 21), (oak, 0.36, -4, 42)),
    "B": (
        (birch, 0.03, 7, 84),
        (birch, 0.11, 3, 66),
        (birch, 0.2, 5, 74),
        (grass, 0.27, 4, 15),
        (birch, 0.34, -2, 50),
    ),
    "C": ((clover, 0.04, 7, 50), (clover, 0.14, 4, 38), (grass, 0.21, 5, 16), (clover, 0.3, 3, 44)),
    "D": (
        (pine, 0.03, 8, 88),
        (pine, 0.12, 4, 66),
        (pine, 0.2, 5, 76),
        (pine, 0.29, 0, 54),
        (pine, 0.37, -4, 42),
    ),
    "E": ((elder, 0.06, 6, 74), (elder, 0.21, 3, 60), (elder, 0.35, -3, 44)),
    "F": ((fern, 0.04, 8, 54), (fern, 0.15, 4, 42), (fern, 0.25, 6, 48), (fern, 0.36, 2, 32)),
    "G": ((gorse, 0.05, 6, 60), (gorse, 0.18, 3, 46), (gorse, 0.29, 5, 52), (grass, 0.38, 4, 15)),
    "H": ((hazel, 0.05, 6, 74), (hazel, 0.2, 3, 58), (hazel, 0.35, -2, 44)),
    "I": ((rock, 0.06, 6, 62), (rock, 0.2, 4, 46), (fern, 0.29, 5, 25), (rock, 0.36, 2, 30)),
}
"""The plants above an opening, on both sides of the trail: the right side mirrors the left."""
LONE: dict[Region, Growth] = {"F": (pond, 0.8, 8, 32)}
"""Plants without a mirror image."""
WOOD: tuple[tuple[Plant, int], ...] = ((far_fir, 46), (far_tree, 42), (far_tree, 36), (far_fir, 38))
"""The plants between the regions."""


def around(
    theme: TanglewoodTheme, region: Region, left: float, top: float, wide: float
) -> list[tuple[Sprite, Point]]:
    """Return a region's typical plants with places, farthest first."""
    half = GROWS.get(region, ())
    growth = [*half, *((kind, 1 - share, below, high) for kind, share, below, high in half)]
    growth += [LONE[region]] if region in LONE else []
    return [
        (plant(theme, kind, high), (left + share * wide, top + below))
        for kind, share, below, high in sorted(growth, key=lambda one: one[2])
    ]


def typical(theme: TanglewoodTheme, region: Region, high: int) -> Sprite | None:
    return plant(theme, GROWS[region][0][0], high) if region in GROWS else None


def wild(theme: TanglewoodTheme, rng: Random) -> Sprite:
    kind, high = rng.choice(WOOD)
    return plant(theme, kind, high)


WIDTH = 1280
MARGIN, GAP = 16, 24
"""The forest around the openings, and between two of them side by side."""
SKY, SCENE = 26, 60
"""The room above the map for the highest trees, and above each opening for its typical plants."""
HEADER, CARD_HIGH, ROW, PAD = 50, 136, 36, 12
LINE, SPREAD = 24, 32
"""The distance of the trees between the openings, from line to line and within a line."""
ARC = 15
"""The pieces of the line around an opening that are drawn at a time."""
WIDE = (WIDTH - 2 * MARGIN - (COMPONENTS.board.columns - 1) * GAP) // COMPONENTS.board.columns


@dataclass(frozen=True, slots=True)
class ForestPlan:
    """The layout of the openings, with room for the workers of a number of colours."""

    colours: int

    @property
    def tall(self) -> int:
        """The height of an opening."""
        return HEADER + CARD_HIGH + self.colours * ROW + 2 * PAD

    @property
    def height(self) -> int:
        return SKY + COMPONENTS.board.rows * (self.tall + SCENE) + MARGIN

    def box(self, region: Region) -> tuple[int, int, int, int]:
        facts = REGIONS[region]
        left = MARGIN + facts.column * (WIDE + GAP)
        top = SKY + SCENE + facts.row * (self.tall + SCENE)
        return left, top, left + WIDE, top + self.tall


@lru_cache(maxsize=4)
def land(theme: TanglewoodTheme, plan: ForestPlan) -> Image.Image:
    """Draw the map without anything that changes in a game."""
    canvas = Canvas(WIDTH, plan.height, theme)
    canvas.box((4, 20, WIDTH - 4, plan.height - 2), theme.forest_edge, radius=36)
    canvas.box((7, 23, WIDTH - 7, plan.height - 5), theme.forest, radius=33)
    # Footpaths lead from neighbour to neighbour, where they show between the openings.
    for way in trails(plan):
        sketch = Sketch(bounds(way, 12), theme)
        sketch.line(way, theme.trail, 22)
        sketch.line(way, theme.trail_light, 17)
        for plank in zip(way[::2], way[1::2], strict=False):
            sketch.line(plank, theme.trail, 2.4)
        canvas.paint(sketch.sprite())
    # Trees fill the free space, drawn from the back to the front.
    rng = Random(11)
    taken = [bounds(way, 16) for way in trails(plan)]
    taken += [plan.box(region) for region in REGIONS]
    for row, y in enumerate(range(SKY + 36, plan.height - 8, LINE)):
        here = [(left - 14, right + 14) for left, top, right, bottom in taken if top + 4 < y < bottom + 12]
        for column in range(WIDTH // SPREAD):
            x = SPREAD * (column + 0.5 + 0.5 * (row % 2)) + rng.randrange(-6, 7)
            if 18 < x < WIDTH - 18 and not any(left < x < right for left, right in here):
                canvas.paint(wild(canvas.theme, rng), (x, y))
    for region in REGIONS:
        box = plan.box(region)
        edge, floor = outline(region, plan), canvas.theme.ground(region)
        canvas.polygon(edge, floor.tint)
        closed = (*edge, edge[0], edge[1])
        for start in range(0, len(edge), ARC):
            _arc(canvas, closed[start : start + ARC + 2], floor.edge)
        for sprite, foot in around(theme, region, box[0], box[1], WIDE):
            canvas.paint(sprite, foot)
        _header(canvas, region, box)
    return canvas.image


def outline(region: Region, plan: ForestPlan) -> tuple[Point, ...]:
    """Return the edge of an opening, a little uneven."""
    left, top, right, bottom = plan.box(region)
    rng = Random(f"edge {region}")
    x, y = (left + right) / 2, (top + bottom) / 2
    wide, high = (right - left) / 2, (bottom - top) / 2
    waves = [(rng.uniform(0.6, 1.6), rng.randrange(5, 14), rng.uniform(0, math.tau)) for _ in range(4)]
    entries = []
    for step in range(180):
        turn = math.tau * step / 180
        sine, cosine = math.sin(turn), math.cos(turn)
        round_ = (abs(sine) ** 9 + abs(cosine) ** 9) ** (-1 / 9)
        swell = sum(size * math.sin(count * turn + shift) for size, count, shift in waves)
        entries.append((x + cosine * (wide * round_ + swell), y + sine * (high * round_ + swell)))
    return tuple(entries)


def _arc(canvas: TanglewoodCanvas, points: Sequence[Point], colour: Rgb) -> None:
    """Draw a gently turning part of an opening's outline."""
    left, top, right, bottom = bounds(points, 3)

    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        pen.line([((x - left) * scale, (y - top) * scale) for x, y in points], 255, 4 * scale)

    canvas.image.paste(colour, (left, top, right, bottom), coverage(right - left, bottom - top, draw))


def _header(canvas: TanglewoodCanvas, region: Region, box: Box) -> None:
    left, top, right, _ = box
    y = top + PAD + HEADER / 2 - 2
    floor, votes = canvas.theme.ground(region), REGIONS[region].votes
    canvas.disc((left + 33, y), 24, floor.edge)
    canvas.word((left + 33, y), region, LEAST, canvas.theme.card, weight=700)
    step = 38
    first = right - 25 - (len(votes) - 1) * step
    canvas.write((left + 60, y), REGIONS[region].name, LEAST, canvas.theme.ink, weight=600)
    for index, paid in enumerate(votes):
        medal(canvas, (first + index * step, y), 19, index, paid)


def medal(canvas: TanglewoodCanvas, centre: Point, radius: float, index: int, paid: int) -> None:
    canvas.disc(centre, radius, canvas.theme.metals[min(index, len(canvas.theme.metals) - 1)])
    canvas.word(centre, str(paid), max(LEAST, round(1.45 * radius)), canvas.theme.black, weight=700)


def trails(plan: ForestPlan) -> list[list[Point]]:
    result = []
    for region in REGIONS:
        left, top, right, bottom = plan.box(region)
        for other in adjacent(region):
            if other < region:
                continue
            there = plan.box(other)
            if there[1] == top:
                y = top + 0.56 * plan.tall
                result.append(bow((right - 8, y), ((right + there[0]) / 2, y + 16), (there[0] + 8, y + 4), 7))
            else:
                x = left + 0.47 * (right - left)
                result.append(bow((x, bottom - 8), (x + 30, (bottom + there[1]) / 2), (x, there[1] + 8), 11))
    return result


def highlight(canvas: TanglewoodCanvas, region: Region, plan: ForestPlan) -> None:
    """Draw the outline of the region that is, or was last, active."""
    edge = outline(region, plan)
    canvas.line((*edge, edge[0], edge[1]), canvas.theme.highlight, 8)
