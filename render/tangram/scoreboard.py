"""The panel of the public picture, its cards, and the lines above a city."""

import math
from collections.abc import Sequence

from engines.game import Seat
from engines.tangram.pieces.board import Balance, score
from engines.tangram.pieces.components import FOUNTAIN, START_PIECES, TILES, TileId
from engines.tangram.pieces.geometry import FILL, SIDES, Side, TileForm, form
from engines.tangram.view import TangramCard, TangramView
from engines.tangram.words import captions
from engines.words import seat_name
from render.core.canvas import Box, Point, polygon_mask
from render.core.text import fit
from render.core.theme import mix
from render.tangram import pieces, plan
from render.tangram.colours import TangramCanvas
from render.tangram.pieces import ONE, Matter

BASIN = TileForm(((0, 0, FILL["7"]),))
"""The form of a fountain that represents all fountains."""
SMALLEST, LARGEST = 12, 92
"""Pixels to a square of a tile beside a city, at least and at most."""
GAP = 12
HIGHEST = 1.4
"""The most height of a card, relative to its width."""


def lying(
    canvas: TangramCanvas, lies: TileForm, matter: Matter, centre: Point, unit: int, strength: float = 1
) -> None:
    corner = (centre[0] - lies.width * unit / 2, centre[1] - lies.height * unit / 2)
    pieces.piece(canvas.theme, lies, matter, unit).on(canvas, corner, strength)


