"""Tries a choice on a view: the resulting workers, and their votes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines.game import Seat
from engines.tanglewood.moves import PlacedWorker
from engines.tanglewood.pieces.board import Counts, Hop, index, votes
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.view import TanglewoodView


@dataclass(frozen=True, slots=True)
class TanglewoodTrial:
    """The result of a tried choice.

    Attributes:
        after: the new workers of each affected region.
        paid: the viewer's votes from each of these regions at a scoring, now and then.
        total: the same for all regions together.
    """

    after: dict[Region, Counts]
    paid: dict[Region, tuple[int, int]]
    total: tuple[int, int]


def try_choice(
    view: TanglewoodView,
    hops: Sequence[Hop],
    added: Mapping[Region, int],
    evicted: Sequence[PlacedWorker] = (),
) -> TanglewoodTrial:
    """Try a choice.

    List the affected regions in map order, or else the active one.

    Raises:
        ValueError: for a spectator.
    """
    if view.viewer is None:
        raise ValueError("a spectator has no choice to try")
    workers = {region: list(counts) for region, counts in view.workers.items()}
    for region, count in added.items():
        workers[region][view.viewer] += count
    for hop in hops:
        for region, change in ((hop.start, -1), (hop.end, 1)):
            workers[region][index(hop.colour, workers[region])] += change
    for worker in evicted:
        workers[worker.region][index(worker.colour, workers[worker.region])] -= 1
    touched = {
        *added,
        *(worker.region for worker in evicted),
        *(region for hop in hops for region in (hop.start, hop.end)),
    }
    shown = [region for region in REGIONS if region in touched] or [view.active or next(iter(REGIONS))]
    would = {region: tuple(counts) for region, counts in workers.items()}
    now, then = (_votes_by_region(these, view.seats, view.viewer) for these in (view.workers, would))
    return TanglewoodTrial(
        after={region: would[region] for region in shown},
        paid={region: (now[region], then[region]) for region in shown},
        total=(sum(now.values()), sum(then.values())),
    )


def _votes_by_region(workers: Mapping[Region, Counts], seats: int, seat: Seat) -> dict[Region, int]:
    return {region: votes(region, counts, seats)[seat] for region, counts in workers.items()}
