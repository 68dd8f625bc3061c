"""A seat's own city, large, with the held tile over it, and beside it the details."""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.game import Seat
from engines.tangram.legal.moves import TileCursor
from engines.tangram.pieces.board import City, Piece, Score, score
from engines.tangram.pieces.components import FOUNTAIN
from engines.tangram.pieces.geometry import HEIGHT as ROWS
from engines.tangram.pieces.geometry import SIDES, square_bits
from engines.tangram.pieces.geometry import WIDTH as COLUMNS
from engines.tangram.view import TangramView
from engines.tangram.words import captions
from engines.words import seat_name
from render.core.canvas import Canvas
from render.tangram import plan, scoreboard
from render.tangram.colours import TangramCanvas, TangramTheme

UNIT = 112
SIDE = 320
"""The width of the column beside the city."""
MARGIN = 24
LEFT = 8 + round(plan.LABEL * UNIT)
WIDTH = LEFT + COLUMNS * UNIT + 44 + SIDE + MARGIN
HEIGHT = LEFT + ROWS * UNIT + 46
COLUMN = WIDTH - SIDE - MARGIN
"""The left edge of the column."""
LINE = 64
"""The distance of the lines of the column."""
SIZE = 46
"""The size of the figures in the column."""
SIGN = 48
SIGNS = COLUMN + 32
"""The middle of the signs before the figures, and their size."""
SMALL_UNIT = 50
"""Pixels to a square of the small cities below."""
SMALL_PITCH, SMALL_HIGH = SMALL_UNIT * COLUMNS + 32, SMALL_UNIT * ROWS + 24
"""From one small city to the next, and the height of their row."""
HALF_UNIT = 76
"""Pixels to a square of a board's two sides."""
CARDS = 196
"""The height of a card in the column."""


@dataclass(frozen=True, slots=True)
class CursorTrial:
    """A cursor over a city.

    Attributes:
        trouble: the reason why it can't be laid there, None if it fits and without a cursor.
        before: the city with the viewer's other answers.
        after: the same with the held tile, if it fits.
    """

    cursor: TileCursor | None
    trouble: str | None
    before: City
    after: City


def try_cursor(view: TangramView, cursor: TileCursor | None) -> CursorTrial:
    """Try a cursor over the viewer's city; ValueError for a spectator."""
    if cursor is None:
        return CursorTrial(None, None, view.draft, view.draft)
    before = view.without(cursor.tile)
    trouble = cursor.trouble(before)
    return CursorTrial(cursor, trouble, before, before if trouble else before.add(plan.piece_of(cursor)))


def find_blocked(cursor: TileCursor, city: City) -> list[tuple[int, int]]:
    """Return the squares where a cursor overlaps or leaves the city."""
    result = []
    for dx, dy, quarters in cursor.form.cells:
        column, row = cursor.column + dx, cursor.row + dy
        beyond = column >= COLUMNS or row >= ROWS
        if beyond or square_bits(column, row, quarters) & city.built:
            result.append((column, row))
    return result


def preview(
    theme: TangramTheme, view: TangramView, trial: CursorTrial, others: Sequence[tuple[int, CursorTrial]] = ()
) -> TangramCanvas:
    """Draw the city with the cursor, and its result. Below it other places, small."""
    canvas, drawn = _city(theme, view, trial.cursor, SMALL_HIGH if others else 0)
    for place, (number, other) in enumerate(others):
        left = LEFT + place * SMALL_PITCH
        # A place to choose from: the city with the tile there, and its largest rectangle.
        small, best = plan.CityPlan(canvas, (left, HEIGHT), SMALL_UNIT), score(other.after).rectangle
        small.plots()
        small.city(view.cities[_looker(view)], _other_answers(view, other.cursor))
        if best is not None:
            small.rectangle(best)
        if other.cursor is not None:
            small.cursor(other.cursor, None)
        if best is not None:
            small.area(best)
        canvas.badge((left + 36, HEIGHT + SMALL_UNIT * ROWS - 36), 32, str(number))
    best = score(trial.after).rectangle
    if best is not None:
        drawn.rectangle(best)
    if trial.cursor is not None:
        drawn.cursor(trial.cursor, find_blocked(trial.cursor, trial.before) if trial.trouble else None)
    if best is not None:
        drawn.area(best)
    top: float = MARGIN
    if trial.cursor is not None:
        cursor = trial.cursor
        canvas.write(
            (COLUMN, top + 26), captions.tile_name(cursor.tile), 54, canvas.theme.ink, weight=700, width=SIDE
        )
        box = (COLUMN, top + 66, COLUMN + SIDE, top + 246)
        scoreboard.both_sides(canvas, cursor.tile, box, None if cursor.tile == FOUNTAIN else cursor.side)
        top += 262
    top = _outcome(canvas, score(trial.before), score(trial.after), top)
    scoreboard.basin(canvas, (SIGNS, top + LINE / 2), SIGN)
    _line(canvas, str(view.fountains[_looker(view)]), top, SIZE)
    coming = [card for card in view.cards if card.tile is not None and not card.played]
    if coming:
        foot = HEIGHT - 16
        scoreboard.row(canvas, coming, (COLUMN, foot - CARDS, COLUMN + SIDE, foot), (), max(2, len(coming)))
    return canvas


