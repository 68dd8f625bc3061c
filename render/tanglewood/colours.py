"""The colours of Tanglewood: a printed map of the forest, its plants, its signs, and the palette."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.tanglewood.pieces.components import Faction, Region
from render.core.canvas import Canvas, Sketch
from render.core.theme import DARK, LIGHT, Rgb, Theme, mix, ramp, rgb


@dataclass(frozen=True, slots=True)
class Ground:
    """The floor of a region: its tint, and the line around it."""

    tint: Rgb
    edge: Rgb


def _grounds(codes: str) -> dict[Region, Ground]:
    """Parse the tint and the edge of each region, from A on."""
    pairs = zip("ABCDEFGHI", codes.split(), strict=True)
    return {region: Ground(*map(rgb, pair.split("/"))) for region, pair in pairs}


@dataclass(frozen=True, eq=False)
class TanglewoodTheme(Theme):
    """The colours of Tanglewood in one theme."""

    bark: Rgb = rgb("4A3524")
    """The line around everything of wood and leaf."""
    trunk: Rgb = rgb("7A5636")
    birch: Rgb = rgb("F7F4EA")
    moss: Rgb = rgb("3C5B36")
    leaf: Rgb = rgb("5F8A4A")
    leaf_light: Rgb = rgb("93B368")
    spring: Rgb = rgb("C0D48C")
    hazel: Rgb = rgb("7F8445")
    hazel_light: Rgb = rgb("A8A45C")
    needle: Rgb = rgb("2F5252")
    needle_light: Rgb = rgb("6F948C")
    berry: Rgb = rgb("6B4A86")
    blossom: Rgb = rgb("FFFFFF")
    clover: Rgb = rgb("D68CB4")
    gorse: Rgb = rgb("E3B021")
    rust: Rgb = rgb("B9773A")
    water: Rgb = rgb("8CC3D6")
    water_dark: Rgb = rgb("3F7F9B")
    rock: Rgb = rgb("B4B3A8")
    rock_dark: Rgb = rgb("77776F")
    forest: Rgb = rgb("DDE2BC")
    """The ground under the trees, between the regions."""
    forest_edge: Rgb = rgb("8B9363")
    far: Rgb = rgb("C3CE9C")
    far_line: Rgb = rgb("94A26C")
    """Trees in the distance."""
    trail: Rgb = rgb("B08D57")
    trail_light: Rgb = rgb("F3E7C6")
    nut: Rgb = rgb("C98A3B")
    nut_light: Rgb = rgb("EFC27C")
    """An acorn, the sign of a vote."""
    seal: Rgb = rgb("A3243B")
    """The seal of a Secret Ballot."""
    neutral: Rgb = rgb("7C7F86")
    metals: tuple[Rgb, Rgb, Rgb] = (rgb("F0C54A"), rgb("C2C9D4"), rgb("DDA06A"))
    """Gold, silver and bronze, for the votes of the first, second and third place."""
    grounds: Mapping[Region, Ground] = field(
        default_factory=lambda: _grounds(
            "EDE8B4/7A6A1E F2F3DE/6F7F55 E3F0CB/5A8438 DFE3EC/4D5B7C EEE4EF/6B4A86 DDEFEA/3A7A72"
            " FAF0BE/9A7B12 F3E4CE/8C5A2B E6E7DF/5C6A5C"
        )
    )
    unknown: Rgb = rgb("F1EFD9")
    """The floor of a region that this map doesn't know."""
    factions: Mapping[Faction, Rgb] = field(
        default_factory=lambda: {"rabbit": rgb("8A6F58"), "bear": rgb("5B3A29"), "fox": rgb("C65A1E")}
    )

    def ground(self, region: Region) -> Ground:
        return self.grounds.get(region) or Ground(self.unknown, self.forest_edge)

    def sunlit(self, leaf: Rgb) -> Rgb:
        return mix(leaf, self.spring, 0.55)

    def own_shades(self) -> list[Rgb]:
        green = (self.moss, self.leaf, self.leaf_light, self.spring, self.hazel, self.hazel_light)
        plants = (self.trunk, *green, self.needle, self.needle_light)
        bright = [self.berry, self.clover, self.gorse, self.rust, self.water, self.water_dark, self.rock]
        bright += [self.rock_dark, self.nut, self.nut_light, self.seal]
        shades = [self.birch, self.far, self.far_line, self.forest, self.forest_edge, self.trail]
        shades += [self.trail_light, *self.metals]
        shades += [mix(metal, self.black, 0.55) for metal in self.metals]
        shades += ramp([self.bark, self.forest], 5)
        shades += ramp([self.bark, self.card], 5)
        for plant in plants:
            shades += [plant, mix(plant, self.bark, 0.5)]
        shades += [self.sunlit(leaf) for leaf in (self.leaf, self.leaf_light, self.spring, self.hazel_light)]
        for part in bright:
            shades += [part, mix(part, self.bark, 0.5), mix(part, self.card, 0.5)]
        for floor in self.grounds.values():
            shades += ramp([floor.edge, floor.tint], 4)
            shades += [mix(self.ink, floor.tint, 0.5), mix(self.card, floor.edge, 0.5)]
        for faction in self.factions.values():
            shades += [faction, mix(faction, self.card, 0.35), mix(faction, self.card, 0.85)]
        shades += ramp([self.neutral, self.card], 4)[:-1]
        shades += [mix(self.highlight, self.forest, 0.5)]
        shades += [mix(colour, self.black, 0.5) for colour in self.seats]
        return [*shades, *ramp([self.paper, self.forest], 3), *self.seat_shades()]


TanglewoodCanvas = Canvas[TanglewoodTheme]
TanglewoodSketch = Sketch[TanglewoodTheme]
THEMES: Mapping[str, TanglewoodTheme] = {
    "light": TanglewoodTheme.of(LIGHT),
    "dark": TanglewoodTheme.of(
        DARK,
        bark=rgb("17110B"),
        forest=rgb("242C20"),
        forest_edge=rgb("5C6A48"),
        far=rgb("303C28"),
        far_line=rgb("445438"),
        trail=rgb("7A6443"),
        trail_light=rgb("54472F"),
        moss=rgb("5C8854"),
        seal=rgb("F0708C"),
        neutral=rgb("A3A6AD"),
        grounds=_grounds(
            "38341C/CCC068 303428/A8B88C 2C3820/94C068 2C3040/98A8D0 382C3C/BC98D8 243838/7CC4B8"
            " 383414/E0C048 3C3024/D8A068 303430/A4B4A4"
        ),
        unknown=rgb("33352A"),
        factions={"rabbit": rgb("C2A58A"), "bear": rgb("B07A5C"), "fox": rgb("EE8A4A")},
    ),
}
