"""The colours of Tangram City: slate roofs, gardens, water, sand, and the palette of its pictures."""

from __future__ import annotations

from render.core.palette import CARD, INK, PAPER, SEAT_COLOURS, Palette, Rgb, mix, ramp, rgb, seat_shades

ROOF_EDGE = rgb("14171E")
ROOF_DARK = rgb("2A303B")
ROOF_MIDDLE = rgb("414957")
ROOF_LIGHT = rgb("687385")
HEDGE_EDGE = rgb("173D22")
HEDGE = rgb("2C6B3A")
LEAF = rgb("4C9150")
LAWN = rgb("8CC078")
LAWN_LIGHT = rgb("BBDD9C")
WATER_EDGE = rgb("1E5573")
WATER = rgb("5FB7DC")
WATER_LIGHT = rgb("CDEBF7")
STONE = rgb("D9D3C6")
SAND = rgb("EFE7D6")
SAND_LINE = rgb("D2C6AE")
WALL = rgb("8A7B62")
SURVEY = rgb("B3123F")
"""The line around a largest rectangle, like a surveyor's: no seat has this colour."""
FITS = rgb("12803A")
AMBER = rgb("E58A00")
FRESH = rgb("FFFFFF")
"""The white frame, between two lines of ink, around the latest pieces: no seat has that either."""


def _own() -> list[Rgb]:
    return [
        *ramp([ROOF_EDGE, ROOF_DARK, ROOF_MIDDLE, ROOF_LIGHT], 19),
        *ramp([ROOF_LIGHT, PAPER], 6)[1:],
        *ramp([HEDGE_EDGE, HEDGE, LEAF, LAWN, LAWN_LIGHT], 25),
        *ramp([HEDGE_EDGE, SAND], 7)[1:-1],
        *ramp([ROOF_EDGE, SAND], 7)[1:-1],
        *ramp([WATER_EDGE, WATER, WATER_LIGHT, FRESH], 13),
        *ramp([WATER_EDGE, STONE], 6),
        *ramp([WALL, STONE, SAND, SAND_LINE], 10),
        *ramp([SURVEY, FRESH], 6),
        *ramp([SURVEY, ROOF_DARK], 4)[1:],
        *ramp([SURVEY, LAWN], 4)[1:],
        *ramp([FITS, FRESH], 6),
        *ramp([AMBER, FRESH], 6),
        *ramp([INK, CARD], 7),
        *(mix(ROOF_MIDDLE, SAND, share) for share in (0.3, 0.5, 0.7)),
        *(mix(LEAF, SAND, share) for share in (0.3, 0.5, 0.7)),
        *(mix(colour, CARD, 0.5) for colour in SEAT_COLOURS),
        *seat_shades(),
    ]


PALETTE = Palette(_own())
