"""Tesla's Tangle by ear: circuits by owner, tiles by row, wires by sides. Alt texts: `captions`."""

from collections.abc import Iterable, Sequence
from typing import Any

from engines.game import Seat
from engines.marks import capital, to_speech
from engines.tesla.moves import (
    Discard,
    EndReplay,
    Mark,
    Move,
    Replace,
    Replay,
    Take,
    TeslaEndTurn,
    TeslaPlace,
)
from engines.tesla.pieces.board import Cell, CircuitId, at, circuit_name, neighbours, row_number
from engines.tesla.pieces.components import Face, Lie, Segment, segments, shape
from engines.tesla.preview import Fit, Site, move_preview
from engines.tesla.view import TeslaView
from engines.tesla.words.event_lines import move_name
from engines.tesla.words.nouns import explain_end
from engines.words import (
    Names,
    Part,
    answer,
    by_region,
    count_noun,
    describe_news,
    find_place,
    group_by,
    join_words,
    name_or_you,
    number,
    ordinal,
    others_after,
    possessive,
    section,
)

PLACE_WORDS = "a cell, like Z50, a row, like row 50, or a circuit, like circuit A"


def describe_changes(view: TeslaView, names: Names) -> list[str]:
    changes = view.changes
    lines = [_headline(view, names)]
    for cell in changes.placed:
        what = "Replaced" if cell in changes.replaced else "New"
        lines.append(f"{what} tile at {_tile(view, names, cell)}.")
    for one, was in changes.lengths:
        now = view.board.circuits.get(one)
        if now is not None and was and now.length != was:
            owner, how = view.board.owner(one), "grew" if now.length > was else "was cut"
            whose_ = capital("free" if owner is None else possessive(names, owner, view.viewer))
            lines.append(f"{whose_} circuit {circuit_name(one)} {how} from {was} to {now.length}.")
    for cell in changes.marked:
        marker = view.board.markers.get(cell)
        whose_ = f"{possessive(names, marker.seat, view.viewer)} marker" if marker else "a marker"
        lines.append(f"New at {cell}: {whose_}.")
    known = {one.cell: one for one in changes.returned}
    for cell in changes.taken:
        back = known.get(cell)
        if back is None:
            lines.append(f"A marker left {cell}.")
        else:
            earned = f"and earned {_points(back.points)}" if back.points else "for no points"
            whose_ = capital(possessive(names, back.seat, view.viewer))
            lines.append(f"{whose_} marker at {cell} went back {earned}.")
    return [*lines, *describe_news(view.news or (), names, view.viewer)]


def _headline(view: TeslaView, names: Names) -> str:
    if view.over:
        whose = possessive(names, view.seat, view.viewer)
        how = "" if view.outcome is None else f", because {explain_end(view)}"
        ended = "The table was cancelled" if view.outcome is None else "The game ended"
        return f"{ended} on turn {view.turn} ({whose} turn){how}."
    doing = {
        "tiles": "can place tiles, use a marker or end the turn"
        if view.may_mark
        else "can place tiles or end the turn",
        "replay": f"can put up to {count_noun(view.replays, 'marker')} back on the board",
        "end": "must end the turn",
        "over": "",
    }[view.phase]
    return f"Turn {view.turn}: {name_or_you(names, view.seat, view.viewer)} {doing}."


def wire(view: TeslaView, segment: Segment) -> str:
    """Describe a wire by the sides that it joins. "left to upper right"."""
    sides = shape(view.board.shape).side_names
    return f"{sides[segment[0]]} to {sides[segment[1]]}"


def wires(view: TeslaView, face: Face | Lie) -> str:
    """Describe a tile: "2 wires: left to right and top to bottom"."""
    entries = [wire(view, segment) for segment in segments(face)]
    return f"{count_noun(len(entries), 'wire')}: {join_words(entries)}"


def _tile(view: TeslaView, names: Names, cell: Cell) -> str:
    laid, marker = view.board.tiles[cell], view.board.markers.get(cell)
    entries = []
    for circuit, segment in zip(laid.circuits, segments(laid.lie), strict=True):
        mark = ""
        if marker is not None and marker.segment == segment:
            mark = f", with {possessive(names, marker.seat, view.viewer)} marker"
        entries.append(f"{wire(view, segment)} on circuit {circuit_name(circuit)}{mark}")
    return f"{cell}: {'; '.join(entries)}"


