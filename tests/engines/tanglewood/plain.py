"""The rules of standings and choices in the plainest words, to compare the engine with."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from engines.tanglewood.pieces.board import Counts
from engines.tanglewood.pieces.components import REGIONS, Region, Shift

Trip = tuple[Region, int, Region]
"""A worker's start, the place of its colour in the counts, and its end."""


def plain_standing(counts: Sequence[int], place: int) -> int | None:
    """Rank everybody from the top; ties share the worst rank."""
    if not counts[place]:
        return None
    ranking = sorted(counts, reverse=True)
    return max(rank for rank, number in enumerate(ranking, start=1) if number == counts[place])


def plain_adjacent(region: Region) -> list[Region]:
    rows = ["ABC", "DEF", "GHI"]
    at = {letter: (row, column) for row, line in enumerate(rows) for column, letter in enumerate(line)}
    row, column = at[region]
    return [other for other in at if abs(at[other][0] - row) + abs(at[other][1] - column) == 1]


def plain_shifts(
    shift: Shift, workers: Mapping[Region, Counts], here: Region
) -> set[frozenset[tuple[Trip, int]]]:
    """Return every largest legal set of trips, by trying all sets. Each is a multiset of its trips."""
    for size in range(shift.workers, 0, -1):
        result = {
            frozenset(Counter(trips).items())
            for trips in combinations(list(_trips(shift, workers, here)), size)
            if _together_or_apart(shift, trips, here) and _there(trips, workers)
        }
        if result:
            return result
    return set()


def _trips(shift: Shift, workers: Mapping[Region, Counts], here: Region) -> Iterator[Trip]:
    """Yield each possible trip, as often as workers could take it."""
    others = plain_adjacent(here) if shift.reach == "adjacent" else [one for one in REGIONS if one != here]
    for place in range(len(workers[here])):
        for other in others:
            if shift.way in ("in", "both"):
                yield from [(other, place, here)] * min(workers[other][place], shift.workers)
            if shift.way in ("out", "both"):
                yield from [(here, place, other)] * min(workers[here][place], shift.workers)


def _together_or_apart(shift: Shift, trips: Sequence[Trip], here: Region) -> bool:
    others = [end if start == here else start for start, _, end in trips]
    return len(set(others)) == (len(trips) if shift.spread == "apart" else 1)


def _there(trips: Sequence[Trip], workers: Mapping[Region, Counts]) -> bool:
    """Return True if the trips' starts have enough workers of each colour."""
    needed = Counter((start, place) for start, place, _ in trips)
    return all(workers[start][place] >= number for (start, place), number in needed.items())
