"""The colours of Tanglewood: a printed map of the forest, its plants, its signs, and the palette."""

from __future__ import annotations

from dataclasses import dataclass

from engines.tanglewood.pieces.components import Faction, Region
from render.core.palette import (
    CARD,
    HIGHLIGHT,
    INK,
    PAPER,
    SEAT_COLOURS,
    Palette,
    Rgb,
    mix,
    ramp,
    rgb,
    seat_shades,
)

BARK = rgb("4A3524")
"""The line around everything of wood and leaf."""
TRUNK = rgb("7A5636")
BIRCH = rgb("F7F4EA")
MOSS = rgb("3C5B36")
LEAF = rgb("5F8A4A")
LEAF_LIGHT = rgb("93B368")
SPRING = rgb("C0D48C")
HAZEL, HAZEL_LIGHT = rgb("7F8445"), rgb("A8A45C")
NEEDLE = rgb("2F5252")
NEEDLE_LIGHT = rgb("6F948C")
BERRY = rgb("6B4A86")
BLOSSOM = rgb("FFFFFF")
CLOVER = rgb("D68CB4")
GORSE = rgb("E3B021")
RUST = rgb("B9773A")
WATER = rgb("8CC3D6")
WATER_DARK = rgb("3F7F9B")
ROCK = rgb("B4B3A8")
ROCK_DARK = rgb("77776F")
FOREST = rgb("DDE2BC")
"""The ground under the trees, between the regions."""
FOREST_EDGE = rgb("8B9363")
FAR, FAR_LINE = rgb("C3CE9C"), rgb("94A26C")
"""Trees in the distance."""
TRAIL = rgb("B08D57")
TRAIL_LIGHT = rgb("F3E7C6")
NUT = rgb("C98A3B")
NUT_LIGHT = rgb("EFC27C")
"""An acorn, the sign of a vote."""
SEAL = rgb("A3243B")
"""The seal of a Secret Ballot."""
NEUTRAL = rgb("7C7F86")
METALS = (rgb("F0C54A"), rgb("C2C9D4"), rgb("DDA06A"))
"""Gold, silver and bronze, for the votes of the first, second and third place."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The floor of a region: its tint, and the line around it."""

    tint: Rgb
    edge: Rgb


GROUNDS: dict[Region, Ground] = {
    key: Ground(rgb(tint), rgb(edge))
    for key, tint, edge in (
        ("A", "EDE8B4", "7A6A1E"),
        ("B", "F2F3DE", "6F7F55"),
        ("C", "E3F0CB", "5A8438"),
        ("D", "DFE3EC", "4D5B7C"),
        ("E", "EEE4EF", "6B4A86"),
        ("F", "DDEFEA", "3A7A72"),
        ("G", "FAF0BE", "9A7B12"),
        ("H", "F3E4CE", "8C5A2B"),
        ("I", "E6E7DF", "5C6A5C"),
    )
}
PLAIN = Ground(rgb("F1EFD9"), FOREST_EDGE)
"""The floor of a region that this map doesn't know."""

FACTIONS: dict[Faction, Rgb] = {"rabbit": rgb("8A6F58"), "bear": rgb("5B3A29"), "fox": rgb("C65A1E")}


def ground(region: Region) -> Ground:
    return GROUNDS.get(region, PLAIN)


def sunlit(leaf: Rgb) -> Rgb:
    """Return the colour of sunlit leaves."""
    return mix(leaf, SPRING, 0.55)


def _own() -> list[Rgb]:
    plants = (TRUNK, MOSS, LEAF, LEAF_LIGHT, SPRING, HAZEL, HAZEL_LIGHT, NEEDLE, NEEDLE_LIGHT)
    bright = (BERRY, CLOVER, GORSE, RUST, WATER, WATER_DARK, ROCK, ROCK_DARK, NUT, NUT_LIGHT, SEAL)
    shades = [BIRCH, FAR, FAR_LINE, FOREST, FOREST_EDGE, TRAIL, TRAIL_LIGHT, *METALS]
    shades += [mix(metal, INK, 0.55) for metal in METALS]
    shades += ramp([BARK, FOREST], 5)
    shades += ramp([BARK, CARD], 5)
    for plant in plants:
        shades += [plant, mix(plant, BARK, 0.5)]
    shades += [sunlit(leaf) for leaf in (LEAF, LEAF_LIGHT, SPRING, HAZEL_LIGHT)]
    for part in bright:
        shades += [part, mix(part, BARK, 0.5), mix(part, CARD, 0.5)]
    for floor in GROUNDS.values():
        shades += ramp([floor.edge, floor.tint], 4)
        shades += [mix(INK, floor.tint, 0.5), mix(CARD, floor.edge, 0.5)]
    for faction in FACTIONS.values():
        shades += [faction, mix(faction, CARD, 0.35), mix(faction, CARD, 0.85)]
    shades += ramp([NEUTRAL, CARD], 4)[:-1]
    shades += [mix(HIGHLIGHT, FOREST, 0.5)]
    shades += [mix(colour, INK, 0.5) for colour in SEAT_COLOURS]
    return [*shades, *ramp([PAPER, FOREST], 3), *seat_shades()]


PALETTE = Palette(_own())