def sides(theme: TangramTheme, view: TangramView) -> TangramCanvas:
    pitch, left = HALF_UNIT * COLUMNS + 96, 8 + round(plan.LABEL * HALF_UNIT)
    top = left + 70
    canvas = Canvas(left + 2 * pitch - 60, top + HALF_UNIT * ROWS + 24, theme)
    chosen = view.draft.board
    for place, side in enumerate(SIDES):
        city = view.cities[_looker(view)].turn(side)
        x = left + place * pitch
        canvas.write((x, 40), side.capitalize(), 54, theme.ink, weight=700)
        drawn = plan.CityPlan(canvas, (x, top), HALF_UNIT)
        drawn.ground()
        drawn.city(city)
        if city.board == chosen:
            plan.tick(canvas, (x + HALF_UNIT * COLUMNS - 30, 40), 28, theme.fits)
    return canvas


def _city(
    theme: TangramTheme, view: TangramView, cursor: TileCursor | None, below: int = 0
) -> tuple[TangramCanvas, plan.CityPlan]:
    canvas = Canvas(WIDTH, HEIGHT + below, theme)
    drawn = plan.CityPlan(canvas, (LEFT, LEFT), UNIT)
    drawn.ground()
    drawn.city(view.cities[_looker(view)], _other_answers(view, cursor))
    return canvas, drawn


def _other_answers(view: TangramView, cursor: TileCursor | None) -> list[Piece]:
    return [
        answer.piece
        for answer in view.mine
        if answer.piece is not None
        and (cursor is None or cursor.tile != (FOUNTAIN if answer.tile is None else answer.tile))
    ]


def _looker(view: TangramView) -> Seat:
    if view.viewer is None:
        raise ValueError("a spectator has no city")
    return view.viewer


def _outcome(canvas: TangramCanvas, before: Score, after: Score, top: float) -> float:
    """Draw rectangle, colours and their distance: before, and after if that differs."""
    was, would = before.balance, after.balance
    y = top + LINE / 2
    canvas.box((SIGNS - 30, y - 22, SIGNS + 30, y + 22), canvas.theme.survey, radius=6, border=8)
    scoreboard.whole(canvas, "black", (SIGNS, y + LINE), SIGN)
    scoreboard.whole(canvas, "green", (SIGNS, y + 2 * LINE), SIGN)
    scoreboard.scales(canvas, (SIGNS, y + 3 * LINE), SIZE, would)
    _line(canvas, _change(before.points, after.points), top, SIZE + 8)
    _line(canvas, _change(was.black, would.black), top + LINE, SIZE)
    _line(canvas, _change(was.green, would.green), top + 2 * LINE, SIZE)
    _line(canvas, _change(was.distance, would.distance), top + 3 * LINE, SIZE)
    return top + 4 * LINE


def _line(canvas: TangramCanvas, text: str, top: float, size: int) -> None:
    canvas.write((SIGNS + 52, top + LINE / 2), text, size, canvas.theme.ink, weight=700)


def _change(before: int, after: int) -> str:
    return str(before) if before == after else f"{before} \u2192 {after}"


def hand(theme: TangramTheme, view: TangramView, seat: Seat, names: Sequence[str]) -> TangramCanvas:
    canvas, drawn = _city(theme, view, None)
    stands = score(view.draft)
    if stands.rectangle is not None:
        drawn.rectangle(stands.rectangle)
        drawn.area(stands.rectangle)
    canvas.emblem(seat, (COLUMN + 26, MARGIN + 28), 25)
    canvas.write(
        (COLUMN + 66, MARGIN + 28), seat_name(names, seat), SIZE, theme.ink, weight=700, width=SIDE - 66
    )
    canvas.write((COLUMN, MARGIN + 94), f"Round {view.round}", SIZE, theme.ink, weight=700)
    scoreboard.basin(canvas, (COLUMN + 246, MARGIN + 94), SIGN)
    canvas.write((COLUMN + 282, MARGIN + 94), str(view.fountains[seat]), SIZE, theme.ink, weight=700)
    top = MARGIN + 134
    bottom = top + 2 * CARDS + scoreboard.GAP
    scoreboard.row(canvas, view.cards, (COLUMN, top, COLUMN + SIDE, bottom), view.current, 2)
    _outcome(canvas, stands, stands, bottom + 24)
    return canvas
