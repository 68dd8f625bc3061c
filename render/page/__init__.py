"""A game as one page, with charts of its points and clocks.

Page, styles and script are files beside this one. Whatever people have written is escaped; a policy in the
page forbids it to load anything, and any other script or style.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from engines.game import Seat
from engines.words import Part
from render.chart import Plot, number_text, space_out, step_of
from render.core.canvas import EMBLEMS, emblem_points
from render.core.theme import THEMES, Rgb
from render.page.layers import Layer, LayeredBoard, Size

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
        lines = [[number for number in line if number is not None] for line in self._lines()]
        plot = Plot.around(lines, len(self.tallies), (LEFT, TOP, RIGHT, BOTTOM))
        across = f'data-left="{plot.left:.0f}" data-width="{plot.right - plot.left:.0f}"'
        down = f'x1="-9" x2="-9" y1="{plot.top:g}" y2="{plot.bottom:g}"'
        cursor = f'<line id="cursor" class="cursor" {across} data-across="{ACROSS}" {down}/>'
        marks = [
            f'<path class="mark" d="M{plot.x(turn):.1f} {plot.bottom - 8:.1f}l7 8l-7 8l-7 -8z"/>'
            for turn in marked
        ]
        parts = [*self._grid(plot), *marks, *self._draw_lines(plot), cursor]
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
        pairs = [(name, line[0], line[-1]) for name, line in zip(who, ends, strict=False) if line]
        spans = [f"{name} from {number_text(first)} to {number_text(last)}" for name, first, last in pairs]
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
            colour = f"var(--seat-{seat})" if self.count > 1 else "var(--highlight)"
            yield f'<polyline class="line" stroke="{colour}" points="{path}"/>'
            number = line[-1]
            if number is not None:
                ends.append((seat, number))
            elif self.count > 1:
                yield emblem(seat, points[-1], 8)
        heights = space_out([plot.y(number) for _, number in ends], APART, plot.top, plot.bottom)
        for (seat, number), height in zip(ends, heights, strict=True):
            yield emblem(seat, (plot.right + 16, height), 7) if self.count > 1 else ""
            yield f'<text class="end" x="{plot.right + 30}" y="{height + 6:.1f}">{number_text(number)}</text>'


BESIDE = 15
"""The height beside a board that a screen needs for other things, in rem."""
HANDS = "All hands, as each player saw them"
SHARED = ("paper", "card", "line", "ink", "muted", "faded", "highlight", "glow")
"""The colours of a theme that the page uses."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line about a turn. `kind` is "", or "follows", "small" or "strong"."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class PageTurn:
    """A turn: its heading, its time (or ""), its board, its lines, all hands, and why it mattered (or "")."""

    heading: str
    time: str
    board: LayeredBoard
    lines: Sequence[PageLine]
    hands: Sequence[Part] = ()
    turning: str = ""


@dataclass(frozen=True, slots=True)
class GamePage:
    """A whole page.

    Attributes:
        title: the game and its table.
        result: how it ended or how it is, in a sentence.
        players: the players' names in seat order.
        facts: options, time and length.
        turns: every turn, the deal first.
        layers: the layers of all boards, by number.
        colours: the seats' colours by the name of the theme.
        chart: the course of the game; None if there is nothing to chart.
        begins_last: True to begin with the last turn.
    """

    title: str
    result: str
    players: Sequence[str]
    facts: Sequence[str]
    turns: Sequence[PageTurn]
    layers: Sequence[Layer]
    colours: dict[str, Sequence[Rgb]]
    chart: LineChart | None = None
    begins_last: bool = False