def parts(view: TeslaView, names: Names) -> list[Part]:
    me = view.viewer
    entries = section("What changed last", describe_changes(view, names))
    if me is not None:
        entries += section("You", [*_player(view, names, me), *_circuits(view, names, me)])
    for seat in others_after(view.seats, me):
        lines = [*_player(view, names, seat), *_circuits(view, names, seat)]
        entries += section(name_or_you(names, seat), lines)
    entries += section("Free circuits", _circuits(view, names, None))
    rows = _rows(view).items()
    told = [(row, ". ".join(_tile(view, names, cell) for cell in cells)) for row, cells in rows]
    entries += by_region("Row", [(str(row), [f"Row {row}. {text}."]) for row, text in told])
    bag, discards = (group_by(faces, str).values() for faces in (view.bag_tiles or (), view.discards))
    stock = [
        f"The bag holds {count_noun(view.bag, 'tile')}.",
        *(f"The bag holds {_several(view, faces)}." for faces in bag),
        f"The discards hold {count_noun(len(view.discards), 'tile')}.",
        *(f"The discards hold {_several(view, faces)}." for faces in discards),
    ]
    return [*entries, *section("Bag and discards", stock), *section("This game", _game(view, names))]


def _rows(view: TeslaView) -> dict[int, list[Cell]]:
    """Return the cells with tiles by row, from the top and from the left."""
    cells = sorted(view.board.tiles, key=lambda cell: at(cell)[::-1])
    result: dict[int, list[Cell]] = {}
    for cell in cells:
        result.setdefault(row_number(at(cell)[1]), []).append(cell)
    return result


def _player(view: TeslaView, names: Names, seat: Seat) -> list[str]:
    mine = seat == view.viewer
    who, have = capital(name_or_you(names, seat, view.viewer)), "have" if mine else "has"
    be = "are" if mine else "is"
    lines = [f"{who} {have} {_points(view.scores[seat])}."]
    if view.is_far_behind(seat):
        lines.append(f"{who} {be} {view.gap(seat)} points behind the leader (out at {view.behind}).")
    if view.places[seat] is not None:
        lines.append(f"{who} {'come' if mine else 'comes'} {ordinal(view.places[seat] or 0)}.")
    if seat in view.out:
        lines.append(f"{who} {be} the {ordinal(view.out.index(seat) + 1)} player to go out.")
    markers, tiles = count_noun(view.supplies[seat], "marker"), count_noun(view.held[seat], "tile")
    lines.append(f"{who} {have} {markers} left and {tiles} in hand.")
    ended = f"{who} {have} had {count_noun(view.turns[seat], 'turn')}"
    idle = f", the last {view.idle[seat]} without a tile or a marker" if view.idle[seat] else ""
    lines.append(f"{ended}{idle}.")
    return [*lines, *describe_hand(view, names, seat)]


def _points(score: int) -> str:
    return f"{number(score)} point{'' if abs(score) == 1 else 's'}"


def _circuits(view: TeslaView, names: Names, owner: Seat | None) -> list[str]:
    numbers = [one for one in view.board.circuits if view.board.owner(one) == owner]
    numbers.sort(key=lambda one: (-view.board.circuits[one].value, one))
    return [f"{_circuit(view, names, one)}." for one in numbers]


def _circuit(view: TeslaView, names: Names, number_: CircuitId) -> str:
    """Describe a circuit: length, worth, open ends and markers."""
    circuit = view.board.circuits[number_]
    kind = "Ring" if circuit.closed else "Circuit"
    text = f"{kind} {circuit_name(number_)} is {circuit.length} long"
    if circuit.closed:
        text += f" and worth {_points(circuit.value)}"
    else:
        sides = shape(view.board.shape).side_names
        ends = join_words(
            f"the {join_words(sides[end.side] for end in ends)} of {cell}"
            for cell, ends in group_by(circuit.ends, lambda end: end.cell).items()
        )
        text += f". Its open ends are at {ends}"
    owner = view.board.owner(number_)
    if owner is None:
        return text
    are = "marker is" if len(circuit.markers) == 1 else "markers are"
    whose = capital(possessive(names, owner, view.viewer))
    return f"{text}. {whose} {are} at {join_words(circuit.markers)}"


