"""Where two cards meet: ribbons that run on over the gap, torn ends at a tangle, and ribbons' letters."""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageDraw

from engines.ribbon.cards import Colour, Level
from render.palette import CARD, Rgb
from render.ribbon import cloth
from render.ribbon.cloth import CARD_WIDTH, FINE, HALF, LANES, LIFT, REACH
from render.ribbon.shades import DYES

GAP = 10.5
"""The width of the gap between two cards, in units of flat cloth."""
OVERLAP = 5
TORN = 23
"""How much of a ribbon is torn off at a tangle, on each card."""
FRINGE = (8.0, 5.5, 10.0, 7.0, 11.5, 6.0, 9.0, 11.0, 5.0, 8.5)
"""How far each thread sticks out of a torn end."""


def letter_ink(colour: Colour, side: Level) -> Rgb:
    """The colour of a letter that stands on a ribbon."""
    return DYES[colour].dark.edge if side else CARD


def _top(side: Level) -> float:
    return REACH - HALF - (LIFT if side else -LIFT)


@cache
def bridge(colour: Colour, side: Level) -> Image.Image:
    """A short piece of ribbon over the gap between two cards."""
    width = round((GAP + 2 * OVERLAP) * FINE)
    ribbon = Image.new("RGBA", (width, 2 * REACH * FINE))
    piece = cloth.silk(colour, side, length=round(GAP + 2 * OVERLAP) + 1)
    ribbon.paste(piece, (0, round(_top(side) * FINE)))
    return cloth.cast(ribbon, side)


@cache
def frayed(colour: Colour, before: Level, after: Level) -> Image.Image:
    """Both cards' edges with the ribbon torn off, its threads hanging out on either side."""
    torn = round(TORN * FINE)
    width = 2 * torn + round(GAP * FINE)
    image = Image.new("RGBA", (width, 2 * REACH * FINE))
    top = (LANES[1] - REACH) * FINE
    blank = cloth.blank()
    right_end = (CARD_WIDTH * FINE - torn, top, CARD_WIDTH * FINE, top + image.height)
    image.paste(blank.crop(right_end), (0, 0))
    image.paste(blank.crop((0, top, torn, top + image.height)), (width - torn, 0))
    threads = _threads(colour, before, image.size)
    image.alpha_composite(cloth.cast(threads, before))
    threads = _threads(colour, after, image.size).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    image.alpha_composite(cloth.cast(threads, after))
    return image


def _threads(colour: Colour, side: Level, size: tuple[int, int]) -> Image.Image:
    """A torn end that comes in from the left."""
    image = Image.new("RGBA", size)
    pen = ImageDraw.Draw(image)
    silk = DYES[colour].light if side else DYES[colour].dark
    top = _top(side) * FINE
    pitch = 2 * HALF * FINE / len(FRINGE)
    for index, reach in enumerate(FRINGE):
        y = top + (index + 0.5) * pitch
        sway = (index - (len(FRINGE) - 1) / 2) * 0.9
        points = [(0.0, y), (reach * FINE * 0.5, y + sway * 0.4), (reach * FINE, y + sway * 2.2)]
        shade = (silk.body, silk.shadow, silk.shine)[index % 3]
        pen.line(points, fill=(*shade, 255), width=round(pitch * 0.72), joint="curve")
    stub = cloth.silk(colour, side, length=3)
    image.paste(stub, (0, round(top)))
    return image
