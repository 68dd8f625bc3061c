"""Sentences of Tesla's Tangle: events, duties, results, and moves by name."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, assert_never

from engines import words
from engines.game import Seat
from engines.marks import capital, with_icon
from engines.tesla import moves
from engines.tesla.pieces.board import Cell, CircuitId, TeslaBoard, circuit_name
from engines.tesla.pieces.components import Face, Segment, shape
from engines.tesla.view import CircuitChange, TeslaView, compare_circuits
from engines.tesla.words import nouns
from engines.tesla.words.nouns import AHEAD, markers, own_markers, tile

MOST_NAMED = 3
"""Changed circuits without an owner that a turn's line names."""
LONG = 5
"""Length from which a turn's line tells a free circuit that it cut off or freed."""
RESIZED = re.compile(r"(.*circuit )(\S+) (grows|shrinks|goes) (from [^:]*)")
FREED, FREE = re.compile(r"circuit (\S+) is (?:(\d+ long) and )?free( \(.*\))?"), "free"
"""A changed circuit, and one without an owner, as told alone."""
NEAR = 5
"""Points from going out that the price of a usual marker takes."""
DEEDS = (
    moves.TeslaPlaced,
    moves.Marked,
    moves.Taken,
    moves.Discarded,
    moves.TeslaTurnEnded,
    moves.TeslaResigned,
)
TOLD = (*DEEDS, moves.Closed, moves.TilesReshuffled)
"""Events that a turn's line tells."""


def event_line(event: moves.Event, view: TeslaView, names: words.Names) -> str | None:
    """Return an event's sentence; a placement's consequence begins with an arrow."""

    def who(seat: Seat) -> str:
        return words.player_with_sign(names, seat)

    match event:
        case moves.TeslaPlaced(seat=seat, cell=cell, replaced=None):
            return f"{who(seat)} places a tile at {cell}."
        case moves.TeslaPlaced(seat=seat, cell=cell):
            return f"{who(seat)} replaces the tile at {cell}."
        case moves.Joined():
            return _join_text(event, names)
        case moves.Closed(circuit=circuit, length=size, owner=owner, count=count, points=points):
            if owner is None:
                return f"↳ Circuit {circuit_name(circuit)} becomes a free ring of {size}."
            text = f"↳ {capital(_whose_circuit(owner, circuit, names))} becomes a ring of {size}."
            gets = f"{who(owner)} gets **{nouns.gain(count * points)}**{nouns.each(count, points)}"
            return f"{text} {gets} and the {own_markers(count)} back."
        case moves.Split():
            return f"↳ {_split_text(event, names)}"
        case moves.Marked(seat=seat, cell=cell, circuit=circuit, cost=cost, replayed=replayed):
            verb = f"puts a {with_icon('tesla_marker', 'marker')}{' back' if replayed else ''}"
            return f"{who(seat)} {verb} on circuit {circuit_name(circuit)} at {cell}: {nouns.gain(-cost)}."
        case moves.Taken(seat=seat, circuit=circuit, cell=cell, gain=gain):
            place = f"circuit {circuit_name(circuit)} at {cell}"
            return f"{who(seat)} takes back a marker from {place}: **{nouns.gain(gain)}**."
        case moves.Discarded(seat=seat, tiles=thrown):
            return f"{who(seat)} discards {words.count_noun(len(thrown), 'tile')}."
        case moves.TilesReshuffled(count=count):
            return f"The bag is empty, so I shuffle {words.plural(count, 'discarded tile')} into it."
        case moves.TeslaTurnEnded(seat=seat, drawn=drawn, net=net):
            total = f" ({nouns.gain(net)})" if net else ""
            return f"{who(seat)} ends the turn{total} and draws {words.count_noun(drawn, 'tile')}."
        case moves.Drawn(tiles=drawn):
            if not drawn:
                return None
            if len(drawn) == 1:
                return f"You draw 1 tile with {tile(view.options.tiles, drawn[0])}."
            return f"You draw {words.count_noun(len(drawn), 'tile')}. **My hand** shows them."
        case moves.TeslaEliminated(seat=seat, score=score, behind=behind):
            return f"**{who(seat)} is out** with {nouns.count_points(score)}, {behind} behind the leader."
        case moves.TeslaResigned(seat=seat):
            return f"{who(seat)} leaves the game."
        case moves.ReplayEnded() | moves.TeslaEnded():
            return None  # what follows tells it
        case _:
            assert_never(event)


