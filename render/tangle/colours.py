"""The colours of Tangle: a wasteland that turns green, the resources, the signs, and the palette."""

from __future__ import annotations

from engines.tangle.pieces.amounts import Resource
from engines.tangle.pieces.board import Kind
from render.core.palette import (
    CARD,
    INK,
    PAPER,
    SEAT_COLOURS,
    SHADE,
    Palette,
    Rgb,
    mix,
    ramp,
    rgb,
    seat_shades,
)

PEN = rgb("4A3B28")
"""The line around everything on the land."""
DUST = rgb("E2D2AE")
"""Dry ground, and the edge of the land."""
DUST_EDGE = rgb("9C855B")
DRY = rgb("EBDFC4")
CRACK = rgb("C4AF84")
FAINT = rgb("7B6A48")
"""The codes of empty areas."""
LIVING = rgb("C6DC9C")
"""Ground that has come to life, around a tile."""
LIVING_EDGE = rgb("9DBB70")
SOIL = rgb("C79C6D")
SOIL_DARK = rgb("9A7145")
SOIL_LIGHT = rgb("DDBB90")
GRASS = rgb("B9DB78")
GRASS_DARK = rgb("6E9A3C")
LAWN = rgb("D8E9AE")
WATER = rgb("97D0E6")
WATER_DARK = rgb("4590B2")
SHORE = rgb("E9DDB6")
GLADE = rgb("BFD98F")
LEAF = rgb("5C8F3C")
LEAF_LIGHT = rgb("8FB95A")
LEAF_PALE = rgb("BAD67E")
CROWN = rgb("3F7440")
CROWN_LIGHT = rgb("679A50")
TRUNK = rgb("80593A")
BERRY = rgb("B8324A")
PETALS = (rgb("FFFFFF"), rgb("F4C93C"), rgb("E58BB4"))
NUT = rgb("C28440")
GOLD = rgb("FFCE33")
"""The frame of changed or selectable things: no seat has it."""
FLAME = rgb("E9832E")
NIGHT = rgb("3F4A78")
STONE = rgb("D9D4C8")
SLATE = rgb("8B8679")

RESOURCES: dict[Resource, Rgb] = {
    "W": rgb("2C6E9E"),
    "E": rgb("80512B"),
    "N": rgb("55761C"),
    "M": rgb("6C4AA3"),
}
"""A colour for each resource, dark enough for light letters."""
GROUNDS: dict[Kind, Rgb] = {
    "earth": SOIL,
    "bush": LAWN,
    "meadow": GRASS,
    "lake": WATER,
    "sapling": LAWN,
    "tree": GLADE,
}
"""The ground under the picture of a tile."""


def resource(letter: Resource) -> Rgb:
    return RESOURCES[letter]


def seat(number: int) -> Rgb:
    return SEAT_COLOURS[number % len(SEAT_COLOURS)]


def _own() -> list[Rgb]:
    shades = [
        DRY,
        DUST,
        LIVING,
        LIVING_EDGE,
        CRACK,
        FAINT,
        SHORE,
        STONE,
        SLATE,
        NIGHT,
        NUT,
        FLAME,
        *ramp([GOLD, INK], 4),
    ]
    shades += ramp([DUST_EDGE, PAPER], 5)
    shades += ramp([DUST_EDGE, DUST], 4)
    shades += ramp([FAINT, DRY], 4)
    shades += [mix(LIVING_EDGE, LIVING, 0.5), mix(LIVING, DUST, 0.5), *PETALS]
    for plant in (LEAF, LEAF_LIGHT, LEAF_PALE, CROWN, CROWN_LIGHT, TRUNK, BERRY, SOIL_DARK, GRASS_DARK):
        shades += [plant, mix(plant, PEN, 0.5)]
    shades += [SOIL_LIGHT, WATER_DARK, mix(WATER_DARK, WATER, 0.5), mix(WATER, CARD, 0.6)]
    for floor in GROUNDS.values():
        shades += [floor, *ramp([INK, floor], 4)[1:-1], mix(PEN, floor, 0.5), mix(CARD, floor, 0.5)]
    for colour in RESOURCES.values():
        shades += [*ramp([colour, CARD], 5)[:-1], mix(colour, INK, 0.4), mix(colour, DUST, 0.5)]
    shades += [mix(NUT, PEN, 0.5), mix(FLAME, CARD, 0.5), mix(NIGHT, CARD, 0.5), mix(SLATE, STONE, 0.5)]
    shades += [*ramp([PEN, CARD], 5), mix(GOLD, LIVING, 0.5), mix(GOLD, DUST, 0.5)]
    for colour in SEAT_COLOURS[:4]:
        shades += [mix(colour, LIVING, 0.5), mix(colour, INK, 0.5)]
    return [*shades, *ramp([PAPER, mix(PAPER, SHADE, 0.45)], 4), *seat_shades()]


PALETTE = Palette(_own())
