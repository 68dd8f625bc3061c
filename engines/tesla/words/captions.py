"""Captions on the pictures, and alternative texts for those who can't see them."""

from collections.abc import Sequence

from engines import words
from engines.game import Seat
from engines.tesla.moves import Replace
from engines.tesla.pieces.board import Circuit, CircuitId, circuit_name
from engines.tesla.preview import Fit, Site
from engines.tesla.view import TeslaView
from engines.tesla.words.board import wires
from engines.tesla.words.nouns import count_points, explain_end

DUTIES = {
    "tiles": words.SeatStatus("to move"),
    "replay": words.SeatStatus("to replay", "can put markers back"),
    "end": words.SeatStatus("to end the turn", "must end the turn"),
}


def title(view: TeslaView, names: Sequence[str]) -> str:
    """Return the headline, without a turn's number. Below the turn that led here it would be another."""
    if not view.over:
        return f"{words.short(words.seat_name(names, view.seat), 18)}'s turn"
    if view.outcome is None:
        return "Called off"
    winners = view.outcome.winners
    return f"{words.short(words.seat_name(names, winners[0]), 18)} wins" if len(winners) == 1 else "A tie"


def aims(view: TeslaView) -> str:
    """Say what score wins and what puts a seat out. At the end the result."""
    if view.outcome is not None:
        return explain_end(view)
    if view.over:
        return ""
    return f"first to {view.options.win} · {view.behind} behind is out"


def stock(view: TeslaView) -> str:
    """Say what is left to draw and what was discarded."""
    return f"bag {view.bag} · discards {len(view.discards)}"


def status(view: TeslaView, seat: Seat) -> words.SeatStatus:
    place = view.outcome.places[seat] if view.outcome is not None else None
    if seat in view.out:
        ordinal = "" if place is None else words.short_ordinal(place)
        if not ordinal:
            return words.SeatStatus("out", "is out")
        return words.SeatStatus(f"out, {ordinal}", f"is out and {ordinal}")
    if place is not None:
        return words.place_status(place)
    return words.SeatStatus() if view.over or seat != view.seat else DUTIES[view.phase]


def length(circuit: Circuit) -> str:
    """Write the length of a circuit; a ring counts twice.

    >>> length(Circuit(6, ()))
    '2×6'
    """
    return f"2\u00d7{circuit.length}" if circuit.closed else str(circuit.length)


def circuits_of(view: TeslaView, seat: Seat) -> list[tuple[CircuitId, Circuit]]:
    """Return the circuits of a seat, those worth most first."""
    marked = [(number, circuit) for number, circuit in view.board.circuits.items() if circuit.markers]
    pairs = [(number, circuit) for number, circuit in marked if view.board.owner(number) == seat]
    return sorted(pairs, key=lambda item: (-points_of(item[1]), item[0]))


def sum_of(circuit: Circuit) -> str:
    """Write a circuit's length, and its markers' gain if different.

    >>> from engines.tesla.pieces.board import End
    >>> sum_of(Circuit(9, (End("Z50", 0), End("Z50", 3)), ("Z50", "Z51")))
    '9 ×2 = 18'
    """
    several = f" ×{len(circuit.markers)}" if len(circuit.markers) > 1 else ""
    total = points_of(circuit)
    return length(circuit) + several + ("" if total == circuit.length else f" = {total}")


def points_of(circuit: Circuit) -> int:
    """Return the gain of all markers on a circuit now."""
    return circuit.value * len(circuit.markers)


def describe_board(view: TeslaView, names: Sequence[str]) -> str:
    return words.alt_text(_board(view, names))


def _board(view: TeslaView, names: Sequence[str]) -> list[str]:
    seats = []
    for seat in range(view.seats):
        facts = [count_points(view.scores[seat])]
        if seat not in view.out:
            facts += [words.plural(view.supplies[seat], "marker"), words.plural(view.held[seat], "tile")]
        name = words.short(words.seat_name(names, seat), 32)
        seats.append(words.describe_seat(name, status(view, seat), words.join_words(facts)))
    sentences = [*words.opening(_headline(view, names), _last(view), over=view.over), *seats]
    tiles = len(view.board.tiles)
    there_are = "There's" if tiles == 1 else "There are"
    sentences.append(f"{there_are} {words.plural(tiles, 'tile')} on the board and {view.bag} in the bag.")
    entries = [
        (number, circuit, seat) for seat in range(view.seats) for number, circuit in circuits_of(view, seat)
    ]
    for number, circuit, seat in sorted(entries, key=lambda item: -points_of(item[1])):
        markers = "a marker" if len(circuit.markers) == 1 else "markers"
        size = f"{_kind(circuit)} {circuit_name(number)} is {circuit.length} long"
        where = f"{markers} at {words.join_words(circuit.markers)}"
        sentences.append(f"{words.short(words.seat_name(names, seat), 32)}'s {size}, with {where}.")
    return sentences


def _headline(view: TeslaView, names: Sequence[str]) -> str:
    heading = title(view, names)
    if view.outcome is not None:
        return f"{heading}, because {explain_end(view).replace('someone', 'they')}."
    if view.over:
        return f"{heading}."
    least = words.format_total(view.leader - view.behind)
    out = f"Anyone {view.behind} points behind is out (now at {least} or less)"
    return f"It's {heading}. First to {view.options.win} points wins. {out}."


def _last(view: TeslaView) -> list[str]:
    changes = view.changes
    result = (
        ("New tile", changes.placed),
        ("New marker", changes.marked),
        ("Returned marker", changes.taken),
    )
    return [
        f"{what}{'s' * (len(cells) > 1)} at {words.join_words(cells)}." for what, cells in result if cells
    ]


def _kind(circuit: Circuit) -> str:
    return "ring" if circuit.closed else "circuit"


def describe_hand(view: TeslaView, seat: Seat, names: Sequence[str]) -> str:
    return words.alt_text([f"{words.short(words.seat_name(names, seat), 32)}'s tiles.", *_tiles(view, seat)])


def _tiles(view: TeslaView, seat: Seat) -> list[str]:
    tiles = view.hands[seat] or ()
    return [f"Tile {place} has {wires(view, face)}." for place, face in enumerate(tiles, start=1)]


def describe_turn(view: TeslaView, seat: Seat, names: Sequence[str]) -> str:
    last, board = len(_last(view)), _board(view, names)
    return words.alt_text([*board[:last], *_tiles(view, seat), *board[last:]])


def describe_preview(view: TeslaView, fit: Fit, after: TeslaView, names: Sequence[str]) -> str:
    verb = "Replacing" if isinstance(fit.move, Replace) else "Placing"
    lines = [f"Preview. {verb} the tile at {fit.move.cell}. It has {wires(view, fit.lie)}."]
    return words.alt_text([*lines, *_board(after, names)])


def describe_choices(view: TeslaView, sites: Sequence[Site]) -> str:
    lines = []
    for site in sites:
        circuit = view.board.circuits[site.circuit]
        worth = words.plural(circuit.value, "point")
        name = f"{_kind(circuit)} {circuit_name(site.circuit)}"
        cells = words.join_words(dict.fromkeys(cell for cell, _ in site.spots[:3]), "or")
        another = "another" if site.mine else "a marker"
        facts = [f"have {words.plural(len(site.mine), 'marker')} there"] if site.mine else []
        facts += [f"can put {another} at {cells}"] if cells else []
        lines.append(f"Each marker on {name} is worth {worth}.")
        lines += [f"You {', and '.join(facts)}."] if facts else []
    return words.alt_text(["Circuits to choose from.", *lines] if lines else ["No circuit to choose."])
