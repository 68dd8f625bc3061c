"""Compares the balance of two ways to play, game by game from the same seeds."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, sqrt

import msgspec

from engines.simulation import SimulatedGame
from engines.statistics import DEVIATIONS_95

FEWEST_PAIRS = 10
"""The pairs below which a change has no interval."""


class BalanceShift(msgspec.Struct, frozen=True):
    """The change of one measure of balance.

    Attributes:
        measure: its name.
        before, after: its mean over the compared games.
        low, high: the 95 % interval of the change.
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
    """Return the 95 % interval of a mean difference, given enough pairs.

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
