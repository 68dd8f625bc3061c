"""The panel below the land: the progress of the game, everybody's plate, the upkeep tracks and the row."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.game import Seat
from engines.tangle.pieces import components
from engines.tangle.pieces.board import STACK_OF, STACKS, Kind
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from engines.words import seat_name
from render.core.canvas import Box, Canvas, Point, Sprite
from render.core.text import fit, wrap
from render.core.theme import Rgb, mix
from render.tangle import places, sheets, signs
from render.tangle.colours import LEAST, TangleCanvas, TangleTheme
from render.tangle.land import LETTERS

MARGIN, GAP = 20, 12
HEAD, TRACK, CARD = 66, 98, 92
"""The height of the headline, of the upkeep tracks and of the row."""
RAIL, ENDS = 70, (34, 78)
"""The distance of a track's ladder from its top, and of its ends from left and right."""


def height(view: TangleView, width: int) -> int:
    return HEAD + plates_height(view, width - 2 * MARGIN) + TRACK + GAP + CARD + MARGIN


def draw(canvas: TangleCanvas, view: TangleView, names: Sequence[str], top: float) -> None:
    left, right = MARGIN, canvas.image.width - MARGIN
    theme, y, pen = canvas.theme, top + HEAD / 2, right - 4.0
    taken = canvas.write((left + 4, y), captions.title(view, names), 44, theme.ink, weight=700, width=560)
    for kind, left_over in reversed(list(zip(components.SEEDS, view.seeds, strict=True))):
        pen -= canvas.write((pen, y), f"{left_over}{kind[0]}", LEAST, theme.muted, weight=600, anchor="right")
        canvas.paint(signs.seed(theme, kind, 36), (pen - 22, y))
        pen -= 54
    text = "\u00a0\u00b7 ".join(one.replace(" ", "\u00a0") for one in captions.supply(view))
    lines = wrap(text, pen - left - taken - 30, LEAST, 600)
    for index, line in enumerate(lines):
        spot = pen, y + (index - (len(lines) - 1) / 2) * (LEAST - 1)
        canvas.write(spot, line, LEAST, theme.muted, weight=600, anchor="right")
    top += HEAD
    draw_plates(canvas, view, names, (left, top), right - left)
    top += plates_height(view, right - left)
    wide = (right - left + GAP) / len(components.TRACKS)
    for index in range(len(components.TRACKS)):
        _track(canvas, view, index, (left + index * wide, top, left + (index + 1) * wide - GAP, top + TRACK))
    # The face-up cards, in the order of their slots.
    top += TRACK + GAP
    slots = max(components.NUMBERS.row, len(view.row))
    wide = (right - left + GAP) / slots
    for index in range(slots):
        start = left + index * wide
        if index < len(view.row):
            canvas.image.paste(
                _card(theme, view.row[index], round(wide - GAP), CARD), (round(start), round(top))
            )
        else:
            canvas.box((start, top, start + wide - GAP, top + CARD - 4), theme.line, radius=14, border=2)


def _track(canvas: TangleCanvas, view: TangleView, index: int, box: Box) -> None:
    """Draw a track: its use, the steps to go, and a ladder for the tracker up to the marker."""
    theme = canvas.theme
    left, top, right, bottom = box
    name, steps, to_go = components.TRACKS[index], view.seats + components.EXTRA_STEPS, view.trackers[index]
    canvas.image.paste(
        _ladder(theme, round(right - left), round(bottom - top), steps), (round(left), round(top))
    )
    first, last, y = left + ENDS[0], right - ENDS[1], top + 26
    canvas.disc((last - to_go * (last - first) / steps, top + RAIL), 19, theme.ink)
    owner, at = view.markers[index], (right - 36, top + RAIL)
    if owner is None:
        canvas.disc(at, 17, mix(theme.paper, theme.shade, 0.45), hole=14)
    else:
        canvas.disc(at, 22, theme.highlight)
        canvas.disc(at, 18, theme.card)
        canvas.emblem(owner, at, 11)
    canvas.word((left + 28, y), captions.TRACK_LETTERS[name], 38, theme.ink, weight=700)
    canvas.paint(signs.track(theme, name, 40), (left + 72, y))
    canvas.write((left + 106, y), f"{to_go} to go", LEAST, theme.ink, weight=600)
    pay = components.PAID_IN[name]
    places.pill(canvas, f"1{pay}", (right - 44, y), places.PILL, pay)


