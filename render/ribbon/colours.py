"""The colours of Ribbon Tangle: each ribbon's two sides, the cards' backs, the hoop, and the palette."""

from __future__ import annotations

from dataclasses import dataclass

from engines.ribbon.pieces.components import Colour
from render.core.palette import CARD, PAPER, Palette, Rgb, mix, ramp, rgb


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
    """A ribbon's colours: the plain Okabe-Ito hue, the dark (low) side and the light (high) side."""

    plain: Rgb
    dark: Silk
    light: Silk


DYES: dict[Colour, Dye] = {
    "green": Dye(
        rgb("009E73"),
        Silk(rgb("00251A"), rgb("003D2B"), rgb("005A41"), rgb("1F8263")),
        Silk(rgb("005640"), rgb("1FA67F"), rgb("5CCDA8"), rgb("D9F7EA")),
    ),
    "orange": Dye(
        rgb("E69F00"),
        Silk(rgb("3D2200"), rgb("633A00"), rgb("8A5200"), rgb("B5761A")),
        Silk(rgb("7A4A00"), rgb("E09A10"), rgb("F8C250"), rgb("FFF0C9")),
    ),
    "purple": Dye(
        rgb("CC79A7"),
        Silk(rgb("2E0F24"), rgb("4E1D3E"), rgb("6F2F5A"), rgb("9A5484")),
        Silk(rgb("6B2C57"), rgb("CB76A8"), rgb("EAAFD1"), rgb("FFEAF6")),
    ),
}

BACK = rgb("262C4A")
BACK_LINE = rgb("39416B")
BACK_INK = rgb("EADFBE")
BRASS = rgb("A58B54")
SHADOW = rgb("30261A")
CORD = rgb("F3ECDD")
CORD_SHADE = rgb("A99F8C")
HOOP = (rgb("8A6A3C"), rgb("D9B57C"), rgb("F6E3BC"))


def _own(dark: int, light: int) -> list[Rgb]:
    """Return the game's own shades, that many for each side."""
    shades = [
        *ramp([BACK, BACK_LINE], 4),
        *ramp([BACK, BRASS, BACK_INK], 10),
        *ramp([BACK, PAPER], 4),
        *ramp(HOOP, 5),
        *ramp([CORD_SHADE, CORD], 5),
    ]
    for dye in DYES.values():
        shades += ramp(dye.dark.stops, dark)
        shades += ramp(dye.light.stops, light)
        shades += [mix(dye.light.edge, CARD, share) for share in (0.4, 0.75)]
        shades += [mix(dye.dark.edge, CARD, share) for share in (0.45, 0.75)]
        shades.append(dye.plain)
    return shades


PALETTE = Palette(_own(10, 12))
"""For the board: as many shades as a picture of that size can afford."""
LARGE_PALETTE = Palette(_own(16, 26))
"""For a hand, whose large ribbons would show the steps between few shades."""
