"""Places for signs on the map, and the last changes."""

from collections.abc import Collection
from functools import lru_cache

from engines.game import is_quiet
from engines.tangle.pieces import components
from engines.tangle.view import TangleView
from render.core.canvas import Canvas, Point, Sketch, Sprite, arrow, seat_mark
from render.core.text import fit
from render.core.theme import Rgb, mix
from render.tangle import signs
from render.tangle.colours import LEAST, SPACE, LandLayout, TangleCanvas, TangleTheme, letters

BASIC: tuple[components.SpaceCode, ...] = tuple(components.RESOURCES)
PILL = round(LEAST / 0.86)
"""The least height of a pill with legible text, in pixels."""
ROOT = 0.21
"""The radius of a root on a space, in half steps."""


def action_of(view: TangleView, code: components.SpaceCode) -> components.Action:
    """Return a space's action at this table. Empty for a centre without action."""
    if code == components.CENTRE:
        return view.centre or ""
    exchanged = dict(view.options.exchange)
    return exchanged[code] if code in exchanged else components.SPACES[code].action


def space(canvas: TangleCanvas, view: TangleView, code: components.SpaceCode, at: Point, unit: int) -> None:
    raised = 0.06 if code in view.roots else 0.0
    plain(canvas, code, action_of(view, code), view.resources.get(code), at, unit, raised)
    pile(canvas, view, code, (at[0], at[1] + 0.52 * unit), unit)


def plain(
    canvas: TangleCanvas,
    code: components.SpaceCode,
    action: components.Action,
    lies: components.Amount | None,
    at: Point,
    unit: int,
    raised: float = 0,
) -> None:
    """Draw a space without roots. `raised` moves the sign of its action up, in half steps."""
    if lies is None or action != "resource":
        canvas.paint(_sign_plate(canvas.theme, action, code, unit, raised), at)
    elif code in BASIC:
        theme = canvas.theme
        x, y = at
        index = BASIC.index(code)
        colour = theme.resources[components.RESOURCES[index]]
        canvas.paint(plate(theme, unit, colour, mix(colour, theme.ink, 0.4)), at)
        canvas.paint(
            signs.resource(theme, components.RESOURCES[index], round(0.36 * unit)), (x, y - 0.28 * unit)
        )
        canvas.word((x, y + 0.16 * unit), f"{lies[index]}{code}", round(0.52 * unit), theme.card, weight=700)
    else:
        _spring(canvas, code, lies, at, unit)


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
    """Draw a special spring: its code, and below it the resources there."""
    theme = canvas.theme
    x, y = at
    canvas.paint(plate(theme, unit, mix(theme.water, theme.card, 0.6), theme.ink), at)
    pairs = split_amount(lies)
    rows = [pairs] if len(pairs) <= 2 else [pairs[:2], pairs[2:]]
    canvas.word(
        (x, y - (0.24 if len(rows) < 2 else 0.32) * unit), code, letters(0.36, unit), theme.ink, weight=700
    )
    for row, line in enumerate(rows):
        high = y + (0.16 if len(rows) < 2 else 0.04 + 0.3 * row) * unit
        sign, size = round(0.34 * unit), letters(0.3, unit)
        lines = [
            (fit(str(number), unit, size, 700) if number > 1 else None, letter) for number, letter in line
        ]
        left = x - (sum(sign + (0 if text is None else text.width + 2) for text, _ in lines)) / 2
        for text, letter in lines:
            if text is not None:
                canvas.draw_line((left, high), text, theme.ink)
                left += text.width + 2
            canvas.paint(signs.resource(theme, letter, sign), (left + sign / 2, high))
            left += sign


def split_amount(amount: components.Amount) -> list[tuple[int, components.Resource]]:
    return [(number, letter) for number, letter in zip(amount, components.RESOURCES, strict=True) if number]


def pill(canvas: TangleCanvas, text: str, at: Point, size: int, letter: components.Resource) -> None:
    half, (x, y) = (0.35 * len(text) + 0.18) * size, at
    box = (x - half, y - 0.48 * size, x + half, y + 0.48 * size)
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
    if len(stack) > 3:
        text = f"{len(stack)}\u00d7"
        at, theme = (left - 0.4 * unit, foot[1]), canvas.theme
        canvas.word(at, text, letters(0.3, unit), theme.ink, weight=700, halo=theme.card)


MARK = 0.2
"""The radius of a seat's mark, in half steps."""
CORNER = {True: (0.38, -0.6), False: (0.42, -0.42)}
"""The middle of the mark on an area, and on a space, from the middle of that place."""


def shade(theme: TangleTheme, view: TangleView, code: str) -> Rgb:
    """Return the colour of a change: its seat's, or gold without one. Among many changes it's paler."""
    change = next((one for one in view.news or () if one.place == code), None)
    if change is None or change.seat is None:
        return theme.gold
    colour = theme.seat(change.seat)
    return mix(colour, theme.card, 0.45) if is_quiet(change, view.news or ()) else colour


def makers(canvas: TangleCanvas, view: TangleView, layout: LandLayout, marked: Collection[str]) -> None:
    """Draw an arrow for each move, and an emblem at each change."""
    changes = [one for one in view.news or () if one.place in marked and one.seat is not None]
    for change in changes:
        if change.start is not None:
            colour = shade(canvas.theme, view, change.place)
            start, end = _middle(layout, change.start or ""), _middle(layout, change.place)
            length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 or 1.0
            cut = min(0.4, SPACE * layout.unit / length)
            way = [
                (start[0] + (end[0] - start[0]) * at, start[1] + (end[1] - start[1]) * at)
                for at in (cut, 1 - cut)
            ]
            arrow(canvas, way, colour, 0.11 * layout.unit, is_double=change.place in components.AREAS)
    for change in changes:
        x, y = _middle(layout, change.place)
        right, down = CORNER[change.place in components.AREAS]
        at = (x + right * layout.unit, y + down * layout.unit)
        quiet = is_quiet(change, view.news or ())
        colour = canvas.theme.seat(change.seat or 0)
        seat_mark(canvas, change.seat or 0, at, MARK * layout.unit, colour, is_quiet=quiet)


def _middle(layout: LandLayout, code: str) -> Point:
    return layout.area(code) if code in components.AREAS else layout.space(code)
