"""A plate for each seat: its stash, its possessions on the land, and the enchantments in front of it."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.game import Seat
from engines.tangle.pieces.board import STACKS
from engines.tangle.pieces.components import CARDS, CONDITIONS, RESOURCES, SEEDS, CardId
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from engines.words import seat_name
from render.core.canvas import Box, Canvas, Point, Sprite
from render.core.text import fit
from render.core.theme import Rgb
from render.tangle import places, sheets, tokens
from render.tangle.colours import LEAST, TangleCanvas, TangleTheme

GAP = 14
NAME, LINE_HIGH, CARD_LINE = 50, 43, 34
COLUMNS = 6
LABEL = 66
"""The width of a row's name."""
SIGN, PILL = 34, 38
"""The size of signs and of pills, in pixels."""


def rows(seats: int) -> list[list[Seat]]:
    numbers = list(range(seats))
    return [numbers[:2], numbers[2:]] if seats > 2 else [numbers]


def height(view: TangleView, width: float) -> int:
    return sum(_high(view, row, _wide(row, width)) + GAP for row in rows(view.seats))


def draw(canvas: TangleCanvas, view: TangleView, names: Sequence[str], at: Point, width: float) -> None:
    left, top = at
    for row in rows(view.seats):
        wide, high = _wide(row, width), _high(view, row, _wide(row, width))
        for index, seat in enumerate(row):
            x = left + index * (wide + GAP)
            _plate(canvas, view, names, seat, (x, top, x + wide, top + high))
        top += high + GAP


def _wide(row: Sequence[Seat], width: float) -> float:
    return (width - (len(row) - 1) * GAP) / len(row)


def _high(view: TangleView, row: Sequence[Seat], wide: float) -> int:
    most = max(len(_front(view, seat, wide)) + len(_conditions_to_show(view, seat)) for seat in row)
    return NAME + 3 * LINE_HIGH + most * CARD_LINE + 16


def _conditions_to_show(view: TangleView, seat: Seat) -> list[str]:
    return [CONDITIONS[one].name for one in view.shown[seat]] if seat < len(view.shown) else []


def _front(view: TangleView, seat: Seat, wide: float) -> list[list[tuple[CardId, str]]]:
    lines: list[list[tuple[CardId, str]]] = []
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
    raised = seat in captions.winners(view) if view.over else not gone and awaited
    corner = round(left), round(top)
    canvas.image.paste(_empty(theme, round(right) - corner[0], round(bottom) - corner[1], raised), corner)
    ink = theme.faded if gone else theme.ink
    y = top + NAME / 2 + 2
    canvas.emblem(seat, (left + 32, y), 16, theme.faded if gone else theme.seat(seat))
    pen, state = right - 14, captions.status(view, seat)
    if state:
        pen -= _state(canvas, state, (pen, y), theme.highlight if raised else theme.muted) + 10
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


def _state(canvas: TangleCanvas, text: str, at: Point, colour: Rgb) -> float:
    """Draw a seat's status on a plate that ends at a point. Return its width."""
    line = fit(text, 320, LEAST, 700)
    x, y = at
    wide = line.width + 28
    canvas.box((x - wide, y - 19, x, y + 19), colour, radius=17)
    canvas.draw_line((x - wide / 2, y), line, canvas.theme.card, "middle")
    return wide


def _numbers(canvas: TangleCanvas, view: TangleView, seat: Seat, box: Box, ink: Rgb) -> None:
    left, top, right, _ = box
    step = (right - left) / COLUMNS
    for index, (number, letter) in enumerate(zip(view.players[seat].stash, RESOURCES, strict=True)):
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
        (tokens.seed(theme, kind, SIGN), f"{number}{kind[0]}")
        for kind, number in zip(SEEDS, player.seeds, strict=True)
    ]
    stash = [
        (tokens.stack(theme, stack, SIGN), str(number))
        for stack, number in zip(STACKS, player.tiles, strict=True)
    ]
    stash += [
        (tokens.roots(theme, seat, SIGN), str(player.roots)),
        (tokens.hand(theme, SIGN), str(player.held)),
    ]
    land = [
        (tokens.tile(theme, kind, SIGN), f"{captions.COUNT_LETTERS[name]}{have[name]}")
        for name, kind in sheets.KINDS.items()
    ]
    laid = [*land, (tokens.card(theme, SIGN), str(have["enchantments"]))]
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
            canvas.paint(sheets.mark(canvas.theme, CARDS[card], LEAST - 4), (pen + LEAST / 2 - 2, y))
            pen += LEAST + 4
            pen += canvas.write((pen, y), name, LEAST, ink, weight=500, width=right - pen - 10) + 14
        y += CARD_LINE