def build_page(page: GamePage) -> bytes:
    """Return a page's file; the same game gives the same bytes."""
    style, script = "".join(_styles(page)), _read("page.js")
    last = len(page.turns) - 1
    marks = "".join(
        f'<svg x="{share:.2f}%" overflow="visible"><path d="M0 11L-5 4L0 -3L5 4z"/></svg>'
        for share in (100 * number / max(last, 1) for number in _turning_numbers(page))
    )
    html = Template(_read("page.html")).substitute(
        title=escape(page.title),
        result=escape(page.result),
        players=_players(page),
        facts="<br>".join(map(escape, page.facts)),
        turns="\n".join(_turn(number, turn) for number, turn in enumerate(page.turns)),
        last=last,
        begin=last if page.begins_last else 0,
        marks=f'<svg aria-hidden="true">{marks}</svg>' if marks else "",
        more="\n".join(_sections(page)),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
    )
    return html.encode("utf-8", "replace")


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return a hash as a content security policy names it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _styles(page: GamePage) -> Iterator[str]:
    styles = []
    for theme in (THEMES["light"], THEMES["dark"]):
        entries = [(name, getattr(theme, name)) for name in SHARED]
        entries += [(f"seat-{seat}", colour) for seat, colour in enumerate(page.colours[theme.name])]
        styles.append("".join(f"--{name}:#{bytes(colour).hex()};" for name, colour in entries))
    light, dark = styles
    yield f":root{{--scheme:light;{light}}}"
    yield f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{--scheme:dark;{dark}}}}}"
    yield f":root[data-theme=dark]{{--scheme:dark;{dark}}}"
    yield _read("page.css")
    for width, height in dict.fromkeys(turn.board.size for turn in page.turns):
        fit = f"--fit:calc({width / height:.4f}*(100vh - {BESIDE}rem))"
        yield f".{_size_class((width, height))}{{aspect-ratio:{width}/{height};{fit}}}\n"
    for number, layer in enumerate(page.layers):
        # A layer's place is a share of its board.
        left, top, right, bottom = layer.box
        width, height = layer.board
        shares = (("left", left / width), ("top", top / height), ("width", (right - left) / width))
        whole = (*shares, ("height", (bottom - top) / height))
        place = "".join(f"{name}:{100 * share:.4f}%;" for name, share in whole)
        yield f".l{number}{{{place}background-image:url(data:image/webp;base64,{layer.webp})}}\n"


def _size_class(size: Size) -> str:
    return f"s{size[0]}x{size[1]}"


def _turn(number: int, turn: PageTurn) -> str:
    board = turn.board
    layers = "".join(f"<i class=l{one}></i>" for one in board.layers)
    kind = f"board {_size_class(board.size)}"
    picture = f'<div class="{kind}" role="img" aria-label="{escape(board.alt)}">{layers}</div>'
    when = f'<p class="muted">{escape(turn.time)}</p>' if turn.time else ""
    turning = f'<p class="turning"><strong>Turning point</strong> {escape(turn.turning)}</p>'
    why = turning if turn.turning else ""
    kinds = [f' class="{line.kind}"' if line.kind else "" for line in turn.lines]
    told_lines = zip(kinds, turn.lines, strict=True)
    lines = "".join(f"<li{css}>{escape(line.text)}</li>" for css, line in told_lines)
    story = f'<ul class="lines">{lines}</ul>' if lines else '<p class="muted">Nothing else happened.</p>'
    more = _details("The board in words", board.words) + _details(HANDS, turn.hands)
    head = f'<div><h2 tabindex="-1">{escape(turn.heading)}</h2>{when}</div>'
    told = f'<div class="story">{head}{why}{story}{more}</div>'
    return f'<li id="turn-{number}"><article class="turn">{picture}{told}</article></li>'


def _details(title: str, parts: Iterable[Part]) -> str:
    text = "".join(f"<h3>{escape(part.heading)}</h3><p>{escape(part.text)}</p>" for part in parts)
    return f"<details><summary>{title}</summary>{text}</details>" if text else ""


def _players(page: GamePage) -> str:
    return "".join(f"<li>{emblem(seat)}{escape(name)}</li>" for seat, name in enumerate(page.players))


def _turning_numbers(page: GamePage) -> list[int]:
    return [number for number, turn in enumerate(page.turns) if turn.turning]


def _sections(page: GamePage) -> Iterator[str]:
    numbers = _turning_numbers(page)
    if numbers:
        points = ""
        for number in numbers:
            turn = page.turns[number]
            line = next((line.text for line in turn.lines if line.kind == "strong"), "")
            line = line or (turn.lines[0].text if turn.lines else "")
            what = f'{escape(turn.turning)}<br><span class="muted">{escape(line)}</span>'
            points += f'<li><a href="#turn-{number}">Turn {number}</a>: {what}</li>'
        head = '<h2 id="points">What decided it</h2>'
        yield f'<section aria-labelledby="points">{head}<ul>{points}</ul></section>'
    if page.chart is not None:
        key = f'<ul class="key">{_players(page)}</ul>' if page.chart.count > 1 else ""
        yield (
            f'<section aria-labelledby="course"><h2 id="course">{escape(page.chart.title)}</h2>'
            f"{page.chart.svg(page.players, numbers)}{key}</section>"
        )
