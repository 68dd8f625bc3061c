"""Where a tile or a fountain fits, and why it doesn't."""

from __future__ import annotations

from engines.game import IllegalMove, clipped
from engines.tangram.city import City, Laid, Water
from engines.tangram.components import TileId
from engines.tangram.geometry import (
    CORNERS,
    HEIGHT,
    SQUARES,
    WIDTH,
    Corner,
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


def tile_fits(city: City, tile: TileId) -> list[Laid]:
    """Every way in which a tile fits into a city, in the order of `geometry.spots`."""
    built = city.built
    return [Laid(tile, spot.side, spot.turn, spot.at) for spot in spots(tile) if not spot.quarters & built]


def fits_somewhere(city: City, tile: TileId) -> bool:
    """Whether a tile fits into a city at all."""
    built = city.built
    return any(not spot.quarters & built for spot in spots(tile))


def fountain_fits(city: City) -> list[Water]:
    """Every half square that is free, squares in reading order."""
    built = city.built
    return [
        Water(square, corner)
        for square in SQUARES
        for corner in CORNERS
        if not fountain_quarters(square, corner) & built
    ]


def check_tile(city: City, tile: TileId, side: Side, turn: Turn, square: Square) -> None:
    """Raise IllegalMove, naming a square, when a tile would stick out or lie on something.

    Sticking out is looked at first; the square named is the first such in reading order.
    Rules: Placing tiles.
    """
    try:
        column, row = at(square)
    except ValueError:
        raise _no_square(square) from None
    cells = form(tile, side, turn).cells
    for dx, dy, _ in cells:
        if column + dx >= WIDTH or row + dy >= HEIGHT:
            raise IllegalMove(f"It would stick out of the city at {name_of(column + dx, row + dy)}.")
    for dx, dy, quarters in cells:
        if square_bits(column + dx, row + dy, quarters) & city.built:
            raise IllegalMove(f"{name_of(column + dx, row + dy)} is already built there.")


def check_fountain(city: City, square: Square, corner: Corner) -> None:
    """Raise IllegalMove, naming the square, when a fountain would lie on something. Rules: Fountains."""
    if corner not in CORNERS:
        raise IllegalMove("A fountain fills one half of a square, in one of its four corners.")
    try:
        quarters = fountain_quarters(square, corner)
    except ValueError:
        raise _no_square(square) from None
    if quarters & city.built:
        raise IllegalMove(f"{square} is already built there.")


def _no_square(square: str) -> IllegalMove:
    return IllegalMove(f"There is no square {clipped(square)} in the city; they go from A1 to G7.")
