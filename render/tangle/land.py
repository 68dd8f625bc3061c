"""The land of Tangle: ground, tiles, and the window on a part of it."""

import math
from collections.abc import Collection, Sequence
from functools import lru_cache
from random import Random

from PIL import Image

from engines.tangle.pieces.board import Kind, TangleTile
from engines.tangle.pieces.components import AREAS, SPACES, AreaCode, Resource, SpaceCode
from engines.tangle.view import TangleView
from render.core.canvas import Box, Canvas, Point, Sketch, Sprite
from render.core.theme import Rgb, mix
from render.tangle import colours as layouts
from render.tangle import figures, places, signs
from render.tangle.colours import APOTHEM, PAD, SPACE, LandLayout, TangleCanvas, TangleTheme, letters

EDGE = 7
"""The width of the land's edge."""
PATCHES = 12
"""The number of patches of dry ground that crack differently."""
ARROW, BESIDE, BETWEEN = 0.39, 0.425, 0.5
"""The places of arrows on the way from the space that is fed: without a letter, and with one in a row and
between rows."""


@lru_cache(maxsize=8)
def land(theme: TangleTheme, layout: LandLayout) -> Image.Image:
    """Draw the land without anything that changes in a game."""
    canvas = Canvas(layout.width, layout.height, theme)
    result, unit = layouts.areas(layout.seats), layout.unit
    for grow, colour in ((EDGE + 3, mix(theme.dust_edge, theme.dust, 1 / 3)), (EDGE, theme.dust_edge)):
        for area in result:
            canvas.paint(triangle(theme, area.up, layout.unit, grow, colour), layout.area(area.code))
    for area in result:
        canvas.paint(triangle(theme, area.up, layout.unit, 2, theme.dust), layout.area(area.code))
    for area in result:
        at = layout.area(area.code)
        canvas.paint(bare(theme, area.code, unit), at)
        # Stones or dead twigs in its corners. Spaces hide most of them.
        rng = Random(f"barren {area.code}")
        for x, y in _corners(area.up, unit):
            spot = 0.74 * x + rng.uniform(-0.05, 0.05) * unit, 0.74 * y + rng.uniform(-0.03, 0.03) * unit
            litter = (_stones if rng.random() < 0.5 else _twigs)(theme, unit)
            canvas.paint(litter, (at[0] + spot[0], at[1] + spot[1]))
    return canvas.image


@lru_cache(maxsize=64)
def triangle(theme: TangleTheme, up: bool, unit: int, grow: int, colour: Rgb) -> Sprite:
    """Draw the triangle of an area, a little larger than it is."""
    sketch = Sketch((-unit - 16, -1.3 * unit - 16, unit + 16, 1.3 * unit + 16), theme)
    sketch.polygon(_corners(up, unit), colour, colour, 2 * grow)
    return sketch.sprite()


def _corners(up: bool, unit: float) -> list[Point]:
    sign = -1 if up else 1
    high = layouts.ROW * unit / 3
    return [(0.0, sign * 2 * high), (unit, -sign * high), (-unit, -sign * high)]


@lru_cache(maxsize=8)
def living(theme: TangleTheme, up: bool, unit: int) -> Sprite:
    """Draw living ground, with grass on corners without spaces."""
    sketch = Sketch((-unit - 4, -1.3 * unit - 4, unit + 4, 1.3 * unit + 4), theme)
    sketch.polygon(_corners(up, unit), theme.living, theme.living, 2)
    for x, y in _corners(up, unit):
        for dx, dy in ((0.0, 0.1), (-0.09, 0.04), (0.1, 0.06)):
            figures.grass(sketch, (0.74 * x + dx * unit, 0.74 * y + dy * unit), 0.13 * unit)
    return sketch.sprite()


def bare(theme: TangleTheme, code: AreaCode, unit: int) -> Sprite:
    """Draw an area on which nothing grows, without its code."""
    return _dry(theme, Random(code).randrange(PATCHES), unit)


