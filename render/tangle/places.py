"""Places for signs on the map, and the last changes."""

import math
from collections.abc import Collection
from functools import lru_cache

from engines.game import is_quiet
from engines.tangle.pieces import components
from engines.tangle.view import TangleView
from render.core.canvas import Canvas, Point, Sketch, Sprite, arrow
from render.core.theme import Rgb, mix
from render.tangle import signs
from render.tangle.colours import LEAST, SPACE, LandLayout, TangleCanvas, TangleTheme, letters

BASIC: tuple[components.SpaceCode, ...] = tuple(components.RESOURCES)
PILL = round(LEAST / 0.86)
"""The least height of a pill with legible text, in pixels."""
ROOT, HOME = 0.2, 0.38
"""The radius of a root on a space, and how far below the middle of its tree it begins, in half steps."""


def action_of(view: TangleView, code: components.SpaceCode) -> components.Action:
    """Return a space's action at this table. Empty for a centre without action."""
    if code == components.CENTRE:
        return view.centre or ""
    exchanged = dict(view.options.exchange)
    return exchanged[code] if code in exchanged else components.SPACES[code].action


def space(canvas: TangleCanvas, view: TangleView, code: components.SpaceCode, at: Point, unit: int) -> None:
    raised = 0.08 if code in view.roots else 0.0
    plain(canvas, code, action_of(view, code), view.resources.get(code), at, unit, raised)
    pile(canvas, view, code, (at[0], at[1] + 0.53 * unit), unit)


def plain(
    canvas: TangleCanvas,
    code: components.SpaceCode,
    action: components.Action,
    lies: components.Amount | None,
    at: Point,
    unit: int,
    raised: float = 0,
) -> None:
    """Draw a space without roots. `raised` moves sign and code up, in half steps, above the roots."""
    if lies is None or action != "resource":
        canvas.paint(_sign_plate(canvas.theme, action, code, unit, raised), at)
    elif code in BASIC:
        theme = canvas.theme
        x, y = at
        index = BASIC.index(code)
        colour = theme.resources[components.RESOURCES[index]]
        canvas.paint(plate(theme, unit, colour, mix(colour, theme.ink, 0.4)), at)
        sign = signs.resource(theme, components.RESOURCES[index], round((0.36 - raised) * unit))
        canvas.paint(sign, (x, y - (0.28 + raised) * unit))
        middle = (x, y + (0.16 - raised) * unit)
        canvas.word(middle, f"{lies[index]}{code}", round(0.52 * unit), theme.card, weight=700)
    else:
        ground = mix(canvas.theme.water, canvas.theme.card, 0.6)
        canvas.paint(plate(canvas.theme, unit, ground, canvas.theme.ink), at)
        _spring(canvas, code, lies, (at[0], at[1] - raised * unit), unit)


@lru_cache(maxsize=64)
def plate(theme: TangleTheme, unit: int, ground: Rgb, edge: Rgb) -> Sprite:
    sketch = Sketch((-unit, -unit, unit, unit), theme)
    radius = SPACE * unit
    sketch.disc((0, 0), radius, edge)
    sketch.disc((0, 0), radius - 0.035 * unit, ground)
    sketch.disc((0, 0), radius - 0.07 * unit, None, mix(edge, ground, 0.6), 0.02 * unit)
    return sketch.sprite()


@lru_cache(maxsize=128)
def _sign_plate(
    theme: TangleTheme, action: components.Action, code: components.SpaceCode, unit: int, raised: float
) -> Sprite:
    ground = (
        plate(theme, unit, theme.card, theme.ink) if action else plate(theme, unit, theme.stone, theme.slate)
    )
    canvas = Canvas.over(ground.image, theme)
    x, y = -ground.at[0], -ground.at[1] - raised * unit
    if action:
        canvas.paint(signs.action(theme, action, round(0.52 * unit)), (x, y - 0.2 * unit))
        canvas.word((x, y + 0.22 * unit), code, letters(0.4, unit), theme.ink, weight=700)
    else:
        canvas.word((x, y), code, round(0.46 * unit), mix(theme.slate, theme.ink, 0.4), weight=700)
    return Sprite(canvas.image, ground.mask, ground.at)


