"""A chart of whole numbers over turns or games: a line a seat, marked with its emblems too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engines.game import Seat
from render.core.canvas import Box, Canvas, Point
from render.core.palette import Rgb, mix
from render.core.theme import Theme

STROKE, HALO = 5, 9
APART = 6
"""Pixels between lines with the same numbers."""
ALONG, AT_END = 11, 17
"""The radius of the emblems along a line and at its end."""
EMBLEMS = 3
"""Emblems along a line."""
LABEL, TICK, TITLE = 34, 26, 32
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

    @property
    def _lines(self) -> list[list[int]]:
        """Return the numbers of each seat, until it is out."""
        lines = []
        for line in zip(*self.tallies, strict=True):
            until = next((turn for turn, number in enumerate(line) if number is None), len(line))
            lines.append([number for number in line[:until] if number is not None])
        return lines

    def draw(self, canvas: Canvas[Theme], box: Box) -> None:
        """Draw the chart on a plate that fills the box."""
        theme = canvas.theme
        left, top, right, bottom = box
        canvas.box(box, theme.card, radius=20)
        canvas.write((left + 36, top + 44), self.title, TITLE, theme.ink, weight=700, width=right - left - 72)
        lines = self._lines
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
                self._emblems(canvas, seat, path, len(paths))
        self._ends(canvas, plot, paths, lines)

    def _emblems(self, canvas: Canvas[Theme], seat: Seat, path: Sequence[Point], seats: int) -> None:
        """Draw emblems along a line, away from those of other lines."""
        for number in range(EMBLEMS):
            share = (number + (seat + 1) / (seats + 1)) / EMBLEMS
            self._emblem(canvas, seat, path[round(share * (len(path) - 1))], ALONG)

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
        """Draw each line's last emblem, with the number at the end."""
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
