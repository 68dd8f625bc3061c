"""A seat's Secret Ballots, each region as a small map, with their effect on the standing."""

from collections.abc import Sequence

from engines.game import Seat
from engines.tanglewood.pieces.board import standing, votes
from engines.tanglewood.pieces.components import REGIONS, SCORING, Region
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import plural, seat_name, short_ordinal
from render.core.canvas import Box, Canvas
from render.tanglewood import land, scoreboard, signs
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

COLUMNS, WIDE, TALL = 2, 560, 322
MARGIN, GAP, HEAD = 24, 20, 84


def hand(theme: TanglewoodTheme, view: TanglewoodView, seat: Seat, names: Sequence[str]) -> TanglewoodCanvas:
    """Draw a card for each region with ballots in the seat's hand."""
    held = view.hands[seat] or ()
    regions = [region for region in REGIONS if region in held]
    columns = min(COLUMNS, max(1, len(regions)))
    rows = -(-len(regions) // columns)
    width = 2 * MARGIN + COLUMNS * (WIDE + GAP) - GAP
    canvas = Canvas(width, MARGIN + HEAD + rows * (TALL + GAP), theme)
    y = MARGIN + HEAD / 2 - 10
    canvas.emblem(seat, (MARGIN + 26, y), 24)
    text = plural(len(held), "Secret Ballot")
    room = canvas.write((width - MARGIN, y), text, 46, theme.ink, weight=700, anchor="right")
    name = seat_name(names, seat)
    canvas.write((MARGIN + 66, y), name, 46, theme.ink, weight=700, width=width - 2 * MARGIN - 90 - room)
    for index, region in enumerate(regions):
        row, column = divmod(index, columns)
        left = MARGIN + column * (WIDE + GAP)
        top = MARGIN + HEAD + row * (TALL + GAP)
        _ballots(canvas, view, seat, region, held.count(region), (left, top, left + WIDE, top + TALL))
    return canvas


def _ballots(
    canvas: TanglewoodCanvas, view: TanglewoodView, seat: Seat, region: Region, count: int, box: Box
) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    floor = theme.ground(region)
    for index in range(min(count, 3) - 1, -1, -1):
        off = 7 * index
        sheet = (left + off, top + off, right - 14 + off, bottom - 14 + off)
        canvas.box(sheet, floor.edge, radius=22)
        canvas.box((sheet[0] + 3, sheet[1] + 3, sheet[2] - 3, sheet[3] - 3), theme.card, radius=19)
    scoreboard.forest(canvas, (left + 106, top + 108), 162, {region}, 38)
    pen, y = left + 210, top + 50
    room = right - 34 - pen - (74 if count > 1 else 0)
    canvas.write((pen, y), REGIONS[region].name, 44, theme.ink, weight=700, width=room)
    if count > 1:
        canvas.box((right - 98, y - 27, right - 26, y + 27), theme.ink, radius=20)
        canvas.word((right - 62, y), f"\u00d7{count}", 38, theme.card, weight=700)
    for place, paid in enumerate(REGIONS[region].votes):
        land.medal(canvas, (pen + 28 + 64 * place, top + 118), 27, place, paid)
    plant = land.typical(theme, region, 84)
    if plant is not None:
        canvas.paint(plant, (right - 92, top + 186))
    counts = view.workers[region]
    wide = (right - 14 - left) / (min(count, SCORING.ballots_played) + 1)
    for step in range(min(count, SCORING.ballots_played) + 1):
        more = step * SCORING.ballot_markers
        after = captions.with_more(counts, seat, more)
        # The seat's standing with that many more workers, and its votes.
        x, y = left + (step + 0.5) * wide, bottom - 70
        canvas.word((x, y - 28), f"+{more}" if more else "now", 35, theme.muted, weight=600)
        rank = standing(after, seat)
        text = "\u2013" if rank is None else short_ordinal(rank)
        canvas.word((x - 42, y + 18), text, 42, theme.ink, weight=700)
        signs.thing(canvas, "votes", (x + 22, y + 16), 36)
        canvas.word((x + 60, y + 18), str(votes(region, after, view.seats)[seat]), 42, theme.ink, weight=700)
