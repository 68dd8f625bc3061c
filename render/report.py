"""Simulation results as a self-contained page: no script, no picture, nothing from elsewhere."""

from collections.abc import Iterable, Sequence
from html import escape

from engines.statistics import Figures, SeatFigures, Spread, Usage

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
    "The bars are shares of all games, and the lines across them 95 % intervals. Of scores and lengths the "
    "bar goes from quarter to quarter, and the line from the least to the most."
)


def report(title: str, figures: Figures) -> str:
    """Return the page as HTML."""
    used = ("", "A game", "Seats that did", "", "Won with it", "Won without")
    parts = [
        f"<h1>{escape(title)}</h1><p>{HOW}</p>",
        _section("Seats", ("Seat", "Wins", "", "95 % interval", "Score", ""), _seats(figures.seats)),
        _section("Lengths", ("", "Median", "", "Quarter to quarter", "Least", "Most"), _lengths(figures)),
        _section("Ends", ("Ended by", "Games", ""), _ends(figures)),
        _section("What was used", used, _usage_rows(figures.used)),
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


def _lengths(figures: Figures) -> Iterable[Sequence[str]]:
    for name, one in (("Turns", figures.turns), ("Decisions", figures.decisions)):
        between = f"{one.low:g} to {one.high:g}"
        yield name, f"{one.median:g}", _box(one, [one]), between, f"{one.least:g}", f"{one.most:g}"


def _ends(figures: Figures) -> Iterable[Sequence[str]]:
    for how, number in figures.ends.items():
        yield escape(how), str(number), _bar(number / figures.games)


def _usage_rows(used: Sequence[Usage]) -> Iterable[Sequence[str]]:
    for one in used[:MOST_USED]:
        won = ["" if share is None else f"{share:.1%}" for share in (one.won, one.won_without)]
        yield escape(one.name), f"{one.times:.2f}", f"{one.share:.0%}", _bar(one.share), *won


def _bar(share: float, interval: tuple[float, float] | None = None) -> str:
    """Draw a share as a bar, with its interval across."""
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
