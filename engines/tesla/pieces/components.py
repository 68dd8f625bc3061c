"""The tiles, numbers and options of Tesla's Tangle, and checks of ``tesla.toml``.

Nothing here depends on the faces themselves: whoever owns the printed game can replace the tiles in
the data file, and everything else follows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Literal

import msgspec

from engines.components import CannotLeaveOut, Data, KnownComponents, load_components

Tiles = Literal["hex", "square"]
Opening = Literal["usual", "rulebook", "balanced"]
Win = Literal[30, 50, 80]


class TeslaOptions(msgspec.Struct, frozen=True):
    """The options of one table; every default is the usual game.

    `tiles` is the shape of all tiles; `win` the score that wins. `opening` balances the first seat's
    advantage; `usual` becomes `balanced` for two players and `rulebook` for more when the game begins.

    >>> TeslaOptions().tiles
    'hex'
    """

    tiles: Tiles = "hex"
    opening: Opening = "usual"
    win: Win = 50


Side = int
"""A side of a tile or cell, counted clockwise from the one that the data calls 0."""

Segment = tuple[Side, Side]
"""A wire: the two sides that it joins, lower first."""

Face = str
"""A tile by its segments, as in the data: ``"01-23"``. In a hand it has no turn yet."""

Lie = str
"""A tile's orientation on the board: its segments after turning, in order of their lower side."""


Met = int
"""A cell's surroundings, as `pack_meeting` packs them: sides with a tile, sides with a wire."""


class Balanced(msgspec.Struct, frozen=True):
    """The changes of the balanced opening for the first seat and for the others."""

    first_seat_first_turn_marker: bool
    others_start: int


class Common(msgspec.Struct, frozen=True):
    """The numbers of the game.

    Attributes:
        hand: the tiles that a seat draws up to.
        markers: the markers of each seat, by the number of seats.
        win: the score that wins in the usual game.
        behind: a seat this many points behind the leader is out.
        closed_factor: the factor on a ring's length.
        idle_turns: the game ends after this many turns in a row of everybody without a tile or marker.
        turns: the game ends after this many turns of everybody.
    """

    hand: int
    markers: dict[int, int]
    win: int
    behind: int
    closed_factor: int
    idle_turns: int
    turns: int


class FaceCount(msgspec.Struct, frozen=True):
    """One face of the data and its number of tiles."""

    n: int
    segments: tuple[Segment, ...]


