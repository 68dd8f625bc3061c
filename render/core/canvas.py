"""The canvas of every picture: shapes, arrows, sprites, and the finished picture.

Shapes are drawn once at three times their size and cached as coverage masks, so that a second badge of the
same size is a single paste. Points are (x, y) in pixels from the top left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from typing import Any, Generic, Literal, TypeVar

from PIL import Image, ImageChops, ImageDraw, ImageOps, PngImagePlugin
from PIL.ImageFont import FreeTypeFont

from render.core.text import (
    CAP_HEIGHT,
    FontFace,
    RunKind,
    TextLine,
    chip_padding,
    chip_size,
    fit,
    font,
    legible,
    width_of,
)
from render.core.theme import LIGHT, Palette, Rgb, Theme, mix

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Anchor = Literal["left", "middle", "right"]
T = TypeVar("T", bound=Theme)
ThemeT = TypeVar("ThemeT", bound=Theme, covariant=True)

PACKING = 3
"""PNG's level: 4 takes half again the time of 3 and is 7 % smaller."""
OVERSAMPLING = 3
LARGE_DISC = 60
"""From that radius on, only a quarter of a disc is drawn and mirrored."""
LARGE_BOX = 10_000
"""From that many pixels on, filling the middle of a box without a mask is faster."""
EMBLEMS = ("circle", "square", "triangle", "diamond", "star")
"""The shape of each seat, which goes with its colour in every game."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A finished piece of a picture: its colours, its coverage of the ground, and its offset.

    Large cached pieces may be in a palette's colours, which takes a third of the memory.
    """

    image: Image.Image
    mask: Image.Image
    at: tuple[int, int]


def coverage(width: int, height: int, draw: Callable[[ImageDraw.ImageDraw, int], None]) -> Image.Image:
    """Return an anti-aliased mask that `draw` paints white, enlarged."""
    large = Image.new("L", (width * OVERSAMPLING, height * OVERSAMPLING))
    draw(ImageDraw.Draw(large), OVERSAMPLING)
    return large.reduce(OVERSAMPLING)


