"""Geometry: squares, half squares, and tiles as sets of quarters.

A square is cut by both its diagonals into four quarters, north, east, south and west. A set of quarters of
the whole board is one whole number, so that "does it fit" is one bitwise AND.
"""

from functools import cache
from typing import Literal

import msgspec

from engines.tangram.pieces.components import BOARD, PRINTED, TILES, BoardSide, TileId

Square = str
"""The name of a square: ``"A1"`` is the top left one, ``"G7"`` the bottom right one."""

Side = Literal["black", "green"]
"""The visible side of a tile; green is the mirror image of black."""

Turn = Literal[0, 90, 180, 270]
"""Degrees clockwise."""

Corner = Literal["7", "J", "L", "r"]
"""The half of a square in its top right, bottom right, bottom left or top left corner."""

Quarters = int
"""A set of quarters of the board: bit ``4 * square + quarter``, squares in reading order."""

SIDES: tuple[Side, ...] = ("black", "green")
TURNS: tuple[Turn, ...] = (0, 90, 180, 270)
CORNERS: tuple[Corner, ...] = ("7", "J", "L", "r")
WIDTH = len(BOARD.columns)
HEIGHT = BOARD.rows
SQUARES: tuple[Square, ...] = tuple(
    f"{column}{row}" for row in range(1, HEIGHT + 1) for column in BOARD.columns
)
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
WHOLE = NORTH | EAST | SOUTH | WEST
FILL: dict[str, int] = {
    "#": WHOLE,
    "7": NORTH | EAST,
    "J": SOUTH | EAST,
    "L": SOUTH | WEST,
    "r": NORTH | WEST,
}
"""The quarters of one square that a character of the data fills."""


def name_of(column: int, row: int) -> Square:
    """Return the name of the square in a column and a row.

    >>> name_of(2, 3), name_of(7, 7)
    ('C4', 'H8')
    """
    return f"{chr(ord('A') + column)}{row + 1}"


def at(square: Square) -> tuple[int, int]:
    """Return the column and the row of a square of the board, counted from 0.

    Raises:
        ValueError: for a name that isn't a square of the board.

    >>> at("C4")
    (2, 3)
    """
    if square not in SQUARES:
        raise ValueError(f"{square!r} isn't a square of the city")
    return BOARD.columns.index(square[0]), int(square[1:]) - 1


class TileForm(msgspec.Struct, frozen=True):
    """A turned tile: the quarters that it fills of each square, by (column, row) from its top left."""

    cells: tuple[tuple[int, int, int], ...]

    @property
    def width(self) -> int:
        return 1 + max(column for column, _, _ in self.cells)

    @property
    def height(self) -> int:
        return 1 + max(row for _, row, _ in self.cells)


@cache
def form(tile: TileId, side: Side, turn: Turn) -> TileForm:
    """Return the form of a tile with that side up, turned clockwise.

    Rules: Tiles.

    >>> form(2, "black", 0).cells
    ((0, 0, 3), (1, 0, 9))
    """
    drawn = [
        (column, row, FILL[sign])
        for row, line in enumerate(TILES[tile].shape)
        for column, sign in enumerate(line)
        if sign != "."
    ]
    if side == "green":
        width = max(column for column, _, _ in drawn)
        drawn = [(width - column, row, _mirror(quarters)) for column, row, quarters in drawn]
    for _ in range(turn // 90):
        height = max(row for _, row, _ in drawn)
        drawn = [
            (height - row, column, (quarters << 1 | quarters >> 3) & WHOLE) for column, row, quarters in drawn
        ]
    return TileForm(tuple(sorted(drawn, key=lambda cell: (cell[1], cell[0]))))


def _mirror(quarters: int) -> int:
    east, west = quarters & EAST, quarters & WEST
    return quarters & (NORTH | SOUTH) | (WEST if east else 0) | (EAST if west else 0)


@cache
def canonical_turn(tile: TileId, side: Side, turn: Turn) -> Turn:
    """Return the lowest turn that gives the same form, which names a placement.

    >>> canonical_turn(1, "black", 270), canonical_turn(6, "black", 180)
    (0, 0)
    """
    return next(other for other in TURNS if form(tile, side, other) == form(tile, side, turn))


@cache
def turns(tile: TileId, side: Side) -> tuple[Turn, ...]:
    """Return the turns that give different forms."""
    return tuple(turn for turn in TURNS if canonical_turn(tile, side, turn) == turn)


class TangramSpot(msgspec.Struct, frozen=True):
    """A position of a tile inside the board, and its quarters."""

    side: Side
    turn: Turn
    at: Square
    quarters: Quarters


def square_bits(column: int, row: int, quarters: int = WHOLE) -> Quarters:
    return quarters << 4 * (row * WIDTH + column)


@cache
def spots(tile: TileId) -> tuple[TangramSpot, ...]:
    """Return every position on an empty board.

    Black before green, then turn, row, column.

    >>> len(spots(1)), len(spots(6))
    (98, 168)
    """
    entries = []
    for side in SIDES:
        for turn in turns(tile, side):
            lies = form(tile, side, turn)
            for row in range(HEIGHT - lies.height + 1):
                for column in range(WIDTH - lies.width + 1):
                    at, quarters = name_of(column, row), quarters_of(lies, column, row)
                    entries.append(TangramSpot(side, turn, at, quarters))
    return tuple(entries)


def quarters_of(lies: TileForm, column: int, row: int) -> Quarters:
    """Return the quarters of a form with its top left there. It must not stick out."""
    number = 0
    for dx, dy, quarters in lies.cells:
        number |= square_bits(column + dx, row + dy, quarters)
    return number


@cache
def tile_quarters(tile: TileId, side: Side, turn: Turn, square: Square) -> Quarters:
    """Return the quarters of a placed tile. Raises ValueError if it isn't inside the board."""
    column, row = at(square)
    lies = form(tile, side, turn)
    if column + lies.width > WIDTH or row + lies.height > HEIGHT:
        raise ValueError(f"tile {tile} sticks out of the city at {square}")
    return quarters_of(lies, column, row)


@cache
def fountain_quarters(square: Square, corner: Corner) -> Quarters:
    """Return the quarters of a fountain. Raises ValueError if the square isn't on the board."""
    column, row = at(square)
    return square_bits(column, row, FILL[corner])


@cache
def quarters_printed(board: BoardSide, side: Side) -> Quarters:
    """Return the quarters of a colour printed on an old board."""
    printed = PRINTED[board]
    number = 0
    for square in printed.black if side == "black" else printed.green:
        number |= square_bits(*at(square))
    return number