def digest(
    happened: Sequence[Any], seat: Seat, before: TeslaView, after: TeslaView, names: words.Names
) -> str | None:
    """Return a turn in a line: deeds, changed circuits, points."""
    done = [_deed_text(list(run)) for run in _runs(happened)] or ["ends the turn"]
    entries = list[str]()
    is_one_tile = sum(isinstance(event, moves.TeslaPlaced) for event in happened) == 1
    joined = [event for event in happened if isinstance(event, moves.Joined)]
    lost = _marker_losses(joined, names, before.board, has_lengths=is_one_tile)
    for event in happened:
        match event:
            case moves.Closed(circuit=circuit, length=size, owner=None):
                entries.append(f"circuit {circuit_name(circuit)} becomes a free ring of {size}")
            case moves.Closed(circuit=circuit, length=size, owner=int(owner), count=count, points=points):
                ring = f"ring {circuit_name(circuit)} of {size}{nouns.each(count, points)}"
                gain = f"**{count * points}** for {ring}"
                back = f"and gets the {'marker' if count == 1 else 'markers'} back"
                entries.append(f"{words.player_with_sign(names, owner)} scores {gain} {back}")
            case moves.TilesReshuffled(count=count):
                entries.append(f"I shuffle {words.plural(count, 'discarded tile')} into the empty bag")
    if not any(isinstance(event, TOLD) for event in happened):
        return None
    threats = []
    for one in after.remaining if not after.over else ():
        is_new = not _is_one_marker_from_winning(before, one)
        if _is_one_marker_from_winning(after, one) and (is_new or one == after.seat != before.seat):
            can = "can win" if is_new else "can still win"
            threats.append(f"**{words.player_with_sign(names, one)} {can}** with one marker")
    lines = [*_circuit_news(happened, before, after, names), *lost, *entries, *threats]
    results = "".join(f" {capital(line)}." for line in lines)
    return f"{words.player_with_sign(names, seat)} {words.join_words(done)}.{results}"


def _runs(happened: Sequence[Any]) -> list[list[Any]]:
    """Return the deeds in order; successive tiles or markers are one."""
    runs = list[list[Any]]()
    for event in happened:
        if not isinstance(event, DEEDS) or (isinstance(event, moves.TeslaTurnEnded) and not event.drawn):
            continue
        last = runs[-1][-1] if runs else None
        alike = isinstance(event, moves.TeslaPlaced | moves.Marked) and type(event) is type(last)
        if alike and (getattr(event, "replaced", None) is None) == (getattr(last, "replaced", None) is None):
            runs[-1].append(event)
        else:
            runs.append([event])
    return runs


def _deed_text(run: Sequence[Any]) -> str:
    match run[0]:
        case moves.TeslaPlaced(replaced=replaced):
            cells = list(dict.fromkeys(event.cell for event in run))
            places = "places a tile at" if len(cells) == 1 else "places tiles at"
            return f"{places if replaced is None else 'replaces'} {words.join_words(cells)}"
        case moves.Marked():
            marked = [f"{circuit_name(one.circuit)} ({words.format_points(-one.cost)})" for one in run]
            return f"marks {words.join_words(marked)}"
        case moves.Taken(circuit=circuit, gain=gain):
            return f"takes back a marker from {circuit_name(circuit)} (**{words.format_points(gain)}**)"
        case moves.Discarded(tiles=thrown):
            return f"discards {words.count_noun(len(thrown), 'tile')}"
        case moves.TeslaTurnEnded(drawn=drawn):
            return f"draws {words.count_noun(drawn, 'tile')}"
        case _:
            return "leaves the game"


