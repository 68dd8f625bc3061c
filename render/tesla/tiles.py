"""The pieces that a board is pasted of: tiles of slate, wires, their glow and their ends, empty cells.

Each is drawn once for a size, many times too large, and kept; how many are kept is limited.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engines.tesla.faces import Segment, Side
from engines.tesla.options import Tiles
from render.canvas import Point, coverage
from render.palette import CARD, HIGHLIGHT, Rgb, mix
from render.tesla import paths
from render.tesla.shades import (
    BRASS,
    BRASS_DARK,
    BRASS_LIGHT,
    SHADOW,
    SLATE,
    SLATE_EDGE,
    SLATE_RAISED,
    SOCKET,
    SOCKET_LINE,
    Current,
)

GAP = 0.035
"""Half the gap between two tiles."""
STUB = 0.05
"""How far a wire reaches over the side of its tile, so that it meets the next."""
WIRE = 0.21
"""How thick a wire is; its rim comes on top on either side."""
RIM = 0.05
CORE = 0.075
GLOW = 0.46
COLLAR = (0.335, 0.075)
"""The brass clamp at either end of a wire: across the wire, and along it."""
BALL = 0.135
"""The radius of the knob on an open end."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a picture: its colours, what of it covers the ground, the step to it from a tile's middle."""

    image: Image.Image
    mask: Image.Image
    step: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Style:
    """How a wire is drawn: its colours, the pattern of its seat (None for a free one), and its glow.

    `glow` is how strongly it shines around it, 0 to 1.
    """

    current: Current
    pattern: int | None = None
    glow: float = 0


PITCH = {1: 0.52, 2: 0.26, 3: 0.3}
"""How far apart the dashes, the beads and the rungs of the seats after the first are."""

Pen = Callable[[ImageDraw.ImageDraw, Callable[[Point], Point], float], None]


class Sheet:
    """A square to draw a piece on: colours laid over each other through smooth masks."""

    def __init__(self, unit: float, reach: float, ground: Rgb) -> None:
        self.unit = unit
        self.half = math.ceil(reach * unit) + 2
        size = (2 * self.half, 2 * self.half)
        self.image = Image.new("RGB", size, ground)
        self.mask = Image.new("L", size)

    def cover(self, draw: Pen) -> Image.Image:
        """A mask drawn in the units of a tile around its middle."""

        def paint(pen: ImageDraw.ImageDraw, scale: int) -> None:
            draw(
                pen,
                lambda point: (
                    (self.half + point[0] * self.unit) * scale - 0.5,
                    (self.half + point[1] * self.unit) * scale - 0.5,
                ),
                self.unit * scale,
            )

        return coverage(2 * self.half, 2 * self.half, paint)

    def lay(self, colour: Rgb, mask: Image.Image) -> None:
        """A colour through a mask, over what is there."""
        self.image.paste(colour, (0, 0, *mask.size), mask)
        self.mask = ImageChops.add(self.mask, ImageChops.multiply(ImageChops.invert(self.mask), mask))

    def piece(self) -> Piece:
        """What has been drawn, without the empty border."""
        box = self.mask.getbbox() or (0, 0, 1, 1)
        return Piece(self.image.crop(box), self.mask.crop(box), (box[0] - self.half, box[1] - self.half))


def _polygon(points: Sequence[Point], radius: float = 0) -> Pen:
    """A polygon, grown by a radius with round corners."""

    def draw(pen: ImageDraw.ImageDraw, place: Callable[[Point], Point], unit: float) -> None:
        spots = [place(point) for point in points]
        pen.polygon(spots, fill=255)
        if radius:
            pen.line([*spots, spots[0]], fill=255, width=round(2 * radius * unit))
            for x, y in spots:
                reach = radius * unit
                pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)

    return draw


def _line(points: Sequence[Point], width: float) -> Pen:
    def draw(pen: ImageDraw.ImageDraw, place: Callable[[Point], Point], unit: float) -> None:
        pen.line(
            [place(point) for point in points], fill=255, width=max(1, round(width * unit)), joint="curve"
        )

    return draw


def _disc(centre: Point, radius: float) -> Pen:
    def draw(pen: ImageDraw.ImageDraw, place: Callable[[Point], Point], unit: float) -> None:
        (x, y), reach = place(centre), radius * unit
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)

    return draw


