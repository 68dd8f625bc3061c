"""A piece of a picture in progress, many times too large, in the units of a tile around its middle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFilter

from render.core.canvas import OVERSAMPLING, Box, Point
from render.core.palette import Rgb


@dataclass(frozen=True, slots=True)
class TeslaPiece:
    """A part of a picture: its colours, its coverage of the ground, its offset from a tile's middle."""

    image: Image.Image
    mask: Image.Image
    step: tuple[int, int]

    def crop(self) -> TeslaPiece:
        """Cut off the empty border."""
        box = self.mask.getbbox() or (0, 0, 1, 1)
        step = (self.step[0] + box[0], self.step[1] + box[1])
        return TeslaPiece(self.image.crop(box), self.mask.crop(box), step)

    def soft(self, blur: float, strength: float) -> Image.Image:
        """Return its mask, blurred by that many pixels, and paler."""
        return self.mask.filter(ImageFilter.GaussianBlur(blur)).point(lambda value: value * strength)


class TeslaSheet:
    """Overlapping shapes in plain colours; they come out with smooth edges."""

    def __init__(self, unit: float, box: Box, ground: Rgb) -> None:
        """Start a sheet for a box, with `unit` pixels to a unit. `ground` is the colour of outer edges."""
        self.unit = unit * OVERSAMPLING
        left, top = (math.floor(edge * unit) - 1 for edge in box[:2])
        right, bottom = (math.ceil(edge * unit) + 1 for edge in box[2:])
        size = ((right - left) * OVERSAMPLING, (bottom - top) * OVERSAMPLING)
        self.step = (left, top)
        self.image, self.mask = Image.new("RGB", size, ground), Image.new("L", size)
        self._pens = (ImageDraw.Draw(self.image), ImageDraw.Draw(self.mask))

    def _place(self, point: Point) -> Point:
        """Map a point. Subtract half a pixel, so that both sides of a shape come out alike."""
        left, top = self.step
        return (
            point[0] * self.unit - left * OVERSAMPLING - 0.5,
            point[1] * self.unit - top * OVERSAMPLING - 0.5,
        )

    def line(self, points: Sequence[Point], width: float, colour: Rgb) -> None:
        """Draw a line that bends gently."""
        spots = [self._place(point) for point in points]
        half = max(0.5, width * self.unit / 2)
        outline = [*_beside(spots, half), *reversed(_beside(spots, -half))]
        colours, cover = self._pens
        colours.polygon(outline, colour)
        cover.polygon(outline, 255)

    def disc(self, centre: Point, radius: float, colour: Rgb) -> None:
        (x, y), reach = self._place(centre), radius * self.unit
        colours, cover = self._pens
        colours.ellipse((x - reach, y - reach, x + reach, y + reach), colour)
        cover.ellipse((x - reach, y - reach, x + reach, y + reach), 255)

    def polygon(self, points: Sequence[Point], radius: float, colour: Rgb) -> None:
        """Draw a polygon, grown by a radius to round its corners."""
        self._polygon(0, points, radius, colour)
        self._polygon(1, points, radius, 255)

    def hole(self, points: Sequence[Point], radius: float) -> None:
        """Erase such a polygon."""
        self._polygon(1, points, radius, 0)

    def _polygon(self, layer: int, points: Sequence[Point], radius: float, fill: Rgb | int) -> None:
        pen, spots, reach = self._pens[layer], [self._place(point) for point in points], radius * self.unit
        pen.polygon(spots, fill)
        pen.line([*spots, spots[0]], fill, round(2 * reach))
        for x, y in spots:
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill)

    def piece(self) -> TeslaPiece:
        """Return the drawing without its empty border."""
        return self.whole().crop()

    def whole(self) -> TeslaPiece:
        """Return the drawing with the empty border around it."""
        return TeslaPiece(self.image.reduce(OVERSAMPLING), self.mask.reduce(OVERSAMPLING), self.step)


def _beside(points: Sequence[Point], off: float) -> list[Point]:
    """Return the points moved sideways from the line through them."""
    result = []
    for index, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[max(0, index - 1)], points[min(len(points) - 1, index + 1)]
        reach = math.hypot(x1 - x0, y1 - y0) or 1.0
        result.append((x - (y1 - y0) / reach * off, y + (x1 - x0) / reach * off))
    return result
