"""The result card of a finished game: the places, the decision, and the course turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import msgspec
from PIL import Image

from engines.game import Seat
from engines.words import MINUS
from render.chart import Chart, number_text, tells
from render.core.canvas import Canvas, box_mask
from render.core.palette import Rgb, mix
from render.core.picture import Picture, alt_text
from render.core.text import wrap
from render.core.theme import LIGHT, THEMES, Theme
from render.core.words import ordinal, seat_name

__all__ = ["THEMES", "PlacedSeat", "ResultCard", "card"]

WIDTH, MARGIN, GAP = 1080, 48, 32
COVER = 196
ROW = 92
CHART = 520
ENDING_SIZE, LEADING = 42, 56


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
        seats: all seats, the best first.
        colours: those of the seats' emblems, if they aren't the theme's.
        charted: the name of the charted numbers.
        tallies: those numbers after each turn: one a seat, None if the seat is out; or one for a team.
        cover: the picture of the game, as PNG.
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
    cover: bytes = b""


def card(result: ResultCard, names: Sequence[str], theme: Theme = LIGHT) -> Picture:
    """Draw the card, with its description.

    `names` are those of the seats in order.
    """
    lines = wrap(result.told, WIDTH - 2 * MARGIN - 2 * GAP, ENDING_SIZE, 700)
    plate = len(lines) * LEADING + 36
    listed = len(result.seats) * ROW
    charted = tells(result.tallies)
    height = MARGIN + COVER + GAP + plate + GAP + listed + MARGIN + (CHART + GAP if charted else 0)
    canvas = Canvas(WIDTH, height, theme)
    top = MARGIN
    _head(canvas, result, top)
    top += COVER + GAP
    _draw_ending(canvas, lines, top, plate)
    top += plate + GAP
    _seats(canvas, result, names, top)
    top += listed + GAP
    if charted:
        box = (MARGIN, top, WIDTH - MARGIN, top + CHART)
        Chart(result.charted, result.tallies, result.colours or theme.seats).draw(canvas, box)
    return Picture(_png(canvas), _alt(result, names), "result.png")


def _head(canvas: Canvas[Theme], result: ResultCard, top: int) -> None:
    theme = canvas.theme
    left = MARGIN
    if result.cover:
        _cover(canvas, result.cover, (left, top))
        left += COVER + GAP
    width = WIDTH - MARGIN - left
    canvas.write((left, top + 38), result.title, 66, theme.ink, weight=800, width=width)
    canvas.write((left, top + 106), f"Table {result.number} · {result.length}", 34, theme.ink, width=width)
    canvas.write((left, top + 158), result.options, 30, theme.muted, width=width)


def _cover(canvas: Canvas[Theme], cover: bytes, at: tuple[int, int]) -> None:
    with Image.open(BytesIO(cover)) as picture:
        small = picture.convert("RGB").resize((COVER, COVER), Image.Resampling.LANCZOS, reducing_gap=2.0)
    canvas.image.paste(small, at, box_mask(COVER, COVER, 22))


def _draw_ending(canvas: Canvas[Theme], lines: list[str], top: int, height: int) -> None:
    box = (MARGIN, top, WIDTH - MARGIN, top + height)
    canvas.box(box, canvas.theme.glow, radius=20)
    canvas.box(box, canvas.theme.highlight, radius=20, border=3)
    for number, line in enumerate(lines):
        at = WIDTH / 2, top + 18 + (number + 0.5) * LEADING
        canvas.write(
            at,
            line,
            ENDING_SIZE,
            canvas.theme.ink,
            weight=700,
            anchor="middle",
            width=WIDTH - 2 * MARGIN - GAP,
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
            ground = theme.highlight if first else mix(theme.muted, theme.card, 0.2)
            canvas.badge((left + 28, middle), 30, str(placed.place), ground)
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


def _png(canvas: Canvas[Theme]) -> bytes:
    """Export the card in all its colours.

    With a cover it has more than a palette holds.
    """
    file = BytesIO()
    canvas.image.save(file, "PNG")
    return file.getvalue()


def _alt(result: ResultCard, names: Sequence[str]) -> str:
    lines = [f"The result of {result.title}, table {result.number}: {result.told}"]
    for placed in result.seats:
        place = "" if placed.place is None else f"{ordinal(placed.place)}: "
        score = "" if placed.score is None else f", {str(placed.score).replace('-', MINUS)}"
        lines.append(f"{place}{seat_name(names, placed.seat)}{score}.")
    lines.append(f"It took {result.length}.")
    if tells(result.tallies):
        lines.append(f"A chart, turn by turn: {result.charted}.")
    return alt_text(lines)
