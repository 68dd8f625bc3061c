"""Standings as a picture: a leaderboard, or a profile with a chart of its rating."""

import re
from collections import Counter

import msgspec

from engines.words import alt_text, format_points, plural, short_ordinal
from render.chart import Chart, number_text, tells
from render.core.canvas import Canvas, Picture
from render.core.text import clean
from render.core.theme import LIGHT, THEMES, Theme, mix

__all__ = ["THEMES", "Section", "StandingsEntry", "StandingsSheet", "sheet"]

WIDTH, MARGIN, GAP = 1080, 48, 32
HEAD, TITLE, ROW = 128, 68, 108
CHART = 520
SMALL = 30
RECORD, AHEAD = re.compile(r"^(\d+) : (\d+)$"), r"ahead in \1 and behind in \2"
"""A record against somebody in a picture, and in words."""
NUMBER, GAMES = re.compile(r"^[\d,]+$"), re.compile(r"^\d+ games?$")
"""A value without a noun, and a detail that only counts games."""


class StandingsEntry(msgspec.Struct, frozen=True):
    """One line with its subject and its number.

    Attributes:
        name: large on the left.
        detail: small below it.
        value: large on the right.
        beside: small below that.
        rank: the place, if lines are ranked.
        change: the number's recent change.
        own: True to set the line off as the viewer's.
    """

    name: str
    detail: str
    value: str
    beside: str = ""
    rank: int | None = None
    change: int = 0
    own: bool = False


class Section(msgspec.Struct, frozen=True):
    """Lines that belong together, under an optional title."""

    entries: tuple[StandingsEntry, ...]
    title: str = ""


class StandingsSheet(msgspec.Struct, frozen=True):
    """The content of a sheet.

    Attributes:
        title: the subject of these standings.
        subtitle: their source.
        sections: the lines.
        charted: the name of the charted numbers.
        course: a rating before the first charted game and after each.
    """

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    charted: str = ""
    course: tuple[int, ...] = ()


def sheet(standings: StandingsSheet, theme: Theme = LIGHT) -> Picture:
    tallies = [(number,) for number in standings.course]
    charted = len(tallies) > 1 and tells(tallies)
    height = MARGIN + HEAD + sum(_height(section) for section in standings.sections)
    height += (CHART + GAP if charted else 0) + MARGIN - GAP
    canvas = Canvas(WIDTH, height, theme)
    wide = WIDTH - 2 * MARGIN
    canvas.write((MARGIN, MARGIN + 28), clean(standings.title), 62, theme.ink, weight=800, width=wide)
    canvas.write((MARGIN, MARGIN + 88), clean(standings.subtitle), 34, theme.muted, width=wide)
    top = MARGIN + HEAD
    for section in standings.sections:
        _section(canvas, section, top)
        top += _height(section)
    if charted:
        chart = Chart(standings.charted, tallies, theme.seats, along="game", near=True)
        chart.draw(canvas, (MARGIN, top, WIDTH - MARGIN, top + CHART))
    lines = [f"{clean(standings.title)}. {clean(standings.subtitle)}."]
    for section in standings.sections:
        if section.title:
            lines.append(f"{clean(section.title).partition(' (')[0]}.")
        ranks = Counter(entry.rank for entry in section.entries)
        lines += [_describe_entry(entry, is_tied=ranks[entry.rank] > 1) for entry in section.entries]
    if charted:
        course = standings.charted[:1].lower() + standings.charted[1:]
        lines.append(
            f"A chart shows the {course}, from {standings.course[0]} to {standings.course[-1]} "
            f"in {plural(len(standings.course) - 1, 'game')}."
        )
    return Picture(canvas.png(), alt_text(lines), "standings.png")


def _height(section: Section) -> int:
    return (TITLE if section.title else 0) + ROW * len(section.entries) + GAP