def _circuit_news(
    happened: Sequence[Any], before: TeslaView, after: TeslaView, names: words.Names
) -> list[str]:
    """Describe changed circuits; short free ones only if no owned one changed.

    A free one that was somebody's counts as owned, if they have nothing left of it. What the line of a ring
    or the price of a marker tells is left out.
    """
    changes = compare_circuits(before.board, after.board)
    parts = Counter(was.circuit for one in changes for was in one.before)
    divided = {circuit for circuit, count in parts.items() if count > 1}
    kept = {was.circuit for one in changes if one.after and one.after.owner is not None for was in one.before}
    owned = [
        one
        for one in changes
        if (one.after is not None and one.after.owner is not None)
        or any(was.owner is not None and was.circuit not in kept for was in one.before)
    ]
    said = {
        (one.circuit, one.length, None)
        if isinstance(one, moves.Closed)
        else (one.circuit, one.cost, one.seat)
        for one in happened
        if isinstance(one, moves.Closed | moves.Marked)
    }
    news = [
        one
        for one in changes
        if (now := one.after) is None
        or (now.circuit, now.length, now.owner) not in said
        or (now.owner is not None and any(was.owner is not None for was in one.before))
    ]
    is_short = not owned and len(changes) <= MOST_NAMED
    texts = [
        _change_text(one, after.board, divided, names)
        for one in news
        if (one.after if is_short else one in owned or _is_long_remainder(one, divided))
    ]
    return _join_alike(texts) if texts or owned or is_short else [f"{len(changes)} free circuits change"]


def _join_alike(texts: Sequence[str]) -> list[str]:
    """Join an owner's circuits that grow, and those that are free now."""
    groups = dict[tuple[str, str], list[str]]()
    for text in texts:
        if one := RESIZED.fullmatch(text):
            entries = groups.setdefault((one[1], one[3]), [])
            entries.append(f"{one[2]} {one[4]}" if entries else text)
        elif one := FREED.fullmatch(text):
            groups.setdefault((FREE, one[3] or ""), []).append(f"{one[1]} ({one[2]})" if one[2] else one[1])
        else:
            groups[text, ""] = [text]
    for (kind, was), entries in groups.items():
        if kind == FREE:
            several = len(entries) > 1
            are = f"are free{was.replace('(was', '(were')}" if several else f"is free{was}"
            entries[:] = [f"circuit{'s' * several} {words.join_words(entries)} {are}"]
    return [words.join_words(entries) for entries in groups.values()]


def _is_long_remainder(change: CircuitChange, divided: Collection[CircuitId]) -> bool:
    now = change.after
    if now is None or now.owner is not None or now.length < LONG:
        return False
    return any(
        was.owner is not None or was.circuit in divided or was.length > now.length for was in change.before
    )


def _change_text(
    change: CircuitChange, board: TeslaBoard, divided: Collection[CircuitId], names: words.Names
) -> str:
    """Compare a circuit: "Ada's circuit C grows from 5 to 9".

    `divided` are circuits that several are parts of now.
    """
    now = change.after
    if now is None:
        return f"{_whose_circuit(change.before[0].owner, change.before[0].circuit, names)} is gone"
    same = next((one for one in change.before if one.circuit == now.circuit), None)
    if same and now.owner is None and change.before == (same,) and same.length == now.length:
        was = "" if same.owner is None else f" (was {words.player_with_sign(names, same.owner)}'s)"
        return f"circuit {circuit_name(same.circuit)} is free{was}"
    if same is None or same.owner != now.owner or now.is_ring:
        size, verb = f"a ring of {now.length}" if now.is_ring else f"{now.length} long", "was"
        text = _length_text(now.circuit, size, now.owner, names)
    else:
        way = "grows" if now.length > same.length else "goes" if len(change.before) > 1 else "shrinks"
        size = (
            f"{way} from {same.length} to {now.length}"
            if now.length != same.length
            else f"stays {now.length} long"
        )
        free = "free " if now.owner is None else ""
        text, verb = f"{free}{_whose_circuit(now.owner, now.circuit, names)} {size}", "joined by"
    notes = list[str]()
    if now.owner is not None and now.value * now.markers != now.length:
        several = f" with {markers(now.markers)}" if now.markers > 1 else ""
        notes.append(f"worth {now.value * now.markers}{several}")
    lost = [
        one
        for one in change.before
        if (one.owner != now.owner if one is same else one.circuit not in board.circuits)
    ]
    origins = [
        f"{'part of ' * (one.circuit in divided)}{words.player_with_sign(names, one.owner)}'s"
        f"{'' if one.circuit == now.circuit and len(lost) == 1 else f' {circuit_name(one.circuit)}'}"
        for one in sorted(lost, key=lambda was: was.circuit in divided)
        if one.owner is not None
    ]
    loses = bool(origins) and verb == "joined by" and now.length <= getattr(same, "length", 0)
    if origins and not loses:
        notes.append(f"{verb} {words.join_words(origins)}")
    text += f" ({', '.join(notes)})" if notes else ""
    return f"{text}: it loses a part and gets {words.join_words(origins)}" if loses else text