def _several(view: TeslaView, faces: Sequence[Face]) -> str:
    each = " each" if len(faces) > 1 else ""
    return f"{count_noun(len(faces), 'tile')}{each} with {wires(view, faces[0])}"


def _game(view: TeslaView, names: Names) -> list[str]:
    options = view.options
    opening = {
        "usual": "the usual opening",
        "rulebook": "the usual opening, as in the rulebook",
        "balanced": "the balanced opening",
    }
    lines = [
        f"{count_noun(view.seats, 'player')} use {'six-sided' if options.tiles == 'hex' else 'square'} tiles "
        f"and {opening[options.opening]}.",
        (f"First to {options.win} points wins. Anyone {view.behind} points behind the leader is out."),
    ]
    if not view.over:
        lines.append(
            f"{capital(name_or_you(names, view.seat, view.viewer))} began this turn "
            f"with {_points(view.started)}."
        )
        who, can = capital(name_or_you(names, view.seat, view.viewer)), "can" if view.may_mark else "can't"
        lines += [] if view.acted else ["No tile or marker yet this turn."]
        lines.append(f"{who} {can} use a marker now.")
    return lines


def describe_hand(view: TeslaView, _names: Names, seat: Seat) -> list[str]:
    """List the tiles of a seat's hand, by number."""
    return [f"Tile {n} has {wires(view, face)}." for n, face in enumerate(view.hands[seat] or (), start=1)]


def describe_picture(what: str, view: TeslaView, names: Names, args: Sequence[Any]) -> list[str]:
    """Describe a tile laid for a try, or circuits to choose."""
    if what in ("preview", "whole_preview"):
        fit: Fit = args[0]
        after = move_preview(view, fit.move).view
        lines = [f"Preview. {_tile(after, names, fit.move.cell)}."]
        laid = after.board.tiles[fit.move.cell]
        named = [one for one in (args[2] if len(args) > 2 else ()) if one in after.board.circuits]
        lines += [f"{_circuit(after, names, one)}." for one in dict.fromkeys([*laid.circuits, *named])]
        return [*lines, *describe_hand(view, names, view.seat)]
    if what == "choices":
        sites: Sequence[Site] = args[0]
        return [f"{_circuit(view, names, one.circuit)}." for one in sites] or ["No circuit to choose."]
    return []


def places(view: TeslaView) -> list[str]:
    """Return everything on the board that can be asked about."""
    cells = sorted({*view.board.tiles, *view.board.around}, key=lambda cell: at(cell)[::-1])
    rows = [f"row {row}" for row in dict.fromkeys(row_number(at(cell)[1]) for cell in cells)]
    return [*cells, *rows, *(f"circuit {circuit_name(one)}" for one in sorted(view.board.circuits))]


def describe_place(view: TeslaView, names: Names, place: str, moves: Sequence[Move]) -> str:
    circuits = {circuit_name(one): one for one in view.board.circuits}
    asked = f"circuit {place}" if place.strip().upper() in circuits else place
    text = find_place(asked, places(view), PLACE_WORDS)
    if text.startswith("row "):
        cells = _rows(view).get(int(text[4:]), [])
        return answer([f"{_tile(view, names, cell)}." for cell in cells] or [f"{capital(text)} is empty."])
    if text.startswith("circuit "):
        one = circuits[text[8:]]
        cells = [cell for cell, laid in view.board.tiles.items() if one in laid.circuits]
        cells.sort(key=lambda cell: at(cell)[::-1])
        lines = [f"{_circuit(view, names, one)}.", f"This circuit runs through {join_words(cells)}."]
        return answer([*lines, *_marking(view, names, cells, moves, one)])
    lays = [move for move in moves if isinstance(move, (TeslaPlace, Replace)) and move.cell == text]
    lines = [
        f"{_tile_label(view, face)} {'can replace this tile' if isinstance(ways[0], Replace) else 'fits'}"
        f"{_turns(view, [move.turn for move in ways])}."
        for face, ways in group_by(lays, lambda move: move.tile).items()
    ]
    lines += _marking(view, names, [text], moves, None)
    return answer([*_cell(view, names, text), *(lines or ["You can't do anything there now."])])


