"""Aggregates the figures of many simulated games."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, median, quantiles

import msgspec

from engines.simulation import SimulatedGame

DEVIATIONS_95 = NormalDist().inv_cdf(0.975)
"""Standard deviations on each side that hold 95 %."""


class Spread(msgspec.Struct, frozen=True):
    """The distribution of some numbers: median, quartiles, least and most."""

    median: float
    low: float
    high: float
    least: float
    most: float


class SeatFigures(msgspec.Struct, frozen=True):
    """The results of a seat: its share of wins with the 95 % interval, and its scores, if any.

    A shared first place counts in parts.
    """

    wins: float
    interval: tuple[float, float]
    scores: Spread | None


class Usage(msgspec.Struct, frozen=True):
    """How often something was used, and with what success.

    `times` is the mean number in a game, `share` that of seats that used it at all. `won` is the share of
    wins of these seats, and `won_without` that of the others; None if there are none.
    """

    name: str
    times: float
    share: float
    won: float | None
    won_without: float | None


class Figures(msgspec.Struct, frozen=True):
    """All figures over some games.

    `seats` are in the order of `SimulatedGame.order`. `used` begins with the most frequent: kinds of move,
    and kinds with what they name after a middle dot.
    """

    games: int
    seats: tuple[SeatFigures, ...]
    turns: Spread
    decisions: Spread
    ends: dict[str, int]
    used: tuple[Usage, ...]


SEPARATOR = " · "
"""Separates a kind of move from what it names."""


def figures(games: Sequence[SimulatedGame]) -> Figures:
    """Aggregate at least one game; their order doesn't matter."""
    seats = len(games[0].used)
    return Figures(
        games=len(games),
        seats=tuple(_seat_figures(games, place) for place in range(seats)),
        turns=measure_spread([one.turns for one in games]),
        decisions=measure_spread([one.decisions for one in games]),
        ends=dict(Counter(one.outcome.how for one in games).most_common()),
        used=_count_usage(games),
    )


def measure_spread(numbers: Sequence[float]) -> Spread:
    """Summarise at least one number.

    >>> measure_spread([3, 1, 2, 5, 4])
    Spread(median=3, low=2.0, high=4.0, least=1, most=5)
    """
    low, _, high = quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else [numbers[0]] * 3
    return Spread(median(numbers), low, high, min(numbers), max(numbers))


def interval(share: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % score interval for a share over that many games.

    >>> [round(end, 3) for end in interval(0.5, 100)], [round(end, 3) for end in interval(0, 10)]
    ([0.404, 0.596], [0.0, 0.278])
    """
    square = DEVIATIONS_95**2 / games
    centre = (share + square / 2) / (1 + square)
    reach = DEVIATIONS_95 / (1 + square) * sqrt(share * (1 - share) / games + square / (4 * games))
    return max(0.0, centre - reach), min(1.0, centre + reach)


def _seat_figures(games: Sequence[SimulatedGame], place: int) -> SeatFigures:
    wins = sum(one.win_share(one.order[place]) for one in games) / len(games)
    scores = [one.outcome.scores[one.order[place]] for one in games if one.outcome.scores is not None]
    return SeatFigures(wins, interval(wins, len(games)), measure_spread(scores) if scores else None)


def _count_usage(games: Sequence[SimulatedGame]) -> tuple[Usage, ...]:
    times, seats, won = Counter[str](), Counter[str](), Counter[str]()
    shares = [(used, one.win_share(seat)) for one in games for seat, used in enumerate(one.used)]
    for used, share in shares:
        for name, number in used.items():
            times[name] += number
            seats[name] += 1
            won[name] += share  # type: ignore[assignment]  # a counter of shares
    everybody, all_won = len(shares), sum(share for _, share in shares)
    entries = []
    for name, number in sorted(times.items(), key=lambda one: (-one[1], one[0])):
        others = everybody - seats[name]
        without = (all_won - won[name]) / others if others else None
        share = seats[name] / everybody
        entries.append(Usage(name, number / len(games), share, won[name] / seats[name], without))
    return tuple(entries)