@lru_cache(maxsize=8 * PATCHES)
def _dry(theme: TangleTheme, patch: int, unit: int) -> Sprite:
    rng = Random(patch)
    reach = 1.2 * layouts.APOTHEM * unit
    sketch = Sketch((-reach, -reach, reach, reach), theme)
    sketch.polygon(layouts.hexagon((layouts.APOTHEM - 0.03) * unit), theme.dry)
    rim = layouts.hexagon((layouts.APOTHEM - 0.05) * unit)
    for _ in range(3):
        # A crack begins on an edge: the whole part of the turn names the side, the rest its share.
        turn = rng.uniform(0, 6)
        side, share = int(turn) % 6, turn % 1
        (a, b), (c, d) = rim[side], rim[(side + 1) % 6]
        x, y = a + share * (c - a), b + share * (d - b)
        way, heading = [(x, y)], math.atan2(-y, -x) + rng.uniform(-0.7, 0.7)
        for _ in range(3):
            heading += rng.uniform(-0.8, 0.8)
            way.append(_onwards(way[-1], heading, 0.13 * unit))
        sketch.line(way, theme.crack, 0.028 * unit)
        fork = _onwards(way[1], heading + rng.choice((-1.2, 1.2)), 0.14 * unit)
        sketch.line([way[1], fork], theme.crack, 0.02 * unit)
    return sketch.sprite()


def _onwards(start: Point, heading: float, far: float) -> Point:
    """Return the point at a distance and a direction in radians."""
    return start[0] + far * math.cos(heading), start[1] + far * math.sin(heading)


@lru_cache(maxsize=8)
def _stones(theme: TangleTheme, unit: int) -> Sprite:
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    for shift, size in ((0.0, 0.09), (0.12, 0.06), (-0.1, 0.045)):
        left, top = (shift - size) * unit, (0.06 - 0.7 * size) * unit
        box = (left, top, left + 2 * size * unit, top + 1.4 * size * unit)
        sketch.ellipse(box, theme.stone, theme.slate, 0.02 * unit)
    return sketch.sprite()


@lru_cache(maxsize=8)
def _twigs(theme: TangleTheme, unit: int) -> Sprite:
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    foot = (0.0, 0.1 * unit)
    for lean, high in ((-0.12, 0.16), (0.02, 0.24), (0.13, 0.14)):
        sketch.line([foot, (foot[0] + lean * unit, foot[1] - high * unit)], theme.faint, 0.022 * unit)
    return sketch.sprite()


def codes(canvas: TangleCanvas, layout: LandLayout, shown: Collection[str]) -> None:
    """Write the codes of empty areas."""
    size, theme = letters(0.42, layout.unit), canvas.theme
    for area in layouts.areas(layout.seats):
        if area.code in shown:
            canvas.word(layout.area(area.code), area.code, size, theme.faint, weight=600, halo=theme.dry)


def arrows(canvas: TangleCanvas, layout: LandLayout, exchanged: Collection[SpaceCode]) -> None:
    """Draw short arrows from feeding to fed spaces. Exchanged spaces are fed no more."""
    for space in layouts.spaces(layout.seats):
        if space.code in exchanged:
            continue
        x, y = layout.space(space.code)
        for source, letter in space.arrows.items():
            if SPACES[source].section > layout.seats:
                continue
            sx, sy = layout.space(source)
            turn = math.degrees(math.atan2(y - sy, x - sx))
            lettered = letter if space.code not in places.BASIC else ""
            share = ARROW if not lettered else BESIDE if y == sy else BETWEEN
            at = (x + share * (sx - x), y + share * (sy - y))
            canvas.paint(_arrow(canvas.theme, letter, round(turn), layout.unit, lettered), at)


@lru_cache(maxsize=256)
def _arrow(theme: TangleTheme, letter: Resource, turn: int, unit: int, lettered: str) -> Sprite:
    """Draw an arrow, turned clockwise by degrees. One without a letter is narrow, and covers no plant."""
    colour = theme.resources[letter]
    shape = ((-0.15, -0.14), (0.1, -0.14), (0.27, 0.0), (0.1, 0.14), (-0.15, 0.14))
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    high = letters(0.26, unit) if lettered else 0.22 * unit
    points, edge = figures.place_shape(shape, (0, 0), high / 0.29, turn), mix(colour, theme.ink, 0.4)
    sketch.polygon(points, colour, edge, 0.03 * unit)
    arrow = sketch.sprite()
    if not lettered:
        return arrow
    canvas = Canvas.over(arrow.image, theme)
    canvas.word((-arrow.at[0], -arrow.at[1]), letter, round(high), theme.card, weight=700)
    return Sprite(canvas.image, arrow.mask, arrow.at)


