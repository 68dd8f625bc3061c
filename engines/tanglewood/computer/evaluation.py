"""The value of positions, deeds and choices to a seat, in votes. Rules: Computer players.

The result of a region is a guess that gets better the closer the scoring: a lead of some workers holds with
a chance that depends on a temperature, which falls with the rounds left.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import combinations
from math import exp, sqrt
from operator import add, sub
from typing import NamedTuple

import msgspec

from engines.game import Seat
from engines.tanglewood import moves
from engines.tanglewood.legal.deeds import ballots_due, next_step, raise_level, workers_after
from engines.tanglewood.legal.moves import count_required, regions_in_reach, selections
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Colour, Counts, adjacent, more
from engines.tanglewood.pieces.components import (
    FOX_TILES,
    LENGTHS,
    MAT,
    REGIONS,
    SCORING,
    TANGLES,
    TRACKS,
    Benefit,
    Deed,
    Faction,
    Region,
    effect_of,
)
from engines.tanglewood.view import TanglewoodView

GRUDGE = 0.4
"""Negative weight of the other seats' average votes."""

MARKER, SPARE_MARKER = 0.95, 0.1
"""Value of a marker in the circle while it can be used; of one more."""

USE = 0.6
"""The share of its Place value that a seat uses up each round."""

BALLOTS = (0.0, 0.9, 1.8, 2.2, 2.5, 2.7)
"""Value of that many ballots: a vote takes two, a few more give a choice, and further ones add nothing."""

LEVEL = 1.3
"""Value of one marker more each round, for each round."""

PLACED_PER_ROUND = 0.66
"""The share of seats that place in a round."""

END_LATER = (0.7, 0.4)
"""Before mid-game, the weight of the end, and its added temperature."""

CERTAIN = 50.0
"""Beyond this the chance is 0 or 1."""


class Heat(msgspec.Struct, frozen=True):
    """The uncertainty and the weight of a scoring to come."""

    temperature: float
    weight: float = 1.0


class Gauge(msgspec.Struct, frozen=True):
    """Measures a position for one seat: `others` are the seats that it plays against.

    It caches its measurements in `measured`.
    """

    seat: Seat
    others: tuple[Seat, ...]
    heats: tuple[Heat, ...]
    measured: dict[tuple[Region, Counts], float] = {}

    def region(self, region: Region, counts: Counts) -> float:
        """Value the workers of a region. Own votes, less a part of the others'."""
        value = self.measured.get((region, counts))
        if value is None:
            paid = REGIONS[region].votes
            value = self.measured[region, counts] = sum(
                heat.weight * _net(paid, counts, self.seat, self.others, heat.temperature)
                for heat in self.heats
            )
        return value

    def change(self, old: Mapping[Region, Counts], new: Mapping[Region, Counts]) -> float:
        return sum(
            self.region(region, counts) - self.region(region, old[region])
            for region, counts in new.items()
            if counts is not old[region] and counts != old[region]
        )

    def expected_votes(self, workers: Mapping[Region, Counts]) -> float:
        return sum(
            heat.weight * _votes_to_expect(REGIONS[region].votes, counts, self.seat, heat.temperature)
            for heat in self.heats
            for region, counts in workers.items()
        )


def gauge(view: TanglewoodView, seat: Seat) -> Gauge:
    end = rounds_to_end(view)
    if view.midgame_done:
        return gauge_for(view, seat, Heat(temperature(end)))
    weight, hotter = END_LATER
    mid_game = Heat(temperature(rounds_to_mid_game(view)))
    return gauge_for(view, seat, mid_game, Heat(temperature(end) + hotter, weight))


def gauge_for(view: TanglewoodView, seat: Seat, *heats: Heat) -> Gauge:
    others = tuple(other for other in range(view.seats) if other != seat and other not in view.out)
    return Gauge(seat, others, heats)


def temperature(rounds: float) -> float:
    """Return the uncertainty of a scoring some rounds ahead."""
    return 0.55 + 0.45 * sqrt(max(0.0, rounds - 0.5))


def rounds_to_mid_game(view: TanglewoodView) -> float:
    """Estimate the rounds to the mid-game scoring, including the current one."""
    if view.poll_round is not None:
        return view.poll_round + 2 - view.round
    length = LENGTHS[view.options.length]
    below = length.draw_deck - sum(length.poll_cards_above) // 2
    return _guess_rounds(view, view.deck - below + 1)


