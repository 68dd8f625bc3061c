"""Figures of many simulated games, and the comparison of two ways to play."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, sqrt
from statistics import NormalDist, median, quantiles

import msgspec

from engines.analysis.simulation import SimulatedGame

DEVIATIONS_95 = NormalDist().inv_cdf(0.975)
"""Standard deviations on each side that hold 95%."""


class Spread(msgspec.Struct, frozen=True):
    """The distribution of some numbers: median, quartiles, least and most."""

    median: float
    low: float
    high: float
    least: float
    most: float


class SeatFigures(msgspec.Struct, frozen=True):
    """The results of a seat: its share of wins with the 95% interval, and its scores, if any.

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
    seats, entries = len(games[0].used), []
    for place in range(seats):
        wins = sum(one.win_share(one.order[place]) for one in games) / len(games)
        scores = [one.outcome.scores[one.order[place]] for one in games if one.outcome.scores is not None]
        spread = measure_spread(scores) if scores else None
        entries.append(SeatFigures(wins, interval(wins, len(games)), spread))
    times, users, won = Counter[str](), Counter[str](), Counter[str]()
    shares = [(used, one.win_share(seat)) for one in games for seat, used in enumerate(one.used)]
    for used, share in shares:
        for name, number in used.items():
            times[name] += number
            users[name] += 1
            won[name] += share  # type: ignore[assignment]  # a counter of shares
    everybody, all_won, usage = len(shares), sum(share for _, share in shares), []
    for name, number in sorted(times.items(), key=lambda one: (-one[1], one[0])):
        others = everybody - users[name]
        without = (all_won - won[name]) / others if others else None
        share = users[name] / everybody
        usage.append(Usage(name, number / len(games), share, won[name] / users[name], without))
    return Figures(
        games=len(games),
        seats=tuple(entries),
        turns=measure_spread([one.turns for one in games]),
        decisions=measure_spread([one.decisions for one in games]),
        ends=dict(Counter(one.outcome.how for one in games).most_common()),
        used=tuple(usage),
    )


def measure_spread(numbers: Sequence[float]) -> Spread:
    """Summarise at least one number.

    >>> measure_spread([3, 1, 2, 5, 4])
    Spread(median=3, low=2.0, high=4.0, least=1, most=5)
    """
    low, _, high = quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else [numbers[0]] * 3
    return Spread(median(numbers), low, high, min(numbers), max(numbers))


def interval(share: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95% score interval for a share over that many games.

    >>> [round(end, 3) for end in interval(0.5, 100)], [round(end, 3) for end in interval(0, 10)]
    ([0.404, 0.596], [0.0, 0.278])
    """
    square = DEVIATIONS_95**2 / games
    centre = (share + square / 2) / (1 + square)
    reach = DEVIATIONS_95 / (1 + square) * sqrt(share * (1 - share) / games + square / (4 * games))
    return max(0.0, centre - reach), min(1.0, centre + reach)


FEWEST_PAIRS = 10
"""The pairs below which a change has no interval."""


class BalanceShift(msgspec.Struct, frozen=True):
    """The change of one measure of balance.

    Attributes:
        measure: its name.
        before, after: its mean over the compared games.
        low, high: the 95% interval of the change.
        is_share: True for a share of games, False for a number.
    """

    measure: str
    before: float
    after: float
    low: float
    high: float
    is_share: bool

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def is_clear(self) -> bool:
        """True if the interval leaves out no change at all."""
        return self.low > 0 or self.high < 0


class BalanceComparison(msgspec.Struct, frozen=True):
    """The balance of a changed game against the same games unchanged; `name` says what was changed."""

    name: str
    games: int
    shifts: tuple[BalanceShift, ...]


def compare_games(
    name: str, before: Sequence[SimulatedGame], after: Sequence[SimulatedGame]
) -> BalanceComparison:
    """Compare the games that have a partner of the same number. Raise ValueError if there are none."""
    partners = {game.number: game for game in before}
    pairs = [(partners[game.number], game) for game in after if game.number in partners]
    if not pairs:
        raise ValueError("no game has a partner")
    return BalanceComparison(name, len(pairs), tuple(_shifts(pairs)))


def _shifts(pairs: Sequence[tuple[SimulatedGame, SimulatedGame]]) -> Iterator[BalanceShift]:
    seats = len(pairs[0][0].order)
    if all(game.outcome.won is not None for pair in pairs for game in pair):
        yield _shift("wins", pairs, lambda game: game.win_share(0), True)
        yield _shift("turns", pairs, lambda game: game.turns)
        return
    for place in range(seats):
        yield _shift(f"wins of seat {place + 1}", pairs, partial(_win_share, place), True)
    yield _shift("turns", pairs, lambda game: game.turns)
    if seats > 1 and all(game.outcome.scores is not None for pair in pairs for game in pair):
        yield _shift("margin", pairs, _margin)
    if seats > 1 and all(game.outcome.won is None for pair in pairs for game in pair):
        yield _shift("shared first places", pairs, lambda game: game.outcome.places.count(1) > 1, True)


def _win_share(place: int, game: SimulatedGame) -> float:
    return game.win_share(game.order[place])


def _margin(game: SimulatedGame) -> float:
    """Return the points between the best and the second-best score."""
    best, second = sorted(game.outcome.scores or (0, 0), reverse=True)[:2]
    return best - second


def _shift(
    measure: str,
    pairs: Sequence[tuple[SimulatedGame, SimulatedGame]],
    value: Callable[[SimulatedGame], float],
    is_share: bool = False,
) -> BalanceShift:
    before, after = ([float(value(pair[side])) for pair in pairs] for side in (0, 1))
    low, high = estimate_change([two - one for one, two in zip(before, after, strict=True)], is_share)
    games = len(pairs)
    return BalanceShift(measure, sum(before) / games, sum(after) / games, low, high, is_share)


def estimate_change(differences: Sequence[float], is_share: bool = False) -> tuple[float, float]:
    """Return the 95% interval of a mean difference, given enough pairs.

    Shares get one more pair in each direction, after Bonett and Price, so that a few games without a
    difference don't look sure.

    >>> [round(end, 2) for end in estimate_change([1, 2, 3, 2] * 3)]
    [1.58, 2.42]
    >>> estimate_change([3])
    (-inf, inf)
    >>> [round(end, 2) for end in estimate_change([0] * 18, is_share=True)]
    [-0.14, 0.14]
    """
    if len(differences) < FEWEST_PAIRS:
        return -inf, inf
    values = [*differences, 1.0, -1.0] if is_share else list(differences)
    number = len(values)
    mean = sum(values) / number
    spread = sum((one - mean) ** 2 for one in values) / max(1, number - 1)
    reach = DEVIATIONS_95 * sqrt(spread / number)
    return mean - reach, mean + reach
