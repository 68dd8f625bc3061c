"""The pieces that a picture is pasted of, and their outlines.

Each is drawn once for a size, many times too large, and kept in a limited cache.

Points are in squares from the tile's top left; outlines go clockwise, so that the inside is on the right.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from engines.tangram.pieces.geometry import EAST, NORTH, SOUTH, WEST, WHOLE, TileForm
from render.core.canvas import OVERSAMPLING, Point
from render.core.theme import Rgb, mix, ramp
from render.tangram.colours import TangramCanvas, TangramTheme

Loop = tuple[Point, ...]
_CORNERS = {NORTH: (0, 1), EAST: (1, 2), SOUTH: (2, 3), WEST: (3, 0)}
"""The corners of a square, clockwise from its top left one, at both ends of a quarter's side."""


@dataclass(frozen=True, slots=True)
class Eave:
    """One straight side of an outline, and the shift of its ends for each square's length inwards.

    Attributes:
        start, end: its ends, clockwise.
        start_step, end_step: the way along the corner's bisector.
        facing: the outward direction, of length 1.
    """

    start: Point
    end: Point
    start_step: Point
    end_step: Point
    facing: Point

    def at(self, depth: float) -> tuple[Point, Point] | None:
        """Return the side that far inside. None if nothing is left of it."""
        one = (self.start[0] + depth * self.start_step[0], self.start[1] + depth * self.start_step[1])
        two = (self.end[0] + depth * self.end_step[0], self.end[1] + depth * self.end_step[1])
        along = (two[0] - one[0]) * -self.facing[1] + (two[1] - one[1]) * self.facing[0]
        return (one, two) if along > 1e-6 else None

    def point(self, share: float, depth: float) -> Point:
        """Return a point inwards from a share of the side."""
        return (
            self.start[0] + (self.end[0] - self.start[0]) * share - depth * self.facing[0],
            self.start[1] + (self.end[1] - self.start[1]) * share - depth * self.facing[1],
        )


@lru_cache(maxsize=512)
def loops(form: TileForm) -> tuple[Loop, ...]:
    """Return the corners of each outline of a form. Several if parts only touch in a point."""
    ways: dict[Point, list[Point]] = {}
    sides = set()
    for column, row, quarters in form.cells:
        corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        middle = (column + 0.5, row + 0.5)
        for quarter, (one, two) in _CORNERS.items():
            if quarters & quarter:
                a, b = corners[one], corners[two]
                sides |= {(a, b), (b, middle), (middle, a)}
    for start, end in sides:
        if (end, start) not in sides:
            ways.setdefault(start, []).append(end)
    entries = []
    while ways:
        first = min(ways)
        loop, here = [first], _next(ways, first, None)
        while here != first:
            loop.append(here)
            here = _next(ways, here, loop[-2])
        kept = []
        for index, (x, y) in enumerate(loop):
            (x0, y0), (x1, y1) = loop[index - 1], loop[(index + 1) % len(loop)]
            if abs((x - x0) * (y1 - y) - (y - y0) * (x1 - x)) > 1e-9:
                kept.append((x, y))
        entries.append(tuple(kept))
    return tuple(entries)


def _next(ways: dict[Point, list[Point]], here: Point, before: Point | None) -> Point:
    """Take the way on from a point. Of several the one that turns most to the right."""
    choices = ways[here]
    if before is not None and len(choices) > 1:
        came = math.atan2(here[1] - before[1], here[0] - before[0])
        turns = {to: math.atan2(to[1] - here[1], to[0] - here[0]) - came for to in choices}
        # The turn is at most half a circle, left or right.
        choices.sort(key=lambda to: -((turns[to] + math.pi) % (2 * math.pi) - math.pi))
    chosen = choices.pop(0)
    if not choices:
        del ways[here]
    return chosen


@lru_cache(maxsize=512)
def eaves(form: TileForm) -> tuple[Eave, ...]:
    entries = []
    for loop in loops(form):
        count, inward, steps = len(loop), [], []
        for index, (x, y) in enumerate(loop):
            (right, down), length = loop[(index + 1) % count], math.dist((x, y), loop[(index + 1) % count])
            inward.append((-(down - y) / length, (right - x) / length))
        for (x, y), (u, v) in zip((inward[-1], *inward), inward, strict=False):
            # The corner's shift if both sides move inwards by 1.
            share = 1 + x * u + y * v
            steps.append(((x + u) / share, (y + v) / share))
        for index in range(count):
            after, (x, y) = (index + 1) % count, inward[index]
            entries.append(Eave(loop[index], loop[after], steps[index], steps[after], (-x, -y)))
    return tuple(entries)