class Sketch(Generic[ThemeT]):
    """Overlapping shapes in plain colours at a multiple of their size, for a cached piece.

    Points are pixels of the finished piece, around the origin that it is placed by. It draws only once all
    shapes are known, so that the large image is no larger than necessary.
    """

    def __init__(self, box: Box, theme: ThemeT) -> None:
        """Start empty; `sprite` cuts off everything outside the box."""
        self.theme = theme
        self._box = (math.floor(box[0]), math.floor(box[1]), math.ceil(box[2]), math.ceil(box[3]))
        self._strokes: list[Callable[[ImageDraw.ImageDraw, Point], None]] = []
        self._xs: list[float] = []
        self._ys: list[float] = []

    def _reaches(self, points: Sequence[Point], margin: float = 1) -> None:
        """Extend the bounds by the points and a margin in pixels."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self._xs += (min(xs) - margin, max(xs) + margin)
        self._ys += (min(ys) - margin, max(ys) + margin)

    def polygon(self, points: Sequence[Point], fill: Rgb, edge: Rgb | None = None, width: float = 2) -> None:
        self._reaches(points)
        self._strokes.append(lambda pen, at: pen.polygon(_spots(points, at), fill))
        if edge is not None:
            self.line([*points, points[0]], edge, width)

    def ellipse(self, box: Box, fill: Rgb | None, edge: Rgb | None = None, width: float = 2) -> None:
        """Add a filled ellipse, an edge within it, or both."""
        corners = ((box[0], box[1]), (box[2], box[3]))
        border = 0 if edge is None else round(width * OVERSAMPLING)

        def stroke(pen: ImageDraw.ImageDraw, at: Point) -> None:
            (left, top), (right, bottom) = _spots(corners, at)
            pen.ellipse((left, top, right - 1, bottom - 1), fill, edge, border)

        self._reaches(corners)
        self._strokes.append(stroke)

    def disc(
        self, centre: Point, radius: float, fill: Rgb | None, edge: Rgb | None = None, width: float = 2
    ) -> None:
        """Add a filled disc, an edge within it, or both."""
        x, y = centre
        self.ellipse((x - radius, y - radius, x + radius, y + radius), fill, edge, width)

    def line(self, points: Sequence[Point], colour: Rgb, width: float) -> None:
        """Add a line of straight pieces whose corners and ends are round."""
        reach = width * OVERSAMPLING / 2

        def stroke(pen: ImageDraw.ImageDraw, at: Point) -> None:
            spots = _spots(points, at)
            pen.line(spots, colour, max(1, round(2 * reach)))
            corners = []  # those that turn enough to show a gap
            for (x, y), (u, v), (p, q) in zip(spots, spots[1:], spots[2:], strict=False):
                ahead = (u - x) * (p - u) + (v - y) * (q - v)
                aside = (u - x) * (q - v) - (v - y) * (p - u)
                if abs(aside) * reach >= ahead:
                    corners.append((u, v))
            for x, y in (spots[0], *corners, spots[-1]):
                pen.ellipse((x - reach, y - reach, x + reach, y + reach), colour)

        self._reaches(points, width / 2 + 1)
        self._strokes.append(stroke)

    def sprite(self) -> Sprite:
        """Draw the shapes, without the empty border around them.

        Nothing is half covered yet, so all four bands can be averaged as they are: that makes colours
        multiplied by their coverage, without first converting a large image into such.
        """
        left, top, right, bottom = 0, 0, 1, 1
        if self._strokes:
            left = max(self._box[0], math.floor(min(self._xs)))
            top = max(self._box[1], math.floor(min(self._ys)))
            right = max(min(self._box[2], math.ceil(max(self._xs))), left + 1)
            bottom = max(min(self._box[3], math.ceil(max(self._ys))), top + 1)
        large = Image.new("RGBX", ((right - left) * OVERSAMPLING, (bottom - top) * OVERSAMPLING))
        pen = ImageDraw.Draw(large)
        for stroke in self._strokes:
            stroke(pen, (left, top))
        small = large.reduce(OVERSAMPLING)
        small = Image.frombytes("RGBa", small.size, small.tobytes()).convert("RGBA")
        box = small.getbbox() or (0, 0, 1, 1)
        small = small.crop(box)
        return Sprite(small.convert("RGB"), small.getchannel("A"), (left + box[0], top + box[1]))


def _spots(points: Sequence[Point], at: Point) -> list[Point]:
    """Convert points to the large image whose left upper corner is `at`."""
    left, top = at
    return [((x - left) * OVERSAMPLING, (y - top) * OVERSAMPLING) for x, y in points]


@lru_cache(maxsize=256)
def disc_mask(radius: float, hole: float = 0) -> Image.Image:
    half = math.ceil(radius) + 1

    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        centre = half * scale
        for size, fill in ((radius, 255), (hole, 0)):
            if size > 0:
                reach = size * scale
                pen.ellipse(
                    (centre - reach, centre - reach, centre + reach - 1, centre + reach - 1), fill=fill
                )

    if half < LARGE_DISC:
        return coverage(2 * half, 2 * half, draw)
    mask, quarter = Image.new("L", (2 * half, 2 * half)), coverage(half, half, draw)
    mask.paste(quarter, (0, 0))
    mask.paste(quarter.transpose(Image.Transpose.FLIP_LEFT_RIGHT), (half, 0))
    mask.paste(quarter.transpose(Image.Transpose.FLIP_TOP_BOTTOM), (0, half))
    mask.paste(quarter.transpose(Image.Transpose.ROTATE_180), (half, half))
    return mask


@lru_cache(maxsize=256)
def box_mask(width: int, height: int, radius: float, border: float = 0) -> Image.Image:
    corner = _corner(radius, border)
    if min(width, height) <= 2 * corner + 1:
        return _box_drawn(width, height, radius, border)
    # Only the corners are curved, so only they are drawn; what is between them is stretched.
    side = 2 * corner + 1
    wide = _stretch(_box_drawn(side, side, radius, border), corner, width)
    return _stretch(wide.transpose(Image.Transpose.TRANSPOSE), corner, height).transpose(
        Image.Transpose.TRANSPOSE
    )


def _corner(radius: float, border: float) -> int:
    return math.ceil(max(radius, border)) + 1


def _stretch(mask: Image.Image, corner: int, width: int) -> Image.Image:
    """Widen a mask by repeating its middle column between its two ends."""
    image = Image.new("L", (width, mask.height))
    image.paste(mask.crop((0, 0, corner, mask.height)), (0, 0))
    middle = mask.crop((corner, 0, corner + 1, mask.height))
    image.paste(middle.resize((width - 2 * corner, mask.height)), (corner, 0))
    image.paste(mask.crop((corner + 1, 0, mask.width, mask.height)), (width - corner, 0))
    return image


def _box_drawn(width: int, height: int, radius: float, border: float) -> Image.Image:
    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        pen.rounded_rectangle((0, 0, width * scale - 1, height * scale - 1), radius * scale, fill=255)
        if border:
            inset = border * scale
            inner = (inset, inset, width * scale - 1 - inset, height * scale - 1 - inset)
            pen.rounded_rectangle(inner, max(0, radius - border) * scale, fill=0)

    return coverage(width, height, draw)


@lru_cache(maxsize=256)
def _ends(width: int, radius: float) -> tuple[Image.Image, Image.Image]:
    """Return both ends of any rounded rectangle of that width."""
    corner = _corner(radius, 0)
    whole = box_mask(width, 2 * corner, radius)
    return whole.crop((0, 0, width, corner)), whole.crop((0, corner, width, 2 * corner))


@lru_cache(maxsize=256)
def polygon_mask(points: tuple[Point, ...], width: int, height: int) -> Image.Image:
    return coverage(
        width, height, lambda pen, scale: pen.polygon([(x * scale, y * scale) for x, y in points], fill=255)
    )


@lru_cache(maxsize=256)
def line_mask(points: tuple[Point, ...], width: int, height: int, thick: float) -> Image.Image:
    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        pen.line([(x * scale, y * scale) for x, y in points], 255, round(thick * scale), joint="curve")

    return coverage(width, height, draw)


def emblem_points(shape: str) -> tuple[Point, ...]:
    """Return an emblem's corners, visually as large as a unit disc."""
    match shape:
        case "square":
            return ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88))
        case "triangle":
            return ((0.0, -1.08), (1.12, 0.86), (-1.12, 0.86))
        case "diamond":
            return ((0.0, -1.2), (1.06, 0.0), (0.0, 1.2), (-1.06, 0.0))
        case "star":
            return tuple(
                (reach * math.sin(turn * math.pi / 5), -reach * math.cos(turn * math.pi / 5))
                for turn, reach in ((corner, 1.25 if corner % 2 == 0 else 0.56) for corner in range(10))
            )
    raise ValueError(f"there is no emblem {shape}")