def _cell(view: TeslaView, names: Names, cell: Cell) -> list[str]:
    board, sides = view.board, shape(view.board.shape).side_names
    lines = [f"{_tile(view, names, cell)}." if cell in board.tiles else f"{cell} is empty."]
    for side, beyond in enumerate(neighbours(board.shape, cell)):
        laid = board.tiles.get(beyond)
        if laid is None:
            lines.append(f"{capital(sides[side])}, {beyond}: empty.")
            continue
        facing = shape(board.shape).opposite(side)
        pairs = zip(laid.circuits, segments(laid.lie), strict=True)
        meeting = [circuit_name(circuit) for circuit, segment in pairs if facing in segment]
        comes = f"a wire of circuit {meeting[0]}" if meeting else "a blank side"
        lines.append(f"{capital(sides[side])}, {beyond}: {comes}.")
    return lines


def _tile_label(view: TeslaView, face: Face) -> str:
    hand = (view.hands[view.viewer] if view.viewer is not None else None) or ()
    return f"Your tile {hand.index(face) + 1}" if face in hand else "A tile"


def _tile_labels(view: TeslaView, faces: Sequence[Face]) -> str:
    """Name tiles of a hand by number: "Your tiles 1 and 3"."""
    hand = (view.hands[view.viewer] if view.viewer is not None else None) or ()
    if len(faces) == 1 or not all(face in hand for face in faces):
        return _tile_label(view, faces[0])
    return f"Your tiles {join_words([str(hand.index(face) + 1) for face in faces])}"


def _turns(view: TeslaView, turns: Sequence[int]) -> str:
    step = 360 // shape(view.board.shape).sides
    degrees = [f"{turn * step}" for turn in turns if turn]
    lines = ["as it is"] * (0 in turns) + [f"turned {join_words(degrees, 'or')} degrees"] * bool(degrees)
    return f" {join_words(lines, 'or')}"


def _marking(
    view: TeslaView, names: Names, cells: Sequence[Cell], moves: Sequence[Move], circuit: CircuitId | None
) -> list[str]:
    lines = []
    for move in moves:
        if isinstance(move, Mark | Replay | Take) and move.cell in cells:
            segment = view.board.markers[move.cell].segment if isinstance(move, Take) else move.segment
            if circuit in (None, view.board.circuit_at(move.cell, segment)):
                lines.append(f"You can {to_speech(move_name(move, view, names))}.")
    return lines


def describe_moves(view: TeslaView, names: Names, moves: Sequence[Move]) -> str:
    empty: dict[Face, list[Cell]] = {}
    laid: dict[Face, list[Cell]] = {}
    marks: dict[CircuitId, list[Cell]] = {}
    for move in moves:  # once, for there can be well over a thousand
        if isinstance(move, TeslaPlace):
            empty.setdefault(move.tile, []).append(move.cell)
        elif isinstance(move, Replace):
            laid.setdefault(move.tile, []).append(move.cell)
        elif isinstance(move, (Mark, Replay)):
            marks.setdefault(view.board.circuit_at(move.cell, move.segment), []).append(move.cell)
    held = list((None if view.viewer is None else view.hands[view.viewer]) or ())
    faces = list(dict.fromkeys([*empty, *laid]))

    def where(face: Face) -> str:
        on, over = _cells(empty.get(face, ())), _cells(laid.get(face, ()))
        return " or ".join([f"lie on {on}"] * bool(on) + [f"replace the tile on {over}"] * bool(over))

    faces.sort(key=lambda face: held.index(face) if face in held else len(held))
    lines = [f"{_tile_labels(view, alike)} can {text}." for text, alike in group_by(faces, where).items()]
    for circuit, cells in sorted(marks.items(), key=lambda one: -view.board.circuits[one[0]].value):
        value = view.board.circuits[circuit].value
        lines.append(
            f"A marker on circuit {circuit_name(circuit)} costs {_points(value)}. You can put it "
            f"at {_cells(cells)}."
        )
    others = [move for move in moves if isinstance(move, Take | EndReplay | TeslaEndTurn)]
    lines += [f"You can {to_speech(move_name(move, view, names))}." for move in others]
    lines += ["You can discard tiles and end your turn."] * any(isinstance(move, Discard) for move in moves)
    return answer(lines or ["You can't do anything now."])


def _cells(cells: Iterable[Cell]) -> str:
    return join_words(dict.fromkeys(cells), "or")
