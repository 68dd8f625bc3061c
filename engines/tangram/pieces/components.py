"""The tiles, numbers and options of Tangram City, and checks of ``tangram.toml``.

Nothing elsewhere depends on the shapes themselves: whoever owns the printed game can replace the
tiles and the boards in the data file, and everything else follows.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from engines.components import CannotLeaveOut, Data, KnownComponents, load_components

TileId = int
"""The number of a tile and of its card, 1 to 23."""

BoardSide = str
"""The name of a side of a board: ``"3-green"`` is the other side of ``"3-black"``.

Before a side is chosen, it's the board's: ``"3"``. The sides of old boards are ``"3a"`` and ``"3b"``.
"""


class CityBoard(msgspec.Struct, frozen=True):
    """The city board: the letters of its columns, the number of its rows."""

    columns: str
    rows: int


class TangramRounds(msgspec.Struct, frozen=True):
    """The numbers of rounds, cards and fountains, and everybody's initial score."""

    regular: int
    cards_regular: int
    cards_final: int
    fountains: int
    start_points: int


class TangramScoring(msgspec.Struct, frozen=True):
    """The bonuses at the end; `balance` is (distance at most, points), the closest first."""

    planning_bonus: int
    balance: tuple[tuple[int, int], ...]


class TangramTile(msgspec.Struct, frozen=True):
    """A kind of tile, drawn black side up; `twin` marks one that looks like another."""

    id: TileId
    name: str
    shape: tuple[str, ...]
    twin: bool = False


class StartPiece(msgspec.Struct, frozen=True):
    """The start piece of a board's black side: a tile's shape, its place and its turn."""

    board: str
    tile: TileId
    turn: Literal[0, 90, 180, 270]
    at: str


class Printed(msgspec.Struct, frozen=True):
    """A printed side of an old board: its squares that are built from the start, by colour."""

    side: BoardSide
    black: tuple[str, ...]
    green: tuple[str, ...]


class TangramComponents(msgspec.Struct, frozen=True):
    """The content of ``tangram.toml``."""

    board: CityBoard
    rounds: TangramRounds
    scoring: TangramScoring
    tile: tuple[TangramTile, ...]
    start: tuple[StartPiece, ...]
    printed: tuple[Printed, ...]


COMPONENTS = load_components("tangram", TangramComponents)
BOARD = COMPONENTS.board
ROUNDS = COMPONENTS.rounds
SCORING = COMPONENTS.scoring
TILES: dict[TileId, TangramTile] = {tile.id: tile for tile in COMPONENTS.tile}
START_PIECES: dict[str, StartPiece] = {start.board: start for start in COMPONENTS.start}
"""The start piece of each board."""
PRINTED: dict[BoardSide, Printed] = {side.side: side for side in COMPONENTS.printed}
LAST_ROUND = ROUNDS.regular + 1
FOUNTAIN: TileId = 0
"""The number of the fountain in lists of tiles."""
START: TileId = -1
"""The number of the start piece in lists of tiles."""


TILE_COUNT, TWINS, BOARDS, COLUMNS, ROWS = 23, 8, 5, "ABCDEFG", 7
SQUARE = re.compile(r"[A-G][1-7]")
SIGNS = {
    "#": "whole",
    "7": "its top right half",
    "J": "its bottom right half",
    "L": "its bottom left half",
    "r": "its top left half",
    ".": "empty",
}
AREA = {"#": 2}
"""The half squares that a sign fills, if not 1."""
TURNED = {"#": "#", ".": ".", "7": "J", "J": "L", "L": "r", "r": "7"}
"""Each sign after a quarter turn clockwise."""
MIRRORED = {"#": "#", ".": ".", "7": "r", "r": "7", "J": "L", "L": "J"}
Form = tuple[str, ...]


