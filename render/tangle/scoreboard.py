"""The panel below the land: the progress of the game, everybody's plate, the upkeep tracks and the row."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.game import Seat
from engines.tangle.pieces import components
from engines.tangle.pieces.board import STACKS
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from engines.words import seat_name
from render.core.canvas import Box, Canvas, Point, Sprite
from render.core.text import fit
from render.core.theme import Rgb, mix
from render.tangle import places, sheets, signs
from render.tangle.colours import LEAST, TangleCanvas, TangleTheme

MARGIN, GAP = 20, 12
HEAD, FOOT = 62, 300
TRACK = 122
"""The width of an upkeep track."""
RAIL, ENDS = 36, 36
"""The distance of a track's ladder from its left, and of its ends from top and bottom."""


def height(view: TangleView, width: int) -> int:
    return HEAD + plates_height(view, width - 2 * MARGIN) + FOOT + MARGIN


def draw(canvas: TangleCanvas, view: TangleView, names: Sequence[str], top: float) -> None:
    left, right = MARGIN, canvas.image.width - MARGIN
    theme, y, pen = canvas.theme, top + HEAD / 2, right - 4.0
    taken = canvas.write((left + 4, y), captions.title(view, names), 46, theme.ink, weight=700, width=560)
    for kind, left_over in reversed(list(zip(components.SEEDS, view.seeds, strict=True))):
        pen -= canvas.write((pen, y), f"{left_over}{kind[0]}", 32, theme.muted, weight=600, anchor="right")
        canvas.paint(signs.seed(theme, kind, 36), (pen - 22, y))
        pen -= 56
    text, room = "  \u00b7  ".join(captions.supply(view)), pen - left - taken - 40
    canvas.write((pen, y), text, 32, theme.muted, weight=600, anchor="right", width=room)
    top += HEAD
    draw_plates(canvas, view, names, (left, top), right - left)
    top += plates_height(view, right - left)
    for index in range(len(components.TRACKS)):
        x = left + index * (TRACK + GAP)
        _track(canvas, view, index, (x, top, x + TRACK, top + FOOT))
    # The face-up cards, in the order of their slots.
    first, bottom = left + len(components.TRACKS) * (TRACK + GAP), top + FOOT
    slots = max(components.NUMBERS.row, len(view.row))
    wide = (right - first - (slots - 1) * GAP) / slots
    for index in range(slots):
        start = first + index * (wide + GAP)
        if index < len(view.row):
            card = _card(theme, view.row[index], round(wide), round(bottom - top))
            canvas.image.paste(card, (round(start), round(top)))
        else:
            canvas.box((start, top, start + wide, bottom - 4), theme.line, radius=14, border=2)


def _track(canvas: TangleCanvas, view: TangleView, index: int, box: Box) -> None:
    """Draw a ladder for the tracker. Beside it the marker, and the resource and its use."""
    theme = canvas.theme
    left, top, right, bottom = box
    name, steps, to_go = components.TRACKS[index], view.seats + components.EXTRA_STEPS, view.trackers[index]
    canvas.image.paste(
        _ladder(theme, round(right - left), round(bottom - top), steps), (round(left), round(top))
    )
    middle, aside = left + RAIL, right - 34
    high, low = top + ENDS, bottom - ENDS
    rung = (low - high) / steps
    tracker = (middle, high + to_go * rung)
    canvas.disc(tracker, 21, theme.ink)
    canvas.word(tracker, str(to_go), 32, theme.card, weight=700)
    owner = view.markers[index]
    if owner is None:
        canvas.disc((aside, high), 17, mix(theme.paper, theme.shade, 0.45), hole=14)
    else:
        canvas.disc((aside, high), 23, theme.highlight)
        canvas.disc((aside, high), 19, theme.card)
        canvas.emblem(owner, (aside, high), 11)
    canvas.word((aside, (high + low) / 2 - 26), captions.TRACK_LETTERS[name], 38, theme.ink, weight=700)
    canvas.paint(signs.track(theme, name, 42), (aside, (high + low) / 2 + 22))
    places.pill(
        canvas, f"1{components.PAID_IN[name]}", (aside, low + 4), places.PILL, components.PAID_IN[name]
    )


@lru_cache(maxsize=8)
def _ladder(theme: TangleTheme, width: int, height: int, steps: int) -> Image.Image:
    canvas = Canvas(width, height, theme)
    canvas.box((0, 0, width, height), mix(theme.paper, theme.shade, 0.45), radius=14)
    canvas.box((2, 2, width - 2, height - 2), theme.shore, radius=12)
    for side in (-19, 19):
        canvas.line([(RAIL + side, ENDS - 16), (RAIL + side, height - ENDS + 20)], theme.trunk, 5)
    for step in range(steps + 1):
        y = ENDS + step * (height - 2 * ENDS) / steps
        canvas.line([(RAIL - 19, y), (RAIL + 19, y)], theme.trunk, 5)
    return canvas.image


@lru_cache(maxsize=64)
def _card(theme: TangleTheme, card: components.CardId, width: int, height: int) -> Image.Image:
    canvas = Canvas(width + 4, height, theme)
    sheets.enchantment(canvas, card, (0, 0, width, height - 4), LEAST)
    return canvas.image


