"""The changes of the land by the seats that made them: their colours, their emblems, and arrows."""

from collections.abc import Collection

from engines.changes import BoardChange, is_quiet
from engines.tangle.pieces.components import AREAS
from engines.tangle.view import TangleView
from render.core.arrows import arrow, seat_mark
from render.core.canvas import Point
from render.core.palette import Rgb, mix
from render.tangle.colours import TangleCanvas, TangleTheme
from render.tangle.layout import SPACE, LandLayout

MARK = 0.2
"""The radius of a seat's mark, in half steps."""
CORNER = {True: (0.38, -0.6), False: (0.42, -0.42)}
"""The middle of the mark on an area, and on a space, from the middle of that place."""


def shade(theme: TangleTheme, view: TangleView, code: str) -> Rgb:
    """Return the colour of a change: its seat's, or gold without one. Among many changes it's paler."""
    change = _find(view, code)
    if change is None or change.seat is None:
        return theme.gold
    colour = theme.seat(change.seat)
    return mix(colour, theme.card, 0.45) if is_quiet(change, view.news or ()) else colour


def edge_of(theme: TangleTheme, colour: Rgb) -> Rgb:
    """Return the outer line of a change in a colour."""
    return theme.black if colour == theme.gold else theme.card


def makers(canvas: TangleCanvas, view: TangleView, layout: LandLayout, marked: Collection[str]) -> None:
    """Draw an arrow for each move, and an emblem at each change."""
    changes = [one for one in view.news or () if one.place in marked and one.seat is not None]
    for change in changes:
        if change.start is not None:
            _move(canvas, layout, change, shade(canvas.theme, view, change.place))
    for change in changes:
        x, y = _middle(layout, change.place)
        right, down = CORNER[change.place in AREAS]
        at = (x + right * layout.unit, y + down * layout.unit)
        quiet = is_quiet(change, view.news or ())
        colour = canvas.theme.seat(change.seat or 0)
        seat_mark(canvas, change.seat or 0, at, MARK * layout.unit, colour, is_quiet=quiet)


def _move(canvas: TangleCanvas, layout: LandLayout, change: BoardChange, colour: Rgb) -> None:
    """Draw the arrow of a root, or between two swapped tiles."""
    start, end = _middle(layout, change.start or ""), _middle(layout, change.place)
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 or 1.0
    cut = min(0.4, SPACE * layout.unit / length)
    way = [
        (start[0] + (end[0] - start[0]) * at, start[1] + (end[1] - start[1]) * at) for at in (cut, 1 - cut)
    ]
    arrow(canvas, way, colour, 0.11 * layout.unit, is_double=change.place in AREAS)


def _middle(layout: LandLayout, code: str) -> Point:
    return layout.area(code) if code in AREAS else layout.space(code)


def _find(view: TangleView, code: str) -> BoardChange | None:
    return next((one for one in view.news or () if one.place == code), None)
