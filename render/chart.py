"""Bars and lines in charts, and reports of simulated games."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from engines.analysis.statistics import Figures, SeatFigures, Spread
from engines.game import Seat
from render.core.canvas import Box, Canvas, Point
from render.core.theme import Rgb, Theme, mix

STROKE, HALO = 5, 9
APART = 6
"""Pixels between lines with the same numbers."""
ALONG, AT_END = 11, 17
"""The radius of the emblems along a line and at its end."""
EMBLEMS = 3
"""Emblems along a line."""
LABEL, TICK, TITLE = 34, 30, 34
STEPS = 5
"""About the most steps of an axis."""


def number_text(number: int) -> str:
    """Write a number with a minus sign instead of a hyphen.

    >>> number_text(-3)
    '−3'
    """
    return str(number).replace("-", "−")


def tells(tallies: Sequence[Sequence[int | None]]) -> bool:
    """Return True if there is anything to chart.

    A number that changes between turns.

    >>> tells([(0, 0), (0, 0)]), tells([(0, 0), (0, 1)])
    (False, True)
    """
    return any(
        len({number for number in line if number is not None}) > 1 for line in zip(*tallies, strict=True)
    )


def step_of(span: int, most: int = STEPS) -> int:
    """Return the step between the marks of an axis.

    1, 2 or 5, times a power of ten.

    >>> [step_of(span) for span in (0, 4, 7, 23, 96, 400)]
    [1, 1, 2, 5, 20, 100]
    """
    step = 1
    while True:
        for times in (1, 2, 5):
            if span <= times * step * most:
                return times * step
        step *= 10


def space_out(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places apart by at least a gap, within bounds.

    >>> space_out([10, 12, 50], 10, 0, 100)
    [10.0, 20.0, 50.0]
    >>> space_out([95, 99], 10, 0, 100)
    [90, 100]
    """
    order = sorted(range(len(wanted)), key=lambda number: (wanted[number], number))
    values = [0.0] * len(wanted)
    least = low
    for number in order:
        values[number] = max(float(wanted[number]), least)
        least = values[number] + gap
    most = high
    for number in reversed(order):
        values[number] = min(values[number], most)
        most = values[number] - gap
    return values


def beside(path: Sequence[Point], shift: float) -> list[Point]:
    """Return a path beside another one, that many pixels to its right.

    >>> beside([(0, 0), (10, 0)], 2)
    [(0.0, 2.0), (10.0, 2.0)]
    """
    result = []
    for number, (x, y) in enumerate(path):
        before, after = path[max(number - 1, 0)], path[min(number + 1, len(path) - 1)]
        along = after[0] - before[0], after[1] - before[1]
        far = math.hypot(*along) or 1.0
        result.append((x - shift * along[1] / far, y + shift * along[0] / far))
    return result


