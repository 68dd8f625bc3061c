"""The layout of a board's cells in a picture: the part shown, and its size."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from engines.tesla.pieces.board import START, Cell, TeslaBoard, at, centre, neighbours
from engines.tesla.pieces.components import Tiles
from render.core.canvas import Box, Point
from render.tesla import paths

UNITS = (
    6,
    7,
    8,
    9,
    10,
    12,
    14,
    16,
    18,
    20,
    22,
    24,
    26,
    28,
    30,
    32,
    35,
    38,
    41,
    44,
    48,
    52,
    56,
    61,
    67,
    74,
    82,
    92,
    104,
    118,
)
"""The possible sizes of tiles: from the middle of a hexagon to a corner, in pixels."""


BARE = 0.25
"""The margin around tiles without empty cells around them, for the ends of their wires."""


@dataclass(frozen=True, slots=True)
class Area:
    """The cells that a picture shows: all tiles and the empty cells around them, in units of a tile.

    Attributes:
        box: the bounds, seen from the middle of the start tile.
        cells: all of them.
        empty: the empty ones that touch a tile, in the order of their rows.
    """

    tiles: Tiles
    box: Box
    cells: tuple[Cell, ...]
    empty: tuple[Cell, ...]

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


def area(*boards: TeslaBoard, rim: bool = True) -> Area:
    """Return the area that fits all of these boards.

    The last one is the one to draw. Their tiles have the same shape. Without a `rim` it has no empty cells.
    """
    tiles = boards[0].shape
    taken = {cell for board in boards for cell in board.tiles} or {START}
    around = {near for cell in taken for near in neighbours(tiles, cell)} if rim else set()
    cells = tuple(sorted(taken | around))
    points = [paths.centre(tiles, cell) for cell in cells]
    spare = 0 if rim else BARE
    right, down = paths.APOTHEM + spare, paths.half_height(tiles) + spare
    box = (
        min(x for x, _ in points) - right,
        min(y for _, y in points) - down,
        max(x for x, _ in points) + right,
        max(y for _, y in points) + down,
    )
    free = set(cells) & {near for cell in boards[-1].tiles for near in neighbours(tiles, cell)}
    free -= set(boards[-1].tiles)
    return Area(tiles, box, cells, tuple(sorted(free, key=lambda cell: at(cell)[::-1])))


def near(board: TeslaBoard, cell: Cell, reach: float) -> TeslaBoard:
    """Return only the tiles within `reach` tile widths of a cell."""
    x, y = centre(board.shape, cell)

    def close(other: Cell) -> bool:
        there = centre(board.shape, other)
        return math.hypot(there[0] - x, there[1] - y) <= reach

    tiles = {other: laid for other, laid in board.tiles.items() if close(other)}
    return msgspec.structs.replace(board, tiles=tiles)


def around(board: TeslaBoard, cell: Cell, reach: float) -> tuple[TeslaBoard, Area]:
    """Return the part of a board around a cell, and its area. Only truly empty cells are empty."""
    here = near(board, cell, reach)
    shown = area(here)
    beside = {other: board.tiles[other] for other in shown.empty if other in board.tiles}
    empty = tuple(other for other in shown.empty if other not in beside)
    whole = msgspec.structs.replace(here, tiles={**here.tiles, **beside})
    return whole, replace(shown, empty=empty)


@dataclass(frozen=True, slots=True)
class Grid:
    """A picture's cells.

    Attributes:
        unit: the pixels from the middle of a hexagon to a corner.
        centres: the pixel in the middle of each cell.
    """

    tiles: Tiles
    unit: int
    centres: Mapping[Cell, tuple[int, int]]

    def spot(self, cell: Cell, point: Point) -> Point:
        """Map a point of a tile, given in units around its middle."""
        x, y = self.centres[cell]
        return x + point[0] * self.unit, y + point[1] * self.unit


def unit_for(shown: Area, width: float, height: float) -> int:
    limit = min(width / shown.width, height / shown.height)
    return max((unit for unit in UNITS if unit <= limit), default=UNITS[0])


def lay_out(shown: Area, unit: int, room: Box) -> Grid:
    left, top, right, bottom = room
    x = (left + right - (shown.box[0] + shown.box[2]) * unit) / 2
    y = (top + bottom - (shown.box[1] + shown.box[3]) * unit) / 2
    centres = {}
    for cell in shown.cells:
        across, down = paths.centre(shown.tiles, cell)
        centres[cell] = round(x + across * unit), round(y + down * unit)
    return Grid(shown.tiles, unit, centres)
