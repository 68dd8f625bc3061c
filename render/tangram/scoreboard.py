"""The panel of the public picture: the round, the tile in play, the cards, and at the end the places."""

from collections.abc import Sequence

from engines.captions import seat_name
from engines.game import Seat
from engines.tangram.pieces.components import FOUNTAIN, START_PIECES
from engines.tangram.view import TangramView
from engines.tangram.words import captions
from render.core.canvas import Box
from render.tangram import cards
from render.tangram.colours import TangramCanvas

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
        cards.row(canvas, view.cards, (left, split, left + width, bottom - 4), view.current)


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
        cards.row(canvas, view.cards, (split, top, right, bottom - 8), view.current)


def _current(canvas: TangramCanvas, view: TangramView, box: Box) -> None:
    """Draw the tile or fountain in play, below its name."""
    left, top, right, bottom = box
    if view.phase == "side":
        text = "Choose your board's side"
        canvas.write((left, top + 28), text, 44, canvas.theme.ink, weight=700, width=right - left)
        cards.both_sides(canvas, START_TILE, (left, top + 58, right, bottom))
        return
    tile = view.current[0] if view.current else FOUNTAIN
    canvas.write(
        (left, top + 28), captions.tile_name(tile), 50, canvas.theme.ink, weight=700, width=right - left
    )
    cards.both_sides(canvas, tile, (left, top + 58, right, bottom))


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
        cards.both_sides(canvas, tile, (room[0], y + 46, room[2], room[3]))


def _places(canvas: TangramCanvas, view: TangramView, names: Sequence[str], box: Box, columns: int) -> None:
    """Draw everybody by place, with the final score and the bonuses."""
    left, top, right, bottom = box
    order = ranking(view)
    rows = -(-len(order) // columns)
    width, height = (right - left) / columns, min(112.0, (bottom - top) / rows)
    for index, seat in enumerate(order):
        column, line = divmod(index, rows)
        x, y = left + column * (width + 12), top + (line + 0.5) * height
        _place(canvas, view, names, seat, (x, y - height / 2, x + width - 24, y + height / 2))


def _place(canvas: TangramCanvas, view: TangramView, names: Sequence[str], seat: Seat, box: Box) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    extra = captions.bonuses(view, seat)
    y = (top + bottom) / 2 - (17 if extra else 0)
    place = captions.status(view, seat)
    pen = left + (canvas.write((left, y), place, 40, theme.ink, weight=700) + 16 if place else 0)
    canvas.emblem(seat, (pen + 20, y), 19)
    points = canvas.write((right, y), str(view.scores[seat]), 48, theme.ink, weight=700, anchor="right")
    room = right - points - 14 - pen - 52
    canvas.write((pen + 52, y), seat_name(names, seat), 38, theme.ink, weight=600, width=room)
    if extra:
        text = "  ".join(f"+{points} {what}" for points, what in extra)
        canvas.write((left, y + 42), text, 32, theme.muted, weight=600, width=right - left)


def ranking(view: TangramView) -> list[Seat]:
    """Return the seats by place, else by score."""
    places = view.outcome.places if view.outcome is not None else (None,) * view.seats
    return sorted(range(view.seats), key=lambda seat: (places[seat] or view.seats, -view.scores[seat], seat))