LETTERS: dict[Kind, str] = {
    "earth": "e",
    "bush": "B",
    "meadow": "M",
    "lake": "L",
    "sapling": "s",
    "tree": "T",
}
CUBES: dict[Kind, Resource] = {"meadow": "N", "bush": "E"}
"""The cubes that collect on tiles."""


def fill(
    canvas: TangleCanvas,
    view: TangleView,
    layout: LandLayout,
    marked: Collection[str],
    shown: Collection[str],
) -> None:
    seen = {code: lies for code, lies in view.tiles.items() if code in shown}
    for code in seen:
        canvas.paint(living(canvas.theme, AREAS[code].up, layout.unit), layout.area(code))
    for code, lies in seen.items():
        picture = figures.seat_tile(canvas.theme, lies.kind, lies.owner, layout.unit, below=True)
        canvas.paint(picture, layout.area(code))
    marked = [code for code in marked if not places.is_left(view, code)]
    for code in marked:
        colour = places.shade(canvas.theme, view, code)
        if code in AREAS:
            rim(canvas, layout.area(code), layout.unit, colour)
        else:
            ring(canvas, layout.space(code), layout.unit, colour)
    arrows(canvas, layout, dict(view.options.exchange))
    places.moves(canvas, view, layout, marked)
    for space in layouts.spaces(layout.seats):
        if space.code in shown:
            places.space(canvas, view, space.code, layout.space(space.code), layout.unit)
    # Codes and marks come last: neither an arrow nor a root on the space above covers them.
    codes(canvas, layout, {*shown} - {*seen})
    for code, lies in seen.items():
        _marks(canvas, lies, layout.area(code), layout.unit)
        is_own = lies.owner == view.viewer
        _on_it(canvas, code, lies, layout.area(code), layout.unit, is_own=is_own)


def everything(layout: LandLayout) -> set[str]:
    return {code for code, _, _ in layout.places()}


def rim(canvas: TangleCanvas, at: Point, unit: int, colour: Rgb) -> None:
    """Draw the outline of a change or a choice."""
    points = [(at[0] + x, at[1] + y) for x, y in layouts.hexagon((APOTHEM + 0.03) * unit)]
    for thick, shade in ((0.2, _casing(canvas.theme, colour)), (0.13, colour)):
        canvas.line([*points, points[0], points[1]], shade, thick * unit)


def ring(canvas: TangleCanvas, at: Point, unit: int, colour: Rgb) -> None:
    """Draw the line of a change around a space. Call it before drawing the space."""
    canvas.disc(at, (SPACE + 0.185) * unit, _casing(canvas.theme, colour))
    canvas.disc(at, (SPACE + 0.15) * unit, colour)


def _casing(theme: TangleTheme, colour: Rgb) -> Rgb:
    return theme.black if colour == theme.gold else theme.card


def tile(canvas: TangleCanvas, lies: TangleTile, at: Point, unit: int) -> None:
    canvas.paint(figures.seat_tile(canvas.theme, lies.kind, lies.owner, unit), at)
    _marks(canvas, lies, at, unit)
    _on_it(canvas, None, lies, at, unit)


def _marks(canvas: TangleCanvas, lies: TangleTile, at: Point, unit: int) -> None:
    """Draw a tile's owner at its left, its kind at its right."""
    x, y = at
    spot = (x - 0.45 * unit, y)
    canvas.disc(spot, 0.155 * unit, canvas.theme.card)
    canvas.emblem(lies.owner, spot, 0.12 * unit)
    floor = canvas.theme.floors[lies.kind]
    spot, size = (x + 0.42 * unit, y), letters(0.34, unit)
    canvas.word(spot, LETTERS[lies.kind], size, canvas.theme.black, weight=700, halo=floor)


