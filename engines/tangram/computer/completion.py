"""Whether a city can still be filled to the last square, and with which tiles where.

All tiles come to everybody in the end and may be set aside, so a way to fill the city that uses some of
those that are still to come can always be carried out, whatever the order of the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random

import msgspec

from engines.tangram.city import ONES, City
from engines.tangram.components import FOUNTAIN, TILES, TileId
from engines.tangram.geometry import CORNERS, SQUARES, Quarters, Side, fountain_quarters, spots

EVERYTHING: Quarters = ONES * 15
"""All quarters of the board."""


class Filling(msgspec.Struct, frozen=True):
    """A way to fill a city: what each tile covers, and the colours of the whole then."""

    laid: tuple[tuple[TileId, Quarters], ...]
    black: Quarters
    green: Quarters


Candidate = tuple[TileId, Quarters, Side | None]


@cache
def _by_first(tiles: frozenset[TileId]) -> tuple[tuple[Candidate, ...], ...]:
    """For each quarter the ways to lie of which it is the first, large tiles before small ones."""
    found: list[list[Candidate]] = [[] for _ in range(4 * len(SQUARES))]
    for tile in tiles:
        for spot in spots(tile):
            found[_first(spot.quarters)].append((tile, spot.quarters, spot.side))
    for square in SQUARES:
        for corner in CORNERS:
            water = fountain_quarters(square, corner)
            found[_first(water)].append((FOUNTAIN, water, None))
    for candidates in found:
        candidates.sort(key=_area, reverse=True)
    return tuple(tuple(candidates) for candidates in found)


def _first(quarters: Quarters) -> int:
    return (quarters & -quarters).bit_length() - 1


def _area(candidate: Candidate) -> int:
    return candidate[1].bit_count()


class _Search:
    """One try to fill a city, giving up after so many steps."""

    def __init__(self, tiles: Iterable[TileId], fountains: int, rng: Random, steps: int) -> None:
        self.candidates = _by_first(frozenset(TILES))
        self.left = set(tiles)
        self.fountains = fountains
        self.rng = rng
        self.steps = steps
        self.laid: list[Candidate] = []

    def fill(self, empty: Quarters) -> bool:
        """Cover the first empty quarter in every way until nothing is empty."""
        if not empty:
            return True
        self.steps -= 1
        if self.steps < 0:
            return False
        fitting = [
            one
            for one in self.candidates[_first(empty)]
            if not one[1] & ~empty and (one[0] in self.left or (one[0] == FOUNTAIN and self.fountains > 0))
        ]
        if len(fitting) > 1:
            fitting.sort(key=self._shuffled)
        for one in fitting:
            self._take(one)
            if self.fill(empty & ~one[1]):
                return True
            self._give_back(one)
            if self.steps < 0:
                return False
        return False

    def _shuffled(self, one: Candidate) -> float:
        return -one[1].bit_count() * (0.5 + self.rng.random())

    def _take(self, one: Candidate) -> None:
        self.laid.append(one)
        if one[0] == FOUNTAIN:
            self.fountains -= 1
        else:
            self.left.discard(one[0])

    def _give_back(self, one: Candidate) -> None:
        self.laid.pop()
        if one[0] == FOUNTAIN:
            self.fountains += 1
        else:
            self.left.add(one[0])


def filling(
    city: City, tiles: Sequence[TileId], fountains: int, rng: Random, *, tries: int, steps: int
) -> Filling | None:
    """A way to fill a city with some of the tiles and at most so many fountains; None when none is found."""
    empty = EVERYTHING & ~city.built
    room = sum(_tile_area(tile) for tile in tiles) + 2 * fountains
    if empty.bit_count() > room:
        return None
    for _ in range(tries):
        search = _Search(tiles, fountains, rng, steps)
        if search.fill(empty):
            black, green = city.black, city.green
            for _tile, quarters, side in search.laid:
                black |= quarters if side == "black" else 0
                green |= quarters if side == "green" else 0
            return Filling(tuple((tile, quarters) for tile, quarters, _ in search.laid), black, green)
        if search.steps >= 0:
            return None
    return None


@cache
def _tile_area(tile: TileId) -> int:
    return spots(tile)[0].quarters.bit_count()