class Shape(msgspec.Struct, frozen=True, dict=True):
    """Tiles of one shape: their sides with names, the (q, r) step across each, the start tile, the bag."""

    sides: int
    side_names: tuple[str, ...]
    neighbours: tuple[tuple[int, int], ...]
    start: tuple[Segment, ...]
    tiles: tuple[FaceCount, ...]

    @cached_property
    def counts(self) -> Mapping[Face, int]:
        """Return each face's number of tiles, in the order of the data. Includes the start tile."""
        return {name_of(kind.segments): kind.n for kind in self.tiles}

    @cached_property
    def order(self) -> Mapping[Face, int]:
        """Return the place of each face in the data, which sorts hands and discards."""
        return {face: place for place, face in enumerate(self.counts)}

    @cached_property
    def start_face(self) -> Face:
        return self.faces[self.start_lie]

    @cached_property
    def faces(self) -> Mapping[Lie, Face]:
        return {lie: face for face in self.counts for lie in self.lies(face)}

    @cached_property
    def _lies(self) -> dict[Face, tuple[Lie, ...]]:
        return {face: tuple(dict.fromkeys(self._all_turns(face))) for face in self.counts}

    def lies(self, face: Face) -> tuple[Lie, ...]:
        """Return the different ways a face may lie.

        The index of each is its turn.

        >>> shape("hex").lies("03-14-25")
        ('03-14-25',)
        >>> shape("hex").lies("03")
        ('03', '14', '25')
        """
        return self._lies[face]

    def _all_turns(self, face: Face) -> list[Lie]:
        return [
            name_of(
                sorted(
                    (min(a, b), max(a, b))
                    for a, b in (
                        ((one + turn) % self.sides, (two + turn) % self.sides) for one, two in segments(face)
                    )
                )
            )
            for turn in range(self.sides)
        ]

    @cached_property
    def opposites(self) -> tuple[Side, ...]:
        """Return for each side the side of the neighbour that touches it."""
        return tuple(self.opposite(side) for side in range(self.sides))

    def opposite(self, side: Side) -> Side:
        """Return the side of the neighbour that touches this side."""
        return (side + self.sides // 2) % self.sides

    @cached_property
    def start_lie(self) -> Lie:
        return name_of(sorted(self.start))


class TeslaComponents(msgspec.Struct, frozen=True):
    """The content of ``tesla.toml``."""

    common: Common
    balanced: Balanced
    hex: Shape
    square: Shape


COMPONENTS = load_components("tesla", TeslaComponents)
COMMON = COMPONENTS.common
BALANCED = COMPONENTS.balanced


def shape(tiles: Tiles) -> Shape:
    """Return the tiles of a shape.

    >>> sum(shape("hex").counts.values()), sum(shape("square").counts.values())
    (120, 120)
    """
    return COMPONENTS.hex if tiles == "hex" else COMPONENTS.square


def name_of(pairs: list[Segment] | tuple[Segment, ...]) -> str:
    """Write segments as one word.

    >>> name_of([(0, 1), (2, 3)])
    '01-23'
    """
    return "-".join(f"{one}{two}" for one, two in pairs)


@cache
def segments(lie: Lie) -> tuple[Segment, ...]:
    """Parse the segments of a face or a lie, in its order.

    >>> segments("01-23")
    ((0, 1), (2, 3))
    """
    return tuple((int(pair[0]), int(pair[1])) for pair in lie.split("-"))


@cache
def wire_mask(lie: Lie) -> int:
    """Return the sides with a wire, as a bit mask.

    >>> bin(wire_mask("03"))
    '0b1001'
    """
    mask = 0
    for one, two in segments(lie):
        mask |= 1 << one | 1 << two
    return mask


@cache
def ways(lie: Lie) -> Mapping[Side, tuple[Side, int]]:
    """Return each wired side's other side and wire.

    >>> ways("01-23")[3]
    (2, 1)
    """
    pairs: dict[Side, tuple[Side, int]] = {}
    for index, (one, two) in enumerate(segments(lie)):
        pairs[one], pairs[two] = (two, index), (one, index)
    return pairs


_TOUCHING = 8
"""The bit of a `Met` for a tile behind side 0; a wire that comes to it is bit 0."""


def pack_meeting(touching: int, wires: int) -> Met:
    """Pack the sides with tiles, and with wires, as bit masks."""
    return touching << _TOUCHING | wires


def unpack_meeting(met: Met) -> tuple[int, int]:
    """Return the two bit masks of `pack_meeting`.

    >>> unpack_meeting(pack_meeting(0b0110, 0b0010))
    (6, 2)
    """
    return met >> _TOUCHING, met & (1 << _TOUCHING) - 1


@lru_cache(maxsize=1 << 15)
def fitting(tiles: Tiles, face: Face, met: Met) -> tuple[tuple[int, Lie], ...]:
    """Return the turns and lies of a face on a cell. Rules: Placing tiles.

    >>> fitting("hex", "03", pack_meeting(0b000001, 0b000001))
    ((0, '03'),)
    """
    touching, wires = unpack_meeting(met)
    lies = shape(tiles).lies(face)
    return tuple((turn, lie) for turn, lie in enumerate(lies) if wire_mask(lie) & touching == wires)


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
            yield f"{name}: there must be at least 1."
        ends = [side for segment in tile.segments for side in segment]
        if not ends or len(set(ends)) < len(ends) or not set(ends) <= set(range(sides)):
            yield f"{name}: its segments must join sides 0 to {sides - 1}, each at most once."
        elif any(one > two for one, two in tile.segments) or sorted(tile.segments) != list(tile.segments):
            yield f"{name}: write each segment's lower side first, and the segments in order."
        else:
            face = _lowest_turn(tile.segments, sides)
            if face in turned:
                yield f"{name} is tile {turned[face]}, only rotated, so count them as one."
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


def _leave_out(data: Data, options: Data, seats: int, name: str) -> None:
    shape = data[options["tiles"]]
    rest = [tile for tile in shape["tiles"] if name_of(tile["segments"]) != name]
    faces = {_lowest_turn(tile["segments"], shape["sides"]) for tile in rest}
    if _lowest_turn(shape["start"], shape["sides"]) not in faces:
        raise CannotLeaveOut(f"Tesla's Tangle can't do without {name}: the game starts with that tile.")
    shape["tiles"] = rest


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
    parts=lambda data, options, _seats: [
        name_of(tile["segments"]) for tile in data[options["tiles"]]["tiles"]
    ],
    leave_out=_leave_out,
    reason_to_keep=lambda name: (
        f"Tesla's Tangle can't do without {name}: the board has no edge, so it can't lack a cell."
        if CELL.fullmatch(name)
        else None
    ),
    signed=frozenset({"others_start", "neighbours"}),
    describe=lambda _path, tile: {"the number in the bag": tile["n"]},
)
