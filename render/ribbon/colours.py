"""The colours and measures of Ribbon Tangle.

On the board a unit is about a pixel. Cloth is drawn `FINE` times as large and then bent or reduced.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engines.ribbon.pieces.components import COLOURS, Colour, Level
from render.core.canvas import Canvas, Sketch
from render.core.theme import DARK, LIGHT, Palette, Rgb, Theme, mix, ramp, rgb


@dataclass(frozen=True, slots=True)
class Silk:
    """One side of a ribbon: its selvedge, its shadow, its body and its shine."""

    edge: Rgb
    shadow: Rgb
    body: Rgb
    shine: Rgb

    @property
    def stops(self) -> tuple[Rgb, ...]:
        """Return the shades from the darkest to the lightest."""
        return self.edge, self.shadow, self.body, self.shine


@dataclass(frozen=True, slots=True)
class Dye:
    """A ribbon's colours: the plain hue that its name says, the dark (low) side and the light (high) side."""

    plain: Rgb
    dark: Silk
    light: Silk

    @property
    def hem(self) -> Rgb:
        """The line along a player's own ribbon."""
        return self.dark.edge


@dataclass(frozen=True, eq=False)
class RibbonTheme(Theme):
    """The colours of Ribbon Tangle in one theme."""

    green: Dye = Dye(
        rgb("009E73"),
        Silk(rgb("00251A"), rgb("003D2B"), rgb("005A41"), rgb("1F8263")),
        Silk(rgb("005640"), rgb("1FA67F"), rgb("5CCDA8"), rgb("D9F7EA")),
    )
    orange: Dye = Dye(
        rgb("F08A00"),
        Silk(rgb("4A1F00"), rgb("8A3F00"), rgb("A04800"), rgb("DB8230")),
        Silk(rgb("8A4200"), rgb("F08A10"), rgb("FFB04A"), rgb("FFE9C4")),
    )
    purple: Dye = Dye(
        rgb("9A5CC6"),
        Silk(rgb("2A0F45"), rgb("431D6B"), rgb("5E2D91"), rgb("8A5ABD")),
        Silk(rgb("4F2580"), rgb("A372D6"), rgb("CBA6F0"), rgb("F4E8FF")),
    )
    back: Rgb = rgb("262C4A")
    back_line: Rgb = rgb("39416B")
    back_ink: Rgb = rgb("EADFBE")
    brass: Rgb = rgb("A58B54")
    shadow: Rgb = rgb("30261A")
    around: Rgb = mix(LIGHT.paper, LIGHT.ink, 0.75)
    """The shadow of a card on the paper."""
    cord: Rgb = rgb("F3ECDD")
    cord_shade: Rgb = rgb("A99F8C")
    hoop: tuple[Rgb, ...] = (rgb("8A6A3C"), rgb("D9B57C"), rgb("F6E3BC"))

    @cached_property
    def dyes(self) -> dict[Colour, Dye]:
        return {colour: getattr(self, colour) for colour in COLOURS}

    def emblem(self, colour: Colour | None) -> Rgb:
        return self.dyes[colour].plain if colour else self.ink

    def letter(self, colour: Colour, side: Level) -> Rgb:
        return self.dyes[colour].dark.edge if side else self.white

    def own_shades(self) -> list[Rgb]:
        return self._shades(10, 12)

    @cached_property
    def large_palette(self) -> Palette:
        """Return the palette of a hand: large ribbons need more shades."""
        return Palette([*self.house_shades(), *self._shades(16, 26)])

    def _shades(self, dark: int, light: int) -> list[Rgb]:
        """Return the game's own shades, that many for each side."""
        shades = [
            *ramp([self.back, self.back_line], 4),
            *ramp([self.back, self.brass, self.back_ink], 10),
            *ramp([self.back, self.paper], 4),
            *ramp(self.hoop, 5),
            *ramp([self.cord_shade, self.cord], 5),
        ]
        for dye in self.dyes.values():
            shades += ramp(dye.dark.stops, dark)
            shades += ramp(dye.light.stops, light)
            shades += [mix(dye.light.edge, self.card, share) for share in (0.4, 0.75)]
            shades += [mix(dye.dark.edge, self.card, share) for share in (0.45, 0.75)]
            shades.append(dye.plain)
        return shades


RibbonCanvas = Canvas[RibbonTheme]
RibbonSketch = Sketch[RibbonTheme]
THEMES: Mapping[str, RibbonTheme] = {
    "light": RibbonTheme.of(LIGHT),
    "dark": RibbonTheme.of(
        DARK,
        green=Dye(
            rgb("10C898"),
            Silk(rgb("0A3B2B"), rgb("16604A"), rgb("298463"), rgb("4FAE8C")),
            Silk(rgb("2F9A77"), rgb("6FD2B0"), rgb("98F0CC"), rgb("E6FFF6")),
        ),
        orange=Dye(
            rgb("FFA63A"),
            Silk(rgb("5A2A00"), rgb("944800"), rgb("B06016"), rgb("D08438")),
            Silk(rgb("C9780F"), rgb("FFAE4A"), rgb("FFD08A"), rgb("FFF0DC")),
        ),
        purple=Dye(
            rgb("B98AE8"),
            Silk(rgb("331557"), rgb("5A3690"), rgb("8A60C4"), rgb("A884DA")),
            Silk(rgb("9468CC"), rgb("CCA6F4"), rgb("E4CCFC"), rgb("FAF2FF")),
        ),
        back=rgb("343C68"),
        back_line=rgb("4C548C"),
        shadow=rgb("08080A"),
        around=rgb("0A0B0F"),
        cord=rgb("8E8B84"),
        cord_shade=rgb("4E4C49"),
        hoop=(rgb("5F4A2C"), rgb("A98B5B"), rgb("D3B985")),
    ),
}


FINE = 2
CARD_WIDTH = 200
CARD_HEIGHT = 232
CORNER_RADIUS = 9
GAP = 10.5
"""From one card to the next, halfway between rim and middle."""

LANES = dict(zip(COLOURS, (36, 100, 164), strict=True))
"""The middle of each ribbon's lane."""
LANE_OFFSET = 12
"""A ribbon's distance from the middle of its lane: towards the rim if high, away from it if low."""
HALF = 14
"""Half the width of a ribbon."""
REACH = 34
"""Half the height of a strip of cloth that holds a ribbon and its shadow."""

CORDS = (47, 153)
CORDS_END = (7, 194)
TWIST = (74, 126)
"""The start and the end of a ribbon's turn."""
FOLD = 6
"""The overlap of the tips of a ribbon's two sides at its turn."""

SMALL = 30
"""The size of the smallest letters, in pixels of the board: still legible on a phone."""
LETTER_AT = 64
"""The distance of each ribbon's letter from the left edge."""
LABEL = 211
"""The distance of the card's own letter from the top."""


def ribbon_at(colour: Colour, side: Level) -> int:
    """Return the distance of a ribbon's middle from the top.

    >>> ribbon_at("green", 1), ribbon_at("green", 0)
    (24, 48)
    """
    return LANES[colour] - LANE_OFFSET if side else LANES[colour] + LANE_OFFSET
