"""What lies over tiles and wires: markers, tags at circuits, outlines and numbers of what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from render.canvas import Box, Canvas, Point
from render.palette import CARD, HIGHLIGHT, INK, PAPER, SEAT_COLOURS, Rgb, contrast
from render.tesla.shades import SLATE_EDGE
from render.text import fit

TAG_HEIGHT = 36
TAG_SIZE = 26
COARSE = 8
"""How many pixels of the picture one pixel of the map of busy places stands for."""
FULL = 255


def token_radius(unit: int) -> float:
    """How large a marker is."""
    return max(11.0, 0.31 * unit)


def token(canvas: Canvas, seat: int, at: Point, radius: float, letter: str) -> None:
    """A marker: the emblem of its seat, with the seat's letter, on a pale disc."""
    colour = SEAT_COLOURS[seat]
    canvas.disc(at, radius + 2, SLATE_EDGE)
    canvas.disc(at, radius, CARD)
    sign(canvas, seat, at, radius * 0.76, letter, colour)


def sign(canvas: Canvas, seat: int, at: Point, radius: float, letter: str, colour: Rgb) -> None:
    """The emblem of a seat with its letter inside."""
    canvas.emblem(seat, at, radius, colour)
    ink = max((CARD, INK), key=lambda shade: contrast(shade, colour))
    size = round(radius * 1.12)
    if size >= 9:
        drop = radius * 0.2 if seat == 2 else 0
        canvas.write(
            (at[0], at[1] + drop), letter, size, ink, weight=700, anchor="middle", width=radius * 1.5
        )


@dataclass(frozen=True, slots=True)
class Tag:
    """A small plate with the letter of a circuit and a number: its colour, and the points it may stand at."""

    letter: str
    text: str
    colour: Rgb
    anchors: tuple[Point, ...]

    @property
    def size(self) -> Point:
        """How wide and how high it is."""
        return self.split + fit(self.text, 200, TAG_SIZE, 700).width + 16, TAG_HEIGHT

    @property
    def split(self) -> float:
        """How wide its coloured part is."""
        return fit(self.letter, 200, TAG_SIZE, 700).width + 18

    def draw(self, canvas: Canvas, at: Point) -> None:
        """The tag with its left upper corner at a point."""
        (left, top), (width, height) = at, self.size
        canvas.box((left - 3, top - 3, left + width + 3, top + height + 3), SLATE_EDGE, radius=11)
        canvas.box((left, top, left + width, top + height), self.colour, radius=8)
        start = left + self.split
        canvas.box((start, top + 3, left + width - 3, top + height - 3), CARD, radius=5)
        middle = top + height / 2
        ink = max((CARD, INK), key=lambda shade: contrast(shade, self.colour))
        canvas.write((left + self.split / 2, middle), self.letter, TAG_SIZE, ink, weight=700, anchor="middle")
        canvas.write(
            ((start + left + width - 3) / 2, middle), self.text, TAG_SIZE, INK, weight=700, anchor="middle"
        )


class Busy:
    """A coarse map of a picture that says how much harm it does to cover a place."""

    def __init__(self, width: int, height: int) -> None:
        self._map = Image.new("L", (width // COARSE + 1, height // COARSE + 1))
        self._pen = ImageDraw.Draw(self._map)

    def line(self, points: Sequence[Point], width: float, harm: int) -> None:
        """A line that had better stay visible."""
        spots = [(x / COARSE, y / COARSE) for x, y in points]
        self._pen.line(spots, fill=harm, width=max(1, round(width / COARSE)))

    def disc(self, centre: Point, radius: float, harm: int) -> None:
        """A disc that had better stay visible."""
        x, y, reach = centre[0] / COARSE, centre[1] / COARSE, radius / COARSE
        self._pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=harm)

    def box(self, box: Box, harm: int = FULL) -> None:
        """A box that had better stay visible."""
        self._pen.rectangle([edge / COARSE for edge in box], fill=harm)

    def harm(self, box: Box) -> float:
        """How much it does to cover a box; a place that must not be covered weighs heavily."""
        left, top, right, bottom = (edge / COARSE for edge in box)
        found = self._map.crop((int(left), int(top), int(right) + 1, int(bottom) + 1)).tobytes()
        return (sum(found) + 40 * FULL * found.count(FULL)) / len(found)


def place(tags: Iterable[Tag], busy: Busy, room: Box, clear: float) -> list[tuple[Tag, Point]]:
    """A place for each tag, by one of its anchors, where it covers as little as can be.

    Args:
        busy: what is to be seen; the tags are added to it.
        room: where they may stand.
        clear: how far from its anchor a tag stands at least.
    """
    found = []
    for tag in tags:
        spot = min(_spots(tag, room, clear), key=lambda spot: busy.harm(_box(tag, spot[0])) + spot[1])[0]
        left, top, right, bottom = _box(tag, spot)
        busy.box((left - 4, top - 4, right + 4, bottom + 4))
        found.append((tag, spot))
    return found


def _box(tag: Tag, at: Point) -> Box:
    return at[0], at[1], at[0] + tag.size[0], at[1] + tag.size[1]


def _spots(tag: Tag, room: Box, clear: float) -> Iterable[tuple[Point, float]]:
    """Where a tag may stand, with what is lost by standing farther off."""
    width, height = tag.size
    for order, (x, y) in enumerate(tag.anchors):
        for away in (0, 14, 30, 50, 75):
            right, down = clear + away + width / 2, clear + away + height / 2
            for over, under in (
                (0, -1),
                (0, 1),
                (1, 0),
                (-1, 0),
                (0.8, -0.8),
                (-0.8, -0.8),
                (0.8, 0.8),
                (-0.8, 0.8),
            ):
                left = min(max(x + over * right - width / 2, room[0]), room[2] - width)
                top = min(max(y + under * down - height / 2, room[1]), room[3] - height)
                yield (left, top), away * 0.8 + order * 2


def number(canvas: Canvas, at: Point, radius: float, text: str) -> None:
    """The number of a tile that was placed."""
    canvas.disc(at, radius + 3, PAPER)
    canvas.badge(at, radius, text, HIGHLIGHT, CARD)