ROUND = 0.09
"""The radius of a tile's corners."""


@lru_cache(maxsize=64)
def slate(tiles: Tiles, unit: int, raised: bool = False) -> Piece:
    """A tile without wires: slate with a brass line; a raised one catches more light."""
    sheet = Sheet(unit, 1.3, SLATE_EDGE)

    def plate(inset: float) -> Image.Image:
        return sheet.cover(_polygon(paths.corners(tiles, GAP + ROUND + inset), ROUND))

    sheet.lay(SLATE_EDGE, plate(0))
    line = max(0.022, 1.2 / unit)
    sheet.lay(mix(BRASS, SLATE, 0.25), plate(0.03))
    sheet.lay(SLATE_RAISED if raised else SLATE, plate(0.03 + line))
    return sheet.piece()


@lru_cache(maxsize=64)
def shadow(tiles: Tiles, unit: int, raised: bool = False) -> Piece:
    """What a tile darkens of what is around it, more so when it is raised."""
    colour, drop, blur, strength = (SLATE_EDGE, 0.16, 0.12, 0.75) if raised else (SHADOW, 0.06, 0.06, 0.55)
    sheet = Sheet(unit, 1.6, colour)
    soft = sheet.cover(_polygon(paths.corners(tiles, ROUND + GAP), ROUND))
    soft = ImageChops.offset(soft.filter(ImageFilter.GaussianBlur(unit * blur)), 0, round(unit * drop))
    sheet.lay(colour, soft.point(lambda value: value * strength))
    return sheet.piece()


@lru_cache(maxsize=64)
def outline(tiles: Tiles, unit: int, dashed: bool = False) -> Piece:
    """The frame of a tile that was placed last: a strong line in a pale one; dashed for a try."""
    sheet = Sheet(unit, 1.3, CARD)
    line = max(0.055, 3.5 / unit)

    def frame(inset: float, thick: float) -> Image.Image:
        outer = sheet.cover(_polygon(paths.corners(tiles, GAP + ROUND + inset), ROUND))
        inner = sheet.cover(_polygon(paths.corners(tiles, GAP + ROUND + inset + thick), ROUND))
        return ImageChops.subtract(outer, inner)

    sheet.lay(CARD, frame(-line, 2.2 * line))
    strong = frame(-line * 0.7, 1.6 * line)
    sheet.lay(HIGHLIGHT, ImageChops.multiply(strong, _dashes(sheet, tiles)) if dashed else strong)
    return sheet.piece()


def _dashes(sheet: Sheet, tiles: Tiles) -> Image.Image:
    """Pieces of each side and of each corner of a tile, as wide as its frame."""

    def draw(pen: ImageDraw.ImageDraw, place: Callable[[Point], Point], unit: float) -> None:
        around = paths.corners(tiles, GAP)
        for one, two in zip(around, [*around[1:], around[0]], strict=True):
            for first, last in ((0.0, 0.12), (0.26, 0.42), (0.58, 0.74), (0.88, 1.0)):
                ends = [place(point) for point in paths.piece((one, two), first, last)]
                pen.line(ends, fill=255, width=round(0.3 * unit))

    return sheet.cover(draw)


@lru_cache(maxsize=64)
def socket(tiles: Tiles, unit: int) -> Piece:
    """An empty cell where a tile may be placed."""
    sheet = Sheet(unit, 1.3, SOCKET_LINE)
    inset = GAP + ROUND
    line = max(0.02, 1.3 / unit)
    sheet.lay(SOCKET_LINE, sheet.cover(_polygon(paths.corners(tiles, inset), ROUND)))
    sheet.lay(SOCKET, sheet.cover(_polygon(paths.corners(tiles, inset + line), ROUND)))
    return sheet.piece()


@lru_cache(maxsize=400)
def wire(
    tiles: Tiles, segment: Segment, current: Current, pattern: int | None, unit: int, bowed: bool = False
) -> Piece:
    """One wire with its rim and the pattern of its seat, from over one side to over the other."""
    way = paths.path(tiles, segment, bowed)
    whole = [_out(tiles, segment[0]), *way, _out(tiles, segment[1])]
    sheet = Sheet(unit, 1.3, current.rim)
    sheet.lay(current.rim, sheet.cover(_line(whole, WIRE + 2 * RIM)))
    body = WIRE if pattern is not None else WIRE * 0.8
    for share, colour in (
        (1.0, mix(current.body, current.rim, 0.35)),
        (0.82, mix(current.body, current.rim, 0.12)),
        (0.62, current.body),
        (0.42, mix(current.body, current.core, 0.25)),
    ):
        sheet.lay(colour, sheet.cover(_line(whole, body * share)))
    _pattern(sheet, way, whole, current.core, pattern)
    for side in segment:
        _clamp(sheet, tiles, side)
    return sheet.piece()


