"""Colours: mixing, contrast, and the fixed palettes of stored pictures.

A picture is stored with at most 255 colours; an animation needs one more, for unchanged pixels. Choosing
them for every picture would cost more than drawing it, so each game lists its shades once; see `Palette`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from PIL import Image

Rgb = tuple[int, int, int]


def rgb(code: str) -> Rgb:
    """Parse a colour from its six hexadecimal digits.

    >>> rgb("0072B2")
    (0, 114, 178)
    """
    return int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16)


PAPER = rgb("F6F2E9")
CARD = rgb("FFFDF7")
LINE = rgb("CFC5B2")
SHADE = rgb("6E6454")
INK = rgb("23263A")
MUTED = rgb("5C5F6E")
FADED = rgb("80828D")
HIGHLIGHT = rgb("0072B2")
GLOW = rgb("DCEBF6")
DANGER = rgb("C01F2F")

SEAT_COLOURS = (rgb("0072B2"), rgb("D55E00"), rgb("009E73"), rgb("CC79A7"), rgb("E0B400"))
"""Okabe-Ito, one a seat (the yellow darkened for contrast on paper); always drawn with the seat's emblem."""


def mix(one: Rgb, two: Rgb, share: float) -> Rgb:
    """Return the colour `share` of the way from one to two.

    >>> mix((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    (red, green, blue), (redder, greener, bluer) = one, two
    return (
        round(red + (redder - red) * share),
        round(green + (greener - green) * share),
        round(blue + (bluer - blue) * share),
    )


def ramp(stops: Sequence[Rgb], count: int) -> list[Rgb]:
    """Return `count` colours, evenly spread along the stops.

    >>> ramp([(0, 0, 0), (100, 100, 100), (100, 0, 0)], 5)
    [(0, 0, 0), (50, 50, 50), (100, 100, 100), (100, 50, 50), (100, 0, 0)]
    """
    legs = len(stops) - 1
    result = []
    for step in range(count):
        leg, share = divmod(step * legs, count - 1)
        if leg == legs:
            result.append(stops[-1])
        else:
            result.append(mix(stops[leg], stops[leg + 1], share / (count - 1)))
    return result


def luminance(colour: Rgb) -> float:
    """Return the WCAG 2 luminance, 0 for black, 1 for white."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Rgb, two: Rgb) -> float:
    """Return the WCAG 2 contrast of two colours, from 1 to 21.

    >>> contrast((0, 0, 0), (255, 255, 255))
    21.0
    """
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


class Palette:
    """The colours of one game's stored pictures: those of the house and its own."""

    def __init__(self, own: Iterable[Rgb]) -> None:
        self.colours = tuple(dict.fromkeys((*house(), *own)))
        if len(self.colours) > 255:
            raise ValueError(f"a palette has at most 255 colours, not {len(self.colours)}")

    @cached_property
    def _image(self) -> Image.Image:
        image = Image.new("P", (1, 1))
        image.putpalette([channel for colour in self.colours for channel in colour])
        return image

    def apply(self, image: Image.Image) -> Image.Image:
        """Convert every pixel to the nearest colour of this palette."""
        return image.quantize(palette=self._image, dither=Image.Dither.NONE)


def house() -> list[Rgb]:
    """Return the shades of every game.

    Paper, ink, plates, highlight, danger, soft edges.
    """
    return [
        CARD,
        PAPER,
        LINE,
        GLOW,
        (255, 255, 255),
        *ramp([INK, MUTED, PAPER], 11),
        *ramp([PAPER, mix(PAPER, SHADE, 0.45)], 6),
        *ramp([CARD, mix(CARD, SHADE, 0.3)], 4),
        *ramp([HIGHLIGHT, GLOW], 6),
        *ramp([HIGHLIGHT, INK], 3),
        *ramp([DANGER, CARD], 6),
    ]


def seat_shades() -> list[Rgb]:
    """Return the seats' colours with their soft edges."""
    return [shade for colour in SEAT_COLOURS for shade in ramp([colour, PAPER], 5)[:-1]]