def unit_for(lies: TileForm, width: float, height: float, largest: float = LARGEST) -> int:
    """Return the largest size at which a form fits into a room. It is a multiple of 2 pixels."""
    fits = min(width / lies.width, height / lies.height, largest)
    return max(SMALLEST, int(fits) // 2 * 2)


def both_sides(canvas: TangramCanvas, tile: TileId, box: Box, held: Side | None = None) -> None:
    """Draw both sides of a tile, beside or above each other. The held one is on a plate."""
    left, top, right, bottom = box
    if tile == FOUNTAIN:
        unit = unit_for(BASIN, right - left, bottom - top, 1.4 * LARGEST)
        lying(canvas, BASIN, "water", ((left + right) / 2, (top + bottom) / 2), unit)
        return
    lies = form(tile, "black", 0)
    beside = ((right - left) / 2, bottom - top)
    above = (right - left, (bottom - top) / 2)
    width, height = max(beside, above, key=lambda room: unit_for(lies, room[0] - 26, room[1] - 20))
    unit = unit_for(lies, width - 26, height - 20)
    for index, side in enumerate(SIDES):
        x = left + (index * width if (width, height) == beside else 0)
        y = top + (index * height if (width, height) != beside else 0)
        if held == side:
            canvas.box((x, y, x + width, y + height), canvas.theme.ink, radius=14)
            canvas.box((x + 5, y + 5, x + width - 5, y + height - 5), canvas.theme.card, radius=9)
        strength = 1 if held in (None, side) else 0.5
        lying(canvas, form(tile, side, 0), side, (x + width / 2, y + height / 2), unit, strength)


def card(canvas: TangramCanvas, shown: TangramCard, box: Box, *, now: bool = False) -> None:
    """Draw a card of the round. Its tile black side up and its name, or its back with its holders."""
    theme = canvas.theme
    left, top, right, bottom = box
    width = right - left
    if shown.tile is None:
        _back(canvas, shown.holders, box)
        return
    faded = shown.played and not now
    edge = 5 if now else 2
    canvas.box(box, theme.ink if now else theme.line, radius=14)
    inner = (left + edge, top + edge, right - edge, bottom - edge)
    canvas.box(inner, theme.paper if faded else theme.card, radius=14 - edge)
    lies, ink = form(shown.tile, "black", 0), theme.faded if faded else theme.ink
    name = max(plan.LEAST, round(0.2 * width))
    middle = ((left + right) / 2, (top + bottom - name) / 2)
    unit = unit_for(lies, 0.84 * width, bottom - top - 1.9 * name, 0.3 * width)
    lying(canvas, lies, "black", middle, unit, 0.35 if faded else 1)
    at, room = ((left + right) / 2, bottom - edge - 0.72 * name), width - 2 * edge
    canvas.write(at, captions.tile_name(shown.tile), name, ink, weight=500, anchor="middle", width=room)
    if TILES[shown.tile].twin:
        at = (right - 0.14 * width, top + 0.2 * width)
        canvas.write(at, "!", round(0.3 * width), ink, weight=700, anchor="middle")
    if faded:
        plan.tick(canvas, (left + 0.2 * width, top + 0.2 * width), 0.14 * width, theme.done)
    elif shown.where == "held" and not shown.played:
        # Those who may see the card.
        radius = 0.1 * width
        for index, seat in enumerate(shown.holders):
            canvas.emblem(seat, (left + 0.17 * width + index * 2.3 * radius, top + 0.18 * width), radius)


def _back(canvas: TangramCanvas, seats: Sequence[Seat], box: Box) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    width, middle = right - left, ((left + right) / 2, (top + bottom) / 2)
    canvas.box(box, theme.back, radius=14)
    line = (left + 6, top + 6, right - 6, bottom - 6)
    canvas.box(line, mix(theme.back, theme.white, 0.4), radius=9, border=2)
    if not seats:
        canvas.write(middle, "?", round(0.5 * width), theme.stone, weight=700, anchor="middle")
        return
    radius = 0.27 * width if len(seats) == 1 else 0.21 * width
    first = middle[1] - (len(seats) - 1) * radius * 1.3
    for index, seat in enumerate(seats):
        at = (middle[0], first + index * radius * 2.6)
        canvas.disc(at, radius * 1.22, theme.card)
        canvas.emblem(seat, at, radius * 0.78)


def row(
    canvas: TangramCanvas, cards: Sequence[TangramCard], box: Box, now: Sequence[TileId], columns: int = 4
) -> None:
    """Draw the cards of the round in the order of play."""
    left, top, right, bottom = box
    rows = max(1, -(-len(cards) // columns))
    width = (right - left - GAP * (columns - 1)) / columns
    height = min(HIGHEST * width, (bottom - top - GAP * (rows - 1)) / rows)
    for index, shown in enumerate(cards):
        line, column = divmod(index, columns)
        x, y = left + column * (width + GAP), top + line * (height + GAP)
        card(canvas, shown, (x, y, x + width, y + height), now=shown.played and shown.tile in now)


START_TILE = next(iter(START_PIECES.values())).tile
"""The tile whose shape start pieces have."""
STRIP = 292
"""The height of the panel below the cities."""
WIDEST = 600
"""The most width of the cards beside the cities."""


def beside(canvas: TangramCanvas, view: TangramView, names: Sequence[str], box: Box) -> None:
    """Draw the panel in a city's place."""
    left, top, right, bottom = box
    canvas.write(
        (left, top + 34), captions.title(view, names), 52, canvas.theme.ink, weight=700, width=right - left
    )
    top += 78
    if view.over:
        _places(canvas, view, names, (left, top, right, bottom), 1)
    elif len(view.current) > 1:
        _several(canvas, view, (left, top, right, bottom), 1)
    else:
        width = min(right - left, WIDEST)
        split = bottom - 0.34 * width
        _current(canvas, view, (left, top, right, split - 10))
        row(canvas, view.cards, (left, split, left + width, bottom - 4), view.current)


def below(canvas: TangramCanvas, view: TangramView, names: Sequence[str], box: Box) -> None:
    """Draw the panel as a strip."""
    left, top, right, bottom = box
    canvas.write(
        (left, top + 34), captions.title(view, names), 52, canvas.theme.ink, weight=700, width=right - left
    )
    top += 72
    if view.over:
        _places(canvas, view, names, (left, top, right, bottom), 2)
    elif len(view.current) > 1:
        _several(canvas, view, (left, top, right, bottom), len(view.current))
    else:
        split = left + 0.47 * (right - left)
        _current(canvas, view, (left, top, split - 24, bottom))
        row(canvas, view.cards, (split, top, right, bottom - 8), view.current)


def _current(canvas: TangramCanvas, view: TangramView, box: Box) -> None:
    left, top, right, bottom = box
    if view.phase == "side":
        text = "Choose your board's side"
        canvas.write((left, top + 28), text, 44, canvas.theme.ink, weight=700, width=right - left)
        both_sides(canvas, START_TILE, (left, top + 58, right, bottom))
        return
    tile = view.current[0] if view.current else FOUNTAIN
    canvas.write(
        (left, top + 28), captions.tile_name(tile), 50, canvas.theme.ink, weight=700, width=right - left
    )
    both_sides(canvas, tile, (left, top + 58, right, bottom))


def _several(canvas: TangramCanvas, view: TangramView, box: Box, columns: int) -> None:
    """Draw the tiles of the last round, each with its name."""
    left, top, right, bottom = box
    rows = -(-len(view.current) // columns)
    width, height = (right - left) / columns, (bottom - top) / rows
    for index, tile in enumerate(view.current):
        line, column = divmod(index, columns)
        x, y = left + column * width, top + line * height
        room = (x, y, x + width - 20, y + height - 6)
        canvas.write(
            (room[0], y + 24), captions.tile_name(tile), 42, canvas.theme.ink, weight=700, width=width - 30
        )
        both_sides(canvas, tile, (room[0], y + 46, room[2], room[3]))


def _places(canvas: TangramCanvas, view: TangramView, names: Sequence[str], box: Box, columns: int) -> None:
    left, top, right, bottom = box
    theme, order = canvas.theme, ranking(view)
    rows = -(-len(order) // columns)
    width, height = (right - left) / columns, min(112.0, (bottom - top) / rows)
    for index, seat in enumerate(order):
        column, line = divmod(index, rows)
        extra = captions.bonuses(view, seat)
        x, y = left + column * (width + 12), top + (line + 0.5) * height - (17 if extra else 0)
        end = x + width - 24
        place = captions.status(view, seat).short
        pen = x + (canvas.write((x, y), place, 40, theme.ink, weight=700) + 16 if place else 0)
        canvas.emblem(seat, (pen + 20, y), 19)
        points = canvas.write((end, y), str(view.scores[seat]), 48, theme.ink, weight=700, anchor="right")
        room = end - points - 14 - pen - 52
        canvas.write((pen + 52, y), seat_name(names, seat), 38, theme.ink, weight=600, width=room)
        if extra:
            text = "  ".join(f"+{number} {what}" for number, what in extra)
            canvas.write((x, y + 42), text, plan.LEAST, theme.muted, weight=600, width=end - x)


def ranking(view: TangramView) -> list[Seat]:
    """Return the seats by place, else by score."""
    places = view.outcome.places if view.outcome is not None else (None,) * view.seats
    return sorted(range(view.seats), key=lambda seat: (places[seat] or view.seats, -view.scores[seat], seat))


HEIGHT = 124
"""The height of a plate."""


def plate(
    canvas: TangramCanvas, view: TangramView, seat: Seat, names: Sequence[str], at: Point, width: float
) -> None:
    theme = canvas.theme
    left, top = at
    right = left + width
    gone = seat in view.out
    ink = theme.faded if gone else theme.ink
    canvas.emblem(seat, (left + 24, top + 34), 23, theme.faded if gone else theme.seats[seat])
    points = canvas.write((right, top + 34), str(view.scores[seat]), 62, ink, weight=700, anchor="right")
    gain = sum(one.points for one in view.news or () if one.seat == seat)
    if gain > 0:
        # Points just made, on a small plate.
        wide, end, y = fit(f"+{gain}", 200, 38, 700).width + 28, right - points - 14, top + 34
        for reach, shade in ((0, theme.seats[seat]), (-4, theme.card)):
            canvas.box((end - wide - reach, y - 26 - reach, end + reach, y + 26 + reach), shade, radius=14)
        canvas.word((end - wide / 2, y), f"+{gain}", 38, theme.ink, weight=700)
        points += 14 + wide
    marked = seat == view.start and not view.over
    room = width - 60 - points - 16 - (52 if marked else 0)
    name = canvas.write((left + 60, top + 34), seat_name(names, seat), 42, ink, weight=700, width=room)
    if marked:
        flag(canvas, (left + 60 + name + 14, top + 34), 42)
    counts(canvas, score(view.cities[seat]).balance, (left, top + 92))
    # The text beside the picture lists who has answered.
    text = captions.status(view, seat).short
    if text:
        ink = theme.faded if seat in view.out else theme.ink
        canvas.write((right, top + 92), text, 40, ink, weight=700, anchor="right")


def counts(canvas: TangramCanvas, balance: Balance, at: Point, size: int = 40) -> None:
    """Draw both colours' numbers, and scales with their difference."""
    pen = at[0]
    unit = round(size * 0.54) * 2
    for side, count in zip(SIDES, (balance.black, balance.green), strict=True):
        whole(canvas, side, (pen + unit / 2, at[1]), unit)
        pen += unit + 8
        pen += canvas.write((pen, at[1]), str(count), size, canvas.theme.ink, weight=700) + 14
    scales(canvas, (pen + 0.66 * size, at[1]), size, balance)
    pen += 1.32 * size + 8
    canvas.write((pen, at[1]), str(balance.distance), size, canvas.theme.ink, weight=700)


def whole(canvas: TangramCanvas, side: Side, centre: Point, unit: int) -> None:
    """Draw a whole square, the sign of a colour's squares."""
    lying(canvas, ONE, side, centre, unit)


def scales(canvas: TangramCanvas, centre: Point, size: float, balance: Balance) -> None:
    """Draw a pair of scales, the heavier colour's pan lower. Black hangs on the left."""
    theme = canvas.theme
    x, y = centre
    lean = max(-1.0, min(1.0, (balance.black - balance.green) / 5)) * 0.2 * size
    top = y - 0.42 * size
    canvas.line([(x, top - 0.06 * size), (x, y + 0.46 * size)], theme.ink, 0.11 * size)
    canvas.line(
        [(x - 0.24 * size, y + 0.48 * size), (x + 0.24 * size, y + 0.48 * size)], theme.ink, 0.12 * size
    )
    left, right = (x - 0.48 * size, top + lean), (x + 0.48 * size, top - lean)
    canvas.line([left, right], theme.ink, 0.11 * size)
    for (a, b), colour in ((left, theme.roof_middle), (right, theme.leaf)):
        canvas.line([(a, b), (a, b + 0.3 * size)], theme.ink, 0.05 * size)
        pan = (a - 0.22 * size, b + 0.26 * size, a + 0.22 * size, b + 0.5 * size)
        canvas.box(pan, colour, radius=0.1 * size)


def flag(canvas: TangramCanvas, foot: Point, size: float) -> None:
    """Draw the start marker: a pennant, its pole at the left."""
    x, y = foot
    canvas.line([(x, y - 0.5 * size), (x, y + 0.5 * size)], canvas.theme.ink, 0.11 * size)
    edge = math.ceil(size)
    points = ((0.0, 0.0), (0.8 * size, 0.27 * size), (0.0, 0.54 * size))
    canvas.image.paste(canvas.theme.ink, (round(x), round(y - 0.5 * size)), polygon_mask(points, edge, edge))


def basin(canvas: TangramCanvas, centre: Point, unit: int) -> None:
    """Draw a fountain, the sign of those that are left."""
    lying(canvas, BASIN, "water", centre, unit)