@lru_cache(maxsize=64)
def emblem_mask(shape: str, radius: float) -> Image.Image:
    if shape == "circle":
        return disc_mask(radius)
    half = math.ceil(radius * 1.3) + 1
    points = tuple((half + x * radius, half + y * radius) for x, y in emblem_points(shape))
    return polygon_mask(points, 2 * half, 2 * half)


@lru_cache(maxsize=512)
def run_mask(text: str, letters: FreeTypeFont, start: float) -> tuple[Image.Image, tuple[int, int]]:
    """Return the mask of a run, and its corner. It begins `start` pixels to the right."""
    left, top, right, bottom = letters.getbbox(text, anchor="ls")
    corner = math.floor(left) - 1, math.floor(top) - 1
    mask = Image.new("L", (math.ceil(right) + 2 - corner[0], math.ceil(bottom) + 1 - corner[1]))
    pen = ImageDraw.Draw(mask)
    pen.text((start - corner[0], -corner[1]), text, 255, letters, anchor="ls")
    return mask, corner


@lru_cache(maxsize=2048)
def word_mask(text: str, size: int, weight: int = 400, width: float = 10_000) -> Image.Image:
    """Return a short text, its capitals centred in the mask."""
    line = fit(text, width, size, weight)
    canvas = Canvas(2 * math.ceil(line.width / 2) + 8, 2 * math.ceil(line.size * 0.8) + 4, LIGHT, (0, 0, 0))
    canvas.draw_line((canvas.image.width / 2, canvas.image.height / 2), line, (255, 255, 255), "middle")
    return canvas.image.getchannel("R")