@lru_cache(maxsize=8)
def _ladder(theme: TangleTheme, width: int, height: int, steps: int) -> Image.Image:
    canvas = Canvas(width, height, theme)
    canvas.box((0, 0, width, height), mix(theme.paper, theme.shade, 0.45), radius=14)
    canvas.box((2, 2, width - 2, height - 2), theme.shore, radius=12)
    first, last = ENDS[0], width - ENDS[1]
    for side in (-14, 14):
        canvas.line([(first - 14, RAIL + side), (last + 14, RAIL + side)], theme.trunk, 5)
    for step in range(steps + 1):
        x = first + step * (last - first) / steps
        canvas.line([(x, RAIL - 14), (x, RAIL + 14)], theme.trunk, 5)
    return canvas.image


@lru_cache(maxsize=64)
def _card(theme: TangleTheme, card: components.CardId, width: int, height: int) -> Image.Image:
    canvas = Canvas(width + 4, height, theme)
    sheets.heading(canvas, card, (0, 0, width, height - 4), LEAST)
    return canvas.image


PLATE_GAP = 14
NAME, LINE_HIGH, CARD_LINE = 52, 45, 39
COLUMNS = 6
LABEL, LAST = 78, 96
"""The width of a row's name, and of its last column."""
SIGN = 36
"""The size of signs, in pixels."""
KINDS: tuple[Kind, ...] = ("earth", "bush", "meadow", "lake", "sapling", "tree")
"""The columns of the tiles. The two sides of a tile are beside each other."""


def rows(seats: int) -> list[list[Seat]]:
    numbers = list(range(seats))
    return [numbers[:2], numbers[2:]] if seats > 2 else [numbers]


def plates_height(view: TangleView, width: float) -> int:
    return sum(_high(view, row, (width - PLATE_GAP) / 2) + PLATE_GAP for row in rows(view.seats))


def draw_plates(
    canvas: TangleCanvas, view: TangleView, names: Sequence[str], at: Point, width: float
) -> None:
    left, top = at
    half = (width - PLATE_GAP) / 2
    for row in rows(view.seats):
        high = _high(view, row, half)
        for index, seat in enumerate(row):
            x = left + index * (half + PLATE_GAP)
            end = left + width if len(row) == 1 else x + half
            _plate(canvas, view, names, seat, (x, top, end, top + high), half)
        top += high + PLATE_GAP


def _high(view: TangleView, row: Sequence[Seat], half: float) -> int:
    """Return the height of a row's plates. One alone has its cards beside its numbers."""
    most = max(len(_front(view, seat, half)) + len(_conditions_to_show(view, seat)) for seat in row)
    lists = most * CARD_LINE
    return NAME + (max(3 * LINE_HIGH, lists) if len(row) == 1 else 3 * LINE_HIGH + lists) + 16


def _conditions_to_show(view: TangleView, seat: Seat) -> list[str]:
    return [components.CONDITIONS[one].name for one in view.shown[seat]] if seat < len(view.shown) else []


def _front(view: TangleView, seat: Seat, wide: float) -> list[list[tuple[components.CardId, str]]]:
    lines: list[list[tuple[components.CardId, str]]] = []
    pen = wide
    for card, name in captions.several(view.players[seat].front):
        taken = LEAST + 4 + fit(name, 10_000, LEAST, 500).width + 14
        if pen + taken > wide - 14:
            lines.append([])
            pen = 16.0
        lines[-1].append((card, name))
        pen += taken
    return lines


def _plate(
    canvas: TangleCanvas, view: TangleView, names: Sequence[str], seat: Seat, box: Box, half: float
) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    # A plate is raised if the table waits for the seat, or it won.
    gone, awaited = seat in view.out, seat == view.seat or seat in view.owing
    winners = [] if view.outcome is None else view.outcome.winners
    raised = seat in winners if view.over else not gone and awaited
    corner = round(left), round(top)
    canvas.image.paste(_empty(theme, round(right) - corner[0], round(bottom) - corner[1], raised), corner)
    ink = theme.faded if gone else theme.ink
    y = top + NAME / 2 + 2
    canvas.emblem(seat, (left + 32, y), 16, theme.faded if gone else theme.seat(seat))
    pen, state = right - 14, captions.status(view, seat).short
    if state:
        line = fit(state, 320, LEAST, 700, LEAST)
        wide, colour = line.width + 28, theme.highlight if raised else theme.muted
        canvas.box((pen - wide, y - 20, pen, y + 20), colour, radius=17)
        canvas.draw_line((pen - wide / 2, y), line, theme.card, "middle")
        pen -= wide + 12
    pen -= canvas.write((pen, y), str(view.players[seat].held), LEAST, ink, weight=700, anchor="right")
    canvas.paint(signs.hand(theme, SIGN), (pen - 22, y))
    canvas.write((left + 58, y), seat_name(names, seat), 38, ink, weight=700, width=pen - left - 106)
    _numbers(canvas, view, seat, (left + 12, top + NAME), half - 18, ink)
    x, y = (left + half, top + NAME) if right - left > half else (left, top + NAME + 3 * LINE_HIGH + 2)
    _lists(canvas, view, seat, (x, y, x + half, bottom), ink)


