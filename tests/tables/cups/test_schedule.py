from collections import Counter
from functools import cache
from itertools import combinations
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.registry import AnyGame, games
from tables.cups.schedule import (
    FEWEST,
    MOST,
    CupScore,
    Entrant,
    Pairing,
    Round,
    best_size,
    points_of,
    rounds_of,
    schedule,
    standings,
)
from tests.often import often

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


def test_a_schedule_is_the_same_whenever_it_is_made_and_a_game_for_one_has_none() -> None:
    assert schedule(13, 4) == schedule(13, 4)
    with pytest.raises(ValueError, match="tables of two to five"):
        best_size(8, [1])


@pytest.mark.parametrize(("players", "size"), [(1, 2), (4, 1), (0, 0)])
def test_a_wrong_cup_has_no_schedule(players: int, size: int) -> None:
    with pytest.raises(ValueError, match="two players and two seats"):
        schedule(players, size)


ANN, BO, CY, DEE = 1, 2, 3, 4
PEOPLE = tuple(Entrant(number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Dee"), start=1))


def score_games(*games: tuple[tuple[int | None, ...], tuple[int | None, ...] | None]) -> dict[int, CupScore]:
    """Return everybody's score after some games: their seats and places."""
    pairings = tuple(
        Pairing(1, pod, seats, 10 + pod, places) for pod, (seats, places) in enumerate(games, start=1)
    )
    return {one.entrant.user_id: one for one in standings(PEOPLE, pairings)}


@pytest.mark.parametrize(
    ("places", "points"),
    [((1, 2), [2, 0]), ((1, 1), [1, 1]), ((2, 3, 1), [0, 0, 2]), ((1, 3, 1, None), [1, 0, 1, 0])],
)
def test_a_win_is_two_points_and_a_shared_one_one(places: tuple[int | None, ...], points: list[int]) -> None:
    assert [points_of(places, seat) for seat in range(len(places))] == points


def test_beating_players_with_more_points_comes_first_and_a_shared_place_counts_half() -> None:
    # Ann and Bo win once each; Ann has beaten Cy, who has points, and Bo has beaten Dee, who has none.
    scores = score_games(((ANN, CY), (1, 2)), ((BO, DEE), (1, 2)), ((CY, DEE), (1, 2)))

    assert [scores[who].tie_break for who in (ANN, BO, CY, DEE)] == [4, 0, 0, 0]
    assert [scores[who].place for who in (ANN, BO, CY, DEE)] == [1, 2, 2, 4]

    scores = score_games(((ANN, BO, CY), (1, 1, 3)), ((CY, DEE), (1, 2)))

    assert [scores[who].points for who in (ANN, BO, CY, DEE)] == [1, 1, 2, 0]
    assert [scores[who].tie_break for who in (ANN, BO, CY)] == [1 + 4, 1 + 4, 0]


def test_one_win_is_better_than_two_shared_ones_and_a_computer_has_no_points() -> None:
    scores = score_games(((ANN, DEE), (1, 2)), ((BO, CY), (1, 1)), ((BO, CY), (1, 1)), ((DEE, None), (2, 1)))

    assert [scores[who].points for who in (ANN, BO, CY)] == [2, 2, 2]
    assert [scores[who].tie_break for who in (ANN, BO, CY)] == [0, 4, 4]
    assert [scores[who].wins for who in (ANN, BO, CY)] == [1, 0, 0]
    assert [scores[who].place for who in (ANN, BO, CY)] == [3, 1, 1]

    scores = score_games(((ANN, None), (2, 1)), ((BO, None), (1, 2)), ((CY, None), (1, 1)))

    assert [scores[who].points for who in (ANN, BO, CY)] == [0, 2, 1]
    assert [scores[who].tie_break for who in (ANN, BO, CY)] == [0, 0, 0]


def test_games_without_a_result_and_those_that_go_on_count_nothing() -> None:
    scores = score_games(((ANN, BO), ()), ((CY, DEE), None))

    assert [scores[who].played for who in (ANN, BO, CY, DEE)] == [0, 0, 0, 0]
    assert {one.place for one in scores.values()} == {1}


def test_equals_share_a_place_as_they_joined_and_a_leaver_is_behind_all_placed_seats() -> None:
    scores = score_games(((DEE, CY), (1, 2)), ((BO, ANN), (1, 2)))

    assert [one.entrant.name for one in scores.values()] == ["Bo", "Dee", "Ann", "Cy"]
    assert [one.place for one in scores.values()] == [1, 1, 3, 3]

    scores = score_games(((ANN, BO), (1, None)), ((BO, CY), (1, 2)))

    assert scores[ANN].tie_break == 2 * scores[BO].points == 4


@given(st.lists(st.permutations([1, 2, 3, 4]), max_size=12))
@settings(max_examples=often(20, 100), deadline=None)
def test_each_game_that_is_won_gives_two_points_to_all_together(games: list[list[int]]) -> None:
    scores = score_games(*(((ANN, BO, CY, DEE), tuple(places)) for places in games))

    assert sum(one.points for one in scores.values()) == 2 * len(games)
    assert sorted(one.place for one in scores.values())[0] == 1
