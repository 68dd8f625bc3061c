"""The colours of Tesla's Tangle: slate, brass, each seat's current, and the palettes."""

from collections.abc import Mapping
from dataclasses import dataclass

from render.core.canvas import Canvas, Sketch
from render.core.theme import DARK, LIGHT, Rgb, Theme, contrast, mix, ramp, rgb


@dataclass(frozen=True, slots=True)
class Current:
    """The look of a wire: its rim, its body, the light along its middle, and its glow."""

    rim: Rgb
    body: Rgb
    core: Rgb
    glow: Rgb

    @property
    def stops(self) -> tuple[Rgb, ...]:
        """Return the shades from the darkest to the lightest."""
        return self.rim, self.body, self.core


@dataclass(frozen=True, eq=False)
class TeslaTheme(Theme):
    """The colours of Tesla's Tangle in one theme."""

    slate: Rgb = rgb("2B3142")
    slate_raised: Rgb = rgb("4A5676")
    slate_edge: Rgb = rgb("151925")
    slate_light: Rgb = rgb("4A536B")
    brass: Rgb = rgb("A58B54")
    brass_light: Rgb = rgb("EAD6A2")
    brass_dark: Rgb = rgb("4F4022")
    socket: Rgb = rgb("EDE6D6")
    socket_line: Rgb = rgb("D3C9B5")
    latest: Rgb = rgb("F2C230")
    """Frames and numbers of the latest changes: no seat's colour."""
    shadow: Rgb = mix(LIGHT.paper, rgb("1B1D29"), 0.8)
    free: Current = Current(rgb("0E111A"), rgb("8B90A0"), rgb("C9CDD8"), rgb("AEB6C9"))
    """A free circuit: bare metal."""
    faint: Current = Current(rgb("1A1F2C"), rgb("4A5062"), rgb("5D6376"), rgb("2B3142"))
    """A circuit out of focus."""
    ready: Current = Current(rgb("0E111A"), rgb("D9C48C"), rgb("FFF7DC"), rgb("E8C766"))
    """A free circuit on which a marker may be put now."""
    live: tuple[Current, ...] = (
        Current(rgb("04121E"), rgb("2E97E5"), rgb("D8F0FF"), rgb("2E97E5")),
        Current(rgb("1E0D02"), rgb("F0761F"), rgb("FFE7CC"), rgb("F0761F")),
        Current(rgb("03170F"), rgb("14B585"), rgb("D4FFEF"), rgb("14B585")),
        Current(rgb("1E0E18"), rgb("E08BBB"), rgb("FFEAF6"), rgb("E08BBB")),
    )
    """The current of each seat, its Okabe-Ito colour lifted so that it shines on slate."""

    def fade(self, current: Current) -> Current:
        """Return the same wire out of focus."""
        return Current(
            self.faint.rim,
            mix(current.body, self.slate, 0.55),
            mix(current.core, mix(current.body, self.slate, 0.4), 0.7),
            self.slate,
        )

    def letter(self, ground: Rgb) -> Rgb:
        """Return the more legible colour of letters on a seat's colour."""
        return max((self.white, self.black), key=lambda shade: contrast(shade, ground))

    def own_shades(self) -> list[Rgb]:
        shades = [
            self.socket,
            self.socket_line,
            mix(self.socket_line, self.paper, 0.5),
            *ramp([self.slate_edge, self.slate, self.slate_light], 9),
            self.slate_raised,
            *ramp([self.latest, self.card], 4),
            *ramp([self.latest, self.slate], 4)[1:-1],
            *ramp([self.brass_dark, self.brass, self.brass_light], 7),
            *ramp([self.slate_edge, self.paper], 9)[1:-1],
            *ramp([self.slate, self.card], 5)[1:-1],
            *ramp(self.free.stops, 9),
            *ramp([self.slate, self.free.glow], 9)[1:-1],
            *ramp([self.ready.body, self.ready.core], 5),
            *ramp([self.slate, self.ready.glow], 7)[1:],
        ]
        for seat, live in enumerate(self.live):
            shades += ramp([live.rim, live.body, live.core], 13)
            shades += ramp([self.slate, live.glow], 14)[1:-1]
            shades += ramp([self.seats[seat], self.card], 5)[1:-1]
            dim = self.fade(live)
            shades += [dim.body, mix(dim.body, self.slate, 0.5)]
        return [*shades, *self.seat_shades()]


TeslaCanvas = Canvas[TeslaTheme]
TeslaSketch = Sketch[TeslaTheme]
THEMES: Mapping[str, TeslaTheme] = {
    "light": TeslaTheme.of(LIGHT),
    "dark": TeslaTheme.of(
        DARK,
        slate=rgb("343C50"),
        slate_raised=rgb("55618A"),
        slate_edge=rgb("080C14"),
        slate_light=rgb("545E78"),
        socket=rgb("242834"),
        socket_line=rgb("3C404C"),
        shadow=rgb("0C0D12"),
        faint=Current(rgb("202635"), rgb("596076"), rgb("6C7389"), rgb("343C50")),
    ),
}
