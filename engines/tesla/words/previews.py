"""Previews of Tesla's Tangle in words, before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Seat
from engines.tesla import events
from engines.tesla.pieces.board import circuit_name
from engines.tesla.view import TeslaView
from engines.tesla.words.event_lines import _go, _only_grows
from engines.tesla.words.nouns import markers
from engines.words import Names, format_points, join_words, player_with_sign

TOUCHES_NOTHING = "touches no circuit"


def effect(happened: Sequence[Any], names: Names, me: Seat) -> str:
    """Return a placement's effect: "joins A and C (9 long, yours)".

    Circuits that a replacement cuts and joins again share a sentence. Free ones that only grow come last.
    """
    grown = [event for event in happened if isinstance(event, events.Joined) and _only_grows(event)]
    lines, rest = _reconnection(happened, names, me)
    lines += [text for event in rest if event not in grown for text in [_effect(event, names, me)] if text]
    grown = [event for event in grown if event in rest]
    if grown:
        first, *others = [(circuit_name(event.circuit), event.length) for event in grown]
        lengths = [f"circuit {first[0]} grows to {first[1]}", *(f"{name} to {size}" for name, size in others)]
        lines.append(f"{join_words(lengths)} ({'both ' if len(lengths) == 2 else ''}nobody's)")
    return "; ".join(lines) if lines else TOUCHES_NOTHING


def _reconnection(happened: Sequence[Any], names: Names, me: Seat) -> tuple[list[str], list[Any]]:
    """Return a sentence for reconnected circuits, and the other events."""
    cut = [event for event in happened if isinstance(event, events.Split)]
    number = {event.circuit for event in cut}
    joined = [event for event in happened if isinstance(event, events.Joined) and number & {*event.joined}]
    if not joined:
        return [], list(happened)
    touched = sorted(number | {circuit for event in joined for circuit in event.joined})
    results = sorted(joined, key=lambda event: (event.owner != me, event.owner is None, -event.length))
    parts = [f"{event.length} long, {_whose(names, event.owner, me)}" for event in results]
    lengths = [event.length for event in joined]
    for event in cut:
        parts += [f"{part} long, left over" for part in event.parts if part not in lengths]
    text = f"reconnects {join_words([circuit_name(circuit) for circuit in touched])}: {'; '.join(parts)}"
    text += "".join(_goes_back(event, names, me) for event in joined)
    return [text], [event for event in happened if event not in cut and event not in joined]


def _goes_back(event: events.Joined, names: Names, me: Seat) -> str:
    return "".join(
        f"; {'your' if seat == me else player_with_sign(names, seat) + chr(39) + 's'} {markers(count)} "
        f"{_go(count)} back"
        for seat, count in enumerate(event.returned)
        if count
    )


def _whose(names: Names, seat: Seat | None, me: Seat) -> str:
    if seat is None:
        return "nobody's"
    return "yours" if seat == me else f"{player_with_sign(names, seat)}'s"


def _effect(event: Any, names: Names, me: Seat) -> str | None:
    match event:
        case events.Joined(owner=owner, length=size, joined=joined):
            circuits = [circuit_name(circuit) for circuit in sorted(joined)]
            if len(circuits) > 1:
                text = f"joins {join_words(circuits)} ({size} long, {_whose(names, owner, me)})"
            else:
                text = f"circuit {circuits[0]} grows to {size} ({_whose(names, owner, me)})"
            return text + _goes_back(event, names, me)
        case events.Closed(length=size, owner=None):
            return f"closes a ring of {size}"
        case events.Closed(length=size, owner=int(seat), count=count, points=points):
            who = "you" if seat == me else player_with_sign(names, seat)
            return f"closes a ring of {size}: {who} {format_points(count * points)}"
        case events.Split(circuit=circuit, owner=owner, parts=parts):
            sizes = join_words([str(part) for part in parts])
            verb, to = ("cuts", "into") if len(parts) > 1 else ("shortens", "to")
            return f"{verb} {circuit_name(circuit)} ({_whose(names, owner, me)}) {to} {sizes}"
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
                entries.append(f"Your {markers(returned[me])} would go back to you without points.")
            case events.TeslaEliminated(seat=seat) if seat == me:
                entries.append("You'd be out of the game.")
            case _:
                pass
    outcome = after.outcome
    if outcome is not None and outcome.places[me] != 1:
        entries.append("The game would end, and you wouldn't win.")
    return tuple(dict.fromkeys(entries))
