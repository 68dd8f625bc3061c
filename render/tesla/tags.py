"""Tags at circuits and marks on wires, placed so that they hide little."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from PIL import Image, ImageDraw

from engines.game import Seat
from render.core.canvas import Box, Point
from render.core.text import fit
from render.tesla.colours import TeslaCanvas

COARSE = 8
"""Pixels of the picture to one pixel of the map of busy places."""
FULL = 255
"""The harm of covering anything that must stay visible."""
AWAY = (0, 16, 36, 64)
"""The possible distances of a tag from its anchor, in pixels."""
AROUND = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))
"""The possible directions from its anchor."""


ON_ANCHOR_LOSS = -60.0
"""The gain of a tag with a letter alone that covers its own anchor."""
CROWDED_ABOVE = 14
"""A board with more tags than this is crowded, and they are made smaller."""


@dataclass(frozen=True)
class Tag:
    """A small plate with the letter of a circuit and a number, or with the letter alone.

    Attributes:
        owner: the seat whose colour the letter's ground has.
        anchors: the points that it may be next to.
        letters: the size of its letters in pixels.
    """

    letter: str
    text: str
    owner: Seat | None
    anchors: tuple[Point, ...]
    letters: int

    @cached_property
    def size(self) -> Point:
        text = fit(self.text, 200, self.letters, 700).width + 16 if self.text else 0
        return self.split + text, self.letters + 10

    @cached_property
    def split(self) -> float:
        """Return the width of its coloured part."""
        return fit(self.letter, 200, self.letters, 700).width + 18


class Busy:
    """A coarse map of a picture with the harm of covering each place."""

    def __init__(self, width: int, height: int) -> None:
        self._map = Image.new("L", (width // COARSE + 1, height // COARSE + 1))
        self._pen = ImageDraw.Draw(self._map)

    def line(self, points: Sequence[Point], width: float, harm: int) -> None:
        """Mark a line that should stay visible."""
        spots = [(x / COARSE, y / COARSE) for x, y in points]
        self._pen.line(spots, fill=harm, width=max(1, round(width / COARSE)))

    def disc(self, centre: Point, radius: float, harm: int) -> None:
        """Mark a disc that should stay visible."""
        x, y, reach = centre[0] / COARSE, centre[1] / COARSE, radius / COARSE
        self._pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=harm)

    def box(self, box: Box) -> None:
        """Mark a box that must not be covered."""
        self._pen.rectangle([edge / COARSE for edge in box], fill=FULL)

    def around(self, box: Box) -> Callable[[Box], float]:
        """Return a function that rates how much a box covers."""
        left, top, right, bottom = (int(edge / COARSE) for edge in box)
        part = self._map.crop((left, top, right + 1, bottom + 1))
        width, data = part.width, part.tobytes()

        def harm(box: Box) -> float:
            start, end = int(box[0] / COARSE) - left, int(box[2] / COARSE) - left + 1
            rows = range(int(box[1] / COARSE) - top, int(box[3] / COARSE) - top + 1)
            result = b"".join(data[row * width + start : row * width + end] for row in rows)
            return (sum(result) + 40 * FULL * result.count(FULL)) / len(result)

        return harm


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """A tag with its place: its left upper corner, and its anchor."""

    tag: Tag
    at: Point
    anchor: Point

    @property
    def box(self) -> Box:
        (left, top), (width, height) = self.at, self.tag.size
        return left, top, left + width, top + height

    def lead(self, canvas: TeslaCanvas) -> None:
        """Draw a line from its anchor; it goes under markers and tags."""
        left, top, right, bottom = self.box
        points = [self.anchor, ((left + right) / 2, (top + bottom) / 2)]
        canvas.line(points, canvas.theme.slate_edge, 8)
        canvas.line(points, canvas.theme.card, 4)

    def draw(self, canvas: TeslaCanvas) -> None:
        theme = canvas.theme
        left, top, right, bottom = self.box
        tag, middle, start = self.tag, (top + bottom) / 2, left + self.tag.split
        colour = theme.ink if tag.owner is None else theme.seats[tag.owner]
        canvas.box((left - 3, top - 3, right + 3, bottom + 3), theme.slate_edge, radius=11)
        canvas.box(self.box, colour, radius=8)
        canvas.word(
            ((left + start) / 2, middle), tag.letter, tag.letters, canvas.theme.letter(colour), weight=700
        )
        if tag.text:
            canvas.box((start, top + 3, right - 3, bottom - 3), theme.card, radius=5)
            canvas.word(((start + right - 3) / 2, middle), tag.text, tag.letters, theme.ink, weight=700)


def place(tags: Iterable[Tag], busy: Busy, room: Box, clear: float) -> list[PlacedTag]:
    """Place each tag next to its anchor, with least harm.

    Args:
        busy: the visible things; the tags are added to it.
        room: the box for the tags.
        clear: the least distance of a tag from its anchor; one with a letter alone may cover it.
    """
    result = []
    for tag in tags:
        harm = busy.around(room)
        best, least = PlacedTag(tag, room[:2], room[:2]), math.inf
        for spot, loss in _spots(tag, room, clear):
            if loss >= least:
                break
            if (total := harm(spot.box) + loss) < least:
                best, least = spot, total
        left, top, right, bottom = best.box
        busy.box((left - 4, top - 4, right + 4, bottom + 4))
        result.append(best)
    return result


def _spots(tag: Tag, room: Box, clear: float) -> Iterator[tuple[PlacedTag, float]]:
    """Yield a tag's possible places with costs, cheapest first."""
    width, height = tag.size
    if not tag.text:
        for x, y in tag.anchors:
            yield PlacedTag(tag, _within(room, tag, x - width / 2, y - height / 2), (x, y)), ON_ANCHOR_LOSS
    ways = [(away * 0.8 + order * 2, order, away) for order in range(len(tag.anchors)) for away in AWAY]
    for loss, order, away in sorted(ways):
        x, y = tag.anchors[order]
        right, down = clear + away + width / 2, clear + away + height / 2
        for over, under in AROUND:
            at = _within(room, tag, x + over * right - width / 2, y + under * down - height / 2)
            yield PlacedTag(tag, at, (x, y)), loss


