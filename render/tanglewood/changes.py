"""The changes of the forest by the seats that made them, and arrows for workers that moved."""

import math

from engines.game import Seat, is_quiet
from engines.tanglewood.pieces.board import Colour
from engines.tanglewood.pieces.components import Region
from engines.tanglewood.view import TanglewoodView
from render.core.canvas import Box, Point, arrow
from render.core.theme import mix
from render.tanglewood.colours import TanglewoodCanvas
from render.tanglewood.land import ForestPlan

THICK, INSET, BESIDE, STUB = 12, 18, 34, 84
"""An arrow's thickness, how far it reaches into the openings, its distance from the next one,
and the length of its parts over another opening."""


def maker(view: TanglewoodView, region: Region, colour: Colour) -> Seat | None:
    """Return the seat that changed another colour's workers in a region."""
    changes = (one for one in view.news or () if (one.place, one.kind) == (region, str(colour)))
    seat = next((one.seat for one in changes), None)
    return None if seat == colour else seat


def gain_of(view: TanglewoodView, seat: Seat) -> int:
    return sum(one.points for one in view.news or () if one.seat == seat)


def arrows(canvas: TanglewoodCanvas, view: TanglewoodView, plan: ForestPlan) -> None:
    """Draw an arrow for each colour that changed its region."""
    counts: dict[frozenset[str], int] = {}
    for change in reversed(view.news or ()):
        if change.start is None or change.seat is None:
            continue
        pair = frozenset((change.start, change.place))
        number = counts[pair] = counts.get(pair, -1) + 1
        colour = canvas.theme.seat(change.seat)
        if is_quiet(change, view.news or ()):
            colour = mix(colour, canvas.theme.card, 0.45)
        start, end = plan.box(change.start), plan.box(change.place)
        (x, y), (u, v) = _middle(start), _middle(end)
        length = math.dist((x, y), (u, v))
        right, down = (u - x) / length, (v - y) / length
        off = BESIDE * (number + 1) // 2 * (1 if number % 2 else -1)
        first, last = _reach(start, right, down) - INSET, length - _reach(end, right, down) + INSET
        # Over another opening the line has only its beginning and its end, so that it covers nothing there.
        parts = [(first, last)] if last - first < 3 * STUB else [(first, first + STUB), (last - STUB, last)]
        for ends in parts:
            way = [(x + right * at - down * off, y + down * at + right * off) for at in ends]
            arrow(canvas, way, colour, THICK)


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _reach(box: Box, right: float, down: float) -> float:
    wide, high = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    return min(wide / abs(right) if right else math.inf, high / abs(down) if down else math.inf)
