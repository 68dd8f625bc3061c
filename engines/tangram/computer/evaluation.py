"""How good a city looks, and which places for a tile look best: for the panel and the computer players."""

from __future__ import annotations

from functools import cache

from engines.tangram.city import (
    ONES,
    City,
    Laid,
    Piece,
    Water,
    balance_of,
    full,
    largest_rectangle,
    touched,
)
from engines.tangram.components import FOUNTAIN, TileId
from engines.tangram.geometry import HEIGHT, WIDTH, Quarters, square_bits
from engines.tangram.legal import fountain_fits, tile_fits
from engines.tangram.view import View

RECTANGLE, BUILT, HALF, ENCLOSED, GROWING, APART = 3.0, 0.8, -1.2, -1.5, 0.9, -0.5
"""What counts for a city: each square of its largest rectangle, each fully built square, each square
that is built in part, each empty square without an empty neighbour, the promise of the best block that
is growing, each square of distance between the colours."""

SMALLEST, LARGEST = 9, 42
"""The areas of the blocks that a city may be growing towards."""


@cache
def _blocks() -> tuple[tuple[int, Quarters], ...]:
    """The area and the squares of every block of those areas."""
    found = []
    for height in range(1, HEIGHT + 1):
        for width in range(1, WIDTH + 1):
            if SMALLEST <= width * height <= LARGEST:
                corner = _squares(width, height)
                found += [
                    (width * height, corner << 4 * (row * WIDTH + column))
                    for row in range(HEIGHT - height + 1)
                    for column in range(WIDTH - width + 1)
                ]
    return tuple(found)


def _squares(width: int, height: int) -> Quarters:
    """The north quarters of a block in the top left corner."""
    return sum(square_bits(column, row, 1) for row in range(height) for column in range(width))


_LEFT_COLUMN = sum(square_bits(0, row, 1) for row in range(HEIGHT))
_RIGHT_COLUMN = _LEFT_COLUMN << 4 * (WIDTH - 1)


def beside(squares: Quarters) -> Quarters:
    """The squares next to some squares, as north quarters; some of these may be among them."""
    left, right = (squares & ~_LEFT_COLUMN) >> 4, (squares & ~_RIGHT_COLUMN) << 4
    return (left | right | squares >> 4 * WIDTH | squares << 4 * WIDTH) & ONES


def growing(whole: Quarters) -> float:
    """The promise of the best block: its area, times the cube of how much of it is built."""
    return max(area * ((whole & block).bit_count() / area) ** 3 for area, block in _blocks())


def promise(built: Quarters, black: Quarters, green: Quarters) -> float:
    """How good a city looks in the middle of the game; in points, roughly."""
    whole, begun = full(built), touched(built)
    best = largest_rectangle(built)
    empty = ONES & ~begun
    return (
        RECTANGLE * (0 if best is None else best.area)
        + BUILT * whole.bit_count()
        + HALF * (begun & ~whole).bit_count()
        + ENCLOSED * (empty & ~beside(empty)).bit_count()
        + GROWING * growing(whole)
        + APART * balance_of(black, green, whole).distance
    )


def with_piece(city: City, piece: Piece) -> float:
    """How good a city would look with a piece more."""
    black, green = city.black, city.green
    match piece:
        case Laid(side="black"):
            black |= piece.quarters
        case Laid():
            green |= piece.quarters
        case Water():
            pass
    return promise(city.built | piece.quarters, black, green)


def ranked_in(city: City, tile: TileId) -> list[tuple[float, Piece]]:
    """Every place of a tile, or of a fountain, in a city with how good it would look then, best first."""
    places: list[Piece] = [*fountain_fits(city)] if tile == FOUNTAIN else [*tile_fits(city, tile)]
    found = [(with_piece(city, piece), piece) for piece in places]
    found.sort(key=_worth, reverse=True)
    return found


def _worth(one: tuple[float, Piece]) -> float:
    return one[0]


def ranked(view: View, tile: TileId) -> list[Piece]:
    """Every place of a tile, or of a fountain, in the viewer's city, the best first.

    The city is that with the viewer's answers for other tiles. Raises ValueError for a spectator.
    """
    return [piece for _, piece in ranked_in(view.without(tile), tile)]
