"""The colours of Tangram City: slate roofs, gardens, water, sand, and the palette of its pictures."""

from collections.abc import Mapping
from dataclasses import dataclass

from render.core.canvas import Canvas
from render.core.theme import DARK, LIGHT, Rgb, Theme, mix, ramp, rgb


@dataclass(frozen=True, eq=False)
class TangramTheme(Theme):
    """The colours of Tangram City in one theme."""

    roof_edge: Rgb = rgb("14171E")
    roof_dark: Rgb = rgb("2A303B")
    roof_middle: Rgb = rgb("414957")
    roof_light: Rgb = rgb("687385")
    hedge_edge: Rgb = rgb("173D22")
    hedge: Rgb = rgb("2C6B3A")
    leaf: Rgb = rgb("4C9150")
    lawn: Rgb = rgb("8CC078")
    lawn_light: Rgb = rgb("BBDD9C")
    water_edge: Rgb = rgb("1E5573")
    water: Rgb = rgb("5FB7DC")
    water_light: Rgb = rgb("CDEBF7")
    stone: Rgb = rgb("D9D3C6")
    sand: Rgb = rgb("EFE7D6")
    sand_line: Rgb = rgb("D2C6AE")
    wall: Rgb = rgb("8A7B62")
    back: Rgb = LIGHT.ink
    """The back of a card."""
    done: Rgb = LIGHT.muted
    """The ground of the tick on a card that was played."""
    survey: Rgb = rgb("B3123F")
    """The line around a largest rectangle, like a surveyor's: no seat has this colour."""
    fits: Rgb = rgb("12803A")
    amber: Rgb = rgb("E58A00")
    fresh: Rgb = rgb("FFFFFF")
    """The white frame, between two lines of ink, around the latest pieces: no seat has that either."""

    def own_shades(self) -> list[Rgb]:
        return [
            *ramp([self.roof_edge, self.roof_dark, self.roof_middle, self.roof_light], 19),
            *ramp([self.roof_light, self.paper], 6)[1:],
            *ramp([self.hedge_edge, self.hedge, self.leaf, self.lawn, self.lawn_light], 25),
            *ramp([self.hedge_edge, self.sand], 7)[1:-1],
            *ramp([self.roof_edge, self.sand], 7)[1:-1],
            *ramp([self.water_edge, self.water, self.water_light, self.fresh], 13),
            *ramp([self.water_edge, self.stone], 6),
            *ramp([self.wall, self.stone, self.sand, self.sand_line], 10),
            *ramp([self.survey, self.fresh], 6),
            *ramp([self.survey, self.roof_dark], 4)[1:],
            *ramp([self.survey, self.lawn], 4)[1:],
            *ramp([self.fits, self.fresh], 6),
            *ramp([self.amber, self.fresh], 6),
            *ramp([self.ink, self.card], 7),
            *(mix(self.roof_middle, self.sand, share) for share in (0.3, 0.5, 0.7)),
            *(mix(self.leaf, self.sand, share) for share in (0.3, 0.5, 0.7)),
            *(mix(colour, self.card, 0.5) for colour in self.seats),
            *self.seat_shades(),
        ]


TangramCanvas = Canvas[TangramTheme]
THEMES: Mapping[str, TangramTheme] = {
    "light": TangramTheme.of(LIGHT),
    "dark": TangramTheme.of(
        DARK,
        roof_edge=rgb("0B0D12"),
        roof_dark=rgb("4A5362"),
        roof_middle=rgb("6B7688"),
        roof_light=rgb("94A0B3"),
        stone=rgb("B4B0A0"),
        sand=rgb("302C24"),
        sand_line=rgb("504C40"),
        wall=rgb("7C705C"),
        back=rgb("444C64"),
        done=rgb("5C6070"),
        survey=rgb("D42C5C"),
    ),
}
