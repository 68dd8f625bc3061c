"""Cards and tiles beside a city: turned, on both sides, face down."""

from collections.abc import Sequence

from engines.game import Seat
from engines.tangram.pieces.components import FOUNTAIN, TILES, TileId
from engines.tangram.pieces.geometry import FILL, SIDES, Side, TileForm, form
from engines.tangram.view import TangramCard
from engines.tangram.words import captions
from render.core.canvas import Box, Point
from render.core.palette import mix
from render.tangram import pieces, plan
from render.tangram.colours import TangramCanvas
from render.tangram.pieces import Matter

BASIN = TileForm(((0, 0, FILL["7"]),))
"""The form of a fountain that represents all fountains."""
SMALLEST, LARGEST = 12, 92
"""Pixels to a square of a tile beside a city, at least and at most."""
GAP = 12
LEAST = 27
"""The size of the smallest letters, in pixels: just legible in a picture of two cities' width."""
HIGHEST = 1.4
"""The most height of a card, relative to its width."""


def lying(
    canvas: TangramCanvas, lies: TileForm, matter: Matter, centre: Point, unit: int, strength: float = 1
) -> None:
    """Draw a piece around a point."""
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
    name = max(LEAST, round(0.2 * width))
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
        _holders(canvas, shown.holders, (left + 0.17 * width, top + 0.18 * width), 0.1 * width)


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


def _holders(canvas: TangramCanvas, seats: Sequence[Seat], at: Point, radius: float) -> None:
    """Draw the emblems of those who may see a card."""
    for index, seat in enumerate(seats):
        canvas.emblem(seat, (at[0] + index * 2.3 * radius, at[1]), radius)


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
        current = shown.played and shown.tile in now
        card(canvas, shown, (x, y, x + width, y + height), now=current)
