"""Places where a tile or a fountain fits, and the reasons why it doesn't."""

from functools import cache, lru_cache

from engines.game import IllegalMove, repeat
from engines.tangram.pieces.city import City, TangramLaid, Water
from engines.tangram.pieces.components import TileId
from engines.tangram.pieces.geometry import (
    CORNERS,
    HEIGHT,
    SQUARES,
    WIDTH,
    Corner,
    Quarters,
    Side,
    Square,
    Turn,
    at,
    form,
    fountain_quarters,
    name_of,
    spots,
    square_bits,
)
from engines.words import join_words


@cache
def lying(tile: TileId) -> tuple[tuple[Quarters, TangramLaid], ...]:
    """Return every way to lay a tile on an empty board, with quarters."""
    return tuple((spot.quarters, TangramLaid(tile, spot.side, spot.turn, spot.at)) for spot in spots(tile))


FOUNTAINS: tuple[tuple[Quarters, Water], ...] = tuple(
    (fountain_quarters(square, corner), Water(square, corner)) for square in SQUARES for corner in CORNERS
)
"""Every half square, squares in reading order, with the quarters of a fountain there."""


def tile_fits(city: City, tile: TileId) -> list[TangramLaid]:
    """List every way to lay a tile into a city, in the order of `geometry.spots`."""
    built = city.built
    return [laid for quarters, laid in lying(tile) if not quarters & built]


def fits_somewhere(city: City, tile: TileId) -> bool:
    return _fits_beside(city.built, tile)


@lru_cache(maxsize=4096)
def _fits_beside(built: Quarters, tile: TileId) -> bool:
    return any(not quarters & built for quarters, _ in lying(tile))


def fountain_fits(city: City) -> list[Water]:
    """List every free half square, squares in reading order."""
    built = city.built
    return [water for quarters, water in FOUNTAINS if not quarters & built]


def fountain_fits_somewhere(city: City) -> bool:
    built = city.built
    return any(not quarters & built for quarters, _ in FOUNTAINS)


def check_tile(city: City, tile: TileId, side: Side, turn: Turn, square: Square) -> None:
    """Raise IllegalMove, naming the squares, if a tile would stick out or overlap.

    Sticking out is checked first; the squares are in reading order. Rules: Placing tiles.
    """
    try:
        column, row = at(square)
    except ValueError:
        raise _no_square(square) from None
    cells = form(tile, side, turn).cells
    out = [
        name_of(column + dx, row + dy) for dx, dy, _ in cells if column + dx >= WIDTH or row + dy >= HEIGHT
    ]
    if out:
        raise IllegalMove(f"The tile sticks out of the city at {join_words(out)}.")
    built = [
        name_of(column + dx, row + dy)
        for dx, dy, quarters in cells
        if square_bits(column + dx, row + dy, quarters) & city.built
    ]
    if built:
        raise IllegalMove(f"{join_words(built)} {'is' if len(built) == 1 else 'are'} already built.")


def check_fountain(city: City, square: Square, corner: Corner) -> None:
    """Raise IllegalMove, naming the square, if a fountain would overlap something. Rules: Fountains."""
    if corner not in CORNERS:
        raise IllegalMove("Choose one of the 4 corners of a square for the fountain.")
    try:
        quarters = fountain_quarters(square, corner)
    except ValueError:
        raise _no_square(square) from None
    if quarters & city.built:
        raise IllegalMove(f"{square} is already built.")


def _no_square(square: str) -> IllegalMove:
    return IllegalMove(f"The city has no square {repeat(square)}. Choose A1 to G7.")
