"""The map itself: the forest, nine openings in it, the trails between them, and each opening's votes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from PIL import Image, ImageDraw

from engines.tanglewood.pieces.board import adjacent
from engines.tanglewood.pieces.components import COMPONENTS, REGIONS, Region
from render.core.canvas import Box, Canvas, Point, Sketch, bounds, bow, coverage
from render.core.palette import Rgb
from render.tanglewood import plants
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

WIDTH = 1280
MARGIN, GAP = 20, 42
"""The forest around the openings, and between two of them side by side."""
SKY, SCENE = 26, 60
"""The room above the map for the highest trees, and above each opening for its typical plants."""
HEADER, CARD_HIGH, ROW, PAD = 50, 130, 36, 12
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
    _trails(canvas, plan)
    _wild(canvas, plan)
    for region in REGIONS:
        box = plan.box(region)
        _opening(canvas, region, plan)
        for sprite, foot in plants.around(theme, region, box[0], box[1], WIDE):
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


def _opening(canvas: TanglewoodCanvas, region: Region, plan: ForestPlan) -> None:
    """Draw the floor of a region and its outline.

    It goes arc by arc, since only the outline needs fine drawing.
    """
    edge, floor = outline(region, plan), canvas.theme.ground(region)
    canvas.polygon(edge, floor.tint)
    closed = (*edge, edge[0], edge[1])
    for start in range(0, len(edge), ARC):
        _arc(canvas, closed[start : start + ARC + 2], floor.edge)


def _arc(canvas: TanglewoodCanvas, points: Sequence[Point], colour: Rgb) -> None:
    """Draw a gently turning part of an opening's outline."""
    left, top, right, bottom = bounds(points, 3)

    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        pen.line([((x - left) * scale, (y - top) * scale) for x, y in points], 255, 4 * scale)

    canvas.image.paste(colour, (left, top, right, bottom), coverage(right - left, bottom - top, draw))


def _header(canvas: TanglewoodCanvas, region: Region, box: Box) -> None:
    """Draw a region's letter and name, and its votes."""
    left, top, right, _ = box
    y = top + PAD + HEADER / 2 - 2
    floor, votes = canvas.theme.ground(region), REGIONS[region].votes
    canvas.badge((left + 37, y), 27, region, floor.edge)
    step = 41
    first = right - 29 - (len(votes) - 1) * step
    width = first - 21 - (left + 67)
    canvas.write((left + 67, y), REGIONS[region].name, 31, canvas.theme.ink, weight=600, width=width)
    for index, paid in enumerate(votes):
        medal(canvas, (first + index * step, y), 20, index, paid)


def medal(canvas: TanglewoodCanvas, centre: Point, radius: float, index: int, paid: int) -> None:
    """Draw a place's votes on gold, silver or bronze."""
    metal = canvas.theme.metals[min(index, len(canvas.theme.metals) - 1)]
    canvas.disc(centre, radius, metal)
    canvas.word(centre, str(paid), round(1.45 * radius), canvas.theme.black, weight=700)


def _trails(canvas: TanglewoodCanvas, plan: ForestPlan) -> None:
    """Draw footpaths between neighbours, where they show between the openings."""
    theme = canvas.theme
    for way in trails(plan):
        sketch = Sketch(bounds(way, 12), theme)
        sketch.line(way, theme.trail, 22)
        sketch.line(way, theme.trail_light, 17)
        for start, end in zip(way[::2], way[1::2], strict=False):
            sketch.line((start, end), theme.trail, 2.4)
        canvas.paint(sketch.sprite())


def trails(plan: ForestPlan) -> list[list[Point]]:
    """Return the footpaths, each between two neighbours."""
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


def _wild(canvas: TanglewoodCanvas, plan: ForestPlan) -> None:
    """Draw trees in the free space, from the back to the front."""
    rng = Random(11)
    taken = [bounds(way, 16) for way in trails(plan)]
    taken += [plan.box(region) for region in REGIONS]
    for row, y in enumerate(range(SKY + 36, plan.height - 8, LINE)):
        here = [(left - 14, right + 14) for left, top, right, bottom in taken if top + 4 < y < bottom + 12]
        for column in range(WIDTH // SPREAD):
            x = SPREAD * (column + 0.5 + 0.5 * (row % 2)) + rng.randrange(-6, 7)
            if 18 < x < WIDTH - 18 and not any(left < x < right for left, right in here):
                canvas.paint(plants.wild(canvas.theme, rng), (x, y))


def highlight(canvas: TanglewoodCanvas, region: Region, plan: ForestPlan) -> None:
    """Draw the outline of the region that is, or was last, active."""
    edge = outline(region, plan)
    canvas.line((*edge, edge[0], edge[1]), canvas.theme.highlight, 8)
