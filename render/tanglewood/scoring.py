"""The table of a scoring: every region's votes for each seat, the ballots played there, and the sums."""

from collections.abc import Sequence

from engines.game import Seat
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import seat_name, short_ordinal
from render.core.canvas import Box, Canvas
from render.tanglewood import land, signs
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

WIDTH, MARGIN = 1200, 24
TITLE, HEAD, ROW, SUM = 84, 92, 76, 104
NAMED = 348
"""The width of the column with the names of the regions."""


def scoring(
    theme: TanglewoodTheme, view: TanglewoodView, names: Sequence[str], number: int
) -> TanglewoodCanvas:
    """Draw the table of one scoring, counted from 1. Raise ValueError if there has been no such scoring."""
    if not 1 <= number <= len(view.scorings):
        raise ValueError(f"there has been no scoring {number}")
    top = MARGIN + TITLE + HEAD
    canvas = Canvas(WIDTH, top + len(REGIONS) * ROW + SUM + MARGIN, theme)
    seats = list(range(view.seats))
    canvas.write((MARGIN + 4, MARGIN + 34), captions.scoring_title(number), 50, theme.ink, weight=700)
    _legend(canvas, MARGIN + 34)
    for seat in seats:
        _head(canvas, names, seat, _column(view, seat, MARGIN + TITLE, HEAD))
    for index, region in enumerate(REGIONS):
        _region(canvas, view, region, number, top + index * ROW)
    _sums(canvas, view, number, top + len(REGIONS) * ROW)
    return canvas


def _column(view: TanglewoodView, seat: Seat, top: float, high: float) -> Box:
    """Return a seat's part of a line."""
    left = MARGIN + NAMED
    wide = (WIDTH - MARGIN - left) / view.seats
    return left + seat * wide, top, left + (seat + 1) * wide, top + high


def _legend(canvas: TanglewoodCanvas, y: float) -> None:
    """Draw the meaning of the medals."""
    x = WIDTH - MARGIN - 3 * 124
    for index in range(len(canvas.theme.metals)):
        canvas.disc((x + 20, y), 17, canvas.theme.metals[index])
        canvas.write((x + 46, y), short_ordinal(index + 1), 34, canvas.theme.muted, weight=600)
        x += 124


def _head(canvas: TanglewoodCanvas, names: Sequence[str], seat: Seat, box: Box) -> None:
    left, top, right, _ = box
    x = (left + right) / 2
    canvas.emblem(seat, (x, top + 22), 20)
    name = seat_name(names, seat)
    canvas.write(
        (x, top + 66), name, 34, canvas.theme.ink, weight=700, anchor="middle", width=right - left - 12
    )


def _region(canvas: TanglewoodCanvas, view: TanglewoodView, region: Region, number: int, top: float) -> None:
    floor, y = canvas.theme.ground(region), top + ROW / 2
    box = (MARGIN, top + 2, WIDTH - MARGIN, top + ROW - 2)
    canvas.box(box, floor.edge, radius=16)
    canvas.box((box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2), floor.tint, radius=14)
    canvas.badge((MARGIN + 44, y), 25, region, floor.edge)
    canvas.write((MARGIN + 82, y), REGIONS[region].name, 38, canvas.theme.ink, weight=700, width=NAMED - 90)
    pays = REGIONS[region].votes
    for seat, paid in enumerate(view.scorings[number - 1][region]):
        left, _, right, _ = _column(view, seat, top, ROW)
        x = (left + right) / 2
        if paid:
            place = pays.index(paid) if paid in pays else len(pays)
            land.medal(canvas, (x - 24, y), 28, place, paid)
        else:
            canvas.word((x - 24, y), "\u2013", 38, canvas.theme.faded, weight=600)
        played = view.played[number - 1][seat].count(region)
        for index in range(played):
            signs.thing(canvas, "ballots", (x + 36 + 12 * index, y + 10 * index - 4), 48)


def _sums(canvas: TanglewoodCanvas, view: TanglewoodView, number: int, top: float) -> None:
    theme = canvas.theme
    gained = captions.votes_gained(view, number)
    y = top + 42
    canvas.box((MARGIN, top + 8, WIDTH - MARGIN, top + 11), theme.line)
    signs.thing(canvas, "votes", (MARGIN + 44, y + 12), 54)
    canvas.write((MARGIN + 82, y + 12), "votes gained", 38, theme.ink, weight=700, width=NAMED - 90)
    settled = view.phase in ("keep", "over") and number == len(view.scorings)
    for seat, sum_ in enumerate(gained):
        left, _, right, _ = _column(view, seat, top, SUM)
        x, best = (left + right) / 2, sum_ == max(gained)
        half = 46
        canvas.box((x - half, y - 26, x + half, y + 28), theme.ink if best else theme.card, radius=20)
        canvas.word((x, y), f"+{sum_}", 44, theme.card if best else theme.ink, weight=700)
        if settled:
            text = f"= {view.votes[seat]}"
            canvas.write(
                (x, y + 50), text, 36, theme.muted, weight=700, anchor="middle", width=right - left - 8
            )
