"""Votes as tables: those of a scoring with the ballots played, and those of a choice."""

from collections.abc import Sequence

from engines.game import Seat
from engines.tanglewood.pieces.board import Colour, Counts, index, standing, votes
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.preview import TanglewoodTrial
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import seat_name, short_ordinal
from render.core.canvas import Box, Canvas, Point
from render.core.theme import mix
from render.tanglewood import land, places, scoreboard, signs
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

WIDTH, MARGIN = 1200, 24
TITLE, HEAD, ROW, SUM = 84, 92, 76, 104
NAMED = 336
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
    y = MARGIN + 34
    x: float = WIDTH - MARGIN - 3 * 124
    for place, metal in enumerate(canvas.theme.metals, start=1):
        canvas.disc((x + 20, y), 17, metal)
        canvas.write((x + 46, y), short_ordinal(place), 34, canvas.theme.muted, weight=600)
        x += 124
    for seat in seats:
        left, upper, right, _ = _column(view, seat, MARGIN + TITLE, HEAD)
        x, name = (left + right) / 2, seat_name(names, seat)
        canvas.emblem(seat, (x, upper + 22), 20)
        at, room = (x, upper + 66), right - left - 4
        canvas.write(at, name, 34, theme.ink, weight=600, anchor="middle", width=room)
    for row, region in enumerate(REGIONS):
        _region(canvas, view, region, number, top + row * ROW)
    _sums(canvas, view, number, top + len(REGIONS) * ROW)
    return canvas


def _column(view: TanglewoodView, seat: Seat, top: float, high: float) -> Box:
    """Return a seat's part of a line."""
    left = MARGIN + NAMED
    wide = (WIDTH - MARGIN - left) / view.seats
    return left + seat * wide, top, left + (seat + 1) * wide, top + high


def _region(canvas: TanglewoodCanvas, view: TanglewoodView, region: Region, number: int, top: float) -> None:
    floor, y = canvas.theme.ground(region), top + ROW / 2
    box = (MARGIN, top + 2, WIDTH - MARGIN, top + ROW - 2)
    canvas.box(box, floor.edge, radius=16)
    canvas.box((box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2), floor.tint, radius=14)
    canvas.badge((MARGIN + 44, y), 30, region, floor.edge)
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
        for number in range(played):
            signs.thing(canvas, "ballots", (x + 36 + 12 * number, y + 10 * number - 4), 48)


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


PREVIEW_WIDTH = 1000
PREVIEW_MARGIN, HEADER, PREVIEW_ROW, GAP, PREVIEW_SUM = 20, 84, 54, 14, 72
PAWN = 38


def preview(
    theme: TanglewoodTheme, view: TanglewoodView, names: Sequence[str], trial: TanglewoodTrial
) -> TanglewoodCanvas:
    tall = HEADER + len(view.colours) * PREVIEW_ROW + 14
    canvas = Canvas(PREVIEW_WIDTH, PREVIEW_MARGIN + len(trial.after) * (tall + GAP) + PREVIEW_SUM, theme)
    top = PREVIEW_MARGIN
    for region, counts in trial.after.items():
        box = (PREVIEW_MARGIN, top, PREVIEW_WIDTH - PREVIEW_MARGIN, top + tall)
        _preview_region(canvas, view, names, region, counts, box)
        top += tall + GAP
    y, right = top + PREVIEW_SUM / 2 - 8, PREVIEW_WIDTH - PREVIEW_MARGIN
    at, text = (PREVIEW_MARGIN + 14, y), "Your votes if the forest voted now"
    canvas.write(at, text, 42, theme.ink, weight=600, width=right - 300)
    signs.thing(canvas, "votes", (right - 232, y), 48)
    now, then = trial.total
    _change(canvas, str(now), str(then), (right - 112, y), 84)
    return canvas


