"""The value of positions, markers, levels and ballots to a seat, in votes. Rules: Computer players.

The result of a region is a guess that gets better the closer the scoring: a lead of some workers holds with
a chance that depends on a temperature, which falls with the rounds left.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, sqrt

import msgspec

from engines.game import Seat
from engines.tanglewood.pieces.board import Counts
from engines.tanglewood.pieces.components import LENGTHS, MAT, REGIONS, Region
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
        """Return the gain by a change of workers."""
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
    """Return the gauge of a seat for any time of the game."""
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
    """Return True if no seat has a turn after this round."""
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