def rounds_to_end(view: TanglewoodView) -> float:
    """Estimate the rounds to the end, including the current one."""
    return _guess_rounds(view, view.deck) if view.out_round is None else view.out_round + 2 - view.round


def _guess_rounds(view: TanglewoodView, tangles: int) -> float:
    return max(0.5, tangles) / (PLACED_PER_ROUND * (view.seats - len(view.out))) + 1.5


def is_last_round(view: TanglewoodView) -> bool:
    return view.out_round is not None and view.round > view.out_round


def has_turn_left(view: TanglewoodView, seat: Seat) -> bool:
    if not is_last_round(view):
        return True
    return view.seat is not None and seat in view.order[view.order.index(view.seat) :]


def price_of_markers(number: int, usable: float) -> float:
    """Value a circle whose markers can partly go unused.

    It has no value if none can be placed any more.

    >>> [round(price_of_markers(3, usable), 2) for usable in (10.0, 2.0, 0.0)]
    [2.85, 2.0, 0.0]
    """
    if not usable:
        return 0.0
    used = min(number, usable)
    return MARKER * used + SPARE_MARKER * (number - used)


def price_of_ballots(held: int, number: int) -> float:
    """Value additional ballots in a hand.

    >>> [round(price_of_ballots(held, 1), 2) for held in range(6)]
    [0.9, 0.9, 0.4, 0.3, 0.2, 0.0]
    """
    most = len(BALLOTS) - 1
    return BALLOTS[min(held + number, most)] - BALLOTS[min(held, most)]


def price_of_level(draw: int, place: int, new_draw: int, new_place: int, rounds: float) -> float:
    """Value the rise from a Draw and a Place level to others."""
    gain = pace(MAT.draw[new_draw], MAT.place[new_place]) - pace(MAT.draw[draw], MAT.place[place])
    return LEVEL * max(0.0, rounds - 1) * gain


def pace(draw: int, place: int) -> float:
    """Return a seat's work in a turn.

    >>> pace(2, 1)
    1.2
    """
    return max((draw * placed + 0.8 * draw) / (draw + placed) for placed in range(1, place + 1))


@lru_cache(maxsize=1 << 16)
def _net(
    paid: tuple[int, ...], counts: Counts, seat: Seat, others: tuple[Seat, ...], temperature: float
) -> float:
    own = _votes_to_expect(paid, counts, seat, temperature)
    return own - GRUDGE * sum(_votes_to_expect(paid, counts, other, temperature) for other in others) / len(
        others
    )


def _votes_to_expect(paid: Sequence[int], counts: Counts, seat: Seat, temperature: float) -> float:
    own = counts[seat]
    chances = [1.0] + [0.0] * (len(paid) - 1)
    for place, number in enumerate(counts):
        if place == seat:
            continue
        ahead = _level_or_ahead(own - (number or -1), temperature)
        for better in range(len(chances) - 1, 0, -1):
            chances[better] += ahead * (chances[better - 1] - chances[better])
        chances[0] -= ahead * chances[0]
    return sum(chance * votes for chance, votes in zip(chances, paid, strict=True))