Matter = Literal["black", "green", "water"]
"""The material of a piece."""
Frame = Literal["fresh", "pending", "fits", "trouble"]
"""The meaning of a frame: laid last, answered but still secret, held and fitting, held and not fitting."""

MARGIN = 0.24
"""The margin around a piece for its frame and its shadow, in squares."""
DEEP = 0.85
"""No piece reaches deeper inside than this, in squares."""
COURSE = 1 / 9
"""The height of one course of slates on a roof."""
STEPS = 5
"""The drawing steps of each course, which make hips and ridges straight."""
SUN: Point = (-0.55, -0.83)
"""The direction of the light."""
EDGE = 0.035
"""The width of the line around a piece."""
GAP = 0.02
"""Half the gap between two pieces."""
ONE = TileForm(((0, 0, WHOLE),))
"""A whole square."""


@dataclass(frozen=True, slots=True)
class TangramPiece:
    """A part of a picture: its colours, its coverage of the ground, and its step from the top left."""

    image: Image.Image
    mask: Image.Image
    step: tuple[int, int]

    def on(self, canvas: TangramCanvas, at: Point, strength: float = 1) -> None:
        """Paste it with its top left square there. At lower strength the ground shows through."""
        corner = (round(at[0]) + self.step[0], round(at[1]) + self.step[1])
        mask = self.mask if strength == 1 else self.mask.point(lambda value: round(value * strength))
        canvas.image.paste(self.image, corner, mask)


class TangramSheet:
    """A piece in progress, in squares from its top left."""

    def __init__(self, form: TileForm, unit: int, ground: Rgb, theme: TangramTheme) -> None:
        """Start a sheet around a form, with `unit` pixels to a square. The edges fade into `ground`."""
        self.theme = theme
        self.scale = unit * OVERSAMPLING
        self.off = math.ceil(MARGIN * unit)
        width, height = ((count * unit + 2 * self.off) * OVERSAMPLING for count in (form.width, form.height))
        self.image, self.mask = Image.new("RGB", (width, height), ground), Image.new("L", (width, height))
        self.pen, self.cover = ImageDraw.Draw(self.image), ImageDraw.Draw(self.mask)

    def spot(self, point: Point) -> Point:
        off = self.off * OVERSAMPLING
        return point[0] * self.scale + off, point[1] * self.scale + off

    def polygon(self, points: Sequence[Point], colour: Rgb) -> None:
        """Draw a polygon in a colour; it covers nothing yet."""
        self.pen.polygon([self.spot(point) for point in points], colour)

    def disc(self, centre: Point, radius: float, colour: Rgb) -> None:
        """Draw a disc in a colour; it covers nothing yet."""
        (x, y), reach = self.spot(centre), radius * self.scale
        self.pen.ellipse((x - reach, y - reach, x + reach, y + reach), colour)

    def line(self, points: Sequence[Point], width: float, colour: Rgb) -> None:
        """Draw a line in a colour; it covers nothing yet."""
        self.pen.line([self.spot(point) for point in points], colour, max(1, round(width * self.scale)))

    def fill(self, form: TileForm, gap: float = 0) -> None:
        """Cover a form, made smaller by a gap on all sides."""
        for loop in loops(form):
            self.cover.polygon([self.spot(point) for point in loop], 255)
        if gap > 0:
            self.stroke(self.cover, form, 2 * gap, 0)

    def stroke(self, pen: ImageDraw.ImageDraw, form: TileForm, width: float, fill: Rgb | int) -> None:
        """Draw a line around a form, half of it inside."""
        thick, reach = max(1, round(width * self.scale)), width * self.scale / 2
        for loop in loops(form):
            spots = [self.spot(point) for point in loop]
            pen.line([*spots, spots[0]], fill, thick)
            for x, y in spots:
                pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill)

    def piece(self) -> TangramPiece:
        """Return the covered part of the drawing."""
        image, mask = self.image.reduce(OVERSAMPLING), self.mask.reduce(OVERSAMPLING)
        box = mask.getbbox() or (0, 0, 1, 1)
        return TangramPiece(image.crop(box), mask.crop(box), (box[0] - self.off, box[1] - self.off))


