"""Themes and the palettes that they share.

A game's own colours are a subclass in its room, with one object a theme in its `THEMES`. Fields have the
light theme's values as their defaults, so another theme names only what differs.

A picture is stored with at most 255 colours; an animation needs one more, for unchanged pixels. Choosing
them for every picture would cost more than drawing it, so each game lists its shades once; see `Palette`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

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
        return image.quantize(palette=self._image, dither=Image.Dither.NONE)


@dataclass(frozen=True, eq=False)
class Theme:
    """The colours that all pictures share.

    A theme is equal only to itself, which makes it a cheap key of caches; other processes get its name.
    """

    name: str = "light"
    paper: Rgb = rgb("F6F2E9")
    card: Rgb = rgb("FFFDF7")
    line: Rgb = rgb("CFC5B2")
    shade: Rgb = rgb("6E6454")
    """The shadow of a card, where it's darkest."""
    ink: Rgb = rgb("23263A")
    muted: Rgb = rgb("5C5F6E")
    faded: Rgb = rgb("80828D")
    highlight: Rgb = rgb("0072B2")
    glow: Rgb = rgb("DCEBF6")
    danger: Rgb = rgb("C01F2F")
    black: Rgb = rgb("23263A")
    """Lines and letters on what is bright in every theme."""
    white: Rgb = rgb("FFFDF7")
    """White things, and letters on dark ones, in every theme."""
    coin: Rgb = rgb("F2C230")
    steel: Rgb = rgb("8B90A0")
    """The metals of signs."""
    seats: tuple[Rgb, ...] = (rgb("0072B2"), rgb("D55E00"), rgb("009E73"), rgb("CC79A7"), rgb("E0B400"))
    """Okabe-Ito, one a seat (the yellow darkened for contrast); always drawn with the seat's emblem."""

    @classmethod
    def of(cls, theme: Theme, **own: Any) -> Self:
        """Return a game's theme: the shared colours of another, and its own."""
        return cls(**{field.name: getattr(theme, field.name) for field in fields(Theme)}, **own)

    def seat(self, number: int) -> Rgb:
        return self.seats[number % len(self.seats)]

    def house_shades(self) -> list[Rgb]:
        """Return the shades of every game. Paper, ink, plates, highlight, danger, soft edges."""
        return [
            self.card,
            self.paper,
            self.line,
            self.glow,
            (255, 255, 255),
            *ramp([self.ink, self.muted, self.paper], 11),
            *ramp([self.paper, mix(self.paper, self.shade, 0.45)], 6),
            *ramp([self.card, mix(self.card, self.shade, 0.3)], 4),
            *ramp([self.highlight, self.glow], 6),
            *ramp([self.highlight, self.ink], 3),
            *ramp([self.danger, self.card], 6),
        ]

    def seat_shades(self) -> list[Rgb]:
        """Return the seats' colours with their soft edges."""
        return [shade for colour in self.seats for shade in ramp([colour, self.paper], 5)[:-1]]

    def own_shades(self) -> Iterable[Rgb]:
        return self.seat_shades()

    @cached_property
    def palette(self) -> Palette:
        return Palette([*self.house_shades(), *self.own_shades()])

    @cached_property
    def plain_palette(self) -> Palette:
        """The colours of pictures without seats."""
        return Palette(self.house_shades())


LIGHT = Theme()
DARK = Theme(
    "dark",
    paper=rgb("1C2028"),
    card=rgb("282C34"),
    line=rgb("4C5060"),
    shade=rgb("040408"),
    ink=rgb("ECE8DC"),
    muted=rgb("B4B4C0"),
    faded=rgb("808494"),
    highlight=rgb("60B4F0"),
    glow=rgb("203C58"),
    danger=rgb("FC8C84"),
    black=rgb("14181C"),
    seats=(rgb("50A0E8"), rgb("EC7C34"), rgb("10C898"), rgb("E09CC8"), rgb("F0D04C")),
)
THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (LIGHT, DARK)}