@dataclass(frozen=True)
class Chart:
    """The numbers after each turn, one a seat or a single one for a team, and their name.

    `along` names the unit along the chart. It shows zero, unless it is `near` its numbers.
    """

    title: str
    tallies: Sequence[Sequence[int | None]]
    colours: Sequence[Rgb]
    along: str = "turn"
    near: bool = False

    def draw(self, canvas: Canvas[Theme], box: Box) -> None:
        theme = canvas.theme
        left, top, right, bottom = box
        canvas.box(box, theme.card, radius=20)
        canvas.write((left + 36, top + 44), self.title, TITLE, theme.ink, weight=700, width=right - left - 72)
        lines = []
        for line in zip(*self.tallies, strict=True):
            until = next((turn for turn, number in enumerate(line) if number is None), len(line))
            lines.append([number for number in line[:until] if number is not None])
        box = (left + 36, top + 92, right - 150, bottom - 76)
        plot = Plot.around(lines, len(self.tallies), box, near=self.near)
        plot.grid(canvas, self.along)
        team = len(lines) == 1
        shifts = [(seat - (len(lines) - 1) / 2) * APART for seat in range(len(lines))]
        paths = [
            beside([(plot.x(turn), plot.y(number)) for turn, number in enumerate(line)], shift)
            for line, shift in zip(lines, shifts, strict=True)
        ]
        for path in paths:
            _stroke(canvas, path, theme.card, HALO)
        for seat, path in enumerate(paths):
            _stroke(canvas, path, theme.highlight if team else self.colours[seat], STROKE)
        if not team:
            for seat, path in enumerate(paths):
                for step in range(EMBLEMS):  # away from those of other lines
                    share = (step + (seat + 1) / (len(paths) + 1)) / EMBLEMS
                    self._emblem(canvas, seat, path[round(share * (len(path) - 1))], ALONG)
        self._ends(canvas, plot, paths, lines)

    def _emblem(self, canvas: Canvas[Theme], seat: Seat, at: Point, radius: float) -> None:
        canvas.disc(at, radius * 1.5, canvas.theme.card)
        canvas.emblem(seat, at, radius, self.colours[seat])

    def _ends(
        self,
        canvas: Canvas[Theme],
        plot: Plot,
        paths: Sequence[Sequence[Point]],
        lines: Sequence[Sequence[int]],
    ) -> None:
        theme = canvas.theme
        reach = [seat for seat, line in enumerate(lines) if len(line) == len(self.tallies)]
        for seat, path in enumerate(paths):
            if seat not in reach and path:
                self._emblem(canvas, seat, path[-1], ALONG + 2)
        wanted = [plot.y(lines[seat][-1]) for seat in reach]
        heights = space_out(wanted, LABEL + 8, plot.top + LABEL / 2, plot.bottom - 8)
        for seat, height in zip(reach, heights, strict=True):
            end = plot.right + 34, height
            canvas.line([paths[seat][-1], end], mix(theme.muted, theme.card, 0.5), 2)
            if len(lines) == 1:
                canvas.disc(end, AT_END * 0.7, theme.highlight)
            else:
                self._emblem(canvas, seat, end, AT_END)
            number = number_text(lines[seat][-1])
            canvas.write((end[0] + 30, height), number, LABEL, theme.ink, weight=700, width=72)