def _section(canvas: Canvas[Theme], section: Section, top: float) -> None:
    theme = canvas.theme
    if section.title:
        start, room = (MARGIN + 8, top + TITLE / 2 - 6), WIDTH - 2 * MARGIN - 16
        canvas.write(start, clean(section.title), 36, theme.ink, weight=700, width=room)
        top += TITLE
    canvas.box((MARGIN, top, WIDTH - MARGIN, top + ROW * len(section.entries)), theme.card, radius=20)
    for number, entry in enumerate(section.entries):
        at = top + number * ROW
        if entry.own:
            canvas.box((MARGIN + 6, at + 6, WIDTH - MARGIN - 6, at + ROW - 6), theme.glow, radius=16)
            canvas.box(
                (MARGIN + 6, at + 6, WIDTH - MARGIN - 6, at + ROW - 6), theme.highlight, radius=16, border=3
            )
        elif number and not section.entries[number - 1].own:
            canvas.box((MARGIN + 28, at - 1, WIDTH - MARGIN - 28, at + 1), theme.line)
        _entry(canvas, entry, at)


def _entry(canvas: Canvas[Theme], entry: StandingsEntry, top: float) -> None:
    theme = canvas.theme
    upper, lower = top + 38, top + 78
    left, right = MARGIN + 32.0, WIDTH - MARGIN - 36.0
    if entry.rank is not None:
        ground = theme.highlight if entry.rank == 1 else mix(theme.muted, theme.card, 0.2)
        canvas.disc((left + 30, top + ROW / 2), 34, ground)
        at = left + 30, top + ROW / 2
        canvas.write(at, str(entry.rank), 36, theme.card, weight=700, anchor="middle", width=56)
        left += 92
    taken = canvas.write((right, upper), entry.value, 46, theme.ink, weight=800, anchor="right", width=420)
    beside = 0.0
    if entry.beside:
        beside = canvas.write((right, lower), entry.beside, SMALL, theme.muted, anchor="right", width=420)
    if entry.change:
        # The recent change: a number and an arrow.
        up, end = entry.change > 0, right - beside - 26
        colour, text = theme.highlight if up else theme.danger, number_text(abs(entry.change))
        width = canvas.write((end, lower), text, SMALL, colour, weight=700, anchor="right", width=200)
        x, reach = end - width - 18, -9 if up else 9
        canvas.polygon([(x - 10, lower - reach), (x + 10, lower - reach), (x, lower + reach)], colour)
        beside += width + 28 + 26
    canvas.write(
        (left, upper), clean(entry.name), 42, theme.ink, weight=700, width=right - left - taken - GAP
    )
    canvas.write((left, lower), clean(entry.detail), SMALL, theme.muted, width=right - left - beside - GAP)


def _describe_entry(entry: StandingsEntry, *, is_tied: bool) -> str:
    """Describe a line of the picture in words.

    >>> _describe_entry(StandingsEntry("Ann", "1 game · 1 win", "1,138", "± 323", 1, 138), is_tied=False)
    'Ann is 1st with a rating of 1,138 ± 323 (+138 lately). 1 game, 1 win.'
    >>> _describe_entry(StandingsEntry("Tangram City", "1 game", "best score 44"), is_tied=False)
    'Tangram City: best score 44 in 1 game.'
    >>> ended = StandingsEntry("Tangle", "9 games", "1st place 7 times", "2nd place twice")
    >>> _describe_entry(ended, is_tied=False)
    'Tangle: 1st place 7 times, 2nd place twice in 9 games.'
    >>> _describe_entry(StandingsEntry("Bo", "2 games", "1 : 1"), is_tied=False)
    '2 games with Bo, ahead in 1 and behind in 1.'
    """
    name, detail = clean(entry.name), clean(entry.detail).replace(" · ", ", ")
    if RECORD.match(entry.value):
        return f"{detail} with {name}, {RECORD.sub(AHEAD, entry.value)}."
    is_rated = entry.beside.startswith("±")
    beside = f"{' ' if is_rated else ', '}{entry.beside}" if entry.beside else ""
    lately = f" ({format_points(entry.change)} lately)" if entry.change else ""
    what = "a rating of " if is_rated else "a score of " if NUMBER.match(entry.value) else ""
    value = f"{what}{entry.value}{beside}{lately}"
    rest = f" in {detail}" if GAMES.match(detail) else f". {detail}"
    if entry.rank is None:
        return f"{name}: {value}{rest}."
    return f"{name} is {'tied ' if is_tied else ''}{short_ordinal(entry.rank)} with {value}{rest}."