@lru_cache(maxsize=32)
def _empty(theme: TangleTheme, width: int, height: int, raised: bool) -> Image.Image:
    canvas = Canvas(width, height, theme)
    canvas.box((0, 0, width, height), theme.highlight if raised else theme.line, radius=14)
    line = 4 if raised else 2
    canvas.box((line, line, width - line, height - line), theme.glow if raised else theme.card, radius=11)
    return canvas.image


def _numbers(canvas: TangleCanvas, view: TangleView, seat: Seat, at: Point, width: float, ink: Rgb) -> None:
    """Draw a seat's resources, seeds, and tiles laid and left."""
    theme, player, (left, top) = canvas.theme, view.players[seat], at
    step, y = width / COLUMNS, top + LINE_HIGH / 2
    for index, (number, letter) in enumerate(zip(player.stash, components.RESOURCES, strict=True)):
        rim = theme.seat(seat) if view.gained and view.gained[seat][index] else None
        spot = left + (index + 0.5) * step, y
        places.pill(canvas, f"{number}{letter}", spot, places.PILL, letter, rim)
    for index, (seed, number) in enumerate(zip(components.SEEDS, player.seeds, strict=True), start=4):
        _count(canvas, signs.seed(theme, seed, SIGN), f"{number}{seed[0]}", (left + index * step, y), ink)
    have = captions.numbers(view, seat)
    earth = sum(tile.owner == seat and tile.kind == "earth" for tile in view.tiles.values())
    laid = {kind: have[name] for name, kind in sheets.KINDS.items()} | {"earth": earth}
    step, last = (width - LABEL - LAST) / COLUMNS, left + width - LAST + 10
    y += LINE_HIGH
    canvas.write((left, y), "laid", LEAST, ink, weight=500)
    for index, kind in enumerate(KINDS):
        x = left + LABEL + (index + 0.5) * step
        canvas.box((x - step / 2 + 2, y - 19, x + step / 2 - 2, y + 19), theme.pen, radius=10)
        canvas.box((x - step / 2 + 4, y - 17, x + step / 2 - 4, y + 17), theme.floors[kind], radius=8)
        canvas.word((x, y), f"{LETTERS[kind]}{laid[kind]}", LEAST, theme.black, weight=700)
    _count(canvas, signs.card(theme, SIGN), str(have["enchantments"]), (last, y), ink)
    y += LINE_HIGH
    canvas.write((left, y), "left", LEAST, ink, weight=500)
    for stack, number in zip(STACKS, player.tiles, strict=True):
        sides = [index for index, kind in enumerate(KINDS) if STACK_OF[kind] == stack]
        x = left + LABEL + (sum(sides) / len(sides) + 0.5) * step
        if len(sides) > 1:
            for side in (-1, 1):
                canvas.line(
                    [(x + side * 28, y), (x + side * step / 2, y), (x + side * step / 2, y - 20)], ink, 3
                )
        canvas.word((x, y), str(number), LEAST, ink, weight=700)
    _count(canvas, signs.roots(theme, seat, SIGN), str(player.roots), (last, y), ink)


def _count(canvas: TangleCanvas, sign: Sprite, text: str, at: Point, ink: Rgb) -> None:
    canvas.paint(sign, (at[0] + SIGN / 2, at[1]))
    canvas.write((at[0] + 1.15 * SIGN, at[1]), text, LEAST, ink, weight=700)


def _lists(canvas: TangleCanvas, view: TangleView, seat: Seat, box: Box, ink: Rgb) -> None:
    left, top, right, _ = box
    wide = right - left
    left, y = left + 16, top + CARD_LINE / 2
    for text in _conditions_to_show(view, seat):
        canvas.line([(left + 3, y), (left + 9, y + 7), (left + 20, y - 8)], canvas.theme.highlight, 4)
        canvas.write((left + 30, y), text, LEAST, canvas.theme.highlight, weight=700, width=right - left - 44)
        y += CARD_LINE
    for line in _front(view, seat, wide):
        pen = left
        for card, name in line:
            canvas.paint(
                sheets.mark(canvas.theme, components.CARDS[card], LEAST - 4), (pen + LEAST / 2 - 2, y)
            )
            pen += LEAST + 4
            pen += canvas.write((pen, y), name, LEAST, ink, weight=500, width=right - pen - 10) + 14
        y += CARD_LINE