def _preview_region(
    canvas: TanglewoodCanvas,
    view: TanglewoodView,
    names: Sequence[str],
    region: Region,
    after: Counts,
    box: Box,
) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    floor, before = theme.ground(region), view.workers[region]
    canvas.box(box, floor.edge, radius=26)
    canvas.box((left + 4, top + 4, right - 4, bottom - 4), floor.tint, radius=22)
    y = top + HEADER / 2 + 2
    scoreboard.forest(canvas, (left + 62, y), 70, {region})
    canvas.badge((left + 150, y), 32, region, floor.edge)
    pen = left + 198
    medals = right - 60 - 62 * (len(REGIONS[region].votes) - 1)
    canvas.write((pen, y), REGIONS[region].name, 48, theme.ink, weight=700, width=medals - 168 - pen)
    plant = land.typical(theme, region, 58)
    if plant is not None:
        canvas.paint(plant, (medals - 106, top + HEADER - 12))
    for place, paid in enumerate(REGIONS[region].votes):
        land.medal(canvas, (medals + 62 * place, y), 28, place, paid)
    now, then = (votes(region, counts, view.seats) for counts in (before, after))
    y = top + HEADER + PREVIEW_ROW / 2
    for colour in captions.colours_in_turn(view):
        line = (left + 14, y - PREVIEW_ROW / 2 + 2, right - 14, y + PREVIEW_ROW / 2 - 2)
        if colour == view.viewer:
            canvas.box(line, theme.highlight, radius=14)
            canvas.box((line[0] + 3, line[1] + 3, line[2] - 3, line[3] - 3), theme.glow, radius=11)
        gains = None if isinstance(colour, str) else (now[colour], then[colour])
        _row(canvas, colour, before, after, gains, line)
        y += PREVIEW_ROW


def _row(
    canvas: TanglewoodCanvas,
    colour: Colour,
    before: Counts,
    after: Counts,
    paid: tuple[int, int] | None,
    box: Box,
) -> None:
    left, top, right, bottom = box
    y = (top + bottom) / 2
    places.emblem(canvas, colour, (left + 34, y), 19)
    at = index(colour, before)
    old, new = before[at], after[at]
    _pawns(canvas, colour, old, new, (left + 66, y), right - 606)
    _change(canvas, str(old), str(new), (right - 514, y), 62)
    ranks = standing(before, colour), standing(after, colour)
    texts = tuple("\u2013" if rank is None else short_ordinal(rank) for rank in ranks)
    _change(canvas, texts[0], texts[1], (right - 304, y), 80)
    if paid is not None:
        signs.thing(canvas, "votes", (right - 156, y), 42)
        _change(canvas, str(paid[0]), str(paid[1]), (right - 72, y), 56)


def _change(canvas: TanglewoodCanvas, old: str, new: str, centre: Point, wide: float) -> None:
    theme = canvas.theme
    x, y = centre
    if old == new:
        canvas.word(centre, new, 42, theme.ink, weight=700)
        return
    canvas.word((x - wide * 0.78, y), old, 38, theme.faded, weight=600)
    tip = x + 0.06 * wide
    canvas.line([(x - 0.2 * wide, y), (tip, y)], theme.ink, 4)
    canvas.line([(tip - 9, y - 9), (tip, y), (tip - 9, y + 9)], theme.ink, 4)
    canvas.word((x + wide * 0.74, y), new, 42, theme.ink, weight=700)


def _pawns(canvas: TanglewoodCanvas, colour: Colour, old: int, new: int, at: Point, end: float) -> None:
    """Draw the workers that stay, come (marked) and go (gaps)."""
    theme = canvas.theme
    most = max(old, new)
    if not most:
        return
    step = min(25.0, (end - at[0] - 20) / most)
    fill = places.colour_of(theme, colour)
    for number in range(most):
        spot = (at[0] + 14 + number * step, at[1])
        if number >= new:
            signs.worker(canvas, spot, PAWN, theme.card, theme.faded)
        else:
            signs.worker(canvas, spot, PAWN, fill, mix(fill, theme.black, 0.5))
            if number >= old:
                canvas.disc((spot[0], spot[1] + 9), 6.5, theme.card)
                canvas.line([(spot[0] - 4, spot[1] + 9), (spot[0] + 4, spot[1] + 9)], theme.ink, 2.4)
                canvas.line([(spot[0], spot[1] + 5), (spot[0], spot[1] + 13)], theme.ink, 2.4)
