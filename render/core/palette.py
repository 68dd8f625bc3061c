"""Colours: mixing, contrast, and the fixed palettes of stored pictures.

A picture is stored with at most 255 colours; an animation needs one more, for unchanged pixels. Choosing
them for every picture would cost more than drawing it, so each game lists its shades once; see `Palette`.
"""

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
    """The colours of one game's stored pictures, each once."""

    def __init__(self, colours: Iterable[Rgb]) -> None:
        self.colours = tuple(dict.fromkeys(colours))
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