@lru_cache(maxsize=512)
def piece(theme: TangramTheme, form: TileForm, matter: Matter, unit: int) -> TangramPiece:
    edge = {"black": theme.roof_edge, "green": theme.hedge_edge, "water": theme.water_edge}[matter]
    sheet = TangramSheet(form, unit, edge, theme)
    _FILLS[matter](sheet, form)
    sheet.stroke(sheet.pen, form, 2 * max(EDGE, 1.6 / unit), edge)
    sheet.fill(form, GAP)
    return sheet.piece()


def _roof(sheet: TangramSheet, form: TileForm) -> None:
    """Draw courses of slates that rise from every side.

    Lower ones are drawn later, so that every slope ends at the hip where the next one is lower.
    """
    for loop in loops(form):
        sheet.polygon(loop, sheet.theme.roof_middle)
    sides = eaves(form)
    for step in reversed(range(round(DEEP / COURSE) * STEPS)):
        for side in sides:
            low = side.at(step * COURSE / STEPS)
            if low is not None:
                _slope(sheet, side, step, low)


def _slope(sheet: TangramSheet, side: Eave, step: int, low: tuple[Point, Point]) -> None:
    """Draw one step of a slope. With the lowest of a course its line and the joints of its slates."""
    slate = _slate(sheet.theme, side.facing)
    high = side.at((step + 1) * COURSE / STEPS) or (_between(*low, 0.5),) * 2
    sheet.polygon((low[0], low[1], high[1], high[0]), slate.face)
    course, part = divmod(step, STEPS)
    if part:
        return
    if course:
        sheet.line(low, 0.018, slate.edge)
    top = side.at((course + 1) * COURSE)
    joints = round(math.dist(side.start, side.end) / (2 * COURSE)) if top else 0
    for joint in range(joints):
        share = (joint + (0.25 if course % 2 else 0.75)) / joints
        foot, head = (side.point(share, depth * COURSE) for depth in (course, course + 1))
        if top and _inside(foot, low) and _inside(head, top):
            sheet.line((foot, head), 0.012, slate.joint)


@dataclass(frozen=True, slots=True)
class _Slate:
    """The colours of a slope: its slates, the line below each course, the joints between them."""

    face: Rgb
    edge: Rgb
    joint: Rgb


@lru_cache(maxsize=16)
def _slate(theme: TangramTheme, facing: Point) -> _Slate:
    """Return a slope's colours, lighter if it faces the light."""
    lit = facing[0] * SUN[0] + facing[1] * SUN[1]
    face = ramp([theme.roof_dark, theme.roof_middle, theme.roof_light], 13)[round((lit + 1) * 6)]
    return _Slate(face, mix(face, theme.roof_edge, 0.55), mix(face, theme.roof_edge, 0.3))


def _inside(point: Point, line: tuple[Point, Point]) -> bool:
    """Return True if a point of a line is between its ends."""
    (x0, y0), (x1, y1) = line
    along = (point[0] - x0) * (x1 - x0) + (point[1] - y0) * (y1 - y0)
    return 0 < along < (x1 - x0) ** 2 + (y1 - y0) ** 2


def _between(one: Point, two: Point, share: float) -> Point:
    return one[0] + (two[0] - one[0]) * share, one[1] + (two[1] - one[1]) * share


def _garden(sheet: TangramSheet, form: TileForm) -> None:
    for loop in loops(form):
        sheet.polygon(loop, sheet.theme.lawn)
    for index, (column, row, quarters) in enumerate(form.cells):
        middle = _heart(column, row, quarters)
        reach = 0.34 if quarters == WHOLE else 0.21
        for number in range(10 if quarters == WHOLE else 5):
            turn = number * 2.4 + index
            x, y = middle[0] + reach * math.cos(turn), middle[1] + reach * math.sin(turn)
            sheet.line(
                ((x - 0.03, y + 0.025), (x, y - 0.03), (x + 0.03, y + 0.025)), 0.018, sheet.theme.lawn_light
            )
    sheet.stroke(sheet.pen, form, 0.22, sheet.theme.hedge)
    for side in eaves(form):
        count = max(2, round(math.dist(side.start, side.end) / 0.13))
        for number in range(count + 1):
            x, y = side.point(number / count, 0.06)
            sheet.disc((x, y), 0.062, sheet.theme.hedge)
            sheet.disc((x - 0.012, y - 0.018), 0.036, sheet.theme.leaf)
    for column, row, quarters in form.cells:
        radius = 0.21 if quarters == WHOLE else 0.13
        theme, (x, y) = sheet.theme, _heart(column, row, quarters)
        sheet.disc((x + 0.18 * radius, y + 0.24 * radius), radius * 1.02, theme.leaf)
        for colour, size, up in ((theme.hedge, 1.0, 0.0), (theme.leaf, 0.78, 0.1), (theme.lawn, 0.42, 0.24)):
            spread, lift = radius * 0.52 * size, up * radius
            for turn in (lobe * 2 * math.pi / 6 for lobe in range(6)):
                at = x + spread * math.cos(turn) - lift, y + spread * math.sin(turn) - lift
                sheet.disc(at, radius * 0.5 * size, colour)


