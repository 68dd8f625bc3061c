"""Looks of a city, and the best looking places for a tile: for the panel and the computer players."""

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
"""The points of a city: each square of its largest rectangle, each fully built square, each square that is
built in part, each empty square without an empty neighbour, the promise of the best block that is growing,
each square of distance between the colours.
"""

SMALLEST, LARGEST = 9, 42
"""The areas of the blocks that a city may be growing towards."""


class LastCover(NamedTuple):
    """The covered part of a city, and its colours: all that its looks depend on."""

    built: Quarters
    black: Quarters
    green: Quarters


class LastWay(NamedTuple):
    """A way of a tile or a fountain on an empty board, and its cover."""

    quarters: Quarters
    black: Quarters
    green: Quarters
    piece: Piece


@cache
def ways(tile: TileId) -> tuple[LastWay, ...]:
    """Return a tile's or fountain's ways, in the rules' order.

    The board is empty.
    """
    if tile == FOUNTAIN:
        return tuple(LastWay(quarters, 0, 0, water) for quarters, water in FOUNTAINS)
    return tuple(_colour_way(quarters, laid) for quarters, laid in lying(tile))


def _colour_way(quarters: Quarters, laid: TangramLaid) -> LastWay:
    return (
        LastWay(quarters, quarters, 0, laid) if laid.side == "black" else LastWay(quarters, 0, quarters, laid)
    )


def cover_of(city: City) -> LastCover:
    return LastCover(city.built, city.black, city.green)


def cover_with(cover: LastCover, way: LastWay) -> LastCover:
    """Return the cover with one piece more."""
    return LastCover(cover.built | way.quarters, cover.black | way.black, cover.green | way.green)


Block = tuple[tuple[float, ...], Quarters]
"""A block's promise by the number of its squares that are built, and all its squares."""


@cache
def _blocks() -> tuple[Block, ...]:
    """Return every block a city may grow towards, with its promise.

    That is its area, times the cube of its built share.
    """
    entries = []
    for height in range(1, HEIGHT + 1):
        for width in range(1, WIDTH + 1):
            area = width * height
            if SMALLEST <= area <= LARGEST:
                promises = tuple(area * (built / area) ** 3 for built in range(area + 1))
                corner = _squares(width, height)
                entries += [
                    (promises, corner << 4 * (row * WIDTH + column))
                    for row in range(HEIGHT - height + 1)
                    for column in range(WIDTH - width + 1)
                ]
    return tuple(entries)


def _squares(width: int, height: int) -> Quarters:
    """Return the north quarters of a block in the top left corner."""
    return sum(square_bits(column, row, 1) for row in range(height) for column in range(width))


_LEFT_COLUMN = sum(square_bits(0, row, 1) for row in range(HEIGHT))
_RIGHT_COLUMN = _LEFT_COLUMN << 4 * (WIDTH - 1)


def beside(squares: Quarters) -> Quarters:
    """Return the squares next to some squares, as north quarters.

    Some of these may be among them.
    """
    left, right = (squares & ~_LEFT_COLUMN) >> 4, (squares & ~_RIGHT_COLUMN) << 4
    return (left | right | squares >> 4 * WIDTH | squares << 4 * WIDTH) & ONES


@lru_cache(maxsize=4096)
def growing(whole: Quarters) -> float:
    """Return the best block's promise: its area, times its built share cubed."""
    return max(promises[(whole & block).bit_count()] for promises, block in _blocks())


@lru_cache(maxsize=4096)
def _rivals(whole: Quarters, more: int) -> tuple[Block, ...]:
    """Return the blocks that N more squares could make the best."""
    best = growing(whole)
    return tuple(
        (promises, block)
        for promises, block in _blocks()
        if promises[min((whole & block).bit_count() + more, len(promises) - 1)] > best
    )


def _update_growing(before: Quarters, whole: Quarters) -> float:
    """Return `growing` after an addition: only a few blocks can have won."""
    rivals = _rivals(before, (whole & ~before).bit_count())
    return max([growing(before), *[promises[(whole & block).bit_count()] for promises, block in rivals]])


@lru_cache(maxsize=1 << 14)
def _solid(before: Quarters, whole: Quarters) -> tuple[float, float]:
    """Return the built squares' own points, and their block's promise."""
    return RECTANGLE * largest_area(whole) + BUILT * whole.bit_count(), GROWING * _update_growing(
        before, whole
    )


def promise(cover: LastCover, before: Quarters = 0) -> float:
    """Return a city's looks in mid-game; in points, roughly.

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


def rank_ways(cover: LastCover, tile: TileId) -> list[tuple[float, LastWay]]:
    """Rank every way to lay a tile by the city's looks.

    A fountain has its ways too.
    """
    built, before = cover.built, full_squares(cover.built)
    pairs = [(promise(cover_with(cover, way), before), way) for way in ways(tile) if not way.quarters & built]
    pairs.sort(key=_evaluation_of, reverse=True)
    return pairs


def _evaluation_of(one: tuple[float, LastWay]) -> float:
    return one[0]


def best_way(cover: LastCover, tile: TileId) -> tuple[float, LastWay] | None:
    """Return the first of `rank_ways`; None if nothing fits."""
    built, before = cover.built, full_squares(cover.built)
    return max(
        ((promise(cover_with(cover, way), before), way) for way in ways(tile) if not way.quarters & built),
        key=_evaluation_of,
        default=None,
    )


def rank_places_in(city: City, tile: TileId) -> list[tuple[float, Piece]]:
    """Rank a tile's or fountain's places in a city by its looks."""
    return [(looks, way.piece) for looks, way in rank_ways(cover_of(city), tile)]
