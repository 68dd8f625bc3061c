"""The signs of the action spaces, each painted around the origin, with its height in pixels; and possessions.

A possession is a resource, a seed, a stack of tiles, a root, a card or a track.
"""

from collections.abc import Callable
from functools import lru_cache, partial

from engines.game import Seat
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import Action, Resource, Seed
from render.core.canvas import Point, Sketch, Sprite, bow
from render.core.theme import mix
from render.tangle import figures
from render.tangle.colours import TangleCanvas, TangleSketch, TangleTheme
from render.tangle.figures import arrow, clods, crystal, drop, place_shape, plus, star

ORIGIN = (0.0, 0.0)


def draw_sign(theme: TangleTheme, size: int, paint: Callable[[TangleSketch, float], None]) -> Sprite:
    half = 0.75 * size + 2
    sketch = Sketch((-half, -half, half, half), theme)
    paint(sketch, size)
    return sketch.sprite()


@lru_cache(maxsize=128)
def action(theme: TangleTheme, kind: Action, size: int) -> Sprite:
    return draw_sign(theme, size, ACTIONS[kind])


def _spring(sketch: TangleSketch, size: float) -> None:
    theme = sketch.theme
    for half, upper, lower, fill, edge in (
        (0.48, -0.02, 0.44, theme.stone, theme.pen),
        (0.36, 0.06, 0.34, theme.water, theme.water_dark),
    ):
        sketch.ellipse((-half * size, upper * size, half * size, lower * size), fill, edge, 0.04 * size)
    star(sketch, (0, -0.2 * size), 0.28 * size, theme.resources["M"])


def _lay(kind: Kind, sketch: TangleSketch, size: float) -> None:
    figures.tile(sketch, (-0.08 * size, 0.02 * size), 0.86 * size, kind)
    plus(sketch, (0.34 * size, -0.28 * size), 0.32 * size)


def _seed(kind: Seed, sketch: TangleSketch, size: float) -> None:
    figures.SEEDS[kind](sketch, ORIGIN, 0.9 * size)


def _plant(sketch: TangleSketch, size: float) -> None:
    clods(sketch, (0, 0.26 * size), 0.72 * size)
    figures.acorn(sketch, (-0.14 * size, -0.26 * size), 0.46 * size)
    arrow(sketch, [(0.28 * size, -0.46 * size), (0.28 * size, 0.06 * size)], 0.09 * size)


def _grow(sketch: TangleSketch, size: float) -> None:
    figures.sapling(sketch, (-0.14 * size, 0.06 * size), 1.2 * size)
    arrow(sketch, [(0.36 * size, 0.4 * size), (0.36 * size, -0.42 * size)], 0.1 * size)


def _cards(sketch: TangleSketch, size: float) -> None:
    for x, y, lean in ((-0.24, 0.05, -16), (0.24, 0.05, 16), (0.0, 0.0, 0)):
        figures.card(sketch, (x * size, y * size), 0.72 * size, lean)


def _water(sketch: TangleSketch, size: float) -> None:
    figures.tree(sketch, (-0.16 * size, 0.04 * size), 1.2 * size)
    drop(sketch, (0.28 * size, 0.12 * size), 0.6 * size)


def _sprout(sketch: TangleSketch, size: float) -> None:
    figures.tree(sketch, (-0.2 * size, 0.02 * size), 1.15 * size)
    figures.sapling(sketch, (0.3 * size, 0.14 * size), 0.86 * size)


def _spread_meadows(sketch: TangleSketch, size: float) -> None:
    figures.tile(sketch, (-0.24 * size, 0.16 * size), 0.6 * size, "meadow")
    figures.tile(sketch, (0.24 * size, -0.14 * size), 0.6 * size, "meadow")
    plus(sketch, (0.3 * size, 0.32 * size), 0.26 * size)


def _spread_bushes(sketch: TangleSketch, size: float) -> None:
    figures.bush(sketch, (-0.16 * size, 0.0), 1.3 * size)
    figures.berry(sketch, (0.34 * size, 0.24 * size), 0.44 * size)


def _gather_cards(sketch: TangleSketch, size: float) -> None:
    figures.tile(sketch, (-0.2 * size, 0.12 * size), 0.66 * size, "meadow")
    figures.card(sketch, (0.24 * size, -0.06 * size), 0.72 * size, 10)


def _draw_pot(sketch: TangleSketch, size: float) -> None:
    figures.sapling(sketch, (0, -0.14 * size), 1.1 * size)
    pot = ((-0.3, 0.1), (0.3, 0.1), (0.22, 0.48), (-0.22, 0.48))
    sketch.polygon(place_shape(pot, ORIGIN, size), sketch.theme.soil, sketch.theme.pen, 0.05 * size)


TRADED: tuple[tuple[float, float, Resource], ...] = ((0.32, 0.12, "W"), (0.14, 0.34, "E"), (0.42, 0.36, "N"))
"""The alternatives to mana in its sign."""


def _mana(sketch: TangleSketch, size: float) -> None:
    theme = sketch.theme
    crystal(sketch, (-0.24 * size, -0.12 * size), 0.66 * size)
    arrow(sketch, place_shape(bow((-0.06, -0.42), (0.34, -0.4), (0.36, -0.06)), ORIGIN, size), 0.08 * size)
    for x, y, letter in TRADED:
        sketch.disc((x * size, y * size), 0.12 * size, theme.resources[letter], theme.card, 0.03 * size)


