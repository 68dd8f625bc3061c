"""The names of cells: the start tile is ``Z50``, and a name never changes as the board grows.

The column is the 26th letter and on, ``..., Y, Z, AA, AB, ...``; the row is 50 and on. Names beyond column A
and row 0 get a minus in front: ``-A`` is the column before A.
"""

import math
import re
from functools import lru_cache

from engines.tesla.options import Tiles
from engines.tesla.pieces.components import Side, shape

Cell = str
"""The name of a cell."""

START: Cell = "Z50"
_COLUMN, _ROW = 26, 50
_NAME = re.compile(r"(-?)([A-Z]{1,3})(-?\d{1,3})")


def letters(number: int) -> str:
    """Convert a number from 1 on to letters.

    A to Z, then AA.

    >>> letters(1), letters(26), letters(27), letters(53)
    ('A', 'Z', 'AA', 'BA')
    """
    word = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        word = chr(ord("A") + rest) + word
    return word


def column(q: int) -> str:
    """Return the name of the column q columns right of the start tile's.

    >>> column(0), column(1), column(-25), column(-26)
    ('Z', 'AA', 'A', '-A')
    """
    number = _COLUMN + q
    return letters(number) if number > 0 else "-" + letters(1 - number)


def row_number(r: int) -> int:
    """Return the number of the row r rows below the start tile's.

    >>> row_number(-1)
    49
    """
    return _ROW + r


@lru_cache(maxsize=65536)
def name(q: int, r: int) -> Cell:
    """Return the name of the cell q columns and r rows away from the start tile.

    >>> name(0, 0), name(1, -1)
    ('Z50', 'AA49')
    """
    return f"{column(q)}{row_number(r)}"


@lru_cache(maxsize=65536)
def at(cell: Cell) -> tuple[int, int]:
    """Return a cell's columns and rows away from the start tile.

    Raises:
        ValueError: for anything but the name of a cell.

    >>> at("AA49"), at("-A50")
    ((1, -1), (-26, 0))
    """
    match = _NAME.fullmatch(cell)
    if match is None:
        raise ValueError(f"{cell!r} names no cell")
    number = 0
    for letter in match[2]:
        number = number * 26 + ord(letter) - ord("A") + 1
    q = (1 - number if match[1] else number) - _COLUMN
    pair = q, int(match[3]) - _ROW
    if name(*pair) != cell:
        raise ValueError(f"{cell!r} names no cell")
    return pair


@lru_cache(maxsize=65536)
def neighbours(tiles: Tiles, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells behind each side of a cell, in the order of the sides.

    >>> neighbours("hex", "Z50")
    ('AA49', 'AA50', 'Z51', 'Y51', 'Y50', 'Z49')
    """
    q, r = at(cell)
    return tuple(name(q + dq, r + dr) for dq, dr in shape(tiles).neighbours)


def centre(tiles: Tiles, cell: Cell) -> tuple[float, float]:
    """Return a cell's centre, right and down of the start tile's, in widths of a tile.

    >>> centre("hex", "AA50"), centre("square", "Z51")
    ((1.0, 0.0), (0.0, 1.0))
    """
    q, r = at(cell)
    return (q + r / 2, r * math.sqrt(3) / 2) if tiles == "hex" else (float(q), float(r))


def beyond(tiles: Tiles, cell: Cell, side: Side) -> Cell:
    return neighbours(tiles, cell)[side]


@lru_cache(maxsize=65536)
def steps(tiles: Tiles, one: Cell, two: Cell) -> int:
    """Return the number of steps between two cells.

    >>> steps("hex", "Z50", "AB49"), steps("square", "Z50", "AB49")
    (2, 3)
    """
    (q, r), (x, y) = at(one), at(two)
    across, down = x - q, y - r
    if tiles == "hex":
        return max(abs(across), abs(down), abs(across + down))
    return abs(across) + abs(down)
