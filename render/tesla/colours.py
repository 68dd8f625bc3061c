"""The colours of Tesla's Tangle: slate, brass, each seat's current, and the palettes."""

from __future__ import annotations

from dataclasses import dataclass

from render.core.palette import CARD, PAPER, SEAT_COLOURS, Palette, Rgb, mix, ramp, rgb, seat_shades

SLATE = rgb("2B3142")
SLATE_RAISED = rgb("4A5676")
SLATE_EDGE = rgb("151925")
SLATE_LIGHT = rgb("4A536B")
BRASS = rgb("A58B54")
BRASS_LIGHT = rgb("EAD6A2")
BRASS_DARK = rgb("4F4022")
SOCKET = rgb("EDE6D6")
SOCKET_LINE = rgb("D3C9B5")
LATEST = rgb("F2C230")
"""Frames and numbers of the latest changes: no seat's colour."""
SHADOW = mix(PAPER, rgb("1B1D29"), 0.8)


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


DEAD = Current(rgb("0E111A"), rgb("8B90A0"), rgb("C9CDD8"), rgb("AEB6C9"))
"""A free circuit: bare metal."""
FAINT = Current(rgb("1A1F2C"), rgb("4A5062"), rgb("5D6376"), SLATE)
"""A circuit out of focus."""
READY = Current(rgb("0E111A"), rgb("D9C48C"), rgb("FFF7DC"), rgb("E8C766"))
"""A free circuit on which a marker may be put now."""
LIVE = (
    Current(rgb("04121E"), rgb("2E97E5"), rgb("D8F0FF"), rgb("2E97E5")),
    Current(rgb("1E0D02"), rgb("F0761F"), rgb("FFE7CC"), rgb("F0761F")),
    Current(rgb("03170F"), rgb("14B585"), rgb("D4FFEF"), rgb("14B585")),
    Current(rgb("1E0E18"), rgb("E08BBB"), rgb("FFEAF6"), rgb("E08BBB")),
)
"""The current of each seat, its Okabe-Ito colour lifted so that it shines on slate."""


def fade(current: Current) -> Current:
    """Return the same wire out of focus."""
    return Current(
        FAINT.rim,
        mix(current.body, SLATE, 0.55),
        mix(current.core, mix(current.body, SLATE, 0.4), 0.7),
        SLATE,
    )


def _own() -> list[Rgb]:
    shades = [
        SOCKET,
        SOCKET_LINE,
        mix(SOCKET_LINE, PAPER, 0.5),
        *ramp([SLATE_EDGE, SLATE, SLATE_LIGHT], 9),
        SLATE_RAISED,
        *ramp([LATEST, CARD], 4),
        *ramp([LATEST, SLATE], 4)[1:-1],
        *ramp([BRASS_DARK, BRASS, BRASS_LIGHT], 7),
        *ramp([SLATE_EDGE, PAPER], 9)[1:-1],
        *ramp([SLATE, CARD], 5)[1:-1],
        *ramp(DEAD.stops, 9),
        *ramp([SLATE, DEAD.glow], 9)[1:-1],
        *ramp([READY.body, READY.core], 5),
        *ramp([SLATE, READY.glow], 7)[1:],
    ]
    for seat, live in enumerate(LIVE):
        shades += ramp([live.rim, live.body, live.core], 13)
        shades += ramp([SLATE, live.glow], 14)[1:-1]
        shades += ramp([SEAT_COLOURS[seat], CARD], 5)[1:-1]
        dim = fade(live)
        shades += [dim.body, mix(dim.body, SLATE, 0.5)]
    return [*shades, *seat_shades()]


PALETTE = Palette(_own())
