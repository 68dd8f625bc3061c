"""What lies over tiles and wires: markers, tags at circuits, outlines and numbers of what has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from render.canvas import EMBLEMS, Box, Canvas, Point
from render.palette import CARD, HIGHLIGHT, INK, PAPER, SEAT_COLOURS, Rgb, contrast
from render.tesla.shades import SLATE_EDGE
from render.text import fit

TRIANGLE = EMBLEMS.index("triangle")
COARSE = 8
"""How many pixels of the picture one pixel of the map of busy places stands for."""
FULL = 255
AWAY = (0, 16, 36, 64)
"""How far off its anchor a tag may stand, in pixels."""
AROUND = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))


def ink_on(colour: Rgb) -> Rgb:
    """The colour of letters that read best on a seat's colour."""
    return max((CARD, INK), key=lambda shade: contrast(shade, colour))


def token_radius(unit: int) -> float:
    """How large a marker is."""
    return max(12.0, 0.31 * unit)


def tag_letters(unit: int) -> int:
    """How large the letters on a tag are."""
    return round(min(26.0, max(21.0, 0.66 * unit)))


def token(canvas: Canvas, seat: int, at: Point, radius: float, letter: str) -> None:
    """A marker: the emblem of its seat, with the seat's letter, on a pale disc."""
    colour = SEAT_COLOURS[seat]
    canvas.disc(at, radius + 2, SLATE_EDGE)
    canvas.disc(at, radius, CARD)
    sign(canvas, seat, at, radius * 0.76, letter, colour)


def sign(canvas: Canvas, seat: int, at: Point, radius: float, letter: str, colour: Rgb) -> None:
    """The emblem of a seat with its letter inside."""
    canvas.emblem(seat, at, radius, colour)
    size = round(radius * 1.12)
    if size >= 9:
        at = (at[0], at[1] + (radius * 0.2 if seat == TRIANGLE else 0))
        canvas.word(at, letter, size, ink_on(colour), weight=700, width=radius * 1.5)


@dataclass(frozen=True, slots=True)
class Tag:
    """A small plate with the letter of a circuit and a number.

    Attributes:
        colour: that of the letter's ground.
        anchors: the points at one of which it may stand.
        letters: the size of its letters in pixels.
    """

    letter: str
    text: str
    colour: Rgb
    anchors: tuple[Point, ...]
    letters: int

    @property
    def size(self) -> Point:
        """How wide and how high it is."""
        return self.split + fit(self.text, 200, self.letters, 700).width + 16, self.letters + 10

    def leader(self, canvas: Canvas, at: Point, anchor: Point) -> None:
        """A line from what the tag belongs to; it goes under markers and tags."""
        middle = (at[0] + self.size[0] / 2, at[1] + self.size[1] / 2)
        canvas.line([anchor, middle], SLATE_EDGE, 8)
        canvas.line([anchor, middle], CARD, 4)

    @property
    def split(self) -> float:
        """How wide its coloured part is."""
        return fit(self.letter, 200, self.letters, 700).width + 18

    def draw(self, canvas: Canvas, at: Point) -> None:
        """The tag with its left upper corner at a point."""
        (left, top), (width, height) = at, self.size
        canvas.box((left - 3, top - 3, left + width + 3, top + height + 3), SLATE_EDGE, radius=11)
        canvas.box((left, top, left + width, top + height), self.colour, radius=8)
        start = left + self.split
        canvas.box((start, top + 3, left + width - 3, top + height - 3), CARD, radius=5)
        middle = top + height / 2
        ink = ink_on(self.colour)
        canvas.word((left + self.split / 2, middle), self.letter, self.letters, ink, weight=700)
        canvas.word(((start + left + width - 3) / 2, middle), self.text, self.letters, INK, weight=700)


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

    def box(self, box: Box) -> None:
        """A box that must not be covered."""
        self._pen.rectangle([edge / COARSE for edge in box], fill=FULL)

    def around(self, box: Box) -> Callable[[Box], float]:
        """What harm it does, per pixel, to cover a box that lies in the given one."""
        left, top, right, bottom = (int(edge / COARSE) for edge in box)
        part = self._map.crop((left, top, right + 1, bottom + 1))
        width, data = part.width, part.tobytes()

        def harm(box: Box) -> float:
            start, end = int(box[0] / COARSE) - left, int(box[2] / COARSE) - left + 1
            rows = range(int(box[1] / COARSE) - top, int(box[3] / COARSE) - top + 1)
            found = b"".join(data[row * width + start : row * width + end] for row in rows)
            return (sum(found) + 40 * FULL * found.count(FULL)) / len(found)

        return harm


def place(tags: Iterable[Tag], busy: Busy, room: Box, clear: float) -> list[tuple[Tag, Point, Point]]:
    """For each tag its left upper corner, by one of its anchors, and that anchor; it covers what harms least.

    Args:
        busy: what is to be seen; the tags are added to it.
        room: where they may stand.
        clear: how far from its anchor a tag stands at least.
    """
    found = []
    for tag in tags:
        harm = busy.around(room)
        _, spot, anchor = min(
            (harm(_box(tag, spot)) + loss, spot, anchor) for spot, loss, anchor in _spots(tag, room, clear)
        )
        left, top, right, bottom = _box(tag, spot)
        busy.box((left - 4, top - 4, right + 4, bottom + 4))
        found.append((tag, spot, anchor))
    return found


def _box(tag: Tag, at: Point) -> Box:
    return at[0], at[1], at[0] + tag.size[0], at[1] + tag.size[1]


def _spots(tag: Tag, room: Box, clear: float) -> Iterator[tuple[Point, float, Point]]:
    """Where a tag may stand, what is lost by standing there, and the anchor that it stands by."""
    width, height = tag.size
    for order, (x, y) in enumerate(tag.anchors):
        for away in AWAY:
            right, down = clear + away + width / 2, clear + away + height / 2
            for over, under in AROUND:
                left = min(max(x + over * right - width / 2, room[0]), room[2] - width)
                top = min(max(y + under * down - height / 2, room[1]), room[3] - height)
                yield (left, top), away * 0.8 + order * 2, (x, y)


def number(canvas: Canvas, at: Point, radius: float, text: str) -> None:
    """The number of a tile that was placed."""
    canvas.disc(at, radius + 3, PAPER)
    canvas.badge(at, radius, text, HIGHLIGHT, CARD)
