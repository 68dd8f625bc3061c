"""Previews of Tesla's Tangle in words, before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Seat
from engines.tesla import events
from engines.tesla.pieces.board import CircuitId, circuit_name
from engines.tesla.view import TeslaView
from engines.tesla.words.event_lines import _go, _only_grows
from engines.tesla.words.nouns import gain, own_markers
from engines.words import Names, join_words, player_with_sign

CHANGES_NOTHING = "changes no circuit"


def effect(happened: Sequence[Any], names: Names, me: Seat) -> str:
    """Return a placement's effect, like "changes no circuit".

    Circuits that a replacement cuts and joins again share a sentence. Free ones that only grow come last.
    """
    grown = [event for event in happened if isinstance(event, events.Joined) and _only_grows(event)]
    lines, rest = _reconnection(happened, names, me)
    lines += [text for event in rest if event not in grown for text in [_effect(event, names, me)] if text]
    grown = [event for event in grown if event in rest]
    if grown:
        lines.append(_free_growth(grown))
    return "; ".join(lines) if lines else CHANGES_NOTHING


def _free_growth(grown: Sequence[events.Joined]) -> str:
    """Say that circuits without an owner grow."""
    names, sizes = [circuit_name(event.circuit) for event in grown], [event.length for event in grown]
    them = "it" if len(grown) == 1 else "them"
    if len(grown) > 1 and len(set(sizes)) == 1:
        text = f"circuits {join_words(names)} grow to {sizes[0]} each"
    else:
        lengths = [
            f"{name} {'to' if number else 'grows to'} {size}"
            for number, (name, size) in enumerate(zip(names, sizes, strict=True))
        ]
        text = f"circuit {join_words(lengths)}"
    return f"{text}, and nobody owns {them}"


def _reconnection(happened: Sequence[Any], names: Names, me: Seat) -> tuple[list[str], list[Any]]:
    """Return a sentence for reconnected circuits, and the other events."""
    cut = [event for event in happened if isinstance(event, events.Split)]
    number = {event.circuit for event in cut}
    joined = [event for event in happened if isinstance(event, events.Joined) and number & {*event.joined}]
    if not joined:
        return [], list(happened)
    touched = sorted(number | {circuit for event in joined for circuit in event.joined})
    results = sorted(joined, key=lambda event: (event.owner != me, event.owner is None, -event.length))
    parts = [_circuit_of(event, names, me) for event in results]
    lengths = [event.length for event in joined]
    for event in cut:
        parts += [f"a leftover circuit of {part}" for part in event.parts if part not in lengths]
    before = join_words([circuit_name(circuit) for circuit in touched])
    text = f"reconnects {before} into {join_words(parts)}"
    text += "".join(_goes_back(event, names, me) for event in joined)
    return [text], [event for event in happened if event not in cut and event not in joined]


def _goes_back(event: events.Joined, names: Names, me: Seat) -> str:
    return "".join(
        f"; {_whose(names, seat, me)} {own_markers(count)} {_go(count)} back"
        for seat, count in enumerate(event.returned)
        if count
    )


def _circuit_of(event: events.Joined, names: Names, me: Seat) -> str:
    """Describe a new circuit by name, length and owner."""
    whose = "that nobody owns"
    if event.owner is not None:
        whose = f"that is {'yours' if event.owner == me else _whose(names, event.owner, me)}"
    return f"{circuit_name(event.circuit)}, a circuit of {event.length} {whose}"


def _whose(names: Names, seat: Seat, me: Seat) -> str:
    return "your" if seat == me else f"{player_with_sign(names, seat)}'s"


def _name_circuit(circuit: CircuitId, names: Names, seat: Seat | None, me: Seat) -> str:
    """Name a circuit with its owner: "Bo's circuit A"."""
    if seat is None:
        return f"circuit {circuit_name(circuit)}, which nobody owns,"
    return f"{_whose(names, seat, me)} circuit {circuit_name(circuit)}"


def _effect(event: Any, names: Names, me: Seat) -> str | None:
    match event:
        case events.Joined(owner=owner, length=size, joined=joined):
            if len(joined) > 1:
                before = join_words([circuit_name(circuit) for circuit in sorted(joined)])
                text = f"joins {before} into {_circuit_of(event, names, me)}"
            else:
                text = f"{_name_circuit(joined[0], names, owner, me)} grows to {size}"
            return text + _goes_back(event, names, me)
        case events.Closed(length=size, owner=None):
            return f"closes a ring of {size} that nobody owns"
        case events.Closed(length=size, owner=int(seat), count=count, points=points):
            who, gets = ("you", "get") if seat == me else (player_with_sign(names, seat), "gets")
            return f"closes a ring of {size}, and {who} {gets} {gain(count * points)}"
        case events.Split(circuit=circuit, owner=owner, parts=parts):
            sizes = join_words([str(part) for part in parts])
            verb, to = ("cuts", "into lengths of") if len(parts) > 1 else ("shortens", "to")
            return f"{verb} {_name_circuit(circuit, names, owner, me)} {to} {sizes}"
        case events.TeslaEliminated(seat=seat):
            return f"**puts {'you' if seat == me else player_with_sign(names, seat)} out**"
        case events.TeslaEnded(outcome=outcome):
            return "**wins the game**" if outcome.places[me] == 1 else "**ends the game**"
        case _:
            return None


def unwelcome_effects(happened: Sequence[Any], after: TeslaView, names: Names, me: Seat) -> tuple[str, ...]:
    """Return a move's unwelcome effects: others' points, losses."""
    entries = []
    for event in happened:
        match event:
            case events.Closed(owner=int(seat), count=count, points=points) if seat != me:
                entries.append(f"{player_with_sign(names, seat)} would score {count * points} points.")
            case events.Joined(returned=returned) if returned[me]:
                entries.append(f"Your {own_markers(returned[me])} would go back to you without points.")
            case events.TeslaEliminated(seat=seat) if seat == me:
                entries.append("You'd be out of the game.")
            case _:
                pass
    outcome = after.outcome
    if outcome is not None and outcome.places[me] != 1:
        entries.append("The game would end, and you wouldn't win.")
    return tuple(dict.fromkeys(entries))