@lru_cache(maxsize=2048)
def halo_mask(text: str, size: int, weight: int = 400, width: float = 10_000) -> Image.Image:
    mask = ImageOps.expand(word_mask(text, size, weight, width), 2)
    for step in (1, 2, 1):  # cheaper than a MaxFilter of five pixels, and the same
        mask = ImageChops.lighter(mask, ImageChops.offset(mask, step, 0))
        mask = ImageChops.lighter(mask, ImageChops.offset(mask, 0, step))
    return mask.crop((4, 4, mask.width, mask.height))


class Canvas(Generic[ThemeT]):
    """An image with the drawing operations that all games share."""

    def __init__(self, width: int, height: int, theme: ThemeT, ground: Rgb | None = None) -> None:
        self.image = Image.new("RGB", (width, height), theme.paper if ground is None else ground)
        self.theme = theme
        self._pen = ImageDraw.Draw(self.image)
        self._pen.fontmode = "L"

    @staticmethod
    def over(layer: Image.Image, theme: T, height: int = 0) -> Canvas[T]:
        """Start from a copy of a cached layer. More height adds paper below."""
        canvas = Canvas(layer.width, max(height, layer.height), theme)
        canvas.image.paste(layer, (0, 0))
        return canvas

    def stamp(self, mask: Image.Image, centre: Point, colour: Rgb) -> None:
        corner = (round(centre[0] - mask.width / 2), round(centre[1] - mask.height / 2))
        self.image.paste(colour, (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)

    def paint(self, sprite: Sprite, origin: Point = (0, 0)) -> None:
        corner = (round(origin[0]) + sprite.at[0], round(origin[1]) + sprite.at[1])
        image = sprite.image if sprite.image.mode == "RGB" else sprite.image.convert("RGB")
        self.image.paste(image, corner, sprite.mask)

    def disc(self, centre: Point, radius: float, colour: Rgb, *, hole: float = 0) -> None:
        self.stamp(disc_mask(radius, hole), centre, colour)

    def box(self, box: Box, colour: Rgb, *, radius: float = 0, border: float = 0) -> None:
        """Draw a rounded rectangle, or only its border. The box is (left, top, right, bottom)."""
        left, top, right, bottom = (round(edge) for edge in box)
        corner = _corner(radius, border)
        if border or (right - left) * (bottom - top - 2 * corner) < LARGE_BOX:
            mask = box_mask(right - left, bottom - top, radius, border)
            self.image.paste(colour, (left, top, right, bottom), mask)
            return
        upper, lower = _ends(right - left, radius)
        self.image.paste(colour, (left, top, right, top + corner), upper)
        self.image.paste(colour, (left, top + corner, right, bottom - corner))
        self.image.paste(colour, (left, bottom - corner, right, bottom), lower)

    def polygon(self, points: Sequence[Point], colour: Rgb) -> None:
        """Draw a filled polygon with rough edges. It's for shapes that get a line around them."""
        self._pen.polygon(points, colour)

    def line(self, points: Sequence[Point], colour: Rgb, width: float) -> None:
        """Draw a line of straight pieces with smooth edges."""
        left, top, right, bottom = bounds(points, width)
        mask = line_mask(tuple((x - left, y - top) for x, y in points), right - left, bottom - top, width)
        self.image.paste(colour, (left, top, right, bottom), mask)

    def emblem(self, seat: int, centre: Point, radius: float, colour: Rgb | None = None) -> None:
        self.stamp(emblem_mask(EMBLEMS[seat % len(EMBLEMS)], radius), centre, colour or self.theme.seat(seat))

    def badge(self, centre: Point, radius: float, label: str, ground: Rgb | None = None) -> None:
        ground, ink = ground or self.theme.ink, self.theme.card
        self.disc(centre, radius, ground)
        self.disc(centre, radius - 2.5, mix(ground, ink, 0.35), hole=radius - 3.7)
        size = round(radius * (1.24 if len(label) < 3 else 0.98))
        self.write(centre, label, size, ink, weight=700, anchor="middle")

    def write(
        self,
        at: Point,
        text: str,
        size: int,
        colour: Rgb,
        *,
        weight: int = 400,
        anchor: Anchor = "left",
        width: float = 10_000,
    ) -> float:
        """Write a line of text; return its width.

        Its capitals are centred on `at`.

        A text that is too long is made smaller as far as it stays legible, and then cut.
        """
        smallest = max(round(size * 2 / 3), legible(self.image.width))
        line = fit(text, width, size, weight, min(size, smallest))
        self.draw_line(at, line, colour, anchor)
        return line.width

    def word(
        self,
        at: Point,
        text: str,
        size: int,
        colour: Rgb,
        *,
        weight: int = 400,
        width: float = 10_000,
        halo: Rgb | None = None,
    ) -> None:
        """Draw a short text centred on `at` and cache it. A halo sets it off."""
        if halo is not None:
            self.stamp(halo_mask(text, size, weight, width), at, halo)
        self.stamp(word_mask(text, size, weight, width), at, colour)

    def draw_line(self, at: Point, line: TextLine, colour: Rgb, anchor: Anchor = "left") -> None:
        shift = {"left": 0.0, "middle": line.width / 2, "right": line.width}[anchor]
        pen, baseline = at[0] - shift, round(at[1] + line.size * CAP_HEIGHT / 2)
        for run in line.runs:
            if run.kind is RunKind.CHIP:
                padding, small = chip_padding(line.size), chip_size(line.size)
                letters = font(FontFace.TEXT, small, 600)
                left, half = pen + padding / 2, round(small * 0.75)
                box = (left, at[1] - half, left + letters.getlength(run.text) + 2 * padding, at[1] + half)
                self.box(box, mix(colour, self.theme.card, 0.78), radius=half * 0.6)
                foot = round(at[1] + small * CAP_HEIGHT / 2)
                self._draw_run((left + padding, foot), run.text, letters, colour)
            else:
                letters = font(run.kind.value or FontFace.TEXT, line.size, line.weight)
                self._draw_run((pen, baseline), run.text, letters, colour)
            pen += width_of(run, line.size, line.weight)

    def _draw_run(self, at: Point, text: str, letters: FreeTypeFont, colour: Rgb) -> None:
        start, whole = math.modf(at[0])
        mask, (left, top) = run_mask(text, letters, start)
        self.image.paste(colour, (int(whole) + left, int(at[1]) + top), mask)

    def png(self, palette: Palette | None = None) -> bytes:
        """Export a PNG in the theme's palette, or in another."""
        file = _File()
        (palette or self.theme.palette).apply(self.image).save(file, compress_level=PACKING)
        return file.getvalue()


class _File(BytesIO):
    """A file in memory; its name tells Pillow the format, so that it loads no other."""

    name = f"picture.{PngImagePlugin.PngImageFile.format}"


def ring_points(middle: Point, inner: float, outer: float, start: float, end: float) -> list[Point]:
    """Return the outline of a piece of a ring. Angles in degrees clockwise from the top."""
    steps = max(2, math.ceil(abs(end - start) / 1.5))
    turns = [start + (end - start) * step / steps for step in range(steps + 1)]
    rim = [on_circle(middle, outer, turn) for turn in turns]
    return rim + [on_circle(middle, inner, turn) for turn in reversed(turns)]


def on_circle(middle: Point, radius: float, turn: float) -> Point:
    """Return a point by radius and degrees clockwise from the top."""
    angle = math.radians(turn)
    return middle[0] + radius * math.sin(angle), middle[1] - radius * math.cos(angle)


def crown_points(centre: Point, wide: float) -> list[Point]:
    x, y = centre
    return [
        (x - 0.5 * wide, y - 0.26 * wide),
        (x - 0.24 * wide, y),
        (x, y - 0.36 * wide),
        (x + 0.24 * wide, y),
        (x + 0.5 * wide, y - 0.26 * wide),
        (x + 0.42 * wide, y + 0.3 * wide),
        (x - 0.42 * wide, y + 0.3 * wide),
    ]


def bow(start: Point, bend: Point, end: Point, steps: int = 10) -> list[Point]:
    """Return points of a quadratic Bezier curve that leans towards `bend`.

    >>> bow((0, 0), (2, 2), (4, 0), steps=2)
    [(0.0, 0.0), (2.0, 1.0), (4.0, 0.0)]
    """
    result = []
    for step in range(steps + 1):
        share = step / steps
        near, middle, far = (1 - share) ** 2, 2 * share * (1 - share), share**2
        x = near * start[0] + middle * bend[0] + far * end[0]
        result.append((x, near * start[1] + middle * bend[1] + far * end[1]))
    return result


def bounds(points: Sequence[Point], margin: float = 2) -> tuple[int, int, int, int]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = (min(xs) - margin, min(ys) - margin), (max(xs) + margin, max(ys) + margin)
    return math.floor(low[0]), math.floor(low[1]), math.ceil(high[0]), math.ceil(high[1])


HEAD = 2.1
"""The length of an arrow's head, in thicknesses of its line."""


def arrow(
    canvas: Canvas[Any], way: Sequence[Point], colour: Rgb, thick: float, *, is_double: bool = False
) -> None:
    ends = [(way[-2], way[-1])] + ([(way[1], way[0])] if is_double else [])
    length, half = thick * HEAD, thick * HEAD * 0.62
    heads, tips = [], {}
    for start, end in ends:
        turn = math.atan2(end[1] - start[1], end[0] - start[0])
        sine, cosine = math.sin(turn), math.cos(turn)
        corners = ((0.0, 0.0), (-length, -half), (-length, half))
        heads.append([(end[0] + x * cosine - y * sine, end[1] + x * sine + y * cosine) for x, y in corners])
        share = length / 2 / (math.dist(start, end) or 1.0)
        tips[end] = end[0] + (start[0] - end[0]) * share, end[1] + (start[1] - end[1]) * share
    line = [tips.get(point, point) for point in way]
    for shade, edge in ((canvas.theme.card, 3.0), (colour, 0.0)):
        canvas.line(line, shade, thick + 2 * edge)
        for head in heads:
            canvas.line([*head, head[0], head[1]], shade, 2 * edge + 2)
            canvas.polygon(head, shade)


def seat_mark(
    canvas: Canvas[Any], seat: int, at: Point, radius: float, colour: Rgb, *, is_quiet: bool = False
) -> None:
    reach = radius * (0.8 if is_quiet else 1)
    canvas.disc(at, reach + 2, colour if not is_quiet else mix(colour, canvas.theme.card, 0.4))
    canvas.disc(at, reach, canvas.theme.card)
    canvas.emblem(seat, at, reach * 0.62, colour)


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture.

    Attributes:
        png: the file's bytes.
        alt: its content in words; at most `engines.words.ALT_LIMIT` characters.
        name: the file name for the upload. It says what kind of picture this is and nothing else.
    """

    png: bytes
    alt: str
    name: str


def draw(room: str, what: str, theme: str, *args: Any) -> Picture | None:
    """Draw what a room has by that name, in its theme.

    A worker that runs this loads that room alone, and nothing of Discord.
    """
    module = import_module(f"render.{room}")
    drawn: Picture | None = getattr(module, what)(*args, theme=module.THEMES[theme])
    return drawn
