"""Search of the last round to its end, and for a way to fill a city.

No city touches another, so nobody can stop a seat from getting the most out of its own.

All tiles come to everybody in the end and may be set aside, so a way to fill the city that uses some of
those that are still to come can always be carried out, whatever the order of the cards.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import prod
from random import Random
from typing import NamedTuple

import msgspec

from engines.tangram.computer.evaluation import Cover, Way, cover_of, cover_with, rank_ways, ways
from engines.tangram.pieces.board import ONES, City, Piece, balance_of, full_squares, largest_area
from engines.tangram.pieces.components import FOUNTAIN, SCORING, TILES, TileId
from engines.tangram.pieces.geometry import CORNERS, SQUARES, Quarters, Side, fountain_quarters, spots

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
        fitting = {tile: list(_fitting_ways(cover, tile)) for tile in tiles if tile != FOUNTAIN}
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
            yield from _fitting_ways(cover, tile)
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


def _fitting_ways(cover: Cover, tile: TileId) -> Iterator[Way]:
    return (way for way in ways(tile) if not way.quarters & cover.built)


def completing_fountains(cover: Cover) -> Iterator[Way]:
    """Yield the fountains that complete a square: others change no points."""
    whole = full_squares(cover.built)
    return (
        way for way in _fitting_ways(cover, FOUNTAIN) if full_squares(cover.built | way.quarters) != whole
    )


def _points(cover: Cover) -> int:
    whole = full_squares(cover.built)
    bonus = balance_of(cover.black, cover.green, whole).bonus
    return largest_area(whole) + bonus + (SCORING.planning_bonus if whole == ONES else 0)


EVERYTHING: Quarters = ONES * 15
"""All quarters of the board."""


class Filling(msgspec.Struct, frozen=True):
    """A way to fill a city: the quarters of each tile, and the colours of the whole."""

    laid: tuple[tuple[TileId, Quarters], ...]
    black: Quarters
    green: Quarters


class Candidate(NamedTuple):
    """A position for a tile (the bit of its number) or a fountain, and the tile's side."""

    bit: int
    quarters: Quarters
    tile: TileId
    side: Side | None


@cache
def _by_first() -> tuple[tuple[Candidate, ...], ...]:
    """Group the candidates by their first quarter, large tiles before small ones."""
    entries: list[list[Candidate]] = [[] for _ in range(4 * len(SQUARES))]
    for tile in TILES:
        for spot in spots(tile):
            entries[_first(spot.quarters)].append(Candidate(1 << tile, spot.quarters, tile, spot.side))
    for square in SQUARES:
        for corner in CORNERS:
            water = fountain_quarters(square, corner)
            entries[_first(water)].append(Candidate(1 << FOUNTAIN, water, FOUNTAIN, None))
    for candidates in entries:
        candidates.sort(key=lambda one: one.quarters.bit_count(), reverse=True)
    return tuple(tuple(candidates) for candidates in entries)


def _first(quarters: Quarters) -> int:
    return (quarters & -quarters).bit_length() - 1


@lru_cache(maxsize=16)
def _fitting(built: Quarters, left: int) -> tuple[tuple[Candidate, ...], ...]:
    """Filter `_by_first` by the remaining tiles and the free quarters."""
    return tuple(
        tuple(one for one in candidates if not one.quarters & built and one.bit & left)
        for candidates in _by_first()
    )


class _Filling:
    """One try to fill a city, with a limit on its steps."""

    def __init__(self, candidates: Sequence[Sequence[Candidate]], rng: Random, steps: int) -> None:
        self.candidates = candidates
        self.rng = rng
        self.steps = steps
        self.laid: list[Candidate] = []

    def fill(self, empty: Quarters, left: int, fountains: int) -> bool:
        """Cover the first empty quarter in every way until none is empty.

        `left` are the bits of the tiles that are left, and that of `FOUNTAIN` as long as there are
        fountains.
        """
        if not empty:
            return True
        self.steps -= 1
        if self.steps < 0:
            return False
        taken = ~empty
        there = self.candidates[(empty & -empty).bit_length() - 1]
        fitting = [one for one in there if not one[1] & taken and one[0] & left]
        if len(fitting) > 1:
            fitting.sort(key=lambda one: -one[1].bit_count() * (0.5 + self.rng.random()))
        for one in fitting:
            bit, quarters, tile, _ = one
            fewer = fountains - (tile == FOUNTAIN)
            self.laid.append(one)
            if self.fill(empty ^ quarters, left if tile == FOUNTAIN and fewer else left ^ bit, fewer):
                return True
            self.laid.pop()
            if self.steps < 0:
                return False
        return False


def filling(
    city: City, tiles: Sequence[TileId], fountains: int, rng: Random, *, tries: int, steps: int
) -> Filling | None:
    built = city.built
    empty = EVERYTHING & ~built
    room = sum(_tile_area(tile) for tile in tiles) + 2 * fountains
    if empty.bit_count() > room:
        return None
    left = sum(1 << tile for tile in tiles) | (fountains > 0) << FOUNTAIN
    for _ in range(tries):
        search = _Filling(_fitting(built, left), rng, steps)
        if search.fill(empty, left, fountains):
            black, green = city.black, city.green
            for _bit, quarters, _tile, side in search.laid:
                black |= quarters if side == "black" else 0
                green |= quarters if side == "green" else 0
            return Filling(tuple((one.tile, one.quarters) for one in search.laid), black, green)
        if search.steps >= 0:
            return None
    return None


@cache
def _tile_area(tile: TileId) -> int:
    return spots(tile)[0].quarters.bit_count()