PLATE_GAP = 14
NAME, LINE_HIGH, CARD_LINE = 50, 43, 34
COLUMNS = 6
LABEL = 66
"""The width of a row's name."""
SIGN, PILL = 34, 38
"""The size of signs and of pills, in pixels."""


def rows(seats: int) -> list[list[Seat]]:
    numbers = list(range(seats))
    return [numbers[:2], numbers[2:]] if seats > 2 else [numbers]


def plates_height(view: TangleView, width: float) -> int:
    return sum(_high(view, row, _wide(row, width)) + PLATE_GAP for row in rows(view.seats))


def draw_plates(
    canvas: TangleCanvas, view: TangleView, names: Sequence[str], at: Point, width: float
) -> None:
    left, top = at
    for row in rows(view.seats):
        wide, high = _wide(row, width), _high(view, row, _wide(row, width))
        for index, seat in enumerate(row):
            x = left + index * (wide + PLATE_GAP)
            _plate(canvas, view, names, seat, (x, top, x + wide, top + high))
        top += high + PLATE_GAP


def _wide(row: Sequence[Seat], width: float) -> float:
    return (width - (len(row) - 1) * PLATE_GAP) / len(row)


def _high(view: TangleView, row: Sequence[Seat], wide: float) -> int:
    most = max(len(_front(view, seat, wide)) + len(_conditions_to_show(view, seat)) for seat in row)
    return NAME + 3 * LINE_HIGH + most * CARD_LINE + 16


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


def _plate(canvas: TangleCanvas, view: TangleView, names: Sequence[str], seat: Seat, box: Box) -> None:
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
        line = fit(state, 320, LEAST, 700)
        wide, colour = line.width + 28, theme.highlight if raised else theme.muted
        canvas.box((pen - wide, y - 19, pen, y + 19), colour, radius=17)
        canvas.draw_line((pen - wide / 2, y), line, theme.card, "middle")
        pen -= wide + 10
    canvas.write((left + 58, y), seat_name(names, seat), 32, ink, weight=700, width=pen - left - 66)
    _numbers(canvas, view, seat, (left + 10, top + NAME, right - 6, top + NAME + 3 * LINE_HIGH), ink)
    _lists(canvas, view, seat, (left, top + NAME + 3 * LINE_HIGH + 2, right, bottom), ink)


@lru_cache(maxsize=32)
def _empty(theme: TangleTheme, width: int, height: int, raised: bool) -> Image.Image:
    canvas = Canvas(width, height, theme)
    canvas.box((0, 0, width, height), theme.highlight if raised else theme.line, radius=14)
    line = 4 if raised else 2
    canvas.box((line, line, width - line, height - line), theme.glow if raised else theme.card, radius=11)
    return canvas.image


def _numbers(canvas: TangleCanvas, view: TangleView, seat: Seat, box: Box, ink: Rgb) -> None:
    left, top, right, _ = box
    step = (right - left) / COLUMNS
    for index, (number, letter) in enumerate(
        zip(view.players[seat].stash, components.RESOURCES, strict=True)
    ):
        at = (left + (index + 0.5) * step - 4, top + LINE_HIGH / 2)
        places.pill(canvas, f"{number}{letter}", at, PILL, letter)
    for row, (label, line) in enumerate(_belongings(canvas.theme, view, seat)):
        y, indent = top + (row + 0.5) * LINE_HIGH, LABEL if label else 0
        if label:
            canvas.write((left + 4, y), label, LEAST, ink, weight=500, width=LABEL - 4)
        wide = (right - left - indent) / COLUMNS
        for column, (sign, text) in enumerate(line, start=COLUMNS - len(line)):
            x = left + indent + column * wide
            canvas.paint(sign, (x + 0.58 * SIGN, y))
            fitted = fit(text, wide - 1.16 * SIGN, round(0.9 * SIGN), 700)
            canvas.word((x + 1.16 * SIGN + fitted.width / 2, y), text, fitted.size, ink, weight=700)


def _belongings(
    theme: TangleTheme, view: TangleView, seat: Seat
) -> list[tuple[str, list[tuple[Sprite, str]]]]:
    """List a seat's seeds, what is left to lay, and what lies."""
    player, have = view.players[seat], captions.numbers(view, seat)
    seeds = [
        (signs.seed(theme, kind, SIGN), f"{number}{kind[0]}")
        for kind, number in zip(components.SEEDS, player.seeds, strict=True)
    ]
    stash = [
        (signs.stack(theme, stack, SIGN), str(number))
        for stack, number in zip(STACKS, player.tiles, strict=True)
    ]
    stash += [
        (signs.roots(theme, seat, SIGN), str(player.roots)),
        (signs.hand(theme, SIGN), str(player.held)),
    ]
    land = [
        (signs.tile(theme, kind, SIGN), f"{captions.COUNT_LETTERS[name]}{have[name]}")
        for name, kind in sheets.KINDS.items()
    ]
    laid = [*land, (signs.card(theme, SIGN), str(have["enchantments"]))]
    return [("", seeds), ("left", stash), ("laid", laid)]


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