def _length_text(circuit: CircuitId, size: str, owner: Seat | None, names: words.Names) -> str:
    text = f"{_whose_circuit(owner, circuit, names)} is {size}"
    return f"{text} and free" if owner is None else text


def _is_one_marker_from_winning(view: TeslaView, seat: Seat) -> bool:
    return view.scores[seat] + best_marker(view, seat) >= view.options.win


def reconnection(happened: Sequence[Any], names: words.Names) -> str | None:
    """Return one line for circuits that a tile cuts and joins again. None if there are other events."""
    cut = [event for event in happened if isinstance(event, moves.Split)]
    joined = [event for event in happened if isinstance(event, moves.Joined)]
    if not cut or len(cut) + len(joined) < len(happened):
        return None
    if not joined:
        return f"↳ {' '.join(_split_text(event, names) for event in cut)}"
    touched = {event.circuit for event in cut}.union(*(event.joined for event in joined))
    now = [_length_text(event.circuit, f"{event.length} long", event.owner, names) for event in joined]
    lengths = {event.length for event in joined}
    now += [f"a circuit of {part} is left" for event in cut for part in event.parts if part not in lengths]
    circuits = words.join_words([circuit_name(circuit) for circuit in sorted(touched)])
    are = "Circuit {} is" if len(touched) == 1 else "Circuits {} are"
    back = [f" {capital(loss)}." for loss in _marker_losses(joined, names)]
    return f"↳ {are.format(circuits)} reconnected: {words.join_phrases(now)}.{''.join(back)}"


def _split_text(event: moves.Split, names: words.Names) -> str:
    circuit = capital(_whose_circuit(event.owner, event.circuit, names))
    if len(event.parts) == 1:
        return f"{circuit} shrinks from {event.length} to {event.parts[0]}."
    lengths = words.join_words([str(part) for part in event.parts])
    return f"{circuit} of {event.length} is cut. Its parts are now in circuits of {lengths}."


def _whose_circuit(owner: Seat | None, circuit: CircuitId, names: words.Names) -> str:
    whose = "" if owner is None else f"{words.player_with_sign(names, owner)}'s "
    return f"{whose}circuit {circuit_name(circuit)}"


def _marker_losses(
    joined: Sequence[moves.Joined],
    names: words.Names,
    board: TeslaBoard | None = None,
    *,
    has_lengths: bool = True,
) -> list[str]:
    """Return whose markers go back for nothing, from where, and why.

    Between several tiles of a turn, nobody sees the pieces, so it `has_lengths` only in a turn of one tile.
    """
    counts, circuits = Counter[tuple[Seat, str]](), dict[tuple[Seat, str], set[str]]()
    for event in joined:
        reach = event.reach or event.markers
        rivals = sorted(
            filter(event.markers.__getitem__, range(len(reach))), key=lambda one: one != event.owner
        )
        best = [seat for seat in rivals if event.markers[seat] == max(event.markers)]
        winners = best if event.owner is None else [event.owner]
        longest = max(reach[one] for one in winners) if winners else 0
        who = words.join_words(words.player_with_sign(names, one) for one in winners if reach[one] == longest)
        pieces = " to ".join(str(reach[seat]) for seat in (best if event.reach else rivals))
        sizes = f" ({pieces})" if has_lengths or not event.reach else " when they met"
        why = f"{who} tied" if event.owner is None else f"{who} had more markers{sizes}"
        why = f"{who}'s circuit was longer{sizes}" if event.reach and event.owner is not None else why
        for seat, count in enumerate(event.returned):
            own = [
                one
                for one in event.cells
                if board and one in board.markers and board.markers[one].seat == seat
            ]
            counts[seat, why] += count
            on = circuits.setdefault((seat, why), set())
            on |= {circuit_name(board.circuit_of_marker(one)) for one in own if board and count}
    losses, numbers = dict[str, list[str]](), Counter[str]()
    for (seat, why), count in counts.items():
        place = f" on {words.join_words(sorted(on))}" if (on := circuits[seat, why]) else ""
        marker = f"{words.player_with_sign(names, seat)}'s {own_markers(count)}{place}"
        losses.setdefault(why, []).extend([marker] if count else [])
        numbers[why] += count
    return [
        f"{words.join_words(lost)} {'goes' if numbers[why] == 1 else 'go'} back for no points: {why}"
        for why, lost in losses.items()
        if lost
    ]


