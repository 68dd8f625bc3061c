"""The deal of the day: a month of a person as a calendar, and the final boards of a day side by side."""

import calendar as months
import io
import re
from datetime import date

import msgspec
from PIL import Image

from engines.words import alt_text, plural, short_ordinal
from render.core.canvas import Canvas, Picture
from render.core.text import clean
from render.core.theme import LIGHT, THEMES, Theme

__all__ = ["THEMES", "Boards", "Day", "FinalBoard", "MonthSheet", "boards", "calendar"]

WIDTH, MARGIN, GAP = 1080, 44, 12
HEAD, NAMES = 150, 46
COLUMNS = 7
CELL = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) // COLUMNS
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
SHEET, INNER, TITLE = 1320, 20, 96
PLACE = re.compile(r"^(\d+)\. ")
"""The place before a name on a sheet of boards."""
COLOURS = 256
"""The colours of a sheet of boards, which are pictures of any game."""


class Day(msgspec.Struct, frozen=True):
    """A person's play on a day: begun and perhaps finished, with its place and points."""

    finished: bool
    place: int | None = None
    points: int = 0


class MonthSheet(msgspec.Struct, frozen=True):
    """A month of a person: `first` is its first day (like ``2026-11-01``), `days` are by number.

    `told` is the line below the title; `today` is the number of the present day, if it is in the month.
    """

    name: str
    first: str
    told: str
    days: dict[int, Day]
    today: int | None = None


class FinalBoard(msgspec.Struct, frozen=True):
    """The end of a play: its person, its result, and the picture of the board."""

    name: str
    said: str
    png: bytes
    first: bool = False

    def __repr__(self) -> str:
        return f"FinalBoard(said={self.said!r})"


class Boards(msgspec.Struct, frozen=True):
    """Some final boards of a day, under a title."""

    title: str
    boards: tuple[FinalBoard, ...]


def calendar(month: MonthSheet, theme: Theme = LIGHT) -> Picture:
    begins = date.fromisoformat(month.first)
    shift, days = months.monthrange(begins.year, begins.month)
    rows = -(-(shift + days) // COLUMNS)
    canvas = Canvas(WIDTH, MARGIN + HEAD + NAMES + rows * (CELL + GAP) - GAP + MARGIN, theme)
    wide = WIDTH - 2 * MARGIN
    canvas.write((MARGIN, MARGIN + 34), clean(month.name), 58, theme.ink, weight=800, width=wide)
    canvas.write((MARGIN, MARGIN + 102), f"{begins:%B %Y} · {month.told}", 34, theme.muted, width=wide)
    top = MARGIN + HEAD
    for column, weekday in enumerate(WEEKDAYS):
        middle = MARGIN + column * (CELL + GAP) + CELL / 2
        canvas.write((middle, top + 16), weekday, 30, theme.muted, anchor="middle")
    top += NAMES
    for number in range(1, days + 1):
        row, column = divmod(shift + number - 1, COLUMNS)
        left, upper = MARGIN + column * (CELL + GAP), top + row * (CELL + GAP)
        day, is_today = month.days.get(number), number == month.today
        box, done = (left, upper, left + CELL, upper + CELL), day is not None and day.finished
        canvas.box(box, theme.glow if done else theme.card, radius=16)
        if done or is_today:
            canvas.box(box, theme.highlight if done else theme.muted, radius=16, border=5 if is_today else 3)
        ink, weight = theme.ink if day else theme.muted, 700 if done else 400
        canvas.write((left + 14, upper + 26), str(number), 30, ink, weight=weight)
        x, y = left + CELL / 2, upper + CELL / 2 + 2
        if day is not None and not day.finished:
            canvas.line([(x - 16, y), (x + 16, y)], theme.line, 6)
        elif day is not None and day.place is None:
            for begin, end in (((x - 20, y), (x - 6, y + 14)), ((x - 6, y + 14), (x + 22, y - 16))):
                canvas.line([begin, end], theme.highlight, 9)
        elif day is not None:
            canvas.badge((x, y), 26, str(day.place), theme.highlight)
            text = plural(day.points, "pt")
            canvas.write((x, upper + CELL - 24), text, 30, theme.ink, anchor="middle", width=CELL - 12)
    return Picture(canvas.png(palette=theme.plain_palette), alt_text(describe_month(month)), "calendar.png")


def describe_month(month: MonthSheet) -> list[str]:
    """Describe the month. A line about it, and one for each day with a play."""
    begins = date.fromisoformat(month.first)
    lines = [f"{month.name}, {begins:%B %Y}. {month.told}."]
    for number, day in sorted(month.days.items()):
        if not day.finished:
            lines.append(f"{begins:%B} {number}: not finished.")
        else:
            place = f" {short_ordinal(day.place)} with {plural(day.points, 'point')}" if day.place else ""
            lines.append(f"{begins:%B} {number}: finished{place}.")
    return lines


def boards(sheet: Boards, theme: Theme = LIGHT) -> Picture:
    columns = min(len(sheet.boards), 2 if len(sheet.boards) < 5 else 3)
    width = (SHEET - 2 * INNER - (columns - 1) * INNER) // columns
    shown = []
    for board in sheet.boards:
        image = Image.open(io.BytesIO(board.png)).convert("RGB")
        height = max(1, round(image.height * width / image.width))
        shown.append(image.resize((width, height), Image.Resampling.LANCZOS))
    rows = [shown[at : at + columns] for at in range(0, len(shown), columns)]
    heights = [max(image.height for image in row) + TITLE + INNER for row in rows]
    canvas = Canvas(SHEET, 90 + sum(heights) + INNER, theme)
    canvas.write((INNER + 4, 50), sheet.title, 46, theme.ink, weight=800, width=SHEET - 2 * INNER)
    top, number = 90, 0
    for row, height in zip(rows, heights, strict=True):
        for column, image in enumerate(row):
            left, board = INNER + column * (width + INNER), sheet.boards[number]
            if board.first:
                light = (left - 8, top, left + width + 8, top + TITLE + image.height + 8)
                canvas.box(light, theme.glow, radius=16)
                canvas.box(light, theme.highlight, radius=16, border=4)
            name = clean(board.name)
            canvas.write((left + 8, top + 28), name, 38, theme.ink, weight=700, width=width - 16)
            canvas.write((left + 8, top + 70), board.said, 32, theme.muted, width=width - 16)
            canvas.image.paste(image, (left, top + TITLE))
            number += 1
        top += height
    lines = [f"{sheet.title}."]
    names = [PLACE.sub(r"Place \1, ", clean(board.name)) for board in sheet.boards]
    lines += [f"{name}: {board.said}." for name, board in zip(names, sheet.boards, strict=True)]
    # The sheet has colours of its own.
    out = io.BytesIO()
    reduced = canvas.image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    reduced.save(out, "PNG", optimize=True)
    return Picture(out.getvalue(), alt_text(lines), "boards.png")
