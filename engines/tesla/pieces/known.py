"""Says what is sure about the components of Tesla's Tangle, whatever the faces of its tiles."""

import re
from collections.abc import Iterator, Sequence

from engines.component_check import CannotLeaveOut, Data, KnownComponents
from engines.tesla.pieces.components import Segment, Shape, TeslaComponents, name_of

TILES, MARKERS = 120, 20
SIDES = {"hex": 6, "square": 4}
NAMES = {"hex": "Hexagon", "square": "Square"}
CELL = re.compile(r"-?[A-Z]{1,3}-?\d{1,3}")


def _errors(data: TeslaComponents) -> Iterator[str]:
    for seats in (2, 3, 4):
        markers = data.common.markers.get(seats, 0)
        if not 1 <= markers <= MARKERS // seats:
            most = MARKERS // seats
            yield f"common, markers, {seats}: {seats} seats share {MARKERS} markers: 1 to {most} each."
    for kind, shape in (("hex", data.hex), ("square", data.square)):
        yield from _shape_errors(kind, shape)


def _shape_errors(kind: str, shape: Shape) -> Iterator[str]:
    sides = SIDES[kind]
    if shape.sides != sides or len(shape.side_names) != sides or len(shape.neighbours) != sides:
        yield f"{kind}: there must be {sides} sides, each with a name and a neighbour."
        return
    for side, (q, r) in enumerate(shape.neighbours[: sides // 2]):
        if shape.neighbours[side + sides // 2] != (-q, -r):
            yield f"{kind}, neighbours: the way across side {side} and back doesn't end where it began."
    count = sum(tile.n for tile in shape.tiles)
    if count != TILES:
        yield f"{kind}, tiles: there are {TILES} tiles, not {count}."
    turned: dict[tuple[Segment, ...], str] = {}
    for tile in shape.tiles:
        name = f"{NAMES[kind]} tile {name_of(tile.segments)}"
        if tile.n < 1:
            yield f"{name}: there must be at least 1 of it."
        ends = [side for segment in tile.segments for side in segment]
        if not ends or len(set(ends)) < len(ends) or not set(ends) <= set(range(sides)):
            yield f"{name}: its segments join sides 0 to {sides - 1}, each side at most once."
        elif any(one > two for one, two in tile.segments) or sorted(tile.segments) != list(tile.segments):
            yield f"{name}: write each segment's lower side first, and the segments in order."
        else:
            face = _lowest_turn(tile.segments, sides)
            if face in turned:
                yield f"{name} is tile {turned[face]} turned; count them as one."
            turned.setdefault(face, name_of(tile.segments))
    start = [side for segment in shape.start for side in segment]
    if not set(start) <= set(range(sides)) or _lowest_turn(shape.start, sides) not in turned:
        yield f"{kind}, start: the start tile must be one of the tiles."


def _lowest_turn(segments: Sequence[Segment], sides: int) -> tuple[Segment, ...]:
    """Return the same segments for a tile however it is turned."""
    turns = []
    for turn in range(sides):
        pairs = (((one + turn) % sides, (two + turn) % sides) for one, two in segments)
        turns.append(tuple(sorted((min(pair), max(pair)) for pair in pairs)))
    return min(turns)


def _doubts(data: TeslaComponents) -> Iterator[str]:
    common = data.common
    for name, number, stated in (
        ("win", common.win, 50),
        ("behind", common.behind, 50),
        ("hand", common.hand, 4),
        ("closed_factor", common.closed_factor, 2),
    ):
        if number != stated:
            yield f"common, {name}: the rulebook says {stated}, not {number}."
    for seats in (2, 3, 4):
        if common.markers[seats] != MARKERS // seats:
            yield f"common, markers, {seats}: shared out, {MARKERS} markers are {MARKERS // seats} each."


def _parts(data: Data, options: Data, seats: int) -> list[str]:
    return [name_of(tile["segments"]) for tile in data[options["tiles"]]["tiles"]]


def _leave_out(data: Data, options: Data, seats: int, name: str) -> None:
    shape = data[options["tiles"]]
    rest = [tile for tile in shape["tiles"] if name_of(tile["segments"]) != name]
    faces = {_lowest_turn(tile["segments"], shape["sides"]) for tile in rest}
    if _lowest_turn(shape["start"], shape["sides"]) not in faces:
        raise CannotLeaveOut(f"Tesla's Tangle can't do without {name}: the game starts with that tile.")
    shape["tiles"] = rest


def _reason_to_keep(name: str) -> str | None:
    if CELL.fullmatch(name) is None:
        return None
    return f"Tesla's Tangle can't do without {name}: the table is open on all sides, and a cell is no piece."


def _label(kind: str, tile: Data) -> str:
    return f"{NAMES[kind]} tile {name_of(tile['segments'])}"


KNOWN = KnownComponents(
    kind=TeslaComponents,
    labels={
        "hex.tiles": lambda tile: _label("hex", tile),
        "square.tiles": lambda tile: _label("square", tile),
    },
    errors=_errors,
    doubts=_doubts,
    parts=_parts,
    leave_out=_leave_out,
    reason_to_keep=_reason_to_keep,
    signed=frozenset({"others_start", "neighbours"}),
    describe=lambda _path, tile: {"the number in the bag": tile["n"]},
)
