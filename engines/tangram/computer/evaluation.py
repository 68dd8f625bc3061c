"""The look of a city, and the best-looking places for a tile: for the panel and the computer players."""

from functools import cache, lru_cache
from typing import NamedTuple

from engines.tangram.legal.moves import FOUNTAINS, lying
from engines.tangram.pieces import board
from engines.tangram.pieces.components import FOUNTAIN, TileId
from engines.tangram.pieces.geometry import HEIGHT, WIDTH, Quarters, square_bits
from engines.tangram.view import TangramView

RECTANGLE, BUILT, HALF, ENCLOSED, GROWING, APART = 3.0, 0.8, -1.2, -1.5, 0.9, -0.5
"""Weights of a city's features.

They are: each square of its largest rectangle, each fully built square, each square that is built in part,
each empty square without an empty neighbour, the promise of the best block that is growing, each square of
distance between the colours.
"""

SMALLEST, LARGEST = 9, 42
"""The areas of the blocks that a city may be growing towards."""


class Cover(NamedTuple):
    """The covered quarters of a city by colour, which decide its look."""

    built: Quarters
    black: Quarters
    green: Quarters


class Way(NamedTuple):
    """A position of a tile or a fountain on an empty board, and its quarters."""

    quarters: Quarters
    black: Quarters
    green: Quarters
    piece: board.Piece


@cache
def ways(tile: TileId) -> tuple[Way, ...]:
    """Return every way to lay a tile or fountain on an empty board."""
    if tile == FOUNTAIN:
        return tuple(Way(quarters, 0, 0, water) for quarters, water in FOUNTAINS)
    return tuple(
        Way(quarters, quarters, 0, laid) if laid.side == "black" else Way(quarters, 0, quarters, laid)
        for quarters, laid in lying(tile)
    )


def cover_of(city: board.City) -> Cover:
    return Cover(city.built, city.black, city.green)


def cover_with(cover: Cover, way: Way) -> Cover:
    return Cover(cover.built | way.quarters, cover.black | way.black, cover.green | way.green)


Block = tuple[tuple[float, ...], Quarters]
"""A block's promise by the number of its built squares, and all its squares."""


@cache
def _blocks() -> tuple[Block, ...]:
    """List every growing block with its promise. Its area times its built share cubed."""
    entries = []
    for height in range(1, HEIGHT + 1):
        for width in range(1, WIDTH + 1):
            area = width * height
            if SMALLEST <= area <= LARGEST:
                promises = tuple(area * (built / area) ** 3 for built in range(area + 1))
                corner = sum(square_bits(column, row, 1) for row in range(height) for column in range(width))
                entries += [
                    (promises, corner << 4 * (row * WIDTH + column))
                    for row in range(HEIGHT - height + 1)
                    for column in range(WIDTH - width + 1)
                ]
    return tuple(entries)


_LEFT_COLUMN = sum(square_bits(0, row, 1) for row in range(HEIGHT))
_RIGHT_COLUMN = _LEFT_COLUMN << 4 * (WIDTH - 1)


def beside(squares: Quarters) -> Quarters:
    """Return the neighbours of some squares, as north quarters. May include some of these."""
    left, right = (squares & ~_LEFT_COLUMN) >> 4, (squares & ~_RIGHT_COLUMN) << 4
    return (left | right | squares >> 4 * WIDTH | squares << 4 * WIDTH) & board.ONES


@lru_cache(maxsize=4096)
def growing(whole: Quarters) -> float:
    """Return the promise of the best block. Its area times its built share cubed."""
    return max(promises[(whole & block).bit_count()] for promises, block in _blocks())


@lru_cache(maxsize=4096)
def _rivals(whole: Quarters, more: int) -> tuple[Block, ...]:
    """Return the blocks that could beat the best one after that many more squares."""
    best = growing(whole)
    return tuple(
        (promises, block)
        for promises, block in _blocks()
        if promises[min((whole & block).bit_count() + more, len(promises) - 1)] > best
    )


@lru_cache(maxsize=1 << 14)
def _solid(before: Quarters, whole: Quarters) -> tuple[float, float]:
    """Return the values of the built squares and the growing block."""
    rivals = _rivals(before, (whole & ~before).bit_count())
    return RECTANGLE * board.largest_area(whole) + BUILT * whole.bit_count(), GROWING * max(
        [growing(before), *[promises[(whole & block).bit_count()] for promises, block in rivals]]
    )


def promise(cover: Cover, before: Quarters = 0) -> float:
    """Return the look of a city in the middle of the game.

    In points, roughly. `before` are squares of it that were built before: the answer is the same, but
    faster.
    """
    built, black, green = cover
    whole, begun = board.full_squares(built), board.squares_touched(built)
    empty = board.ONES & ~begun
    solid, grows = _solid(before, whole)
    return (
        solid
        + HALF * (begun & ~whole).bit_count()
        + ENCLOSED * (empty & ~beside(empty)).bit_count()
        + grows
        + APART * board.distance_of(black, green, whole)
    )


def rank_ways(cover: Cover, tile: TileId) -> list[tuple[float, Way]]:
    """Rank the ways to lay a tile or fountain by look, best first."""
    built, before = cover.built, board.full_squares(cover.built)
    pairs = [(promise(cover_with(cover, way), before), way) for way in ways(tile) if not way.quarters & built]
    pairs.sort(key=_evaluation_of, reverse=True)
    return pairs


def _evaluation_of(one: tuple[float, Way]) -> float:
    return one[0]


def best_way(cover: Cover, tile: TileId) -> tuple[float, Way] | None:
    built, before = cover.built, board.full_squares(cover.built)
    return max(
        ((promise(cover_with(cover, way), before), way) for way in ways(tile) if not way.quarters & built),
        key=_evaluation_of,
        default=None,
    )


def rank_places_in(city: board.City, tile: TileId) -> list[tuple[float, board.Piece]]:
    return [(looks, way.piece) for looks, way in rank_ways(cover_of(city), tile)]


def rank_places(view: TangramView, tile: TileId) -> list[board.Piece]:
    """Rank the places of a tile or fountain in the viewer's city.

    The city includes the viewer's answers for other tiles. Raises ValueError for a spectator.
    """
    return [piece for _, piece in rank_places_in(view.without(tile), tile)]
