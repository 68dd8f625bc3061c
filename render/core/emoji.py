"""Signs as small pictures, and proof sheets of components.

A game's own are `SIGNS` of its `emoji` module; here are those of all games. Each is painted on a canvas
around `MIDDLE`, within `REACH` of it, so boldly that it is recognisable at 22 pixels. A dark edge sets it
off from a light ground, and a pale rim around that from a dark one.

A proof sheet is a page of A4 at `DPI` dots an inch, so printed at 100% it has the sizes that a game chooses.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from io import BytesIO
from typing import Any, Protocol

from PIL import Image, ImageChops, ImageFilter

from engines.words import alt_text
from render.core.canvas import EMBLEMS, Box, Canvas, Picture, Point, Sketch, Sprite
from render.core.theme import LIGHT, Rgb, Theme

SIZE = 128
"""A sign's width and height, in pixels; Discord shows it at 22."""
MIDDLE: Point = (SIZE / 2, SIZE / 2)
REACH = 52
"""The distance from the middle to the sign's end; the rest is left to its edge and its rim."""
EDGES: tuple[tuple[int, Rgb], ...] = ((2, LIGHT.ink), (5, LIGHT.card))
"""The width and colour of the edge around a sign, and of the rim around that."""

Paint = Callable[[Canvas[Any]], None]


class PieceLike(Protocol):
    """A finished part of a picture, with colours and coverage."""

    @property
    def image(self) -> Image.Image:
        """Return the colours."""

    @property
    def mask(self) -> Image.Image:
        """Return the coverage of the ground."""


def signs_of(room: str) -> dict[str, bytes]:
    """Return a game's signs, or those of the "house", as PNGs."""
    theme = LIGHT if room == "house" else import_module(f"render.{room}").THEMES[LIGHT.name]
    return {name: png(paint, theme) for name, paint in paints_of(room).items()}


def paints_of(room: str) -> dict[str, Paint]:
    """Return the painters of a game's signs, or the "house"'s.

    It may be empty.

    A game's names begin with its slug.
    """
    if room == "house":
        return SIGNS
    own: Mapping[str, Paint] = getattr(import_module(f"render.{room}"), "SIGNS", {})
    return {f"{room}_{name}": paint for name, paint in own.items()}


def png(paint: Paint, theme: Theme = LIGHT) -> bytes:
    """Render a painting with its edges as a clear PNG."""
    file = BytesIO()
    add_edges(clear_ground(paint, theme)).save(file, "PNG", compress_level=6)
    return file.getvalue()


def clear_ground(paint: Paint, theme: Theme = LIGHT) -> Image.Image:
    """Render a painting without its ground.

    It is painted on black and on white: the less the two differ at a pixel, the more of it is covered.
    """
    black, white = Canvas(SIZE, SIZE, theme, (0, 0, 0)), Canvas(SIZE, SIZE, theme, (255, 255, 255))
    paint(black)
    paint(white)
    differs = ImageChops.difference(white.image, black.image).split()
    covered = ImageChops.invert(ImageChops.lighter(ImageChops.lighter(differs[0], differs[1]), differs[2]))
    # On black, colours are as if multiplied by what is covered of each spot.
    packed = Image.merge("RGBA", [*black.image.split(), covered]).tobytes()
    return Image.frombytes("RGBa", (SIZE, SIZE), packed).convert("RGBA")


def add_edges(image: Image.Image) -> Image.Image:
    """Add a dark edge and a pale rim around an image."""
    layers, covered = [image], image.getchannel("A")
    for width, colour in EDGES:
        for _ in range(width):  # comes to the same as one wide filter, in half the time
            covered = covered.filter(ImageFilter.MaxFilter(3))
        covered = covered.filter(ImageFilter.GaussianBlur(0.8))
        layer = Image.new("RGBA", image.size, colour)
        layer.putalpha(covered)
        layers.append(layer)
    return reduce(lambda above, below: Image.alpha_composite(below, above), layers)


def piece_painter(piece: PieceLike | Sprite, high: float = 2 * REACH) -> Paint:
    """Return a painter of a finished piece, scaled to `high` pixels."""

    def paint(canvas: Canvas[Theme]) -> None:
        box = piece.mask.getbbox() or (0, 0, 1, 1)
        image, mask = piece.image.convert("RGB").crop(box), piece.mask.crop(box)
        share = high / max(mask.size)
        size = (max(1, round(mask.width * share)), max(1, round(mask.height * share)))
        image, mask = (part.resize(size, Image.Resampling.LANCZOS) for part in (image, mask))
        canvas.image.paste(image, (round((SIZE - size[0]) / 2), round((SIZE - size[1]) / 2)), mask)

    return paint


def paint_sketch(draw: Callable[[Sketch[Any]], None]) -> Paint:
    def paint(canvas: Canvas[Any]) -> None:
        sketch = Sketch((-SIZE / 2, -SIZE / 2, SIZE / 2, SIZE / 2), canvas.theme)
        draw(sketch)
        canvas.paint(sketch.sprite(), MIDDLE)

    return paint


