"""Players' possessions as small signs: resources, seeds, stacks of tiles, roots, cards; and the tracks."""

from functools import lru_cache

from engines.game import Seat
from engines.tangle.pieces.board import Kind, Stack
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import Resource, Seed
from render.core.canvas import Point, Sprite, bow
from render.core.theme import mix
from render.tangle import figures
from render.tangle.colours import TangleCanvas, TangleSketch, TangleTheme, hexagon
from render.tangle.signs import ORIGIN, draw_sign

OWN = 1.12
"""The factor by which a root is larger for its owner."""
TENDRILS = (
    ((-0.06, -0.36), (-0.06, -0.1), (-0.44, 0.2)),
    ((-0.03, -0.36), (-0.02, -0.1), (-0.18, 0.42)),
    ((0.03, -0.36), (0.02, -0.1), (0.18, 0.42)),
    ((0.06, -0.36), (0.06, -0.1), (0.44, 0.2)),
)
"""Roots from one stem, each with its beginning, bend, and end."""


@lru_cache(maxsize=64)
def resource(theme: TangleTheme, letter: Resource, size: int) -> Sprite:
    return draw_sign(theme, size, lambda sketch, size: figures.RESOURCES[letter](sketch, ORIGIN, size))


@lru_cache(maxsize=32)
def seed(theme: TangleTheme, kind: Seed, size: int) -> Sprite:
    return draw_sign(theme, size, lambda sketch, size: figures.SEEDS[kind](sketch, ORIGIN, size))


@lru_cache(maxsize=64)
def tile(theme: TangleTheme, kind: Kind, size: int) -> Sprite:
    return draw_sign(theme, size, lambda sketch, size: figures.tile(sketch, ORIGIN, size, kind))


@lru_cache(maxsize=32)
def stack(theme: TangleTheme, kind: Stack, size: int) -> Sprite:
    """Return a stack of tiles in a stash."""

    def paint(sketch: TangleSketch, size: float) -> None:
        for below in (0.2, 0.1):
            for part, colour in ((0.44, sketch.theme.pen), (0.39, sketch.theme.card)):
                sketch.polygon(figures.place_shape(hexagon(part), (0, below * size), size), colour)
        figures.tile(sketch, (0, -0.04 * size), 0.88 * size, kind)

    return draw_sign(theme, size, paint)


@lru_cache(maxsize=32)
def territory(theme: TangleTheme, size: int, *, joined: bool) -> Sprite:
    """Return tiles of any kind, apart or as a connected group."""
    spread, part = (0.22, 0.48) if joined else (0.27, 0.38)

    def paint(sketch: TangleSketch, size: float) -> None:
        for spot in figures.place_shape(((-1, 0.6), (1, 0.6), (0, -0.8)), ORIGIN, spread * size):
            figures.tile(sketch, spot, part * size, "earth")

    return draw_sign(theme, size, paint)


@lru_cache(maxsize=32)
def roots(theme: TangleTheme, seat: Seat, size: int) -> Sprite:
    def paint(sketch: TangleSketch, size: float) -> None:
        for thick, colour in ((0.19, sketch.theme.pen), (0.11, sketch.theme.seat(seat))):
            for start, bend, end in TENDRILS:
                sketch.line(figures.place_shape(bow(start, bend, end, 8), ORIGIN, size), colour, thick * size)

    return draw_sign(theme, size, paint)


def root(
    canvas: TangleCanvas, seat: Seat, at: Point, radius: float, *, asleep: bool = False, is_own: bool = False
) -> None:
    """Draw a root on the land.

    A light disc with its seat's emblem, in dusk if asleep, larger and on a golden rim for its owner.
    """
    theme = canvas.theme
    if is_own:
        radius *= OWN
        canvas.disc(at, radius + 6, theme.black)
        canvas.disc(at, radius + 4.5, theme.gold)
    canvas.disc(at, radius, theme.ink)
    canvas.disc(
        at, radius - max(1.5, 0.1 * radius), mix(theme.night, theme.card, 0.5) if asleep else theme.card
    )
    canvas.emblem(seat, at, 0.62 * radius)


@lru_cache(maxsize=32)
def card(theme: TangleTheme, size: int) -> Sprite:
    """Return an enchantment in front of a seat."""
    return draw_sign(theme, size, lambda sketch, size: figures.card(sketch, ORIGIN, size, 8))


@lru_cache(maxsize=8)
def hand(theme: TangleTheme, size: int) -> Sprite:
    """Return cards in a hand, from their backs."""

    def paint(sketch: TangleSketch, size: float) -> None:
        for x, lean in ((-0.2, -14), (0.14, 10)):
            figures.sheet(sketch, (x * size, 0), 0.86 * size, sketch.theme.resources["M"], lean)

    return draw_sign(theme, size, paint)


@lru_cache(maxsize=32)
def lasting(theme: TangleTheme, size: int) -> Sprite:
    """Return a ring. An enchantment that works as long as it is in play."""
    return draw_sign(
        theme,
        size,
        lambda sketch, size: sketch.disc(ORIGIN, 0.42 * size, None, sketch.theme.leaf, 0.17 * size),
    )


@lru_cache(maxsize=32)
def once(theme: TangleTheme, size: int) -> Sprite:
    """Return an hourglass: an enchantment that works once."""

    def paint(sketch: TangleSketch, size: float) -> None:
        glass = ((-0.26, -0.36), (0.26, -0.36), (-0.26, 0.36), (0.26, 0.36))
        sketch.polygon(figures.place_shape(glass, ORIGIN, size), sketch.theme.nut)
        for y in (-0.4, 0.4):
            sketch.line(
                figures.place_shape(((-0.32, y), (0.32, y)), ORIGIN, size), sketch.theme.pen, 0.12 * size
            )

    return draw_sign(theme, size, paint)


def track(theme: TangleTheme, name: TrackName, size: int) -> Sprite:
    return card(theme, size) if name == "cards" else tile(theme, "lake" if name == "lakes" else "bush", size)
