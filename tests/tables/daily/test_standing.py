from db.records import DailyPlayRow
from tables.clocks.pace import add_days
from tables.daily.plays import place_plays, streak


def play(user_id: int, rank: int, ended_at: float = 0.0) -> DailyPlayRow:
    return DailyPlayRow(
        user_id, "2026-11-23", "ribbon", 0, user_id, f"P{user_id}", 0.0, ended_at, rank, counts=True
    )


def test_equal_results_share_the_better_place_and_its_points() -> None:
    finishers = place_plays([play(1, 9), play(2, 7), play(3, 7), play(4, 5)])

    assert [(one.place, one.points) for one in finishers] == [(1, 10), (2, 8), (2, 8), (4, 5)]


def test_the_eighth_place_gets_one_point() -> None:
    finishers = place_plays([play(number, -number) for number in range(1, 12)])

    assert [one.points for one in finishers] == [10, 8, 6, 5, 4, 3, 2, 1, 1, 1, 1]


def test_nobody_has_no_place() -> None:
    assert place_plays([]) == []


def test_a_streak_lasts_until_a_day_is_missed_and_today_may_come_still() -> None:
    today = "2026-03-01"
    days = [add_days(today, -back) for back in (1, 2, 3, 5)]

    assert streak(days, today) == 3
    assert streak([today, *days], today) == 4
    assert streak(days, add_days(today, 1)) == 0
    assert streak([], today) == 0
