"""Schedules of cups: everybody plays as often, on every seat as often, and against as many as may be."""

from collections import Counter
from functools import cache
from itertools import combinations
from math import ceil

import pytest

from engines.registry import AnyGame, games
from tables.cups.schedule import FEWEST, MOST, Round, best_size, rounds_of, schedule
from tests.often import often

pytestmark = pytest.mark.slow

NUMBERS = [*range(FEWEST, often(14, 20)), *range(20, MOST, often(11, 1)), MOST]
SIZES = (2, 3, 4, 5)
scheduled = cache(schedule)
every_size = pytest.mark.parametrize("size", SIZES, ids="{}@tables".format)
"""Keeps tests of the same schedules in one process."""


def numbers(size: int) -> list[int]:
    """Return the numbers of players in cups with tables of that size."""
    return [players for players in NUMBERS if players >= size]


def people(pod: tuple[int | None, ...]) -> list[int]:
    """Return the people at a table, without computers."""
    return [who for who in pod if who is not None]


def sat(rounds: tuple[Round, ...]) -> Counter[tuple[int, int]]:
    """Count how often everybody has which seat."""
    return Counter(
        (who, seat) for one in rounds for pod in one for seat, who in enumerate(pod.seats) if who is not None
    )


def count_meetings(rounds: tuple[Round, ...]) -> Counter[tuple[int, int]]:
    return Counter(
        pair for one in rounds for pod in one for pair in combinations(sorted(people(pod.seats)), 2)
    )


@every_size
def test_a_schedule_is_balanced(size: int) -> None:
    for players in numbers(size):
        rounds = scheduled(players, size)
        seats = sat(rounds)

        assert len(rounds) == rounds_of(players, size)
        for one in rounds:
            here = [who for pod in one for who in people(pod.seats)]
            assert all(len(pod.seats) == size for pod in one)
            assert len(here) == len(set(here)) == (players if size > 2 else players - players % 2)
        for who in range(players):
            times = [seats[who, seat] for seat in range(size)]
            assert sum(times) == (len(rounds) if size > 2 else players - 1)
            assert max(times) - min(times) <= sum(times) % size


@every_size
def test_people_meet_as_many_others_as_may_be(size: int) -> None:
    for players in numbers(size):
        times = count_meetings(scheduled(players, size))

        if size == 2:
            assert set(times.values()) == {1}
            assert len(times) == players * (players - 1) // 2
        else:
            usual = sum(times.values()) / (players * (players - 1) / 2)
            assert max(times.values()) <= ceil(usual) + 1


@every_size
def test_computers_only_fill_up_and_are_spread_over_the_tables(size: int) -> None:
    for players in numbers(size):
        for one in scheduled(players, size):
            computers = [pod.seats.count(None) for pod in one]
            assert sum(computers) == (0 if size == 2 else -players % size)
            assert max(computers) - min(computers) <= 1


@pytest.mark.parametrize("game", games(), ids=lambda game: game.slug)
def test_every_game_has_tables_of_a_size_for_every_number_of_players(game: AnyGame) -> None:
    allowed = game.seats_for(game.Options())
    for players in NUMBERS:
        size = best_size(players, allowed)
        assert size in allowed
        assert players >= size
        assert -players % size <= -(-players // size)  # at most one computer at a table
        assert rounds_of(players, size) <= max(2 * size, 5)


def test_a_schedule_is_the_same_whenever_it_is_made() -> None:
    assert schedule(13, 4) == schedule(13, 4)


@pytest.mark.parametrize(("players", "size"), [(1, 2), (4, 1), (0, 0)])
def test_a_wrong_cup_has_no_schedule(players: int, size: int) -> None:
    with pytest.raises(ValueError, match="two players and two seats"):
        schedule(players, size)


def test_a_game_for_one_alone_has_no_cup() -> None:
    with pytest.raises(ValueError, match="tables of two to five"):
        best_size(8, [1])