def _join_text(event: moves.Joined, names: words.Names) -> str | None:
    """Return a circuit's change; None if a free one only grew."""
    owner = event.owner
    if len(event.joined) < 2 and not any(event.markers):
        return None
    text = f"{circuit_name(event.circuit)} is now {event.length} long"
    if len(event.joined) > 1:
        before = words.join_words([circuit_name(circuit) for circuit in sorted(event.joined)])
        text = f"Circuits {before} join. {text}"
    else:
        text = f"Circuit {text}"
    text += "" if owner is None else f" and belongs to {words.player_with_sign(names, owner)}"
    return " ".join(f"{one}." for one in [f"↳ {text}", *map(capital, _marker_losses([event], names))])


def duty(view: TeslaView, seat: Seat) -> str:
    match view.phase:
        case "tiles" if view.may_mark:
            return "place tiles, use a marker, then end your turn"
        case "tiles":
            return "place tiles, then end your turn"
        case "replay":
            return f"put up to {markers(view.replays)} back on the board"
        case "end":
            return "discard tiles if you like, then end your turn"
        case "over":
            return "nothing more"


def result(view: TeslaView, names: words.Names) -> str:
    outcome = view.outcome
    if outcome is None:
        return "The table closed without a result."
    first = outcome.winners
    winners = words.join_words([words.player_with_sign(names, seat) for seat in first])
    score = words.format_total(view.scores[first[0]])
    if outcome.how == "points":
        left = {seat: view.scores[seat] for seat in range(view.seats) if seat not in view.out}
        return f"{winners} wins with {score} points{words.describe_lead(names, first[0], left)}!"
    if outcome.how == "survivor":
        others = [words.player_with_sign(names, seat) for seat in view.out]
        are = "is" if len(others) == 1 else "are"
        return f"{winners} wins, because {words.join_words(others)} {are} out."
    verb = "wins" if len(first) == 1 else "share the win"
    return f"{winners} {verb} with {score} points, because {nouns.explain_end(view)}."


def standing(view: TeslaView, names: words.Names, me: Seat, now: TeslaView | None = None) -> str:
    """Return the scores and the turn's gains.

    `now` is the real position, if `view` is a preview.
    """
    others = [seat for seat in range(view.seats) if seat != me and seat not in view.out]
    close = _close_to_out(view)
    entries = ", ".join(
        f"{words.player_with_sign(names, seat)} has {words.format_total(view.scores[seat])}"
        + (f" ({view.gap(seat)} behind)" if view.is_far_behind(seat) and seat not in close else "")
        for seat in others
    )
    have = "You have" if now is None or view.scores == now.scores else "You'd have"
    text = f"{have} **{words.format_total(view.scores[me])}** points and need {view.options.win}. {entries}."
    net = view.scores[me] - view.started
    lines = [text + (f" This turn: {nouns.gain(net)}." if net else "")]
    far = [(words.player_with_sign(names, seat), gap) for seat, gap in close.items() if seat != me]
    lines += [
        f"**{who} could be out soon.** {nouns.count_points(gap)} behind the leader." for who, gap in far
    ]
    if not view.over and view.turn <= view.seats and min(view.scores) < 0 and not any(view.board.markers):
        lines.append(f"{AHEAD}.")
    return "\n-# ".join(lines)


def dangers(view: TeslaView, names: words.Names, me: Seat, now: TeslaView | None = None) -> tuple[str, ...]:
    """Return what could end a seat's game before its next turn.

    `now` is the real position, if `view` is a preview.
    """
    lines = []
    for seat in winners_next_turn(view, me):
        needs, most = view.options.win - view.scores[seat], best_marker(view, seat)
        lines.append(
            f"**{words.player_with_sign(names, seat)} can win next turn.** They need {needs} more points, "
            f"and one of their markers earns {most}."
        )
    is_close = is_close_to_out(view, me)
    if is_close or view.is_far_behind(me):
        soon = "**You could be out soon.** " if is_close else ""
        verb = "You're" if now is None or now.gap(me) == view.gap(me) else "You'd be"
        lines.append(f"{soon}{describe_own_gap(view, me, verb)}")
    return tuple(lines)