def _out(tiles: Tiles, side: Side) -> Point:
    return paths.middle_of(tiles, side, paths.APOTHEM + STUB)


def _pattern(sheet: Sheet, way: paths.Path, whole: Sequence[Point], core: Rgb, pattern: int | None) -> None:
    """The light along a wire: a thin line on a free one, else as its seat has it; it meets the next one's."""
    if pattern is None:
        sheet.lay(core, sheet.cover(_line(whole, CORE * 0.6)))
    elif pattern == 0:
        sheet.lay(core, sheet.cover(_line(whole, CORE)))
    else:
        count = max(1, round(paths.length(way) / PITCH[pattern]))
        for number in range(count):
            sheet.lay(core, sheet.cover(_beat(way, pattern, number, count)))


def _beat(way: paths.Path, pattern: int, number: int, count: int) -> Pen:
    """One dash, bead or rung of so many on a wire."""
    middle = (number + 0.5) / count
    if pattern == 1:
        return _line(paths.piece(way, middle - 0.31 / count, middle + 0.31 / count), CORE * 1.25)
    if pattern == 2:
        return _disc(paths.along(way, middle), CORE * 0.8)
    half = 0.035 / paths.length(way)
    return _line(paths.piece(way, middle - half, middle + half), WIRE * 0.86)


def _clamp(sheet: Sheet, tiles: Tiles, side: Side) -> None:
    """The brass clamp that holds a wire at its side."""
    across, thick = COLLAR
    at = paths.middle_of(tiles, side, paths.APOTHEM - GAP - thick / 2 - 0.03)
    x, y = at
    sideways = (-y / math.hypot(x, y) * across / 2, x / math.hypot(x, y) * across / 2)
    ends = [(x + sideways[0], y + sideways[1]), (x - sideways[0], y - sideways[1])]
    sheet.lay(BRASS_DARK, sheet.cover(_line(ends, thick + 0.035)))
    sheet.lay(BRASS, sheet.cover(_line(ends, thick)))
    shine = [
        (x + sideways[0] * 0.45, y + sideways[1] * 0.45),
        (x - sideways[0] * 0.45, y - sideways[1] * 0.45),
    ]
    sheet.lay(BRASS_LIGHT, sheet.cover(_line(shine, thick * 0.45)))


@lru_cache(maxsize=200)
def glow(
    tiles: Tiles, segment: Segment, colour: Rgb, strength: float, unit: int, bowed: bool = False
) -> Piece:
    """What a live wire sheds on its tile."""
    way = paths.path(tiles, segment, bowed)
    sheet = Sheet(unit, 1.3, colour)
    soft = sheet.cover(_line(way, GLOW)).filter(ImageFilter.GaussianBlur(unit * 0.1))
    plate = sheet.cover(_polygon(paths.corners(tiles, GAP + ROUND), ROUND))
    sheet.lay(colour, ImageChops.multiply(soft, plate).point(lambda value: value * strength))
    return sheet.piece()


@lru_cache(maxsize=256)
def knob(tiles: Tiles, side: Side, current: Current, unit: int) -> Piece:
    """The knob on a wire that ends open at a side."""
    sheet = Sheet(unit, 1.3, BRASS_DARK)
    at = paths.middle_of(tiles, side, paths.APOTHEM + BALL * 0.75)
    sheet.lay(BRASS_DARK, sheet.cover(_disc(at, BALL + 0.03)))
    sheet.lay(BRASS, sheet.cover(_disc(at, BALL)))
    sheet.lay(current.rim, sheet.cover(_disc(at, BALL * 0.7)))
    sheet.lay(current.body, sheet.cover(_disc(at, BALL * 0.58)))
    light = (at[0] - BALL * 0.15, at[1] - BALL * 0.18)
    sheet.lay(current.core, sheet.cover(_disc(light, BALL * 0.26)))
    return sheet.piece()
