"""One page of HTML for a game. It loads nothing, and without scripts it is a list of turns.

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

from engines.words import Part
from render.core.palette import Rgb
from render.core.theme import THEMES, Theme
from render.page.charts import LineChart, emblem
from render.page.layers import Layer, LayeredBoard, Size

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
    html = Template(_read("page.html")).substitute(
        title=escape(page.title),
        result=escape(page.result),
        players=_players(page),
        facts="<br>".join(map(escape, page.facts)),
        turns="\n".join(_turn(number, turn) for number, turn in enumerate(page.turns)),
        last=last,
        begin=last if page.begins_last else 0,
        marks=_marks(page),
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
    light, dark = (_colours(page, THEMES[name]) for name in ("light", "dark"))
    yield f":root{{--scheme:light;{light}}}"
    yield f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{--scheme:dark;{dark}}}}}"
    yield f":root[data-theme=dark]{{--scheme:dark;{dark}}}"
    yield _read("page.css")
    for width, height in dict.fromkeys(turn.board.size for turn in page.turns):
        fit = f"--fit:calc({width / height:.4f}*(100vh - {BESIDE}rem))"
        yield f".{_size_class((width, height))}{{aspect-ratio:{width}/{height};{fit}}}\n"
    for number, layer in enumerate(page.layers):
        yield f".l{number}{{{_place(layer)}background-image:url(data:image/webp;base64,{layer.webp})}}\n"


def _colours(page: GamePage, theme: Theme) -> str:
    shared = [(name, getattr(theme, name)) for name in SHARED]
    seats = [(f"seat-{seat}", colour) for seat, colour in enumerate(page.colours[theme.name])]
    return "".join(f"--{name}:#{bytes(colour).hex()};" for name, colour in [*shared, *seats])


def _size_class(size: Size) -> str:
    return f"s{size[0]}x{size[1]}"


def _place(layer: Layer) -> str:
    """Return a layer's place as shares of its board."""
    left, top, right, bottom = layer.box
    width, height = layer.board
    shares = (("left", left / width), ("top", top / height), ("width", (right - left) / width))
    whole = (*shares, ("height", (bottom - top) / height))
    return "".join(f"{name}:{100 * share:.4f}%;" for name, share in whole)


def _turn(number: int, turn: PageTurn) -> str:
    board = turn.board
    layers = "".join(f"<i class=l{one}></i>" for one in board.layers)
    kind = f"board {_size_class(board.size)}"
    picture = f'<div class="{kind}" role="img" aria-label="{escape(board.alt)}">{layers}</div>'
    when = f'<p class="muted">{escape(turn.time)}</p>' if turn.time else ""
    why = (
        f'<p class="turning"><strong>Turning point</strong> {escape(turn.turning)}</p>'
        if turn.turning
        else ""
    )
    lines = "".join(f"<li{_class(line.kind)}>{escape(line.text)}</li>" for line in turn.lines)
    story = f'<ul class="lines">{lines}</ul>' if lines else '<p class="muted">Nothing else happened.</p>'
    more = _details("The board in words", board.words) + _details(HANDS, turn.hands)
    head = f'<div><h2 tabindex="-1">{escape(turn.heading)}</h2>{when}</div>'
    told = f'<div class="story">{head}{why}{story}{more}</div>'
    return f'<li id="turn-{number}"><article class="turn">{picture}{told}</article></li>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _details(title: str, parts: Iterable[Part]) -> str:
    text = "".join(f"<h3>{escape(part.heading)}</h3><p>{escape(part.text)}</p>" for part in parts)
    return f"<details><summary>{title}</summary>{text}</details>" if text else ""


def _marks(page: GamePage) -> str:
    """Return the turning points as marks above the timeline."""
    last = max(len(page.turns) - 1, 1)
    marks = "".join(
        f'<svg x="{100 * number / last:.2f}%" overflow="visible"><path d="M0 11L-5 4L0 -3L5 4z"/></svg>'
        for number in _turning_numbers(page)
    )
    return f'<svg aria-hidden="true">{marks}</svg>' if marks else ""


def _players(page: GamePage) -> str:
    """Return the players as a list's items, with their emblems."""
    return "".join(f"<li>{emblem(seat)}{escape(name)}</li>" for seat, name in enumerate(page.players))


def _turning_numbers(page: GamePage) -> list[int]:
    return [number for number, turn in enumerate(page.turns) if turn.turning]


def _sections(page: GamePage) -> Iterator[str]:
    numbers = _turning_numbers(page)
    if numbers:
        points = "".join(_turning_point(number, page.turns[number]) for number in numbers)
        head = '<h2 id="points">What decided it</h2>'
        yield f'<section aria-labelledby="points">{head}<ul>{points}</ul></section>'
    if page.chart is not None:
        key = f'<ul class="key">{_players(page)}</ul>' if page.chart.count > 1 else ""
        yield (
            f'<section aria-labelledby="course"><h2 id="course">{escape(page.chart.title)}</h2>'
            f"{page.chart.svg(page.players, numbers)}{key}</section>"
        )


def _turning_point(number: int, turn: PageTurn) -> str:
    line = next((line.text for line in turn.lines if line.kind == "strong"), "")
    line = line or (turn.lines[0].text if turn.lines else "")
    what = f'{escape(turn.turning)}<br><span class="muted">{escape(line)}</span>'
    return f'<li><a href="#turn-{number}">Turn {number}</a>: {what}</li>'
