from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.registry import SLUGS, game
from tables.clocks.pace import add_days
from tables.daily.plays import daily_games, game_of, level_of, order, rules

DAYS = st.integers(0, 20_000).map(lambda days: add_days("2020-01-01", days))


def test_all_five_games_are_dealt_daily() -> None:
    assert set(daily_games()) == set(SLUGS)


@given(DAYS)
def test_each_game_comes_first_once_in_as_many_days_as_there_are_games(day: str) -> None:
    first = [order(add_days(day, shift))[0] for shift in range(2 * len(daily_games()))]

    assert max(Counter(first).values()) <= 3
    assert set(first) == set(daily_games())
    assert all(sorted(order(add_days(day, shift))) == sorted(daily_games()) for shift in range(3))


@pytest.mark.slow
@given(DAYS, st.sets(st.sampled_from(SLUGS), min_size=1))
def test_a_server_has_the_first_game_of_the_days_order_that_it_wants(day: str, wanted: set[str]) -> None:
    text = game_of(day, wanted)

    assert text in wanted
    assert not wanted & set(order(day)[: order(day).index(text)])


@given(DAYS)
def test_two_servers_that_want_a_game_have_it_at_the_same_level(day: str) -> None:
    for slug in daily_games():
        assert level_of(day, slug) == level_of(day, slug)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_week_goes_from_easy_to_hard(slug: str) -> None:
    week = [level_of(add_days("2026-11-23", shift), slug) for shift in range(7)]

    levels = rules(slug).levels
    assert [levels.index(level) for level in week] == sorted(levels.index(level) for level in week)
    assert week[0] == levels[0]
    assert week[-1] == levels[-1]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_level_can_be_dealt(slug: str) -> None:
    for level in rules(slug).levels:
        options = game(slug).settle(level.seats, msgspec.convert(level.options, game(slug).Options))

        deal = game(slug).deal(level.seats, options, b"seed")
        assert game(slug).begin(level.seats, options, deal, b"seed")


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_says_what_its_signs_stand_for(slug: str) -> None:
    assert all(sign in rules(slug).legend for sign in "🟢🔶🟥")
