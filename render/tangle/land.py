"""The land in play: living ground, tiles with all that is on them, spaces, and the last changes."""

from collections.abc import Collection
from functools import lru_cache

from engines.game import Seat
from engines.tangle.pieces.amounts import Resource
from engines.tangle.pieces.board import Kind, TangleTile
from engines.tangle.pieces.components import AREAS, AreaCode
from engines.tangle.view import TangleView
from render.core.canvas import Canvas, Point, Sprite
from render.core.palette import Rgb
from render.tangle import changes, ground, growth, places, tokens
from render.tangle import layout as layouts
from render.tangle.colours import TangleCanvas, TangleTheme
from render.tangle.layout import APOTHEM, SPACE, LandLayout, letters

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
    """Draw everything on the areas and spaces in `shown`."""
    seen = [code for code in view.tiles if code in shown]
    for code in seen:
        lies = view.tiles[code]
        canvas.paint(
            _standing(canvas.theme, AREAS[code].up, lies.kind, lies.owner, layout.unit), layout.area(code)
        )
    for code in seen:
        is_own = view.tiles[code].owner == view.viewer
        _on_it(canvas, code, view.tiles[code], layout.area(code), layout.unit, is_own=is_own)
    for code in marked:
        if code in AREAS:
            rim(canvas, layout.area(code), layout.unit)
    ground.arrows(canvas, layout, dict(view.options.exchange))
    for space in layouts.spaces(layout.seats):
        if space.code in shown:
            at = layout.space(space.code)
            if space.code in marked:
                ring(canvas, at, layout.unit, changes.shade(canvas.theme, view, space.code))
            places.space(canvas, view, space.code, at, layout.unit)
    changes.makers(canvas, view, layout, [code for code in marked if code in shown])


def everything(layout: LandLayout) -> set[str]:
    """Return all areas and spaces in play."""
    return {code for code, _, _ in layout.places()}


def rim(canvas: TangleCanvas, at: Point, unit: int) -> None:
    """Draw the golden line around a tile or an empty area."""
    points = [(at[0] + x, at[1] + y) for x, y in layouts.hexagon((APOTHEM + 0.03) * unit)]
    for thick, colour in ((0.13, canvas.theme.black), (0.08, canvas.theme.gold)):
        canvas.line([*points, points[0], points[1]], colour, thick * unit)


def ring(canvas: TangleCanvas, at: Point, unit: int, colour: Rgb) -> None:
    """Draw the line of a change around a space. Call it before drawing the space."""
    canvas.disc(at, (SPACE + 0.1) * unit, changes.edge_of(canvas.theme, colour))
    canvas.disc(at, (SPACE + 0.075) * unit, colour)


@lru_cache(maxsize=192)
def _standing(theme: TangleTheme, up: bool, kind: Kind, owner: Seat, unit: int) -> Sprite:
    """Draw living ground with an owned tile, alike on all areas."""
    floor, lies = ground.living(theme, up, unit), TangleTile(owner, kind)
    canvas = Canvas.over(floor.image, theme)
    middle = (-floor.at[0], -floor.at[1])
    canvas.paint(growth.tile(theme, kind, owner, unit, below=True), middle)
    _marks(canvas, lies, middle, unit)
    return Sprite(canvas.image, floor.mask, floor.at)


def tile(canvas: TangleCanvas, lies: TangleTile, at: Point, unit: int) -> None:
    """Draw a tile with its owner, its kind, and its contents."""
    canvas.paint(growth.tile(canvas.theme, lies.kind, lies.owner, unit), at)
    _marks(canvas, lies, at, unit)
    _on_it(canvas, None, lies, at, unit)


def _marks(canvas: TangleCanvas, lies: TangleTile, at: Point, unit: int) -> None:
    """Draw a tile's owner at its left, its kind at its right."""
    x, y = at
    spot = (x - 0.44 * unit, y)
    canvas.disc(spot, 0.17 * unit, canvas.theme.card)
    canvas.emblem(lies.owner, spot, 0.13 * unit)
    floor = canvas.theme.floors[lies.kind]
    spot, size = (x + 0.38 * unit, y + 0.02 * unit), letters(0.34, unit)
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
    """Draw an area's code, if any, and the things on its tile."""
    theme = canvas.theme
    x, y = at
    floor = theme.floors[lies.kind]
    if code is not None:
        canvas.word((x, y - 0.29 * unit), code, letters(0.37, unit), theme.black, weight=700, halo=floor)
    foot = (x, y + 0.34 * unit)
    if lies.seed is not None:
        canvas.paint(tokens.seed(theme, lies.seed, round(0.36 * unit)), (x - 0.12 * unit, foot[1]))
        canvas.word(
            (x + 0.16 * unit, foot[1]), lies.seed[0], letters(0.34, unit), theme.black, weight=700, halo=floor
        )
    if lies.cubes:
        letter = CUBES[lies.kind]
        places.pill(canvas, f"{lies.cubes}{letter}", foot, max(places.PILL, round(0.3 * unit)), letter)
    for index in range(lies.roots):
        step = min(0.26, 0.6 / max(1, lies.roots - 1)) * unit
        left = x - step * (lies.roots - 1) / 2
        spot = (left + index * step, y + 0.38 * unit)
        tokens.root(canvas, lies.owner, spot, 0.16 * unit, is_own=is_own)