def emblem(seat: int, colour: Rgb) -> Paint:
    (x, y), (down, size) = MIDDLE, _EMBLEMS[EMBLEMS[seat % len(EMBLEMS)]]

    def paint(canvas: Canvas[Theme]) -> None:
        canvas.emblem(seat, (x, y + down), size, canvas.theme.ink)
        canvas.emblem(seat, (x, y + down), 0.88 * size, colour)

    return paint


_EMBLEMS = {"circle": (0, 50), "square": (0, 54), "triangle": (5, 46), "diamond": (0, 44), "star": (4, 42)}
"""The offset of each shape below the middle, and its size: all are as large as a sign may be."""


def _clock(sketch: Sketch[Theme]) -> None:
    sketch.disc((0, 0), 52, sketch.theme.ink)
    sketch.disc((0, 0), 45, sketch.theme.card)
    sketch.line([(0, -28), (0, 0), (20, 12)], sketch.theme.ink, 11)


def _lock(sketch: Sketch[Theme]) -> None:
    half_turn = [math.pi * (1 + step / 16) for step in range(17)]
    bow = [(26 * math.cos(turn), -16 + 26 * math.sin(turn)) for turn in half_turn]
    sketch.line([(-26, 4), *bow, (26, 4)], sketch.theme.ink, 18)
    sketch.line([(-26, 4), *bow, (26, 4)], sketch.theme.steel, 10)
    _plate(sketch, ((-40, -4), (40, -4), (40, 48), (-40, 48)), sketch.theme.coin)
    sketch.disc((0, 18), 9, sketch.theme.ink)
    sketch.line([(0, 20), (0, 36)], sketch.theme.ink, 9)


def _crown(sketch: Sketch[Theme]) -> None:
    theme = sketch.theme
    _plate(sketch, ((-42, 38), (-47, -30), (-21, 0), (0, -44), (21, 0), (47, -30), (42, 38)), theme.coin)
    sketch.line([(-36, 24), (36, 24)], theme.ink, 7)


def _plate(sketch: Sketch[Theme], points: Sequence[Point], fill: Rgb) -> None:
    sketch.polygon(points, fill, sketch.theme.ink, 7)


SIGNS: dict[str, Paint] = {
    **{f"seat_{seat + 1}": emblem(seat, colour) for seat, colour in enumerate(LIGHT.seats)},
    "clock": paint_sketch(_clock),
    "lock": paint_sketch(_lock),
    "crown": paint_sketch(_crown),
}
"""The signs of all games: each seat's shape in its colour, a clock, a lock, a crown."""


DPI = 150
WIDTH, HEIGHT = 1240, 1754
MARGIN, HEAD, LABEL, GAP = 40, 90, 44, 24
TITLE, TEXT = 46, 28


@dataclass(frozen=True, slots=True)
class ProofItem:
    """A component on a sheet: its name, and the function that draws it into a box."""

    name: str
    draw: Callable[[Canvas[Any], Box], None]


def draw_sheets(
    theme: Theme, name: str, title: str, items: Sequence[ProofItem], size: tuple[int, int]
) -> Iterator[Picture]:
    """Draw items of one size in rows, each with its name below."""
    wide, high = size
    columns = max(1, (WIDTH - 2 * MARGIN + GAP) // (wide + GAP))
    rows = max(1, (HEIGHT - HEAD - MARGIN) // (high + LABEL + GAP))
    left = (WIDTH - columns * (wide + GAP) + GAP) / 2
    sheets = -(-len(items) // (columns * rows))
    for number in range(sheets):
        shown = items[number * columns * rows : (number + 1) * columns * rows]
        count = f", sheet {number + 1} of {sheets}" if sheets > 1 else ""
        canvas = Canvas(WIDTH, HEIGHT, theme)
        canvas.write((MARGIN, HEAD / 2), f"{title}{count}", TITLE, theme.ink, weight=700)
        for index, item in enumerate(shown):
            row, column = divmod(index, columns)
            x, y = left + column * (wide + GAP), HEAD + row * (high + LABEL + GAP)
            item.draw(canvas, (x, y, x + wide, y + high))
            middle = (x + wide / 2, y + high + LABEL / 2)
            canvas.write(middle, item.name, TEXT, theme.ink, weight=600, anchor="middle", width=wide + GAP)
        file = f"{name}-{number + 1}.png" if sheets > 1 else f"{name}.png"
        alt = alt_text([f"{title}{count}.", *(f"{item.name}." for item in shown)])
        yield Picture(pack(canvas), alt, file)


def pack(canvas: Canvas[Any]) -> bytes:
    """Export a sheet, with the density that printers read."""
    file = BytesIO()
    canvas.theme.palette.apply(canvas.image).save(file, "PNG", dpi=(DPI, DPI))
    return file.getvalue()