def _shift(sketch: TangleSketch, size: float) -> None:
    figures.tile(sketch, (-0.25 * size, 0.0), 0.5 * size, "bush")
    figures.tile(sketch, (0.25 * size, 0.0), 0.5 * size, "lake")
    way = bow((-0.26, -0.3), (0, -0.62), (0.28, -0.28))
    for lean in (0, 180):
        arrow(sketch, place_shape(way, ORIGIN, size, lean), 0.075 * size)


DIVERSE: tuple[tuple[float, float, Kind], ...] = (
    (-0.26, 0.22, "earth"),
    (0.26, 0.22, "meadow"),
    (0.0, -0.24, "sapling"),
)
"""The tiles in the sign of Diverse growth."""


def _diverse(sketch: TangleSketch, size: float) -> None:
    for x, y, kind in DIVERSE:
        figures.tile(sketch, (x * size, y * size), 0.5 * size, kind)


def _sacrifice(sketch: TangleSketch, size: float) -> None:
    theme = sketch.theme
    flame = [
        *bow((-0.26, 0.14), (-0.3, -0.16), (0.02, -0.5), 8),
        *bow((0.02, -0.5), (0.08, -0.22), (0.26, -0.06), 8),
        *bow((0.26, -0.06), (0.28, 0.1), (0.2, 0.16), 5),
    ]
    sketch.polygon(place_shape(flame, ORIGIN, size), theme.flame, theme.pen, 0.04 * size)
    sketch.ellipse((-0.1 * size, -0.1 * size, 0.12 * size, 0.16 * size), theme.petals[1])
    stone = ((-0.42, 0.46), (-0.34, 0.2), (0.34, 0.2), (0.42, 0.46))
    sketch.polygon(place_shape(stone, ORIGIN, size), theme.stone, theme.pen, 0.04 * size)


def _hibernate(sketch: TangleSketch, size: float) -> None:
    sketch.disc((-0.08 * size, 0.04 * size), 0.42 * size, sketch.theme.night)
    sketch.disc((0.1 * size, -0.08 * size), 0.34 * size, sketch.theme.card)
    for x, y, half in ((0.16, 0.06, 0.11), (0.34, -0.24, 0.08)):
        snore = ((-1, -1), (1, -1), (-1, 1), (1, 1))
        sketch.line(place_shape(snore, (x * size, y * size), half * size), sketch.theme.night, 0.06 * size)


def _takeover(sketch: TangleSketch, size: float) -> None:
    figures.tile(sketch, (0.2 * size, 0.12 * size), 0.7 * size, "earth")
    way = bow((-0.44, -0.34), (0.0, -0.4), (0.18, 0.1))
    arrow(sketch, place_shape(way, ORIGIN, size), 0.13 * size, sketch.theme.berry)


ACTIONS: dict[Action, Callable[[TangleSketch, float], None]] = {
    "resource": _spring,
    "clean_earth": partial(_lay, "earth"),
    "place_lake": partial(_lay, "lake"),
    "place_meadows": partial(_lay, "meadow"),
    "bush_seed": partial(_seed, "bush"),
    "tree_seed": partial(_seed, "tree"),
    "plant": _plant,
    "grow": _grow,
    "take_cards": _cards,
    "gather_water": _water,
    "sprout": _sprout,
    "spread_meadows": _spread_meadows,
    "spread_bushes": _spread_bushes,
    "gather_cards": _gather_cards,
    "contained_growth": _draw_pot,
    "mana": _mana,
    "shift": _shift,
    "diverse": _diverse,
    "sacrifice": _sacrifice,
    "hibernate": _hibernate,
    "takeover": _takeover,
}


OWN = 1.06
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
def territory(theme: TangleTheme, size: int, *, joined: bool) -> Sprite:
    """Return tiles of any kind, apart or as a connected group."""
    spread, part = (0.22, 0.48) if joined else (0.27, 0.38)

    def paint(sketch: TangleSketch, size: float) -> None:
        for spot in place_shape(((-1, 0.6), (1, 0.6), (0, -0.8)), ORIGIN, spread * size):
            figures.tile(sketch, spot, part * size, "earth")

    return draw_sign(theme, size, paint)


@lru_cache(maxsize=32)
def roots(theme: TangleTheme, seat: Seat, size: int) -> Sprite:
    def paint(sketch: TangleSketch, size: float) -> None:
        for thick, colour in ((0.19, sketch.theme.pen), (0.11, sketch.theme.seat(seat))):
            for start, bend, end in TENDRILS:
                sketch.line(place_shape(bow(start, bend, end, 8), ORIGIN, size), colour, thick * size)

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
        canvas.disc(at, radius + 4.5, theme.black)
        canvas.disc(at, radius + 3.5, theme.gold)
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
        sketch.polygon(place_shape(glass, ORIGIN, size), sketch.theme.nut)
        for y in (-0.4, 0.4):
            sketch.line(place_shape(((-0.32, y), (0.32, y)), ORIGIN, size), sketch.theme.pen, 0.12 * size)

    return draw_sign(theme, size, paint)


def track(theme: TangleTheme, name: TrackName, size: int) -> Sprite:
    return card(theme, size) if name == "cards" else tile(theme, "lake" if name == "lakes" else "bush", size)
