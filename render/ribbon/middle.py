"""The middle of the board: the turn, a plate for each seat, and what is still to do."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Seat
from engines.ribbon.view import View, tangles_of
from render.canvas import Canvas
from render.palette import FADED, GLOW, HIGHLIGHT, INK, MUTED
from render.ribbon import marks, words
from render.ribbon.ring import MIDDLE

PLATE_WIDTH = 368
PLATE_HEIGHT = 84
PITCH = 92
RADIUS = 236


def draw(canvas: Canvas, view: View, names: Sequence[str]) -> None:
    """The whole middle."""
    captions = words.to_do(view)
    x, y = MIDDLE
    height = 58 + view.seats * PITCH + 32 * len(captions)
    top = y - height / 2
    canvas.write((x, top + 20), words.title(view, names), 40, INK, weight=700, anchor="middle", width=300)
    for seat in range(view.seats):
        plate(canvas, view, names, seat, top + 62 + seat * PITCH)
    below = top + 62 + view.seats * PITCH + 12
    for line, caption in enumerate(captions):
        canvas.write((x, below + line * 32), caption, 23, MUTED, weight=500, anchor="middle", width=330)


def plate(canvas: Canvas, view: View, names: Sequence[str], seat: Seat, top: float) -> None:
    """One seat: who it is, what it is about, its ribbon, its cards and its tangles."""
    left, right = MIDDLE[0] - PLATE_WIDTH / 2, MIDDLE[0] + PLATE_WIDTH / 2
    bottom = top + PLATE_HEIGHT
    is_out = seat in view.out
    won = view.outcome is not None and view.outcome.places[seat] == 1
    if seat in view.owes or won:
        canvas.box((left, top, right, bottom), HIGHLIGHT, radius=14)
        canvas.box((left + 3, top + 3, right - 3, bottom - 3), GLOW, radius=11)
    ink = FADED if is_out else INK
    what = words.status(view, seat)
    taken = canvas.write((right - 16, top + 25), what, 21, ink, weight=600, anchor="right") if what else 0
    canvas.emblem(seat, (left + 32, top + 25), 14, FADED if is_out else INK)
    room = PLATE_WIDTH - 56 - 24 - taken
    canvas.write((left + 56, top + 25), words.named(names, seat), 29, ink, weight=700, width=room)
    _belongings(canvas, view, seat, left + 18, right - 16, top + 60)


def _belongings(canvas: Canvas, view: View, seat: Seat, left: float, right: float, y: float) -> None:
    is_out = seat in view.out
    colour = view.ribbons[seat] if view.mode == "versus" else None
    pen = left + 38
    if colour is not None:
        marks.swatch(canvas, (left, y), colour, faded=is_out)
        pen = left + 104 + 24
    if is_out:
        return
    if view.mode != "solo":
        for card in sorted(view.hands[seat], key=lambda card: (card is None, card or "")):
            known = card if card is not None and (view.over or card in view.shown[seat]) else None
            pen = _held(canvas, pen, y, known, shown=card in view.shown[seat])
    if colour is not None and (count := len(tangles_of(view, colour))):
        marks.count_of_tangles(canvas, (right - 12, y), count)
        canvas.write(
            (right - 34, y), "tangle" if count == 1 else "tangles", 20, INK, weight=500, anchor="right"
        )


def _held(canvas: Canvas, pen: float, y: float, card: str | None, *, shown: bool) -> float:
    if card is None:
        marks.little_back(canvas, (pen, y))
    else:
        marks.little_face(canvas, (pen, y), card, shown=shown)
    return pen + 28
