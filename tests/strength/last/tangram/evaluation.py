"""How good a city looks, and which places for a tile look best: for the panel and the computer players."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from engines.tangram.legal.moves import FOUNTAINS, lying
from engines.tangram.pieces.city import (
    ONES,
    City,
    Piece,
    TangramLaid,
    distance_of,
    full_squares,
    largest_area,
    squares_touched,
)
from engines.tangram.pieces.components import FOUNTAIN, TileId
from engines.tangram.pieces.geometry import HEIGHT, WIDTH, Quarters, square_bits

RECTANGLE, BUILT, HALF, ENCLOSED, GROWING, APART = 3.0, 0.8, -1.2, -1.5, 0.9, -0.5
"""What counts for a city: each square of its largest rectangle, each fully built square, each square
that is built in part, each empty square without an empty neighbour, the promise of the best block that
is growing, each square of distance between the colours."""

SMALLEST, LARGEST = 9, 42
"""The areas of the blocks that a city may be growing towards."""


class Cover(NamedTuple):
    """What of a city is covered, and by which colour: all that its looks depend on."""

    built: Quarters
    black: Quarters
    green: Quarters


class Way(NamedTuple):
    """A way in which a tile or a fountain lies on an empty board, and what it covers."""

    quarters: Quarters
    black: Quarters
    green: Quarters
    piece: Piece


@cache
def ways(tile: TileId) -> tuple[Way, ...]:
    """Every way in which a tile, or a fountain, lies on an empty board, in the order of the rules."""
    if tile == FOUNTAIN:
        return tuple(Way(quarters, 0, 0, water) for quarters, water in FOUNTAINS)
    return tuple(_coloured(quarters, laid) for quarters, laid in lying(tile))


def _coloured(quarters: Quarters, laid: TangramLaid) -> Way:
    return Way(quarters, quarters, 0, laid) if laid.side == "black" else Way(quarters, 0, quarters, laid)


def cover_of(city: City) -> Cover:
    """What of a city is covered."""
    return Cover(city.built, city.black, city.green)


def covered_with(cover: Cover, way: Way) -> Cover:
    """What is covered when a piece more is laid."""
    return Cover(cover.built | way.quarters, cover.black | way.black, cover.green | way.green)


Block = tuple[tuple[float, ...], Quarters]
"""What a block promises by the number of its squares that are built, and all its squares."""


@cache
def _blocks() -> tuple[Block, ...]:
    """Every block that a city may be growing towards: its area, times the cube of how much of it is built."""
    found = []
    for height in range(1, HEIGHT + 1):
        for width in range(1, WIDTH + 1):
            area = width * height
            if SMALLEST <= area <= LARGEST:
                promises = tuple(area * (built / area) ** 3 for built in range(area + 1))
                corner = _squares(width, height)
                found += [
                    (promises, corner << 4 * (row * WIDTH + column))
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


@lru_cache(maxsize=4096)
def growing(whole: Quarters) -> float:
    """The promise of the best block: its area, times the cube of how much of it is built."""
    return max(promises[(whole & block).bit_count()] for promises, block in _blocks())


@lru_cache(maxsize=4096)
def _rivals(whole: Quarters, more: int) -> tuple[Block, ...]:
    """The blocks that could promise more than the best one when so many squares more are built."""
    best = growing(whole)
    return tuple(
        (promises, block)
        for promises, block in _blocks()
        if promises[min((whole & block).bit_count() + more, len(promises) - 1)] > best
    )


def _grown(before: Quarters, whole: Quarters) -> float:
    """What `growing` is of a city that had some of its squares before: only a few blocks can have won."""
    rivals = _rivals(before, (whole & ~before).bit_count())
    return max([growing(before), *[promises[(whole & block).bit_count()] for promises, block in rivals]])


@lru_cache(maxsize=1 << 14)
def _solid(before: Quarters, whole: Quarters) -> tuple[float, float]:
    """What the built squares count for by themselves, and for the block that is growing."""
    return RECTANGLE * largest_area(whole) + BUILT * whole.bit_count(), GROWING * _grown(before, whole)


def promise(cover: Cover, before: Quarters = 0) -> float:
    """How good a city looks in the middle of the game; in points, roughly.

    `before` are squares of it that were built before: the answer is the same, and comes sooner.
    """
    built, black, green = cover
    whole, begun = full_squares(built), squares_touched(built)
    empty = ONES & ~begun
    solid, grows = _solid(before, whole)
    return (
        solid
        + HALF * (begun & ~whole).bit_count()
        + ENCLOSED * (empty & ~beside(empty)).bit_count()
        + grows
        + APART * distance_of(black, green, whole)
    )


def ranked_ways(cover: Cover, tile: TileId) -> list[tuple[float, Way]]:
    """Every way to lay a tile, or a fountain, with how good the city would look then, best first."""
    built, before = cover.built, full_squares(cover.built)
    found = [
        (promise(covered_with(cover, way), before), way) for way in ways(tile) if not way.quarters & built
    ]
    found.sort(key=_evaluation_of, reverse=True)
    return found


def _evaluation_of(one: tuple[float, Way]) -> float:
    return one[0]


def best_way(cover: Cover, tile: TileId) -> tuple[float, Way] | None:
    """The first of `ranked_ways`; None when nothing fits."""
    built, before = cover.built, full_squares(cover.built)
    return max(
        ((promise(covered_with(cover, way), before), way) for way in ways(tile) if not way.quarters & built),
        key=_evaluation_of,
        default=None,
    )


def ranked_in(city: City, tile: TileId) -> list[tuple[float, Piece]]:
    """Every place of a tile, or of a fountain, in a city with how good it would look then, best first."""
    return [(looks, way.piece) for looks, way in ranked_ways(cover_of(city), tile)]
