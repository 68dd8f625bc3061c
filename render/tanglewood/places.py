"""The changing parts of a region: its Tangle, and the workers of every colour with their standing."""

import math
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from engines.game import Seat, is_quiet
from engines.tanglewood.pieces.board import Colour, index, standing
from engines.tanglewood.pieces.components import REGIONS, Region, TangleId
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import format_points, short_ordinal
from render.core.canvas import Box, Canvas, Point, arrow, disc_mask, polygon_mask, seat_mark
from render.core.theme import Rgb, mix
from render.tanglewood import cards, signs
from render.tanglewood.cards import SHADOW
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme
from render.tanglewood.land import CARD_HIGH, HEADER, PAD, ROW, ForestPlan, land

THICK, ARROW_INSET, BESIDE, STUB = 12, 18, 34, 84
"""An arrow's thickness, how far it reaches into the openings, its distance from the next one,
and the length of its parts over another opening."""


def find_maker(view: TanglewoodView, region: Region, colour: Colour) -> Seat | None:
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
        first, last = (
            _reach(start, right, down) - ARROW_INSET,
            length - _reach(end, right, down) + ARROW_INSET,
        )
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


INSET = 14
"""The distance of card and rows from the edge of an opening."""
PAWN = 30
MAKER = 16
"""The radius of the mark of a seat that changed another colour's workers."""
WIDEST_STEP = 19.0
"""The most distance of two workers in a row."""


@dataclass(frozen=True, slots=True)
class Row:
    """A colour in a region.

    Attributes:
        count: its workers.
        place: its standing.
        note: its change or its votes, in short.
        paid: True if its standing pays.
        gained: True if the note is about votes.
        maker: the other seat that made the change, if one is named.
    """

    colour: Colour
    count: int
    place: int | None
    note: str = ""
    paid: bool = False
    gained: bool = False
    maker: Seat | None = None


def rows(view: TanglewoodView, region: Region) -> list[Row]:
    """Return every colour's row, in turn order."""
    counts, pays = view.workers[region], REGIONS[region].votes
    changed = captions.changes(view, region)
    gains = captions.just_paid(view, region)
    result = []
    for colour in captions.colours_in_turn(view):
        at = index(colour, counts)
        place = standing(counts, colour)
        gain = 0 if gains is None or isinstance(colour, str) else gains[colour]
        change = changed[at] if gains is None else 0
        note = format_points(gain or change) if gain or change else ""
        is_paid = place is not None and place <= len(pays)
        maker = find_maker(view, region, colour) if change else None
        result.append(Row(colour, counts[at], place, note, is_paid, bool(gain), maker))
    return result


def region(canvas: TanglewoodCanvas, view: TanglewoodView, which: Region, plan: ForestPlan) -> None:
    left, top, right, _ = plan.box(which)
    lies, box = view.tangles[which], _card_box(which, plan)
    if lies is not None:
        canvas.image.paste(_card_on_map(canvas.theme, lies, which, plan), _even(box))
    elif view.card is not None and which == view.active:
        cards.tangle(canvas, view.card, box, raised=True)
    else:
        cards.empty(canvas, box)
    y = top + PAD + HEADER + CARD_HIGH + ROW / 2
    for row in rows(view, which):
        draw_row(canvas, row, (left + INSET + 6, y), right - left - 2 * INSET - 10)
        y += ROW


def _card_box(which: Region, plan: ForestPlan) -> tuple[int, int, int, int]:
    left, top, right, _ = plan.box(which)
    upper = top + PAD + HEADER
    return left + INSET, upper, right - INSET, upper + CARD_HIGH - 8


def _even(box: tuple[int, int, int, int]) -> tuple[int, int]:
    """Return an even corner for drawing a part of the map. Half pixels round as on the map."""
    return box[0] - box[0] % 2, box[1] - box[1] % 2


@lru_cache(maxsize=64)
def _card_on_map(theme: TanglewoodTheme, card: TangleId, which: Region, plan: ForestPlan) -> Image.Image:
    """Draw a Tangle with the map around it; cached."""
    box = _card_box(which, plan)
    x, y = _even(box)
    canvas = Canvas.over(land(theme, plan).crop((x, y, box[2] + SHADOW[0], box[3] + SHADOW[1])), theme)
    cards.tangle(canvas, card, (box[0] - x, box[1] - y, box[2] - x, box[3] - y))
    return canvas.image


def draw_row(canvas: TanglewoodCanvas, row: Row, at: Point, width: float) -> None:
    """Draw a colour's emblem, workers, change and standing on one line."""
    theme = canvas.theme
    left, y = at
    right = left + width
    emblem(canvas, row.colour, (left + 12, y), 12)
    faint = not row.count
    ends = right - 132
    beside = 4 if not row.note else 58 if row.maker is None else 58 + 2 * MAKER
    if row.count:
        step = min(WIDEST_STEP, (ends - beside - (left + 34) - 12) / row.count)
        colour = colour_of(theme, row.colour)
        for number in range(row.count):
            at = (left + 34 + 9 + number * step, y)
            signs.worker(canvas, at, PAWN, colour, mix(colour, theme.black, 0.5))
    if row.note:
        note(canvas, row.note, (ends - 24, y), gained=row.gained)
    if row.maker is not None:
        seat_mark(canvas, row.maker, (ends - 54 - MAKER, y), MAKER - 2, theme.seat(row.maker))
    canvas.word((right - 98, y), str(row.count), 35, theme.faded if faint else theme.ink, weight=700)
    text = "\u2013" if row.place is None else short_ordinal(row.place)
    canvas.word(
        (right - 33, y), text, 35, theme.ink if row.paid else theme.faded, weight=700 if row.paid else 500
    )


def note(canvas: TanglewoodCanvas, text: str, centre: Point, *, gained: bool) -> None:
    """Draw a change of workers, or gained votes, on a plate."""
    theme = canvas.theme
    x, y = centre
    ground, ink = (theme.metals[0], theme.black) if gained else (theme.ink, theme.card)
    half = 10 * len(text) + 7
    canvas.box((x - half, y - 17, x + half, y + 17), ground, radius=12)
    canvas.word(centre, text, signs.LEAST, ink, weight=700)


def colour_of(theme: TanglewoodTheme, colour: Colour) -> Rgb:
    return theme.neutral if isinstance(colour, str) else theme.seat(colour)


def emblem(
    canvas: TanglewoodCanvas, colour: Colour, centre: Point, radius: float, ink: Rgb | None = None
) -> None:
    """Draw the emblem of a seat. The neutral colour has a hollow hexagon."""
    if not isinstance(colour, str):
        canvas.emblem(colour, centre, radius, ink)
        return
    half = round(radius) + 2
    corners = ((0.0, -1.1), (0.95, -0.55), (0.95, 0.55), (0.0, 1.1), (-0.95, 0.55), (-0.95, -0.55))
    points = tuple((half + x * radius, half + y * radius) for x, y in corners)
    canvas.stamp(polygon_mask(points, 2 * half, 2 * half), centre, canvas.theme.neutral)
    canvas.stamp(disc_mask(0.42 * radius), centre, canvas.theme.card)
