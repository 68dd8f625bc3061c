"""Search for a way to fill a city to the last square.

All tiles come to everybody in the end and may be set aside, so a way to fill the city that uses some of
those that are still to come can always be carried out, whatever the order of the cards.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple

import msgspec

from engines.tangram.pieces.city import ONES, City
from engines.tangram.pieces.components import FOUNTAIN, TILES, TileId
from engines.tangram.pieces.geometry import CORNERS, SQUARES, Quarters, Side, fountain_quarters, spots

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
        candidates.sort(key=_area, reverse=True)
    return tuple(tuple(candidates) for candidates in entries)


def _first(quarters: Quarters) -> int:
    return (quarters & -quarters).bit_length() - 1


def _area(candidate: Candidate) -> int:
    return candidate.quarters.bit_count()


@lru_cache(maxsize=16)
def _fitting(built: Quarters, left: int) -> tuple[tuple[Candidate, ...], ...]:
    """Filter `_by_first` by the remaining tiles and the free quarters."""
    return tuple(
        tuple(one for one in candidates if not one.quarters & built and one.bit & left)
        for candidates in _by_first()
    )


class _Search:
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
        fitting = [
            one
            for one in self.candidates[(empty & -empty).bit_length() - 1]
            if not one[1] & taken and one[0] & left
        ]
        if len(fitting) > 1:
            fitting.sort(key=self._random_priority)
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

    def _random_priority(self, one: Candidate) -> float:
        return -one[1].bit_count() * (0.5 + self.rng.random())


def filling(
    city: City, tiles: Sequence[TileId], fountains: int, rng: Random, *, tries: int, steps: int
) -> Filling | None:
    """Find a way to fill a city with these tiles, or None."""
    built = city.built
    empty = EVERYTHING & ~built
    room = sum(_tile_area(tile) for tile in tiles) + 2 * fountains
    if empty.bit_count() > room:
        return None
    left = sum(1 << tile for tile in tiles) | (fountains > 0) << FOUNTAIN
    for _ in range(tries):
        search = _Search(_fitting(built, left), rng, steps)
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
