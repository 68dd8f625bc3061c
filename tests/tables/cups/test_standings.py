import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.cups.cup import CupScore, Entrant, Pairing, points_of, standings
from tests.often import often

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
def test_a_win_is_worth_two_points_and_a_shared_one_one(
    places: tuple[int | None, ...], points: list[int]
) -> None:
    assert [points_of(places, seat) for seat in range(len(places))] == points


def test_beating_players_with_more_points_comes_first() -> None:
    # Ann and Bo win once each; Ann has beaten Cy, who has points, and Bo has beaten Dee, who has none.
    scores = score_games(((ANN, CY), (1, 2)), ((BO, DEE), (1, 2)), ((CY, DEE), (1, 2)))

    assert [scores[who].tie_break for who in (ANN, BO, CY, DEE)] == [4, 0, 0, 0]
    assert [scores[who].place for who in (ANN, BO, CY, DEE)] == [1, 2, 2, 4]


def test_a_shared_place_counts_half_of_the_others_points() -> None:
    scores = score_games(((ANN, BO, CY), (1, 1, 3)), ((CY, DEE), (1, 2)))

    assert [scores[who].points for who in (ANN, BO, CY, DEE)] == [1, 1, 2, 0]
    assert [scores[who].tie_break for who in (ANN, BO, CY)] == [1 + 4, 1 + 4, 0]


def test_one_win_is_better_than_two_shared_ones() -> None:
    scores = score_games(((ANN, DEE), (1, 2)), ((BO, CY), (1, 1)), ((BO, CY), (1, 1)), ((DEE, None), (2, 1)))

    assert [scores[who].points for who in (ANN, BO, CY)] == [2, 2, 2]
    assert [scores[who].tie_break for who in (ANN, BO, CY)] == [0, 4, 4]
    assert [scores[who].wins for who in (ANN, BO, CY)] == [1, 0, 0]
    assert [scores[who].place for who in (ANN, BO, CY)] == [3, 1, 1]


def test_a_computer_takes_points_from_people_and_has_none() -> None:
    scores = score_games(((ANN, None), (2, 1)), ((BO, None), (1, 2)), ((CY, None), (1, 1)))

    assert [scores[who].points for who in (ANN, BO, CY)] == [0, 2, 1]
    assert [scores[who].tie_break for who in (ANN, BO, CY)] == [0, 0, 0]


def test_games_without_a_result_and_those_that_go_on_count_nothing() -> None:
    scores = score_games(((ANN, BO), ()), ((CY, DEE), None))

    assert [scores[who].played for who in (ANN, BO, CY, DEE)] == [0, 0, 0, 0]
    assert {one.place for one in scores.values()} == {1}


def test_equals_share_a_place_in_the_order_in_which_they_joined() -> None:
    scores = score_games(((DEE, CY), (1, 2)), ((BO, ANN), (1, 2)))

    assert [one.entrant.name for one in scores.values()] == ["Bo", "Dee", "Ann", "Cy"]
    assert [one.place for one in scores.values()] == [1, 1, 3, 3]


def test_a_leaver_is_behind_all_placed_seats() -> None:
    scores = score_games(((ANN, BO), (1, None)), ((BO, CY), (1, 2)))

    assert scores[ANN].tie_break == 2 * scores[BO].points == 4


@given(st.lists(st.permutations([1, 2, 3, 4]), max_size=12))
@settings(max_examples=often(20, 100), deadline=None)
def test_each_game_that_is_won_gives_two_points_to_all_together(games: list[list[int]]) -> None:
    scores = score_games(*(((ANN, BO, CY, DEE), tuple(places)) for places in games))

    assert sum(one.points for one in scores.values()) == 2 * len(games)
    assert sorted(one.place for one in scores.values())[0] == 1
