"""The panel beside or below the board: the turn, the bag, and a plate for each seat."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Seat
from engines.tesla.board import circuit_name
from engines.tesla.faces import COMMON
from engines.tesla.view import View
from render.canvas import Box, Canvas, Point
from render.palette import CARD, DANGER, FADED, GLOW, HIGHLIGHT, INK, LINE, MUTED, SEAT_COLOURS, mix
from render.tesla import marks, words
from render.text import fit

HEAD = 92
PLATE = 190
GAP = 14
INSET = 18
WIDTH = 440


def height(view: View, columns: int) -> int:
    """How high the panel is with that many plates in a row."""
    rows = -(-view.seats // columns)
    return (HEAD if columns == 1 else 64) + rows * (PLATE + GAP) - GAP


def draw(canvas: Canvas, view: View, names: Sequence[str], at: Point, width: float, columns: int) -> None:
    """The whole panel, its left upper corner at a point."""
    left, top = at
    _head(canvas, view, left, top, width, stacked=columns == 1)
    top += HEAD if columns == 1 else 64
    each = (width - GAP * (columns - 1)) / columns
    letters = words.letters(names, view.seats)
    for seat in range(view.seats):
        row, column = divmod(seat, columns)
        x, y = left + column * (each + GAP), top + row * (PLATE + GAP)
        _plate(canvas, view, names, seat, (x, y, x + each, y + PLATE), letters[seat])


def _head(canvas: Canvas, view: View, left: float, top: float, width: float, *, stacked: bool) -> None:
    facts = f"bag {view.bag} · discards {len(view.discards)}"
    taken = canvas.write((left + 4, top + 28), words.title(view), 40, INK, weight=700, width=width)
    if stacked:
        canvas.write((left + 4, top + 68), facts, 26, MUTED, weight=500, width=width)
    else:
        canvas.write((left + width - 4, top + 28), facts, 26, MUTED, weight=500, anchor="right")
    del taken


def _plate(canvas: Canvas, view: View, names: Sequence[str], seat: Seat, box: Box, letter: str) -> None:
    """One seat: who it is and what it is about, its score, its markers and tiles, its circuits."""
    left, top, right, bottom = box
    is_out = seat in view.out
    won = view.outcome is not None and view.outcome.places[seat] == 1
    is_lit = won or (not view.over and seat == view.seat)
    canvas.box(box, HIGHLIGHT if is_lit else LINE, radius=14)
    edge = 3 if is_lit else 1.5
    canvas.box(
        (left + edge, top + edge, right - edge, bottom - edge), GLOW if is_lit else CARD, radius=14 - edge
    )
    ink = FADED if is_out else INK
    colour = FADED if is_out else SEAT_COLOURS[seat]
    x, end, y = left + INSET, right - INSET, top + 32
    marks.sign(canvas, seat, (x + 18, y), 18, letter, colour)
    status, taken = words.status(view, seat), 0.0
    if status:
        shade = HIGHLIGHT if is_lit else ink
        taken = 14 + canvas.write((end, y), status, 26, shade, weight=600, anchor="right")
    canvas.write((x + 48, y), words.named(names, seat), 32, ink, weight=700, width=end - x - 48 - taken)
    _score(canvas, view, seat, x, end, top + 78)
    if not is_out:
        _belongings(canvas, view, seat, x, end, top + 122)
        _circuits(canvas, view, seat, x, end, top + 162)


def _score(canvas: Canvas, view: View, seat: Seat, left: float, right: float, y: float) -> None:
    """The score, and on a bar how near it is to the win on the right and to going out on the left."""
    is_out = seat in view.out
    score = view.scores[seat]
    canvas.write((left, y), words.number(score), 42, FADED if is_out else INK, weight=700)
    low, high = words.leader(view) - view.behind, view.options.win
    start, end = left + 150, right - 46
    canvas.write((start - 10, y), words.number(low), 24, DANGER, weight=600, anchor="right")
    canvas.write((end + 10, y), str(high), 24, INK, weight=700)
    canvas.box((start, y - 12, end, y + 12), LINE, radius=12)
    share = min(1.0, max(0.0, (score - low) / (high - low)))
    colour = SEAT_COLOURS[seat]
    promise = sum(words.worth(circuit) for _, circuit in words.owned(view, seat))
    further = min(1.0, max(0.0, (score + promise - low) / (high - low)))
    if is_out:
        return
    if further > share:
        canvas.box(
            (start, y - 12, start + max(24, (end - start) * further), y + 12),
            mix(colour, CARD, 0.65),
            radius=12,
        )
    canvas.box((start, y - 12, start + max(24, (end - start) * share), y + 12), colour, radius=12)


def _belongings(canvas: Canvas, view: View, seat: Seat, left: float, right: float, y: float) -> None:
    total = COMMON.markers[view.seats]
    text = f"markers {view.supplies[seat]} of {total} · tiles {view.held[seat]}"
    canvas.write((left, y), text, 26, MUTED, weight=500, width=right - left)


def _circuits(canvas: Canvas, view: View, seat: Seat, left: float, right: float, y: float) -> None:
    """The circuits of a seat and what its markers on them would gain, as many as there is room for."""
    found = words.owned(view, seat)
    if not found:
        canvas.write((left, y), "no circuits", 26, FADED, weight=500)
        return
    pen = left
    for index, (number, circuit) in enumerate(found):
        rest = len(found) - index
        text = words.length(circuit)
        if len(circuit.markers) > 1:
            text = f"{text} ×{len(circuit.markers)}"
        if circuit.closed or len(circuit.markers) > 1:
            text = f"{text} = {words.worth(circuit)}"
        name = circuit_name(number)
        split = fit(name, 200, 26, 700).width + 16
        wide = split + fit(text, 400, 26, 600).width + 14
        room = right - pen - (0 if rest == 1 else 62)
        if wide > room:
            canvas.write((pen, y), f"+{rest} more", 26, MUTED, weight=500)
            return
        canvas.box((pen, y - 17, pen + split, y + 17), SEAT_COLOURS[seat], radius=8)
        canvas.write((pen + split / 2, y), name, 26, CARD, weight=700, anchor="middle")
        canvas.write((pen + split + 6, y), text, 26, INK, weight=600)
        pen += wide + 8
