"""The last round looked through to its end: three tiles, a fountain, the bonuses."""

from __future__ import annotations

from engines.tangram.pieces.city import City, Piece, is_complete, score
from engines.tangram.pieces.components import FOUNTAIN, SCORING, TileId
from tests.strength.last.tangram.evaluation import ranked_in

WIDTH = 6
"""So many of the best looking places of a tile are looked into."""


def final_points(city: City) -> int:
    """What a city brings in the last round: its rectangle and the bonuses. Rules: The end."""
    scored = score(city)
    return scored.points + scored.balance.bonus + (SCORING.planning_bonus if is_complete(city) else 0)


def best_ending(city: City, tiles: tuple[TileId, ...]) -> tuple[int, Piece | None]:
    """The most points that were found, and the piece of the first tile (None: set aside) that leads there.

    The tiles are answered in this order; the fountain, `FOUNTAIN`, comes last.
    """
    if not tiles:
        return final_points(city), None
    return endings(city, tiles)[0]


def endings(city: City, tiles: tuple[TileId, ...]) -> list[tuple[int, Piece | None]]:
    """The most points that each piece of the first tile leads to, the most first, and setting it aside first
    of those that lead to as many."""
    tile, rest = tiles[0], tiles[1:]
    width = None if tile == FOUNTAIN else WIDTH
    found: list[tuple[int, Piece | None]] = [(best_ending(city, rest)[0], None)]
    for _, piece in ranked_in(city, tile)[:width]:
        found.append((best_ending(city.add(piece), rest)[0], piece))
    return sorted(found, key=lambda ending: -ending[0])
