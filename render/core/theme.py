"""Themes: every colour of the pictures comes from the one that is passed in.

A game's own colours are a subclass in its room, with one object a theme in its `THEMES`. Fields have the
light theme's values as their defaults, so another theme names only what differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

from render.core.palette import Palette, Rgb, mix, ramp, rgb


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
        """The colours of stored pictures."""
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
