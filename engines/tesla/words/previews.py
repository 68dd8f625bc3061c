"""Previews of Tesla's Tangle in words, before anything is sent."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from engines.game import Seat
from engines.marks import capital, to_plain
from engines.tesla import moves
from engines.tesla.pieces.board import CircuitId, TeslaBoard, circuit_name
from engines.tesla.preview import MovePreview
from engines.tesla.view import CircuitChange, CircuitState, TeslaView, compare_circuits
from engines.tesla.words.event_lines import describe_own_gap, winners_next_turn
from engines.tesla.words.nouns import each, gain, markers, own_markers
from engines.words import Names, join_words, player_with_sign

CHANGES_NOTHING = "no player's circuit changes"
"""The first words about a placement that changes nothing beyond its tile."""


def effect(view: TeslaView, ahead: MovePreview, names: Names, most: int | None = None) -> str:
    """Return a placement's effect, the most important part first.

    Leave out last parts whole if they exceed `most` characters.
    """
    me = view.seat
    rings = {event.circuit for event in ahead.events if isinstance(event, moves.Closed)}
    changes = compare_circuits(view.board, ahead.view.board)
    parts = Counter(was.circuit for one in changes for was in one.before)
    cut = {circuit for circuit, count in parts.items() if count > 1}
    owned = [one for one in changes if one.after and one.after.owner is not None]
    owned.sort(key=lambda one: one.after is not None and one.after.owner != me)
    free = [one for one in changes if one not in owned and not (one.after and one.after.circuit in rings)]
    lines = [text for event in reversed(ahead.events) for text in [_end(event, names, me)] if text]
    lines += name_rings(ahead.events, names, me)
    joins = [event for event in ahead.events if isinstance(event, moves.Joined)]
    back = Counter(seat for event in joins for seat, count in enumerate(event.returned) for _ in range(count))
    lines += [_back_text(seat, back[seat], names, me) for seat in back if seat == me]
    lines += [text for one in owned for text in [_describe_owned(one, names, me)] if text]
    lines += [_back_text(seat, back[seat], names, me) for seat in sorted(back) if seat != me]
    shortened = {
        was.circuit
        for one in owned
        for was in one.before
        if one.after is not None and was.circuit == one.after.circuit and was.length > one.after.length
    }
    lines += _free_texts(free, cut, shortened, names, me)
    moved = _name_moved_ends(view.board, ahead.view.board, names, me)
    if not lines:
        turned = f"{CHANGES_NOTHING} length, but an end of {join_words(moved)} moves"
        lines = [turned if moved else CHANGES_NOTHING]
    elif moved:
        lines.append(f"moves an end of {join_words(moved)}")
    lines += _tile_news(view.board, ahead.view.board, free)
    if most is None:
        return "; ".join(lines)
    text = lines[0] if len(to_plain(lines[0])) <= most else re.split(",? (?:by )?joining ", lines[0])[0]
    for line in lines[1:]:
        if len(to_plain(f"{text}; {line}")) > most:
            break
        text = f"{text}; {line}"
    return text


def _end(event: moves.Event, names: Names, me: Seat) -> str | None:
    match event:
        case moves.TeslaEliminated(seat=seat):
            return f"**puts {'you' if seat == me else player_with_sign(names, seat)} out**"
        case moves.TeslaEnded(outcome=outcome):
            return "**wins the game**" if outcome.places[me] == 1 else "**ends the game**"
        case _:
            return None


def name_rings(happened: Sequence[moves.Event], names: Names, me: Seat) -> list[str]:
    """Return the rings that close, one's own first."""
    closed = [event for event in happened if isinstance(event, moves.Closed)]
    return [_ring_text(event, names, me) for event in sorted(closed, key=lambda event: event.owner != me)]


def _ring_text(event: moves.Closed, names: Names, me: Seat) -> str:
    if event.owner is None:
        return f"closes a free ring of {event.length}"
    who = "you get" if event.owner == me else f"{player_with_sign(names, event.owner)} gets"
    points = gain(event.count * event.points)
    return f"{who} {points} for a ring of {event.length}{each(event.count, event.points)}"


def _describe_owned(change: CircuitChange, names: Names, me: Seat) -> str | None:
    """Compare an owned circuit: "cuts Ada's D from 15 to 3".

    None if only its letter or its ends are new.
    """
    now = change.after
    assert now is not None
    own = [one for one in change.before if one.owner == now.owner]
    was = next((one for one in own if one.circuit == now.circuit), own[0])
    name = f"{_whose(names, now.owner, me)} {circuit_name(now.circuit)}"
    joined = [_origin(one, change, names, me) for one in change.before if one is not was]
    if was.circuit != now.circuit:
        text = f"splits off {name} of {now.length}"
    elif now.length < was.length:
        text = f"cuts {name} from {was.length} to {now.length}"
    elif now.length > was.length:
        text = f"{name} grows from {was.length} to {now.length}"
    elif joined:
        text = f"{name} stays at {now.length}"
    else:
        return None
    how = " by joining" if was.circuit == now.circuit and now.length > was.length else ", joining"
    worth = now.value * now.markers
    several = f" with {markers(now.markers)}" if now.markers > 1 else ""
    text += "" if worth == now.length else f" (worth {worth}{several})"
    return f"{text}{how} {join_words(joined)}" if joined else text


def _origin(one: CircuitState, change: CircuitChange, names: Names, me: Seat) -> str:
    """Name an earlier circuit: "2 of Bo's B", or all of it: "Bo's B (3)"."""
    name, kept = f"{_whose(names, one.owner, me)} {circuit_name(one.circuit)}", change.kept[one.circuit]
    return f"{kept} of {name}" if kept < one.length else f"{name} ({one.length})"