def _errors(data: TangramComponents) -> Iterator[str]:
    if (data.board.columns, data.board.rows) != (COLUMNS, ROWS):
        yield f"board: a city has the columns {COLUMNS} and {ROWS} rows."
    if sorted(tile.id for tile in data.tile) != list(range(1, TILE_COUNT + 1)):
        yield f"tile: there are {TILE_COUNT} tiles with the ids 1 to {TILE_COUNT}, not {len(data.tile)}."
    rounds = data.rounds
    cards = rounds.regular * rounds.cards_regular + rounds.cards_final
    if cards != TILE_COUNT:
        yield f"rounds: all rounds use {TILE_COUNT} cards, not {cards}."
    if min(rounds.regular, rounds.cards_regular, rounds.cards_final) < 1:
        yield "rounds: every round needs a card."
    shapes: dict[int, Form] = {}
    for tile in data.tile:
        wrong = _wrong_shape(tile.shape)
        if wrong:
            yield f"Tile {tile.id}, shape: {wrong}"
        else:
            shapes[tile.id] = tile.shape
    if sorted(start.board for start in data.start) != [str(number + 1) for number in range(BOARDS)]:
        yield f"start: there must be one start piece for each of the boards 1 to {BOARDS}."
    for start in data.start:
        if start.tile not in shapes:
            yield f"Start piece {start.board}: there's no usable tile {start.tile}."
        elif not _is_inside(shapes[start.tile], start.turn, start.at):
            yield f"Start piece {start.board}: it isn't inside the city at {start.at}."
    sides = [f"{number + 1}{side}" for number in range(BOARDS) for side in "ab"]
    if sorted(side.side for side in data.printed) != sides:
        yield f"printed: the sides must be {', '.join(sides)}, each once."
    for side in data.printed:
        squares = (*side.black, *side.green)
        if len(set(squares)) < len(squares) or not all(map(SQUARE.fullmatch, squares)):
            yield f"Printed side {side.side}: its squares must be squares of the city, A1 to G7, each once."


def _wrong_shape(shape: Form) -> str | None:
    if not shape or not shape[0] or len({len(line) for line in shape}) > 1:
        return "its lines must have the same length."
    if len(shape) > ROWS or len(shape[0]) > len(COLUMNS):
        return "it's larger than a city."
    unknown = sorted({sign for line in shape for sign in line} - set(SIGNS))
    if unknown:
        return f"“{unknown[0]}” isn't a sign for a square. Use one of these: {' '.join(SIGNS)}"
    columns = ["".join(line[number] for line in shape) for number in range(len(shape[0]))]
    if any(not line.strip(".") for line in (*shape, *columns)):
        return "a row or column is empty; leave it out."
    return None


