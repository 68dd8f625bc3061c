"""The pictures of Nim."""

from collections.abc import Sequence

from engines.game import Seat
from engines.nim.view import View
from render.core.canvas import Canvas
from render.core.canvas import Picture
from render.core.theme import LIGHT, THEMES, Theme
from engines.nim.words import captions

__all__ = ["THEMES", "board", "hand", "table"]

WIDTH, ROW, STONE = 1000, 120, 34


def board(view: View, names: Sequence[str], theme: Theme = LIGHT) -> Picture:
    return Picture(table(view, names, theme).png(), captions.describe_board(view, names), "nim-board.png")


def table(view: View, names: Sequence[str], theme: Theme = LIGHT) -> Canvas[Theme]:
    """Draw the board, not packed into a file yet."""
    canvas = Canvas(WIDTH, 130 + ROW * len(view.heaps) + 40, theme)
    canvas.emblem(view.seat, (60, 64), 26)
    canvas.write((106, 64), captions.heading(view, names), 42, theme.ink, weight=700, width=WIDTH - 150)
    for number, stones in enumerate(view.heaps, start=1):
        _heap(canvas, view, number, stones, 130 + ROW * number - ROW / 2)
    return canvas


def _heap(canvas: Canvas[Theme], view: View, number: int, stones: int, middle: float) -> None:
    taken = view.last.stones if view.last is not None and view.last.heap == number else 0
    canvas.badge((60, middle), 28, str(number))
    for place in range(stones + taken):
        spot = (150 + place * 2.6 * STONE, middle)
        if place < stones:
            canvas.disc(spot, STONE, canvas.theme.highlight)
        else:
            canvas.disc(spot, STONE, canvas.theme.danger, hole=STONE - 6)
    if not stones + taken:
        canvas.write((116, middle), "empty", 34, canvas.theme.muted)


def hand(view: View, seat: Seat, names: Sequence[str], theme: Theme = LIGHT) -> Picture | None:
    """Return None: Nim has no hands."""
    return None


def cover() -> Picture:
    canvas = Canvas(400, 400, LIGHT)
    for row in range(3):
        for place in range(row + 1):
            canvas.disc((200 + (2 * place - row) * 58, 92 + row * 106), 48, LIGHT.seats[0])
    return Picture(canvas.png(), "A heap of six round stones, one upon the other.", "nim-cover.png")