def _name_moved_ends(before: TeslaBoard, after: TeslaBoard, names: Names, me: Seat) -> list[str]:
    """Name the owned circuits that only end elsewhere: "Ada's A"."""
    old = before.circuits
    both = [(number, old[number], one) for number, one in after.circuits.items() if number in old]
    return [
        f"{_whose(names, after.owner(number), me)} {circuit_name(number)}"
        for number, was, now in both
        if now.markers and was.markers and was.length == now.length and set(was.ends) != set(now.ends)
    ]


def _back_text(seat: Seat, count: int, names: Names, me: Seat) -> str:
    return f"{_whose(names, seat, me)} {own_markers(count)} {'goes' if count == 1 else 'go'} back"


def _is_on_tile(change: CircuitChange) -> bool:
    return all(one is None or one.length <= 1 for one in (*change.before, change.after))


def _tile_news(before: TeslaBoard, after: TeslaBoard, changes: Sequence[CircuitChange]) -> list[str]:
    """Say which free circuits go and come with the tile itself."""
    alone = [one for one in changes if _is_on_tile(one)]
    gone = {was.circuit for one in alone for was in one.before} - after.circuits.keys()
    new = {one.after.circuit for one in alone if one.after is not None} - before.circuits.keys()
    return [
        f"{state}: {', '.join(f'{circuit_name(one)} (1)' for one in sorted(numbers))}"
        for state, numbers in (("gone", gone), ("new", new))
        if numbers
    ]


def _free_texts(
    changes: Sequence[CircuitChange],
    cut: Collection[CircuitId],
    shortened: Collection[CircuitId],
    names: Names,
    me: Seat,
) -> list[str]:
    """Describe free circuits; those that only grow come last.

    `cut` are circuits that several are parts of now, `shortened` those that are known to have lost a part.
    """
    texts, grown = [], list[CircuitState]()
    for change in changes:
        now, before = change.after, change.before
        if now is None or _is_on_tile(change):
            continue
        was = next((one for one in before if one.circuit == now.circuit), None)
        joined = [one for one in before if one.circuit not in cut or one is was]
        if len(joined) > 1:
            parts = join_words([_origin(one, change, names, me) for one in joined])
            texts.append(f"joins {parts}: {circuit_name(now.circuit)} of {now.length} is free")
        elif was is None and any(one.owner is not None and one.circuit not in shortened for one in before):
            kept = [(change.kept[one.circuit], one) for one in change.before]
            pieces = [
                f"{count} of {_whose(names, one.owner, me)} {circuit_name(one.circuit)}"
                for count, one in kept
            ]
            total = sum(change.kept.values())
            verb = "becomes" if total == 1 else "become"
            size = "" if total == now.length else f" of {now.length}"
            texts.append(f"{join_words(pieces)} {verb} free {circuit_name(now.circuit)}{size}")
        elif was is None or was.owner is not None:
            texts += [f"{circuit_name(now.circuit)} of {now.length} is free"] if before else []
        elif now.length > was.length:
            grown.append(now)
        elif now.length < was.length:
            texts.append(f"cuts free {circuit_name(now.circuit)} from {was.length} to {now.length}")
    return texts + ([_free_growth(grown)] if grown else [])


def _free_growth(grown: Sequence[CircuitState]) -> str:
    """Say that circuits without an owner grow."""
    names, sizes = [circuit_name(one.circuit) for one in grown], [one.length for one in grown]
    if len(grown) > 1 and len(set(sizes)) == 1:
        return f"free {join_words(names)} grow to {sizes[0]} each"
    lengths = [
        f"{name} {'to' if number else 'grows to'} {size}"
        for number, (name, size) in enumerate(zip(names, sizes, strict=True))
    ]
    return f"free {join_words(lengths)}"


def _whose(names: Names, seat: Seat | None, me: Seat) -> str:
    if seat is None:
        return "free"
    return "your" if seat == me else f"{player_with_sign(names, seat)}'s"


def effect_on_wins(view: TeslaView, after: TeslaView, names: Names, me: Seat) -> list[str]:
    """Return who can win then, who no longer can, and a new gap."""
    lines = [
        f"⚠️ {player_with_sign(names, seat)} can win right after this turn."
        for seat in winners_next_turn(after, me)
    ]
    lines += [f"{capital(text)}." for text in name_stopped_wins(view, after, names, me)]
    if after.gap(me) != view.gap(me) and after.is_far_behind(me):
        lines.append(describe_own_gap(after, me, "You'd be"))
    return lines


def name_stopped_wins(
    view: TeslaView, after: TeslaView, names: Names, me: Seat, lead: str = "then"
) -> list[str]:
    """Return whose win next turn placements prevent."""
    then = winners_next_turn(after, me)
    return [
        f"{lead} {player_with_sign(names, seat)} can't win with one marker next turn"
        for seat in winners_next_turn(view, me)
        if seat not in then and not after.over
    ]


def unwelcome_effects(happened: Sequence[Any], after: TeslaView, names: Names, me: Seat) -> tuple[str, ...]:
    """Return a move's unwelcome effects: others' points, losses."""
    entries = []
    for event in happened:
        match event:
            case moves.Closed(owner=int(seat), count=count, points=points) if seat != me:
                entries.append(f"{player_with_sign(names, seat)} would score {count * points} points.")
            case moves.Joined(returned=returned) if returned[me]:
                entries.append(f"Your {own_markers(returned[me])} would go back for no points.")
            case moves.TeslaEliminated(seat=seat) if seat == me:
                entries.append("You'd be out of the game.")
            case _:
                pass
    outcome = after.outcome
    if outcome is not None and outcome.places[me] != 1:
        entries.append("The game would end, and you wouldn't win.")
    return tuple(dict.fromkeys(entries))
