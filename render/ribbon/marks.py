"""The small signs of this game: tangles, swatches of ribbon, cards in a hand, the eye on a shown card."""

from functools import cache, lru_cache

from PIL import Image, ImageChops, ImageDraw

from engines.ribbon.pieces.circle import RibbonTangle
from engines.ribbon.pieces.components import LETTERS, Colour
from render.core.canvas import Point, coverage, on_circle
from render.core.palette import Rgb, mix
from render.ribbon.colours import RibbonCanvas
from render.ribbon.measures import LANES, SMALL
from render.ribbon.ring import MIDDLE, RIM, junction_at

SWATCH_WIDTH = 98


def tangle_point(tangle: RibbonTangle) -> Point:
    """Return the place of a tangle's mark on the board."""
    return on_circle(MIDDLE, RIM - LANES[tangle.colour], junction_at(tangle.junction))


@lru_cache(maxsize=16)
def _cross(reach: float, thick: float) -> Image.Image:
    """Return two crossed strokes in the middle of a mask."""
    half, side = round(reach) + 2, reach / 2**0.5

    def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
        near, far = (half - side) * scale, (half + side) * scale
        for line in ((near, near, far, far), (near, far, far, near)):
            pen.line(line, fill=255, width=round(thick * scale))

    return coverage(2 * half, 2 * half, draw)


def tangle(canvas: RibbonCanvas, at: Point, colour: Colour, *, standing: bool = False) -> None:
    """Draw a dangerous tangle.

    A red cross in a rim, with the ribbon's letter on it. One that must go this turn has a second rim.
    """
    theme = canvas.theme
    if standing:
        canvas.disc(at, 30, theme.card)
        canvas.disc(at, 29, theme.danger, hole=26.5)
    canvas.disc(at, 24.5, theme.card)
    canvas.disc(at, 23, theme.danger, hole=19)
    canvas.stamp(_cross(20.5, 4.5), at, theme.danger)
    canvas.disc(at, 14, theme.card)
    canvas.write(at, LETTERS[colour], SMALL, theme.ink, weight=800, anchor="middle")


def harmless(canvas: RibbonCanvas, at: Point) -> None:
    """Draw a tangle of a ribbon that nobody remaining owns."""
    canvas.disc(at, 13.5, canvas.theme.card)
    canvas.disc(at, 12.5, canvas.theme.faded, hole=11)
    canvas.stamp(_cross(12, 1.8), at, canvas.theme.faded)


def small_tangle(canvas: RibbonCanvas, at: Point, *, standing: bool = False) -> None:
    """Draw the sign of a tangle next to a line of text."""
    theme = canvas.theme
    if standing:
        canvas.disc(at, 16, theme.danger, hole=14.4)
    canvas.disc(at, 12, theme.danger)
    canvas.disc(at, 9.2, theme.card)
    canvas.stamp(_cross(10, 3), at, theme.danger)


def swatch(
    canvas: RibbonCanvas, at: Point, colour: Colour, width: float = SWATCH_WIDTH, *, faded: bool = False
) -> None:
    """Draw a piece of ribbon with the colour's name on it. Its middle left end is at `at`."""
    dye = canvas.theme.dyes[colour]
    body = mix(dye.light.body, canvas.theme.paper, 0.6) if faded else dye.light.body
    rim = mix(dye.light.edge, canvas.theme.paper, 0.6) if faded else dye.light.edge
    left, y = at
    canvas.box((left, y - 15, left + width, y + 15), rim, radius=4)
    canvas.box((left + 1.5, y - 14, left + width - 1.5, y + 14), body, radius=3)
    canvas.write((left + width / 2, y), colour, SMALL, dye.dark.edge, weight=700, anchor="middle")


@cache
def _eye(width: int) -> Image.Image:
    """Return an eye as a mask. The overlap of two large discs, with a ring and a pupil in it."""
    height = round(width * 0.62)

    def disc(radius: float, middle: float) -> Image.Image:
        def draw(pen: ImageDraw.ImageDraw, scale: int) -> None:
            x, y, reach = width / 2 * scale, middle * scale, radius * scale
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)

        return coverage(width, height, draw)

    lid = (width**2 + height**2) / (4 * height)
    lens = ImageChops.darker(disc(lid, lid), disc(lid, height - lid))
    ring = ImageChops.subtract(lens, disc(height * 0.36, height / 2))
    return ImageChops.lighter(ring, disc(height * 0.2, height / 2))


def eye(canvas: RibbonCanvas, at: Point, width: int, colour: Rgb) -> None:
    """Draw the sign of a hand card that everybody has seen."""
    canvas.stamp(_eye(width), at, colour)


def little_back(canvas: RibbonCanvas, at: Point) -> None:
    """Draw an unknown hand card."""
    x, y = at
    canvas.box((x - 11, y - 16, x + 11, y + 16), canvas.theme.back, radius=4)
    canvas.box((x - 8, y - 13, x + 8, y + 13), canvas.theme.back_line, radius=2, border=1)


def little_face(canvas: RibbonCanvas, at: Point, letter: str, *, shown: bool) -> None:
    """Draw a known hand card, with the eye if everybody knows it."""
    theme = canvas.theme
    x, y = at
    canvas.box((x - 14, y - 19, x + 14, y + 19), theme.muted, radius=4)
    canvas.box((x - 12.5, y - 17.5, x + 12.5, y + 17.5), theme.card, radius=3)
    if shown:
        canvas.write((x, y - 5), letter, SMALL, theme.ink, weight=700, anchor="middle")
        eye(canvas, (x, y + 11), 16, theme.muted)
    else:
        canvas.write((x, y), letter, SMALL, theme.ink, weight=700, anchor="middle")
