"""Every way to carry out a `Shift`: which workers move between the active region and which others.

As many move as can be moved at all, and of each choice only the sorted form is listed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product

from engines.tanglewood.moves import Crossing, Export, Gather, MoveAdjacent, PlacedWorker, Scatter, SentWorker
from engines.tanglewood.pieces.board import Colour, Counts, adjacent
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.pieces.effects import Shift

ShiftMove = Gather | Scatter | MoveAdjacent | Export


def shifts(
    shift: Shift, workers: Mapping[Region, Counts], here: Region, colours: Sequence[Colour]
) -> Iterator[ShiftMove]:
    """Yield every choice, once; none if nobody can be moved. Rules: Tangles."""
    match shift.way, shift.spread:
        case "in", "apart":
            yield from _gathers(shift, workers, here, colours)
        case "out", "apart":
            yield from _scatters(shift, workers, here, colours)
        case "out", "together":
            yield from _exports(shift, workers, here, colours)
        case _:
            yield from _crossings(shift, workers, here, colours)


def regions_in_reach(shift: Shift, here: Region) -> tuple[Region, ...]:
    """Return the regions that workers can come from or go to."""
    return adjacent(here) if shift.reach == "adjacent" else tuple(key for key in REGIONS if key != here)


def count_required(shift: Shift, workers: Mapping[Region, Counts], here: Region) -> int:
    """Return how many workers must move. All that can, up to the deed's number."""
    others = regions_in_reach(shift, here)
    match shift.way, shift.spread:
        case "in", "apart":
            able = sum(any(workers[region]) for region in others)
        case "out", "apart":
            able = min(sum(workers[here]), len(others))
        case "out", "together":
            able = sum(workers[here])
        case _:
            able = max(_able_to_cross(shift, workers, here, region) for region in others)
    return min(shift.workers, able)


def _able_to_cross(shift: Shift, workers: Mapping[Region, Counts], here: Region, region: Region) -> int:
    leaving = sum(workers[here]) if shift.way == "both" else 0
    return sum(workers[region]) + leaving


def _gathers(
    shift: Shift, workers: Mapping[Region, Counts], here: Region, colours: Sequence[Colour]
) -> Iterator[Gather]:
    size = count_required(shift, workers, here)
    if not size:
        return
    there = {
        region: [
            PlacedWorker(region, colour) for colour, n in zip(colours, workers[region], strict=True) if n
        ]
        for region in regions_in_reach(shift, here)
    }
    for regions in combinations([region for region, standing in there.items() if standing], size):
        for team in product(*(there[region] for region in regions)):
            yield Gather(team)


def _scatters(
    shift: Shift, workers: Mapping[Region, Counts], here: Region, colours: Sequence[Colour]
) -> Iterator[Scatter]:
    size = count_required(shift, workers, here)
    if not size:
        return
    others = regions_in_reach(shift, here)
    sent = {region: [SentWorker(colour, region) for colour in colours] for region in others}
    teams = list(_in_turn(workers[here], size))
    for regions in combinations(others, size):
        for team in teams:
            yield Scatter(tuple(sent[region][place] for region, place in zip(regions, team, strict=True)))


def _exports(
    shift: Shift, workers: Mapping[Region, Counts], here: Region, colours: Sequence[Colour]
) -> Iterator[Export]:
    size = count_required(shift, workers, here)
    if not size:
        return
    teams = [tuple(colours[place] for place in team) for team in selections(workers[here], size)]
    for region in regions_in_reach(shift, here):
        for team in teams:
            yield Export(region, team)


def _crossings(
    shift: Shift, workers: Mapping[Region, Counts], here: Region, colours: Sequence[Colour]
) -> Iterator[MoveAdjacent]:
    size = count_required(shift, workers, here)
    if not size:
        return
    coming = [Crossing("in", colour) for colour in colours]
    going = [Crossing("out", colour) for colour in colours] if shift.way == "both" else []
    for region in regions_in_reach(shift, here):
        for team in selections((*workers[region], *(workers[here] if going else ())), size):
            yield MoveAdjacent(region, tuple((coming + going)[place] for place in team))


def selections(limits: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield every sorted selection of that size.

    `limits` is the number of each kind.

    >>> list(selections((2, 1, 0), 2))
    [(0, 0), (0, 1)]
    """
    for team in combinations_with_replacement(range(len(limits)), size):
        if all(team.count(kind) <= limits[kind] for kind in team):
            yield team


def _in_turn(limits: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield every sequence of that size.

    `limits` is the number of each kind.

    >>> list(_in_turn((2, 1, 0), 2))
    [(0, 0), (0, 1), (1, 0)]
    """
    for team in product(range(len(limits)), repeat=size):
        if all(team.count(kind) <= limits[kind] for kind in team):
            yield team
