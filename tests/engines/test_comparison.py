import pytest

from engines.analysis.simulation import SimulatedGame
from engines.analysis.statistics import BalanceShift, compare_games, estimate_change
from engines.game import Outcome


def game(number: int, scores: tuple[int, int], turns: int = 10, won: bool | None = None) -> SimulatedGame:
    best = max(scores)
    places = tuple(1 if score == best else 2 for score in scores)
    return SimulatedGame(number, (0, 1), Outcome("points", places, scores, won), turns, 20, ({}, {}))


def shift(name: str, shifts: tuple[BalanceShift, ...]) -> BalanceShift:
    return next(one for one in shifts if one.measure == name)


def test_each_measure_has_its_change_and_interval() -> None:
    before = [game(number, (10, 4)) for number in range(40)]
    after = [game(number, (10, 10) if number % 4 else (4, 10), 12) for number in range(40)]

    result = compare_games("win=30", before, after)

    assert (result.name, result.games) == ("win=30", 40)
    first, margin, turns, shared = (
        shift(name, result.shifts) for name in ("wins of seat 1", "margin", "turns", "shared first places")
    )
    assert (first.before, first.after) == (1, 0.375)
    assert first.low < first.change < first.high
    assert first.is_clear
    assert (margin.before, margin.after) == (6, 1.5)
    assert (turns.low, turns.high) == (2, 2)
    assert (shared.before, shared.after) == (0, 0.75)


def test_only_games_with_a_partner_count() -> None:
    result = compare_games("", [game(1, (1, 2)), game(2, (1, 2))], [game(2, (2, 1)), game(3, (2, 1))])

    assert result.games == 1
    with pytest.raises(ValueError, match="partner"):
        compare_games("", [game(1, (1, 2))], [game(2, (1, 2))])


def test_a_team_has_one_share_of_wins() -> None:
    games = [game(number, (1, 1), won=number % 2 == 0) for number in range(4)]

    assert [one.measure for one in compare_games("", games, games).shifts] == ["wins", "turns"]


def test_pairs_that_agree_make_an_interval_small() -> None:
    alike = [0.0] * 98 + [1.0] * 2
    mixed = [1.0, -1.0] * 50

    assert estimate_change(alike, is_share=True)[1] < estimate_change(mixed, is_share=True)[1] / 2


def test_the_interval_of_a_share_is_that_of_a_published_example() -> None:
    # R's statpsych, ci.prop.ps(.05, 12, 4, 26, 6), which divides by the pairs, not by one less.
    pairs = [1.0] * 26 + [-1.0] * 4 + [0.0] * 18

    assert estimate_change(pairs, is_share=True) == pytest.approx((0.2548, 0.6252), abs=0.002)