def _spring(
    canvas: TangleCanvas, code: components.SpaceCode, lies: components.Amount, at: Point, unit: int
) -> None:
    """Draw a special spring: its code, below it the resources there, and numbers above 1."""
    theme = canvas.theme
    x, y = at
    canvas.word((x, y - 0.36 * unit), code, letters(0.36, unit), theme.ink, weight=700)
    pairs = split_amount(lies)
    step, high = min(0.5, 1 / max(1, len(pairs))) * unit, 0.08 if max(lies) < 2 else -0.09
    for index, (number, letter) in enumerate(pairs):
        left = x + (index - (len(pairs) - 1) / 2) * step
        sign = signs.resource(theme, letter, round(min(0.9 * step, (0.33 + 0.5 * min(0, high)) * unit)))
        canvas.paint(sign, (left, y + high * unit))
        if number > 1:
            canvas.word((left, y + 0.2 * unit), str(number), letters(0.36, unit), theme.ink, weight=700)


def split_amount(amount: components.Amount) -> list[tuple[int, components.Resource]]:
    return [(number, letter) for number, letter in zip(amount, components.RESOURCES, strict=True) if number]


def pill(
    canvas: TangleCanvas, text: str, at: Point, size: int, letter: components.Resource, rim: Rgb | None = None
) -> None:
    half, (x, y) = (0.31 * len(text) + 0.15) * size, at
    box = (x - half, y - 0.43 * size, x + half, y + 0.43 * size)
    if rim is not None:
        canvas.box((box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4), rim, radius=round(0.46 * size))
        canvas.box(
            (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1), canvas.theme.card, radius=round(0.38 * size)
        )
    canvas.box(box, canvas.theme.resources[letter], radius=round(0.36 * size))
    canvas.word(at, text, round(0.86 * size), canvas.theme.card, weight=700)


def pile(canvas: TangleCanvas, view: TangleView, code: components.SpaceCode, foot: Point, unit: int) -> None:
    """Draw the roots on a space, bottom one at the left."""
    stack = view.roots.get(code, ())
    if not stack:
        return
    radius = ROOT * unit
    step = min(0.3, 0.84 / max(1, len(stack) - 1)) * unit
    left = foot[0] - step * (len(stack) - 1) / 2
    dozing = {
        max(index for index, owner in enumerate(stack) if owner == seat)
        for seat in set(stack)
        if view.players[seat].sleeper == code
    }
    for index, seat in enumerate(stack):
        spot, is_own = (left + index * step, foot[1]), seat == view.viewer
        signs.root(canvas, seat, spot, radius, asleep=index in dozing, is_own=is_own)
    if len(stack) > 5:
        text = f"{len(stack)}\u00d7"
        at, theme = (left - 0.4 * unit, foot[1]), canvas.theme
        canvas.word(at, text, letters(0.3, unit), theme.ink, weight=700, halo=theme.card)


TAIL = 0.17
"""The radius of the ring at the beginning of a move, in half steps."""


def shade(theme: TangleTheme, view: TangleView, code: str) -> Rgb:
    """Return the colour of a change: its seat's, or gold without one. Among many changes it's paler."""
    change = next((one for one in view.news or () if one.place == code), None)
    if change is None or change.seat is None:
        return theme.gold
    colour = theme.seat(change.seat)
    return mix(colour, theme.card, 0.45) if is_quiet(change, view.news or ()) else colour


def is_left(view: TangleView, code: str) -> bool:
    """Return True if a root left the place and nothing else changed."""
    news = view.news or ()
    left = any(one.start == code and one.kind == "roots" for one in news)
    return left and not any(one.place == code and one.start for one in news)


def moves(canvas: TangleCanvas, view: TangleView, layout: LandLayout, marked: Collection[str]) -> None:
    """Draw each move's arrow, below discs and labels: call it first."""
    for change in view.news or ():
        if change.start is None or change.seat is None or change.place not in marked:
            continue
        colour, unit, is_swap = shade(canvas.theme, view, change.place), layout.unit, change.kind == "tile"
        (x, y), (u, v) = _middle(layout, change.start), _middle(layout, change.place)
        if change.start in components.AREAS and not is_swap:
            y += HOME * unit
        length = math.dist((x, y), (u, v)) or 1.0
        first = 0.4 if is_swap else 0.0 if change.start in components.AREAS else SPACE + TAIL
        last = length / unit - (0.4 if is_swap else SPACE + 0.18)
        way = [(x + (u - x) * at * unit / length, y + (v - y) * at * unit / length) for at in (first, last)]
        arrow(canvas, way, colour, 0.14 * unit, is_double=is_swap)
        if not is_swap:
            canvas.disc(way[0], TAIL * unit + 3, canvas.theme.card)
            canvas.disc(way[0], TAIL * unit, colour)
            canvas.disc(way[0], 0.5 * TAIL * unit, canvas.theme.card)


def _middle(layout: LandLayout, code: str) -> Point:
    return layout.area(code) if code in components.AREAS else layout.space(code)
