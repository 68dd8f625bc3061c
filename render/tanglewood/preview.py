"""Previews of a choice: the affected regions, with every colour before and after."""

from collections.abc import Sequence

from engines.tanglewood.pieces.board import Colour, Counts, index, standing, votes
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.preview import TanglewoodTrial
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import short_ordinal
from render.core.canvas import Box, Canvas, Point
from render.core.theme import mix
from render.tanglewood import land, places, scoreboard, signs
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

WIDTH = 1000
MARGIN, HEADER, ROW, GAP, SUM = 20, 84, 54, 14, 72
PAWN = 38


def preview(
    theme: TanglewoodTheme, view: TanglewoodView, names: Sequence[str], trial: TanglewoodTrial
) -> TanglewoodCanvas:
    tall = HEADER + len(view.colours) * ROW + 14
    canvas = Canvas(WIDTH, MARGIN + len(trial.after) * (tall + GAP) + SUM, theme)
    top = MARGIN
    for region, counts in trial.after.items():
        _region(canvas, view, names, region, counts, (MARGIN, top, WIDTH - MARGIN, top + tall))
        top += tall + GAP
    y, right = top + SUM / 2 - 8, WIDTH - MARGIN
    canvas.write(
        (MARGIN + 14, y), "Your votes if the forest voted now", 42, theme.ink, weight=600, width=right - 300
    )
    signs.thing(canvas, "votes", (right - 232, y), 48)
    now, then = trial.total
    _change(canvas, str(now), str(then), (right - 112, y), 84)
    return canvas


def _region(
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
    y = top + HEADER + ROW / 2
    for colour in captions.colours_in_turn(view):
        line = (left + 14, y - ROW / 2 + 2, right - 14, y + ROW / 2 - 2)
        if colour == view.viewer:
            canvas.box(line, theme.highlight, radius=14)
            canvas.box((line[0] + 3, line[1] + 3, line[2] - 3, line[3] - 3), theme.glow, radius=11)
        gains = None if isinstance(colour, str) else (now[colour], then[colour])
        _row(canvas, colour, before, after, gains, line)
        y += ROW


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
