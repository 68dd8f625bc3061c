"""The course of a game, and the seats' emblems, as inline SVG in colours of the page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from engines.game import Seat
from render.chart import Plot, number_text, space_out, step_of
from render.core.canvas import EMBLEMS, emblem_points

ACROSS, DOWN = 720, 260
"""The size of a chart, in its own units."""
LEFT, TOP, RIGHT, BOTTOM = 8, 14, 640, 226
"""The place of its lines; the left makes room for numbers by itself."""
APART = 20
"""The least distance of two numbers at the end."""


def emblem(seat: Seat, at: tuple[float, float] | None = None, radius: float = 6) -> str:
    """Return a seat's emblem: a picture, or a shape within one."""
    x, y = at or (8, 8)
    shape = EMBLEMS[seat % len(EMBLEMS)]
    fill = f'fill="var(--seat-{seat})"'
    if shape == "circle":
        drawn = f'<circle {fill} cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>'
    else:
        corners = " ".join(f"{x + radius * a:.1f},{y + radius * b:.1f}" for a, b in emblem_points(shape))
        drawn = f'<polygon {fill} points="{corners}"/>'
    return drawn if at else f'<svg viewBox="0 0 16 16" aria-hidden="true">{drawn}</svg>'


@dataclass(frozen=True, slots=True)
class LineChart:
    """The numbers after each turn, one a seat or a single one for a team; None if a seat is out."""

    title: str
    tallies: Sequence[Sequence[int | None]]

    @property
    def count(self) -> int:
        return len(self.tallies[0])

    def svg(self, names: Sequence[str], marked: Sequence[int]) -> str:
        """Draw the lines, with a mark at each of some turns."""
        plot = Plot.around(
            [[number for number in line if number is not None] for line in self._lines()],
            len(self.tallies),
            (LEFT, TOP, RIGHT, BOTTOM),
        )
        across = f'data-left="{plot.left:.0f}" data-width="{plot.right - plot.left:.0f}"'
        down = f'x1="-9" x2="-9" y1="{plot.top:g}" y2="{plot.bottom:g}"'
        cursor = f'<line id="cursor" class="cursor" {across} data-across="{ACROSS}" {down}/>'
        parts = [*self._grid(plot), *_marks(plot, marked), *self._draw_lines(plot), cursor]
        label = escape(self.describe(names))
        return (
            f'<svg id="chart" class="chart" viewBox="0 0 {ACROSS} {DOWN}" role="img" aria-label="{label}">'
            f"{''.join(parts)}</svg>"
        )

    def describe(self, names: Sequence[str]) -> str:
        """Return the chart in a sentence.

        >>> LineChart("Points", [(0, 0), (3, None)]).describe(["Ann", "Bo"])
        'Points over 1 turn: Ann from 0 to 3, Bo from 0 to 0.'
        """
        ends = [[number for number in line if number is not None] for line in self._lines()]
        who = names if self.count == len(names) else ["all"]
        spans = [
            f"{name} from {number_text(line[0])} to {number_text(line[-1])}"
            for name, line in zip(who, ends, strict=False)
            if line
        ]
        turns = len(self.tallies) - 1
        return f"{self.title} over {turns} {'turn' if turns == 1 else 'turns'}: {', '.join(spans)}."

    def _lines(self) -> list[list[int | None]]:
        return [list(line) for line in zip(*self.tallies, strict=True)]

    def _grid(self, plot: Plot) -> Iterator[str]:
        step = step_of(plot.high - plot.low)
        for number in range(-(-plot.low // step) * step, plot.high + 1, step):
            y = plot.y(number)
            ends = f'x1="{plot.left:.1f}" x2="{plot.right:.1f}" y1="{y:.1f}" y2="{y:.1f}"'
            yield f'<line class="grid" {ends}/>'
            at = f'x="{plot.left - 8:.1f}" y="{y + 5:.1f}"'
            yield f'<text {at} text-anchor="end">{number_text(number)}</text>'
        for turn in range(0, plot.turns, step_of(plot.turns - 1, 8)):
            x = plot.x(turn)
            yield f'<text x="{x:.1f}" y="{plot.bottom + 26:.1f}" text-anchor="middle">{turn}</text>'
        yield f'<text x="{ACROSS}" y="{plot.bottom + 26:.1f}" text-anchor="end">turn</text>'

    def _draw_lines(self, plot: Plot) -> Iterator[str]:
        ends = list[tuple[Seat, int]]()
        for seat, line in enumerate(self._lines()):
            points = [
                (plot.x(turn), plot.y(number)) for turn, number in enumerate(line) if number is not None
            ]
            if not points:
                continue
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            yield f'<polyline class="line" stroke="{self._colour(seat)}" points="{path}"/>'
            number = line[-1]
            if number is not None:
                ends.append((seat, number))
            elif self.count > 1:
                yield emblem(seat, points[-1], 8)
        heights = space_out([plot.y(number) for _, number in ends], APART, plot.top, plot.bottom)
        for (seat, number), height in zip(ends, heights, strict=True):
            yield emblem(seat, (plot.right + 16, height), 7) if self.count > 1 else ""
            yield f'<text class="end" x="{plot.right + 30}" y="{height + 6:.1f}">{number_text(number)}</text>'

    def _colour(self, seat: Seat) -> str:
        return f"var(--seat-{seat})" if self.count > 1 else "var(--highlight)"


def _marks(plot: Plot, turns: Sequence[int]) -> Iterator[str]:
    for turn in turns:
        x, y = plot.x(turn), plot.bottom
        yield f'<path class="mark" d="M{x:.1f} {y - 8:.1f}l7 8l-7 8l-7 -8z"/>'