@dataclass(frozen=True)
class Plot:
    """Maps turns and numbers to points of the canvas."""

    left: float
    top: float
    right: float
    bottom: float
    turns: int
    low: int
    high: int

    @classmethod
    def around(cls, lines: Sequence[Sequence[int]], turns: int, box: Box, *, near: bool = False) -> Plot:
        """Return a plot for all the lines within a box.

        It includes zero unless it is `near` them. The labels of its numbers are within the box.

        The labels of its numbers are within the box.
        """
        numbers = [number for line in lines for number in line] + ([] if near else [0])
        step = step_of(max(numbers) - min(numbers))
        low, high = min(numbers), max(*numbers, min(numbers) + step)
        digits = max(len(str(number)) for number in range(-(-low // step) * step, high + 1, step))
        left, top, right, bottom = box
        return cls(left + 17 * digits + 16, top, right, bottom, turns, low, high)

    def x(self, turn: int) -> float:
        """Return the place of a turn. The start of the game is turn 0."""
        return self.left + (self.right - self.left) * turn / (self.turns - 1)

    def y(self, number: int) -> float:
        return self.bottom - (self.bottom - self.top) * (number - self.low) / (self.high - self.low)

    def grid(self, canvas: Canvas[Theme], along: str) -> None:
        """Draw the grid lines with numbers, and the turns below."""
        theme = canvas.theme
        pale = mix(theme.line, theme.card, 0.45)
        step = step_of(self.high - self.low)
        for number in range(-(-self.low // step) * step, self.high + 1, step):
            y = self.y(number)
            heavy = number == 0
            canvas.box((self.left, y - 1, self.right, y + 1), theme.muted if heavy else pale)
            canvas.write((self.left - 14, y), number_text(number), TICK, theme.muted, anchor="right")
        step = step_of(self.turns - 1, 8)
        for turn in range(0, self.turns, step):
            x = self.x(turn)
            canvas.box((x - 1, self.bottom, x + 1, self.bottom + 10), theme.muted)
            canvas.write((x, self.bottom + 30), str(turn), TICK, theme.muted, anchor="middle")
        canvas.write((self.right + 34, self.bottom + 30), along, TICK, theme.muted)


def _stroke(canvas: Canvas[Theme], path: Sequence[Point], colour: Rgb, width: float) -> None:
    if len(path) > 1:
        canvas.line(path, colour, width)


MOST_USED = 60
"""The most rows of used things on the page."""
STYLE = """
:root { color-scheme: light dark; --ink: #1d2730; --paper: #fbf9f4; --bar: #0072b2; --mark: #d55e00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #1b1f24; --bar: #56b4e9; --mark: #e69f00; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: 0.2rem 0.6rem; border-bottom: 1px solid #8884; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.scroll { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 7rem; height: 1.2rem; }
.track { fill: currentColor; opacity: 0.12; }
.bar { fill: var(--bar); }
.mark { stroke: var(--mark); stroke-width: 2; }
"""


PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{style}</style></head>
<body>{body}</body>
</html>
"""
HOW = (
    "The bars are shares of all games, and the lines across them 95% intervals. Of scores and lengths the "
    "bar goes from quarter to quarter, and the line from the least to the most."
)


def report(title: str, figures: Figures) -> str:
    lengths = []
    for name, one in (("Turns", figures.turns), ("Decisions", figures.decisions)):
        between = f"{one.low:g} to {one.high:g}", f"{one.least:g}", f"{one.most:g}"
        lengths.append((name, f"{one.median:g}", _box(one, [one]), *between))
    usage = []
    for use in figures.used[:MOST_USED]:
        won = ["" if share is None else f"{share:.1%}" for share in (use.won, use.won_without)]
        usage.append((escape(use.name), f"{use.times:.2f}", f"{use.share:.0%}", _bar(use.share), *won))
    used = ("", "A game", "Seats that did", "", "Won with it", "Won without")
    parts = [
        f"<h1>{escape(title)}</h1><p>{HOW}</p>",
        _section("Seats", ("Seat", "Wins", "", "95% interval", "Score", ""), _seats(figures.seats)),
        _section("Lengths", ("", "Median", "", "Quarter to quarter", "Least", "Most"), lengths),
        _section("Ends", ("Ended by", "Games", ""), _ends(figures)),
        _section("What was used", used, usage),
    ]
    return PAGE.format(title=escape(title), style=STYLE, body="".join(parts))


def _section(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<h2>{escape(title)}</h2><div class="scroll">{table}</div>'


def _seats(seats: Sequence[SeatFigures]) -> Iterable[Sequence[str]]:
    scores = [one.scores for one in seats if one.scores is not None]
    for number, one in enumerate(seats, start=1):
        low, high = one.interval
        text = "" if one.scores is None else f"{one.scores.median:g}"
        drawn = "" if one.scores is None else _box(one.scores, scores)
        between = f"{low:.1%} to {high:.1%}"
        yield str(number), f"{one.wins:.1%}", _bar(one.wins, one.interval), between, text, drawn


def _ends(figures: Figures) -> Iterable[Sequence[str]]:
    for how, number in figures.ends.items():
        yield escape(how), str(number), _bar(number / figures.games)


def _bar(share: float, interval: tuple[float, float] | None = None) -> str:
    across = "" if interval is None else _line(100 * interval[0], 100 * interval[1])
    return _svg(f'<rect class="bar" width="{100 * share:.1f}" height="20"/>{across}', f"{share:.1%}")


def _box(one: Spread, others: Sequence[Spread]) -> str:
    """Draw a distribution. The quarters as a bar, least and most as a line, on a common scale."""
    least, most = min(other.least for other in others), max(other.most for other in others)
    wide = (most - least) or 1

    def at(number: float) -> float:
        return 100 * (number - least) / wide

    quarters = (
        f'<rect class="bar" x="{at(one.low):.1f}" width="{at(one.high) - at(one.low):.1f}" height="20"/>'
    )
    return _svg(quarters + _line(at(one.least), at(one.most)), f"{one.low:g} to {one.high:g}")


def _line(low: float, high: float) -> str:
    return f'<line class="mark" x1="{low:.1f}" x2="{high:.1f}" y1="10" y2="10"/>'


def _svg(shapes: str, text: str) -> str:
    ground = '<rect class="track" width="100" height="20"/>'
    how = 'viewBox="0 0 100 20" preserveAspectRatio="none" role="img"'
    return f'<svg {how} aria-label="{text}">{ground}{shapes}</svg>'