def describe_own_gap(view: TeslaView, me: Seat, verb: str = "You're") -> str:
    return f"{verb} {nouns.count_points(view.gap(me))} behind the leader. At {view.behind} you're out."


def winners_next_turn(view: TeslaView, me: Seat) -> list[Seat]:
    """Return the others who can win with one marker."""
    others = view.remaining if not view.over else ()
    return [seat for seat in others if seat != me and _is_one_marker_from_winning(view, seat)]


def is_close_to_out(view: TeslaView, seat: Seat) -> bool:
    """Return True if one more marker can put a seat out."""
    return seat in _close_to_out(view)


def _close_to_out(view: TeslaView) -> dict[Seat, int]:
    """Return each seat that one marker can put out, with its gap."""
    result = {}
    for seat in view.remaining if not view.over else ():
        others = [one for one in view.remaining if one != seat]
        gap = view.gap(seat)
        reach = max((view.scores[one] + best_marker(view, one) for one in others), default=0)
        if gap < view.behind <= max(reach - view.scores[seat], gap + NEAR):
            result[seat] = gap
    return result


def best_marker(view: TeslaView, seat: Seat) -> int:
    """Return a seat's largest gain from taking one marker back."""
    board = view.board
    owned = (circuit.value for number, circuit in board.circuits.items() if board.owner(number) == seat)
    return max(owned, default=0)


def move_name(move: moves.Move, view: TeslaView, _names: words.Names) -> str:
    """Return a legal move's name; see `engines.words.MoveNames`.

    Tiles with the same face are one choice: "tile 1 or 2".
    """
    match move:
        case moves.TeslaPlace(face, turn, cell):
            return f"place {_tile(view, face)} at {nouns.at(cell, _degrees(view, turn))}"
        case moves.Replace(face, turn, cell):
            return f"replace {cell} with {nouns.at(_tile(view, face), _degrees(view, turn))}"
        case moves.Mark(cell, segment) | moves.Replay(cell, segment):
            again = " again" if isinstance(move, moves.Replay) else ""
            wire, (name, value) = nouns.heading(view.options.tiles, segment), _circuit(view, cell, segment)
            return f"mark {cell}{again}, {wire}: circuit {name} for {words.plural(value, 'point')}"
        case moves.Take(cell):
            name, value = _circuit(view, cell, view.board.markers[cell].segment)
            return f"take back the marker at {cell}: circuit {name} for {words.plural(value, 'point')}"
        case moves.EndReplay():
            return "leave the other markers in the supply"
        case moves.Discard(faces):
            left = list(enumerate(_hand(view), start=1))
            for tile in faces:
                left.remove(next(pair for pair in left if pair[1] == tile))
            thrown = [
                str(number) for number, _ in enumerate(_hand(view), start=1) if number not in dict(left)
            ]
            return f"discard tile{'s' * (len(thrown) > 1)} {words.join_words(thrown)}"
        case moves.TeslaEndTurn():
            return "end the turn"
        case _:
            assert_never(move)


def unseen_name(move: moves.Move) -> str:
    """Return what a move would be without the tiles in it."""
    match move:
        case moves.TeslaPlace() | moves.Replace():
            return "lay a tile"
        case moves.Discard():
            return "discard tiles"
        case _:
            return ""


def _tile(view: TeslaView, face: Face) -> str:
    numbers = [str(number) for number, held in enumerate(_hand(view), start=1) if held == face]
    return with_icon(nouns.tile_sign(view.options.tiles, face), f"tile {words.join_words(numbers, 'or')}")


def _hand(view: TeslaView) -> Sequence[Face]:
    return view.hands[view.seat] or ()


def _degrees(view: TeslaView, turn: int) -> int:
    return turn * 360 // shape(view.options.tiles).sides


def _circuit(view: TeslaView, cell: Cell, segment: Segment) -> tuple[str, int]:
    """Return the letters and the value of a wire's circuit."""
    number = view.board.circuit_at(cell, segment)
    return circuit_name(number), view.board.circuits[number].value
