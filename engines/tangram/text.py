"""A position as plain text."""

from __future__ import annotations

from engines.tangram.pieces.city import City, balance, largest_rectangle
from engines.tangram.pieces.geometry import HEIGHT, WHOLE, WIDTH
from engines.tangram.view import TangramCard, TangramView

_EMPTY, _HALF = ".", "+"


def readable(view: TangramView) -> str:
    """Write the table, the cards and every city, a line for each row."""
    cards = " ".join(_card(card) for card in view.cards)
    lines = [f"round {view.round}, step {view.step}, {view.phase}, start marker {view.start}, cards {cards}"]
    if view.outcome is not None:
        lines.append(f"over: {view.outcome.how}, places {view.outcome.places}")
    else:
        lines.append(f"answered {list(view.answered)}, out {list(view.out)}, deck {view.deck}")
    for seat, city in enumerate(view.cities):
        counts, best = balance(city), largest_rectangle(city.built)
        block = "-" if best is None else f"{best.width}x{best.height} at {best.at}"
        lines.append(
            f"seat {seat}: {view.scores[seat]}, black {counts.black}, green {counts.green}, largest {block}, "
            f"fountains {view.fountains[seat]}, aside {list(view.aside[seat])}"
        )
        lines += rows(city)
    return "\n".join(lines)


def _card(card: TangramCard) -> str:
    mark = "!" if card.played else ""
    return f"{'?' if card.tile is None else card.tile}{mark}"


def rows(city: City) -> list[str]:
    """Write a city's squares.

    `B`, `G` one colour, `M` both, `W` only water, `+` not whole, `.` empty.
    """
    return ["".join(_sign(city, row * WIDTH + column) for column in range(WIDTH)) for row in range(HEIGHT)]


def _sign(city: City, square: int) -> str:
    shift = 4 * square
    built = city.built >> shift & WHOLE
    if built != WHOLE:
        return _HALF if built else _EMPTY
    black, green = bool(city.black >> shift & WHOLE), bool(city.green >> shift & WHOLE)
    return "M" if black and green else "B" if black else "G" if green else "W"