def _is_inside(shape: Form, turn: int, at: str) -> bool:
    if not SQUARE.fullmatch(at):
        return False
    form = _turns(shape)[turn // 90]
    return COLUMNS.index(at[0]) + len(form[0]) <= len(COLUMNS) and int(at[1]) + len(form) - 1 <= ROWS


def _turns(shape: Form) -> list[Form]:
    """Return a shape in its four turns, clockwise."""
    turns = [shape]
    for _ in range(3):
        last = turns[-1]
        turns.append(
            tuple(
                "".join(TURNED[last[row][column]] for row in reversed(range(len(last))))
                for column in range(len(last[0]))
            )
        )
    return turns


def _same_form(shape: Form) -> Form:
    """Return the same form for every turn and both sides."""
    return min(
        *_turns(shape), *_turns(tuple("".join(MIRRORED[sign] for sign in reversed(line)) for line in shape))
    )


def half_squares(shape: Sequence[str]) -> int:
    """Count the half squares of a shape.

    >>> half_squares(["#", "7"])
    3
    """
    return sum(AREA.get(sign, 1) for line in shape for sign in line if sign != ".")


def _look(tile: TangramTile) -> tuple[int, Form]:
    """Return the size and outline that tiles share if they look alike."""
    touched = tuple("".join("." if sign == "." else "#" for sign in line) for line in tile.shape)
    return half_squares(tile.shape), _same_form(touched)


def twin_of(tile: TileId) -> TileId | None:
    look = _look(TILES[tile])
    return next(
        (one for one in TILES if one != tile and TILES[tile].twin and _look(TILES[one]) == look), None
    )


def _doubts(data: TangramComponents) -> Iterator[str]:
    marked = [tile for tile in data.tile if tile.twin]
    if len(marked) != TWINS:
        yield f"tile: {TWINS} cards have a “!” (twin = true), not {len(marked)}."
    looks = Counter(map(_look, marked))
    for tile in marked:
        if looks[_look(tile)] < 2:
            yield f"Tile {tile.id} has lost its twin: no other tile with a “!” has its size and outline."
    for one, two in combinations(data.tile, 2):
        if _same_form(one.shape) == _same_form(two.shape):
            yield f"Tiles {one.id} and {two.id} are the same, turned or on their other side."
    shapes = {tile.id: tile.shape for tile in data.tile}
    for start in data.start:
        if half_squares(shapes[start.tile]) != 3:
            yield f"Start piece {start.board}: it's a square and a half, but tile {start.tile} isn't."
    places = Counter((start.turn, start.at) for start in data.start)
    if any(count > 1 for count in places.values()):
        yield "start: two boards have their start piece at the same place."


def _parts(data: Data, options: Data, seats: int) -> list[str]:
    squares = [f"{column}{row + 1}" for row in range(ROWS) for column in COLUMNS]
    return [*(str(tile["id"]) for tile in data["tile"]), *squares, "fountain"]


def _leave_out(data: Data, options: Data, seats: int, name: str) -> None:
    if name == "fountain":
        data["rounds"]["fountains"] = 0
        return
    if not name.isdigit():
        raise CannotLeaveOut(f"Tangram City can't do without {name}: a city is a full square of 7 by 7.")
    if options["boards"] == "start" and any(start["tile"] == int(name) for start in data["start"]):
        raise CannotLeaveOut(
            f"These boards can't do without tile {name}: the start pieces have its shape. Try boards=plain."
        )
    if data["rounds"]["cards_final"] == 1:
        raise CannotLeaveOut(f"Tangram City can't do without tile {name} too: the last round needs a card.")
    data["rounds"]["cards_final"] -= 1
    data["tile"] = [tile for tile in data["tile"] if str(tile["id"]) != name]


def _describe(path: str, item: Data) -> Data:
    """Show a tile square by square, and everything else as it is."""
    if path != "tile":
        return item
    squares = {
        f"row {row} square {column}": SIGNS.get(sign, sign)
        for row, line in enumerate(item["shape"], start=1)
        for column, sign in enumerate(line, start=1)
    }
    return {"name": item["name"], "twin": item["twin"], **squares}


KNOWN = KnownComponents(
    kind=TangramComponents,
    labels={
        "tile": lambda tile: f"Tile {tile['id']}",
        "start": lambda start: f"Start piece {start['board']}",
        "printed": lambda side: f"Printed side {side['side']}",
    },
    errors=_errors,
    doubts=_doubts,
    parts=_parts,
    leave_out=_leave_out,
    describe=_describe,
)


Boards = Literal["start", "plain", "printed"]
Sides = Literal["random", "choose"]


class TangramOptions(msgspec.Struct, frozen=True, omit_defaults=True):
    """The options of one table; every default is the usual game.

    `boards` says if cities begin empty, with a start piece, or, at old tables, with printed squares. `sides`
    says if the sides of boards with start pieces are drawn, or everybody chooses one.

    >>> TangramOptions().boards
    'start'
    >>> msgspec.json.encode(TangramOptions("plain"))
    b'{"boards":"plain"}'
    """

    # Made by a factory, so that it's always written: its default was "plain" once.
    boards: Boards = msgspec.field(default_factory=lambda: "start")
    # Left out when it's usual: stored results are grouped by their written options, and old ones lack it.
    sides: Sides = "random"
