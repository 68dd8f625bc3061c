"""The expected votes of steps and Tangles, before they are carried out. Rules: Computer players."""

from collections.abc import Mapping
from functools import lru_cache
from heapq import nlargest
from itertools import combinations
from operator import add, sub
from typing import NamedTuple

from engines.game import Seat
from engines.tanglewood.computer.evaluation import (
    USE,
    Gauge,
    gauge,
    is_last_round,
    price_of_ballots,
    price_of_level,
    price_of_markers,
    rounds_to_end,
)
from engines.tanglewood.legal.deeds import ballots_due, next_step, raise_level
from engines.tanglewood.legal.shifts import count_required, regions_in_reach, selections
from engines.tanglewood.moves import Move, TanglewoodDraw, TanglewoodPlace
from engines.tanglewood.pieces import effects
from engines.tanglewood.pieces.board import Colour, Counts, adjacent, more
from engines.tanglewood.pieces.components import FOX_TILES, MAT, TANGLES, TRACKS, Faction, Region, effect_of
from engines.tanglewood.pieces.effects import Benefit, Deed
from engines.tanglewood.view import TanglewoodView

PLANT, NUDGE = 1.3, 1.04
"""Value of planting a marker, and of nudging a worker."""

LOOKING_AHEAD = 0.25
"""Weight of the step after a step, if it is the better one."""


class Scene(NamedTuple):
    """The position that an effect meets: workers, active region, markers left in the circle."""

    workers: Mapping[Region, Counts]
    here: Region
    circle: int