def _on_it(
    canvas: TangleCanvas,
    code: AreaCode | None,
    lies: TangleTile,
    at: Point,
    unit: int,
    *,
    is_own: bool = False,
) -> None:
    theme = canvas.theme
    x, y = at
    floor = theme.floors[lies.kind]
    if code is not None:
        canvas.word((x, y - 0.29 * unit), code, letters(0.37, unit), theme.black, weight=700, halo=floor)
    foot = (x, y + 0.34 * unit)
    if lies.seed is not None:
        canvas.paint(signs.seed(theme, lies.seed, round(0.36 * unit)), (x - 0.12 * unit, foot[1]))
        canvas.word(
            (x + 0.16 * unit, foot[1]), lies.seed[0], letters(0.34, unit), theme.black, weight=700, halo=floor
        )
    if lies.cubes:
        letter = CUBES[lies.kind]
        size = max(places.PILL, round(0.3 * unit))
        places.pill(canvas, f"{lies.cubes}{letter}", (x - 0.07 * unit, foot[1]), size, letter)
    for index in range(lies.roots):
        step = min(0.26, 0.6 / max(1, lies.roots - 1)) * unit
        left = x - step * (lies.roots - 1) / 2
        spot = (left + index * step, y + places.HOME * unit)
        signs.root(canvas, lies.owner, spot, 0.16 * unit, is_own=is_own)


WIDTH, UNIT = 1200, 104
"""The largest width, and the most pixels of a half step."""
AROUND, SMALLEST = 1.7, (7.0, 5.2)
"""The land around the candidates, and the least part of it, in half steps."""


def focus(theme: TangleTheme, view: TangleView, areas: Sequence[str], spaces: Sequence[str]) -> TangleCanvas:
    """Draw the land around these areas and spaces. All of it if none are named."""
    begin, _, end, _ = layouts.reach(view.seats)
    layout = LandLayout(view.seats, UNIT, round((end - begin) * UNIT) + 2 * PAD)
    box = _window(layout, areas, spaces)
    if box[2] - box[0] > WIDTH:
        layout = layouts.fitting(view.seats, WIDTH, WIDTH)
        box = _window(layout, areas, spaces)
    left, top, right, bottom = (round(edge) for edge in box)
    shown = {
        code
        for code, (x, y), radius in layout.places()
        if left - radius < x < right + radius and top - radius < y < bottom + radius
    }
    canvas = Canvas.over(land(theme, layout), theme)
    fill(canvas, view, layout, (*areas, *spaces), shown)
    for code in areas:
        x, y = layout.area(code)
        _tag(canvas, code, (x, y - (0.36 * layout.unit if code in view.tiles else 0)), layout.unit)
    for code in spaces:
        x, y = layout.space(code)
        _tag(canvas, code, (x, y - (SPACE + 0.16) * layout.unit), layout.unit)
    canvas.image = canvas.image.crop((left, top, right, bottom))
    return canvas


def _window(layout: LandLayout, areas: Sequence[str], spaces: Sequence[str]) -> Box:
    points = [layout.area(code) for code in areas] + [layout.space(code) for code in spaces]
    if not points:
        return 0, 0, layout.width, layout.height
    left, top, right, bottom = layouts.around(points, AROUND * layout.unit)
    left, right = _widen(left, right, SMALLEST[0] * layout.unit, layout.width)
    top, bottom = _widen(top, bottom, SMALLEST[1] * layout.unit, layout.height)
    return left, top, right, bottom


def _widen(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    """Lengthen a stretch to `least`, and move it within its bounds."""
    missing = max(0.0, least - (high - low)) / 2
    low, high = low - missing, high + missing
    low, high = low - max(0.0, high - most), high - min(0.0, low)
    return max(0.0, low), min(most, high)


def _tag(canvas: TangleCanvas, code: str, at: Point, unit: int) -> None:
    x, y = at
    size = round(0.4 * unit)
    half, high = (0.31 * len(code) + 0.3) * size, 0.62 * size
    canvas.box((x - half - 3, y - high - 3, x + half + 3, y + high + 3), canvas.theme.black, radius=12)
    canvas.box((x - half, y - high, x + half, y + high), canvas.theme.gold, radius=10)
    canvas.word(at, code, size, canvas.theme.black, weight=700)