def _heart(column: int, row: int, quarters: int) -> Point:
    """Return the middle of a square's filled part. For a half, the centre of its inscribed circle."""
    if quarters == WHOLE:
        return column + 0.5, row + 0.5
    near = 1 - math.sqrt(0.5)
    east, south = quarters & 2, quarters & 4
    return column + (1 - near if east else near), row + (1 - near if south else near)


def _fountain(sheet: TangramSheet, form: TileForm) -> None:
    theme = sheet.theme
    for loop in loops(form):
        sheet.polygon(loop, theme.stone)
    column, row, quarters = form.cells[0]
    shores = [line for side in eaves(form) if (line := side.at(0.085)) is not None]
    sheet.polygon([line[0] for line in shores], theme.water)
    for one, two in shores:
        sheet.line((one, two), 0.02, theme.water_edge)
    x, y = _heart(column, row, quarters)
    for radius in (0.17, 0.125):
        sheet.disc((x, y), radius, theme.water_light if radius > 0.15 else theme.water)
    drop(sheet, (x, y), 0.105)


def drop(sheet: TangramSheet, middle: Point, size: float) -> None:
    x, y = middle
    for colour, grow in ((sheet.theme.water_edge, 1.0), (sheet.theme.fresh, 0.66)):
        reach = size * grow
        sheet.disc((x, y + 0.25 * size), reach * 0.68, colour)
        sheet.polygon(
            ((x, y - reach * 1.15), (x + reach * 0.6, y + 0.1 * size), (x - reach * 0.6, y + 0.1 * size)),
            colour,
        )


_FILLS: dict[Matter, Callable[[TangramSheet, TileForm], None]] = {
    "black": _roof,
    "green": _garden,
    "water": _fountain,
}


@lru_cache(maxsize=128)
def frame(theme: TangramTheme, form: TileForm, kind: Frame, unit: int) -> TangramPiece:
    """Return the frame around a piece; it covers none of its inside."""
    thick = max(0.1, 6 / unit)
    ground, bands = {
        "fresh": (theme.black, ((1.3, theme.black), (0.85, theme.fresh))),
        "pending": (theme.fresh, ((1.0, theme.black),)),
        "fits": (theme.fresh, ((1.35, theme.fresh), (1.0, theme.fits))),
        "trouble": (theme.fresh, ((1.35, theme.fresh), (1.0, theme.amber))),
    }[kind]
    sheet = TangramSheet(form, unit, ground, theme)
    for share, colour in bands:
        sheet.stroke(sheet.pen, form, 2 * thick * share, colour)
    sheet.stroke(sheet.cover, form, 2 * thick * bands[0][0], 255)
    if kind == "pending":
        width = 2 * thick
        for side in eaves(form):
            count = max(1, round(math.dist(side.start, side.end) / 0.25))
            for number in range(count):
                ends = (
                    _between(side.start, side.end, (number + 0.25) / count),
                    _between(side.start, side.end, (number + 0.75) / count),
                )
                sheet.line(ends, width, sheet.theme.fresh)
    inner = TangramSheet(form, unit, ground, theme)
    inner.fill(form, thick * (0.35 if kind == "fresh" else 0.2))
    sheet.mask.paste(0, (0, 0), inner.mask)
    return sheet.piece()


@lru_cache(maxsize=64)
def shadow(theme: TangramTheme, form: TileForm, unit: int) -> TangramPiece:
    sheet = TangramSheet(form, unit, theme.roof_edge, theme)
    sheet.fill(form)
    mask = sheet.mask.reduce(OVERSAMPLING).filter(ImageFilter.GaussianBlur(unit * 0.05))
    soft = mask.point(lambda value: value * 0.6)
    off = sheet.off
    return TangramPiece(Image.new("RGB", soft.size, theme.roof_edge), soft, (-off, round(unit * 0.09) - off))