class Appraiser:
    """Appraises the moves of one seat in a position, as its view shows it."""

    def __init__(self, view: TanglewoodView, seat: Seat) -> None:
        self.view, self.seat = view, seat
        self.gauge: Gauge = gauge(view, seat)
        self._rounds = rounds_to_end(view)
        self._usable = 0.0 if is_last_round(view) else self._rounds * view.place_value(seat) * USE
        self._steps = {track: self.step(track) for track in TRACKS}

    def action(self, move: Move) -> float:
        """Return the gain of a turn that begins like this. Raises ValueError for a move that begins none."""
        circle = self.view.circles[self.seat]
        match move:
            case TanglewoodDraw(track):
                step = 0.0 if track is None else self._steps[track]
                return step + self._markers(circle, self.view.draw_value(self.seat))
            case TanglewoodPlace(region, count):
                return self._place(region, count, circle)
            case _:
                raise ValueError("a turn begins with Draw or Place")

    def _place(self, region: Region, count: int, circle: int) -> float:
        card = self.view.tangles[region]
        if card is None:
            raise ValueError("a Tangle lies on every region when a turn begins")
        workers = {**self.view.workers, region: more(self.view.workers[region], self.seat, count)}
        scene = Scene(workers, region, circle - count)
        return (
            self._more(self.view.workers, region, self.seat, count)
            + self._markers(circle, -count)
            + max(self._steps[track] for track in TANGLES[card].tracks)
            + sum(self._deed(deed, scene) for deed in effect_of(card).steps)
        )

    def step(self, track: Faction) -> float:
        """Value the next step of a track. At its end that is a ballot."""
        steps = TRACKS[track].steps
        done, benefit = self.view.steps[self.seat][track], next_step(self.view, self.seat, track)
        if benefit is None:
            return self._ballots(1)
        now = self._benefit(benefit)
        if done + 1 == len(steps):
            return now
        return max(now, now + LOOKING_AHEAD * (self._benefit(steps[done + 1]) - now))

    def _benefit(self, benefit: Benefit) -> float:
        match benefit:
            case effects.DrawLevel(n):
                return self._level(n, 0)
            case effects.PlaceLevel(n):
                return self._level(0, n)
            case effects.Markers(n):
                return self._markers(self.view.circles[self.seat], n)
            case effects.Ballots(n):
                return self._ballots(n)
            case effects.Votes(n):
                return n
            case effects.PlantDeed(n):
                return PLANT * n
            case effects.NudgeDeed(n):
                return NUDGE * n
            case effects.FoxTileDeed(slot):
                return self._benefit(FOX_TILES[self.view.fox_tiles[slot - 1]].benefit)

    def _level(self, draw: int, place: int) -> float:
        old_draw, old_place = self.view.draw_levels[self.seat], self.view.place_levels[self.seat]
        new_draw, new_place = raise_level(old_draw, draw, MAT.draw), raise_level(old_place, place, MAT.place)
        return price_of_level(old_draw, old_place, new_draw, new_place, self._rounds)

    def _markers(self, circle: int, number: int) -> float:
        """Value a number of markers more in the circle, or fewer."""
        return price_of_markers(circle + number, self._usable) - price_of_markers(circle, self._usable)

    def _ballots(self, number: int) -> float:
        return price_of_ballots(self.view.held[self.seat], number)

    def _deed(self, deed: Deed, scene: Scene) -> float:
        """Value a deed of an effect, a choice by its best option."""
        workers, here, circle = scene
        match deed:
            case effects.Reinforce(n):
                count = min(n, circle)
                return self._more(workers, here, self.seat, count) + self._markers(circle, -count)
            case effects.Refill():
                return self._markers(circle, self.view.draw_value(self.seat))
            case effects.Evict():
                evicted = tuple(
                    max(0, number - (place != self.seat)) for place, number in enumerate(workers[here])
                )
                return self.gauge.region(here, evicted) - self.gauge.region(here, workers[here])
            case effects.StandingBallots() | effects.LeadBallots():
                return self._ballots(ballots_due(deed, workers, self.seat, here))
            case effects.PlaceAdjacentDeed(source):
                if source == "circle" and not circle:
                    return 0.0
                cost = self._markers(circle, -1) if source == "circle" else 0.0
                return cost + max(self._more(workers, region, self.seat, 1) for region in adjacent(here))
            case effects.Shift():
                return self._shift(deed, scene)
            case _:
                return self._benefit(deed)

    def _shift(self, deed: effects.Shift, scene: Scene) -> float:
        """Value the best of a shift. All that move together change the active region and one other."""
        if deed.spread == "apart":
            return self._apart(deed, scene)
        workers, here, _ = scene
        size, region_value = count_required(deed, workers, here), self.gauge.region
        if not size:
            return 0.0
        home, nobody = workers[here], (0,) * len(workers[here])
        now, best = region_value(here, home), float("-inf")
        going = nobody if deed.way == "in" else _at_most(home, size)
        for region in regions_in_reach(deed, here):
            there = workers[region]
            coming = nobody if deed.way == "out" else _at_most(there, size)
            most = max(
                (
                    region_value(here, tuple(map(add, home, change)))
                    + region_value(region, tuple(map(sub, there, change)))
                    for change in _changes(coming, going, size)
                ),
                default=float("-inf"),
            )
            best = max(best, most - now - region_value(region, there))
        return best

    def _apart(self, deed: effects.Shift, scene: Scene) -> float:
        """Value the best Gather or Scatter. For each colour, only the regions that gain most count."""
        workers, here, _ = scene
        size, sign = count_required(deed, workers, here), 1 if deed.way == "in" else -1
        single: list[tuple[float, Region, int, Colour]] = []
        for place, colour in enumerate(self.view.colours):
            single += nlargest(
                size,
                (
                    (self._more(workers, region, colour, -sign), region, place, colour)
                    for region in regions_in_reach(deed, here)
                    if sign < 0 or workers[region][place]
                ),
            )
        best = 0.0 if not size else float("-inf")
        for team in combinations(single, size):
            if len({region for _, region, _, _ in team}) < size:
                continue
            counts = workers[here]
            for _, _, _, colour in team:
                counts = more(counts, colour, sign)
            if min(counts) >= 0:
                gain = self.gauge.region(here, counts) - self.gauge.region(here, workers[here])
                best = max(best, gain + sum(gained for gained, _, _, _ in team))
        return best

    def _more(self, workers: Mapping[Region, Counts], region: Region, colour: Colour, number: int) -> float:
        """Value a number of workers more of a colour in a region."""
        counts = workers[region]
        return self.gauge.region(region, more(counts, colour, number)) - self.gauge.region(region, counts)


def _at_most(counts: Counts, size: int) -> Counts:
    return tuple(min(number, size) for number in counts)


@lru_cache(maxsize=1 << 12)
def _changes(coming: Counts, going: Counts, size: int) -> tuple[Counts, ...]:
    """Return a region's possible changes when that many workers cross together.

    `coming` and `going` limit the workers of each colour.

    >>> _changes((1, 0), (0, 1), 2)
    ((1, -1),)
    """
    colours = len(coming)
    teams = selections((*coming, *going), size)
    every = (
        tuple(team.count(colour) - team.count(colours + colour) for colour in range(colours))
        for team in teams
    )
    return tuple(dict.fromkeys(every))
