"""The result card of a finished game: the winner, the final board, the decisive turn, and the chart."""

from collections.abc import Sequence
from io import BytesIO

import msgspec
from PIL import Image

from engines.game import Seat
from engines.words import MINUS, alt_text, seat_name, short_ordinal
from render.chart import Chart, number_text, tells
from render.core.canvas import Canvas, Picture, box_mask, crown_points
from render.core.text import wrap
from render.core.theme import LIGHT, THEMES, Rgb, Theme, mix

__all__ = ["THEMES", "PlacedSeat", "ResultCard", "card"]

WIDTH, MARGIN, GAP = 1080, 48, 32
HEAD = 118
ROW = 84
CHART = 400
BOARD = 900
"""Most pixels of the final board's height."""
ENDING_SIZE, LEADING = 42, 56
DECIDED_SIZE, DECIDED_LEADING = 30, 40


class PlacedSeat(msgspec.Struct, frozen=True):
    """One seat's place and score, as far as the game has such."""

    seat: Seat
    place: int | None
    score: int | None


class ResultCard(msgspec.Struct, frozen=True):
    """The content of a card.

    Attributes:
        title: the game's.
        number: the table's.
        options: the game's options, in a few words.
        length: the game's length, in turns and time.
        told: the ending.
        decided: the decisive turn in a line; empty if no turn decided the game.
        seats: all seats, the best first.
        colours: those of the seats' emblems, if they aren't the theme's.
        charted: the name of the charted numbers.
        tallies: those numbers after each turn: one a seat, None if the seat is out; or one for a team.
        board: the final board, as PNG; empty if posts are in words.
    """

    title: str
    number: int
    options: str
    length: str
    told: str
    seats: tuple[PlacedSeat, ...]
    colours: tuple[Rgb, ...] = ()
    charted: str = ""
    tallies: tuple[tuple[int | None, ...], ...] = ()
    decided: str = ""
    board: bytes = b""


def card(result: ResultCard, names: Sequence[str], theme: Theme = LIGHT) -> Picture:
    inner = WIDTH - 2 * MARGIN
    lines = wrap(result.told, inner - 2 * GAP, ENDING_SIZE, 700)
    decided = wrap(result.decided, inner - 2 * GAP, DECIDED_SIZE, 500) if result.decided else []
    board = _shrink(result.board) if result.board else None
    plate = len(lines) * LEADING + len(decided) * DECIDED_LEADING + 36
    listed = len(result.seats) * ROW
    charted = tells(result.tallies)
    height = MARGIN + HEAD + plate + GAP + (0 if board is None else board.height + GAP) + listed + MARGIN
    canvas = Canvas(WIDTH, height + (CHART + GAP if charted else 0), theme)
    top = MARGIN
    canvas.write((MARGIN, top + 30), result.title, 60, theme.ink, weight=800, width=inner)
    below = f"Table {result.number} \u00b7 {result.length} \u00b7 {result.options}"
    canvas.write((MARGIN, top + 84), below, DECIDED_SIZE, theme.muted, width=inner)
    top += HEAD
    _draw_ending(canvas, lines, decided, top, plate)
    top += plate + GAP
    if board is not None:
        canvas.image.paste(board, ((WIDTH - board.width) // 2, top), box_mask(*board.size, 22))
        top += board.height + GAP
    _seats(canvas, result, names, top)
    top += listed + GAP
    if charted:
        box = (MARGIN, top, WIDTH - MARGIN, top + CHART)
        Chart(result.charted, result.tallies, result.colours or theme.seats).draw(canvas, box)
    ranking = []
    for placed in result.seats:
        place = "" if placed.place is None else f" came {short_ordinal(placed.place)}"
        score = "" if placed.score is None else f" (score {str(placed.score).replace('-', MINUS)})"
        ranking.append(f"{seat_name(names, placed.seat)}{place}{score}")
    lines = [f"{result.title}, table {result.number}. {result.told}", f"{', '.join(ranking)}."]
    if result.decided:
        lines.append(f"{result.decided}.")
    lines.append(f"It took {result.length}.")
    if tells(result.tallies):
        lines.append(f"A chart shows the game turn by turn: {result.charted}.")
    if board is None:
        return Picture(canvas.png(), alt_text(lines), "result.png")
    # A board has more colours than the theme.
    file = BytesIO()
    canvas.image.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(file, "PNG")
    return Picture(file.getvalue(), alt_text(lines), "result.png")


def _shrink(board: bytes) -> Image.Image:
    with Image.open(BytesIO(board)) as picture:
        share = min((WIDTH - 2 * MARGIN) / picture.width, BOARD / picture.height, 1)
        size = round(picture.width * share), round(picture.height * share)
        return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _draw_ending(
    canvas: Canvas[Theme], lines: Sequence[str], decided: Sequence[str], top: int, height: int
) -> None:
    box = (MARGIN, top, WIDTH - MARGIN, top + height)
    canvas.box(box, canvas.theme.glow, radius=20)
    canvas.box(box, canvas.theme.highlight, radius=20, border=3)
    for number, line in enumerate(lines):
        at = WIDTH / 2, top + 18 + (number + 0.5) * LEADING
        ink, room = canvas.theme.ink, WIDTH - 2 * MARGIN - GAP
        canvas.write(at, line, ENDING_SIZE, ink, weight=700, anchor="middle", width=room)
    under = top + 18 + len(lines) * LEADING
    for number, line in enumerate(decided):
        at = WIDTH / 2, under + (number + 0.5) * DECIDED_LEADING
        canvas.write(
            at, line, DECIDED_SIZE, canvas.theme.ink, anchor="middle", width=WIDTH - 2 * MARGIN - GAP
        )


def _seats(canvas: Canvas[Theme], result: ResultCard, names: Sequence[str], top: int) -> None:
    theme = canvas.theme
    canvas.box((MARGIN, top, WIDTH - MARGIN, top + ROW * len(result.seats)), theme.card, radius=20)
    for number, placed in enumerate(result.seats):
        middle = top + (number + 0.5) * ROW
        if number:
            canvas.box(
                (MARGIN + 28, middle - ROW / 2 - 1, WIDTH - MARGIN - 28, middle - ROW / 2 + 1), theme.line
            )
        first = placed.place == 1
        left = MARGIN + 36
        if placed.place is not None:
            if first:
                canvas.polygon(crown_points((left + 28, middle), 58), theme.highlight)
            else:
                canvas.badge((left + 28, middle), 30, str(placed.place), mix(theme.muted, theme.card, 0.2))
            left += 76
        canvas.emblem(
            placed.seat, (left + 26, middle), 25, (result.colours or canvas.theme.seats)[placed.seat]
        )
        right = WIDTH - MARGIN - 36.0
        if placed.score is not None:
            score = number_text(placed.score)
            right -= canvas.write((right, middle), score, 48, theme.ink, weight=800, anchor="right") + GAP
        name, weight = seat_name(names, placed.seat), 800 if first else 500
        canvas.write((left + 74, middle), name, 42, theme.ink, weight=weight, width=right - left - 74)
