"""The standings of a cup: everybody with their place, points and tie-break, in one column or in two."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from engines.words import alt_text, plural, short_ordinal
from render.core.canvas import Canvas, Picture
from render.core.text import clean, fit, legible
from render.core.theme import LIGHT, THEMES, Theme, mix

__all__ = ["THEMES", "CupLine", "CupStandings", "picture"]

WIDTH, MARGIN, GAP = 1080, 40, 24
HEAD, NAMED = 150, 56
SMALLEST = legible(WIDTH)
ONE_COLUMN = 24
"""Up to this many lines fit one column, with all details; more go in two."""


class CupLine(msgspec.Struct, frozen=True):
    """One player's line. `tie_break` is twice the Sonneborn-Berger score; `out`: dropped out."""

    place: int
    name: str
    points: int
    tie_break: int
    wins: int
    played: int
    out: bool = False


class CupStandings(msgspec.Struct, frozen=True):
    """The content of the picture: the game and the number of the cup, its progress, and all lines in order.

    `final`: no game is played any more.
    """

    title: str
    number: int
    told: str
    lines: tuple[CupLine, ...]
    final: bool = False


@dataclass(frozen=True)
class _Form:
    """The layout of lines: their height, sizes of type, each number's distance from the right."""

    columns: int
    row: int
    size: int
    numbers: tuple[tuple[str, int], ...]


WIDE = _Form(1, 62, 34, (("points", 0), ("tie-break", 150), ("won", 330), ("played", 440)))
NARROW = _Form(2, 48, 30, (("points", 0), ("tie-break", 96)))


def picture(standings: CupStandings, theme: Theme = LIGHT) -> Picture:
    form = WIDE if len(standings.lines) <= ONE_COLUMN else NARROW
    rows = -(-len(standings.lines) // form.columns)
    canvas = Canvas(WIDTH, MARGIN + HEAD + NAMED + rows * form.row + MARGIN, theme)
    room = WIDTH - 2 * MARGIN
    title = f"{standings.title} · cup {standings.number}"
    canvas.write((MARGIN, MARGIN + 34), title, 60, canvas.theme.ink, weight=800, width=room)
    canvas.write((MARGIN, MARGIN + 104), standings.told, 34, canvas.theme.muted, width=room)
    width = (WIDTH - 2 * MARGIN - GAP * (form.columns - 1)) / form.columns
    for column in range(form.columns):
        left = MARGIN + column * (width + GAP)
        entries = standings.lines[column * rows : (column + 1) * rows]
        _column(canvas, form, entries, (left, left + width), final=standings.final)
    lines = [f"These are the standings of cup {standings.number} in {standings.title}. {standings.told}."]
    places = Counter(line.place for line in standings.lines)
    for line in standings.lines:
        tied = "tied " if places[line.place] > 1 else ""
        tie_break = f" and a tie-break of {half(line.tie_break)}" if line.tie_break else ""
        out = f" {clean(line.name)} has dropped out." if line.out else ""
        points = plural(line.points, "point")
        place = f"{tied}{short_ordinal(line.place)} with {points}{tie_break}"
        lines.append(f"{clean(line.name)} is {place}.{out}")
    return Picture(canvas.png(palette=theme.plain_palette), alt_text(lines), "standings.png")


def _column(
    canvas: Canvas[Theme], form: _Form, lines: Sequence[CupLine], sides: tuple[float, float], *, final: bool
) -> None:
    theme = canvas.theme
    left, right = sides
    top = MARGIN + HEAD
    edge = right - 20
    for name, shift in form.numbers:
        short = name if form.columns == 1 else {"points": "pts", "tie-break": "tie"}[name]
        canvas.write((edge - shift, top + NAMED / 2), short, SMALLEST, theme.muted, anchor="right")
    top += NAMED
    canvas.box((left, top, right, top + form.row * len(lines)), theme.card, radius=16)
    for number, line in enumerate(lines):
        middle = top + (number + 0.5) * form.row
        if final and line.place == 1:
            box = (left, middle - form.row / 2, right, middle + form.row / 2)
            canvas.box(box, theme.glow, radius=16)
            canvas.box(box, theme.highlight, radius=16, border=3)
        elif number:
            canvas.box(
                (left + 16, middle - form.row / 2 - 1, right - 16, middle - form.row / 2 + 1), theme.line
            )
        ink, at = theme.muted if line.out else theme.ink, (left + 40, middle)
        if form.columns == 1:
            ground = theme.highlight if line.place == 1 else mix(theme.muted, theme.card, 0.2)
            canvas.badge(at, 25, str(line.place), ground)
        else:
            colour = theme.highlight if line.place == 1 else theme.muted
            canvas.write(at, str(line.place), SMALLEST, colour, weight=700, anchor="middle")
        values = (str(line.points), half(line.tie_break), str(line.wins), str(line.played))
        for (_, shift), value in zip(form.numbers, values, strict=False):
            colour, weight = (ink, 800) if shift == 0 else (theme.muted, 400)
            canvas.write((edge - shift, middle), value, form.size, colour, weight=weight, anchor="right")
        start = left + 78
        name = f"out · {clean(line.name)}" if line.out else clean(line.name)
        room = edge - form.numbers[-1][1] - 84 - start
        fitted = fit(name, room, form.size, 700 if line.place == 1 else 500, SMALLEST)
        canvas.draw_line((start, middle), fitted, ink)


def half(doubled: int) -> str:
    """Write half of a number.

    >>> half(0), half(1), half(8), half(9)
    ('0', '½', '4', '4½')
    """
    whole, rest = divmod(doubled, 2)
    return f"{whole or ''}½" if rest else str(whole)