def _within(room: Box, tag: Tag, left: float, top: float) -> Point:
    width, height = tag.size
    return min(max(left, room[0]), room[2] - width), min(max(top, room[1]), room[3] - height)


NUMBER = 24
"""Half the size of a number's plate, in pixels."""
LEAST_MAKER = 17
GAIN = 22
"""Half the height of a plate with points."""


def token_radius(unit: int) -> float:
    return max(12.0, 0.31 * unit)


def token(canvas: TeslaCanvas, seat: int, at: Point, radius: float) -> None:
    canvas.disc(at, radius + 2, canvas.theme.slate_edge)
    canvas.disc(at, radius, canvas.theme.card)
    canvas.emblem(seat, at, radius * 0.76, canvas.theme.seats[seat])


def number(canvas: TeslaCanvas, at: Point, text: str) -> None:
    x, y = at
    for reach, colour in ((NUMBER + 2, canvas.theme.slate_edge), (NUMBER - 0.5, canvas.theme.latest)):
        canvas.box((x - reach, y - reach, x + reach, y + reach), colour, radius=round(reach * 0.35))
    canvas.word(at, text, round(NUMBER * 1.4), canvas.theme.black, weight=700)


def gain(canvas: TeslaCanvas, seat: int, at: Point, points: int) -> None:
    theme, text = canvas.theme, f"+{points}"
    size = round(GAIN * 1.5)
    wide = fit(text, 200, size, 700).width
    half = (wide + 2.2 * GAIN) / 2
    x, y = at
    for reach, colour in ((4, theme.slate_edge), (2, theme.seats[seat]), (-2, theme.card)):
        box = (x - half - reach, y - GAIN - reach, x + half + reach, y + GAIN + reach)
        canvas.box(box, colour, radius=GAIN * 0.6)
    canvas.emblem(seat, (x - half + 0.8 * GAIN, y), 0.52 * GAIN)
    canvas.word((x + half - wide / 2 - 0.4 * GAIN, y), text, size, theme.ink, weight=700)
