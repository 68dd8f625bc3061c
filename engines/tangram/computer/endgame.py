"""Search of the last round to its end: three tiles, a fountain, the bonuses.

No city touches another, so nobody can stop a seat from getting the most out of its own.
"""

from collections.abc import Iterator, Sequence
from math import prod

from engines.tangram.computer.evaluation import Cover, Way, cover_of, cover_with, rank_ways, ways
from engines.tangram.pieces.city import ONES, City, Piece, balance_of, full_squares, largest_area
from engines.tangram.pieces.components import FOUNTAIN, SCORING, TileId

LOOKS = 3000
"""Most ways to lay the tiles that a computer tries, the best-looking ones first."""


def final_points(city: City) -> int:
    """Return a city's points in the last round. Its rectangle and the bonuses. Rules: The end."""
    return _points(cover_of(city))


def best_ending(city: City, tiles: tuple[TileId, ...]) -> tuple[int, Piece | None]:
    """Return the most points, and the first tile's piece for them.

    The tiles are answered in this order; the fountain, `FOUNTAIN`, comes last.
    """
    return endings(city, tiles)[0] if tiles else (final_points(city), None)


def endings(city: City, tiles: tuple[TileId, ...], looks: int = LOOKS) -> list[tuple[int, Piece | None]]:
    """Return the most points for each piece of the first tile.

    On ties, setting the tile aside comes first.
    """
    cover = cover_of(city)
    search = _Search(cover, tiles, looks)
    tile, rest = tiles[0], tiles[1:]
    pairs: list[tuple[int, Piece | None]] = [(search.most(cover, rest), None)]
    pairs += [(search.most(cover_with(cover, way), rest), way.piece) for way in search.ways(cover, tile)]
    return sorted(pairs, key=lambda ending: -ending[0])


class _Search:
    """Lays the tiles of the last round in all ways, or only in the best-looking ones."""

    def __init__(self, cover: Cover, tiles: Sequence[TileId], looks: int) -> None:
        fitting = {tile: list(_fitting(cover, tile)) for tile in tiles if tile != FOUNTAIN}
        width = max((len(found) for found in fitting.values()), default=0)
        while prod(1 + min(width, len(found)) for found in fitting.values()) > looks:
            width -= 1
        self._ways = {
            tile: found if len(found) <= width else [way for _, way in rank_ways(cover, tile)[:width]]
            for tile, found in fitting.items()
        }
        self._known: dict[tuple[Cover, tuple[TileId, ...]], int] = {}

    def ways(self, cover: Cover, tile: TileId) -> Iterator[Way]:
        """Yield the ways to lay a tile, or a fountain, that the search tries."""
        if tile == FOUNTAIN:
            yield from _fitting(cover, tile)
        else:
            yield from (way for way in self._ways[tile] if not way.quarters & cover.built)

    def most(self, cover: Cover, tiles: tuple[TileId, ...]) -> int:
        """Return the most points that these tiles can still add to the cover."""
        if not tiles:
            return _points(cover)
        known = self._known.get((cover, tiles))
        if known is None:
            tile, rest = tiles[0], tiles[1:]
            known = self.most(cover, rest)
            for way in completing_fountains(cover) if tile == FOUNTAIN else self.ways(cover, tile):
                known = max(known, self.most(cover_with(cover, way), rest))
            self._known[cover, tiles] = known
        return known


def _fitting(cover: Cover, tile: TileId) -> Iterator[Way]:
    return (way for way in ways(tile) if not way.quarters & cover.built)


def completing_fountains(cover: Cover) -> Iterator[Way]:
    """Yield the fountains that complete a square: others change no points."""
    whole = full_squares(cover.built)
    return (way for way in _fitting(cover, FOUNTAIN) if full_squares(cover.built | way.quarters) != whole)


def _points(cover: Cover) -> int:
    whole = full_squares(cover.built)
    bonus = balance_of(cover.black, cover.green, whole).bonus
    return largest_area(whole) + bonus + (SCORING.planning_bonus if whole == ONES else 0)
