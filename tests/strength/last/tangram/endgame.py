"""The last round looked through to its end: three tiles, a fountain, the bonuses."""

from __future__ import annotations

from engines.tangram.pieces.city import City, Piece, is_complete, score
from engines.tangram.pieces.components import FOUNTAIN, SCORING, TileId
from tests.strength.last.tangram.evaluation import rank_places_in

WIDTH = 6
"""The number of a tile's best looking places that are tried."""


def final_points(city: City) -> int:
    """Return a city's points in the last round: rectangle and bonuses.

    Rules: The end.
    """
    scored = score(city)
    return scored.points + scored.balance.bonus + (SCORING.planning_bonus if is_complete(city) else 0)


def best_ending(city: City, tiles: tuple[TileId, ...]) -> tuple[int, Piece | None]:
    """Return the most points found, and the first tile's piece for them.

    None sets the tile aside. The tiles are answered in this order; the fountain, `FOUNTAIN`, comes last.
    """
    if not tiles:
        return final_points(city), None
    return endings(city, tiles)[0]


def endings(city: City, tiles: tuple[TileId, ...]) -> list[tuple[int, Piece | None]]:
    """Return the first tile's pieces with most points, best first.

    Of equal ones, setting the tile aside is first.
    """
    tile, rest = tiles[0], tiles[1:]
    width = None if tile == FOUNTAIN else WIDTH
    pairs: list[tuple[int, Piece | None]] = [(best_ending(city, rest)[0], None)]
    for _, piece in rank_places_in(city, tile)[:width]:
        pairs.append((best_ending(city.add(piece), rest)[0], piece))
    return sorted(pairs, key=lambda ending: -ending[0])