@lru_cache(maxsize=1 << 12)
def _level_or_ahead(lead: int, temperature: float) -> float:
    """Return the chance that a colour catches up `lead` workers."""
    return 1 / (1 + exp(max(-CERTAIN, min(CERTAIN, (lead - 0.5) / temperature))))


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
        self._usable = 0.0 if is_last_round(view) else self._rounds * view.most_placeable(seat) * USE
        self._steps = {track: self.step(track) for track in TRACKS}

    def action(self, move: moves.Move) -> float:
        """Return the gain of a turn that begins like this. Raises ValueError for a move that begins none."""
        circle = self.view.circles[self.seat]
        match move:
            case moves.TanglewoodDraw(track):
                step = 0.0 if track is None else self._steps[track]
                return step + self._markers(circle, self.view.draw_value(self.seat))
            case moves.TanglewoodPlace(region, count):
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
            case _:
                raise ValueError("a turn begins with Draw or Place")

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
            case components.RaiseDrawLevel(n):
                return self._level(n, 0)
            case components.RaisePlaceLevel(n):
                return self._level(0, n)
            case components.Markers(n):
                return self._markers(self.view.circles[self.seat], n)
            case components.Ballots(n):
                return self._ballots(n)
            case components.Votes(n):
                return n
            case components.PlantDeed(n):
                return PLANT * n
            case components.NudgeDeed(n):
                return NUDGE * n
            case components.FoxTileDeed(slot):
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
            case components.Reinforce(n):
                count = min(n, circle)
                return self._more(workers, here, self.seat, count) + self._markers(circle, -count)
            case components.Refill():
                return self._markers(circle, self.view.draw_value(self.seat))
            case components.Evict():
                evicted = tuple(
                    max(0, number - (place != self.seat)) for place, number in enumerate(workers[here])
                )
                return self.gauge.region(here, evicted) - self.gauge.region(here, workers[here])
            case components.StandingBallots() | components.LeadBallots():
                return self._ballots(ballots_due(deed, workers, self.seat, here))
            case components.PlaceAdjacentDeed(source):
                if source == "circle" and not circle:
                    return 0.0
                cost = self._markers(circle, -1) if source == "circle" else 0.0
                return cost + max(self._more(workers, region, self.seat, 1) for region in adjacent(here))
            case components.Shift():
                return self._shift(deed, scene)
            case _:
                return self._benefit(deed)

    def _shift(self, deed: components.Shift, scene: Scene) -> float:
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

    def _apart(self, deed: components.Shift, scene: Scene) -> float:
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


AT_THE_VOTE, AFTER_THE_VOTE = 1.2, 2.5
"""Uncertainty of a scoring when ballots are played, and when they are kept for the next."""

_LATER = components.RaiseDrawLevel | components.RaisePlaceLevel | components.Markers
"""The benefits that bring nothing before the next turn."""


def gains(view: TanglewoodView, seat: Seat) -> Callable[[moves.Move], float]:
    """Return a function for the gain of a choice, in votes. Not of the ballots to keep."""
    if view.phase == "ballots":
        gauge = gauge_for(view, seat, Heat(AT_THE_VOTE))
        return lambda move: _worker_gain(view, gauge, move)
    appraiser = Appraiser(view, seat)
    if view.phase == "turn":
        return appraiser.action
    return lambda move: _choice(view, appraiser, move)


def _choice(view: TanglewoodView, appraiser: Appraiser, move: moves.Move) -> float:
    match move:
        case moves.TanglewoodStep(track):
            return appraiser.step(track)
        case _:
            return _worker_gain(view, appraiser.gauge, move)


def _worker_gain(view: TanglewoodView, gauge: Gauge, move: moves.Move) -> float:
    return gauge.change(view.workers, workers_after(view.workers, gauge.seat, move, view.active))


def is_idle(view: TanglewoodView, seat: Seat, move: moves.Move) -> bool:
    """Return True for a choice that brings nothing.

    That is an exchange of workers that leaves all regions as they are; in the last turn also a Draw or a
    step for later turns, and a Place that leaves markers over that had room.
    """
    last = is_last_round(view)
    match move:
        case moves.TanglewoodDraw(step):
            return last and (step is None or isinstance(next_step(view, seat, step), _LATER))
        case moves.TanglewoodStep(track):
            return last and isinstance(next_step(view, seat, track), _LATER)
        case moves.TanglewoodPlace(region, count):
            # The most markers that the region's Tangle takes from the circle.
            card, used = view.tangles[region], 0
            for deed in effect_of(card).steps if card is not None else ():
                if isinstance(deed, components.Reinforce):
                    used += deed.n
                elif isinstance(deed, components.PlaceAdjacentDeed) and deed.source == "circle":
                    used += 1
            left = view.circles[seat] - count - used
            return last and left > 0 and count < view.most_placeable(seat)
        case moves.PlayBallots() | moves.KeepBallots():
            return False
        case _:
            return workers_after(view.workers, seat, move, view.active) == view.workers


def choose_kept_ballots(view: TanglewoodView, seat: Seat) -> moves.KeepBallots:
    """Keep the ballots that gain more than an average one."""
    gauge = gauge_for(view, seat, Heat(AFTER_THE_VOTE))

    def gain(region: Region) -> float:
        return _worker_gain(view, gauge, moves.PlayBallots((region,)))

    average = sum(map(gain, REGIONS)) / len(REGIONS)
    good = sorted(
        (ballot for ballot in view.hands[gauge.seat] or () if gain(ballot) > average), key=gain, reverse=True
    )
    return moves.KeepBallots(tuple(sorted(good[: SCORING.ballots_kept])))
