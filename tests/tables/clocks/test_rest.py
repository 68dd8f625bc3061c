"""Stops of a clock: nights in every time zone, holidays, gaps, and all of them together."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.clocks.pace import DAY, HOUR, MINUTE, Quiet, Rest

BERLIN, KIRITIMATI, NEW_YORK = "Europe/Berlin", "Pacific/Kiritimati", "America/New_York"


def at(text: str, zone: str = "UTC") -> float:
    """Return an instant from a wall clock: ``2026-03-28 22:00``."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


NIGHTS = Rest(Quiet(22 * 60, 7 * 60, "UTC"))


def test_a_person_without_rest_is_counted_by_the_second() -> None:
    assert Rest().count_seconds(10.0, 25.0) == 15.0
    assert Rest().runs_out(10.0, 15.0) == 25.0
    assert Rest().quiet_until(10.0) is None
    assert Rest().away_until(10.0) is None


def test_a_night_over_midnight_does_not_count() -> None:
    assert NIGHTS.count_seconds(at("2026-11-01 21:00"), at("2026-11-02 08:00")) == 2 * HOUR
    assert NIGHTS.quiet_until(at("2026-11-01 23:30")) == at("2026-11-02 07:00")
    assert NIGHTS.quiet_until(at("2026-11-02 06:59")) == at("2026-11-02 07:00")
    assert NIGHTS.quiet_until(at("2026-11-02 07:00")) is None
    assert NIGHTS.quiet_until(at("2026-11-02 21:59")) is None


def test_a_rest_at_noon_stays_on_its_day() -> None:
    noon = Rest(Quiet(12 * 60, 14 * 60, "UTC"))
    assert noon.count_seconds(at("2026-11-01 11:00"), at("2026-11-01 15:00")) == 2 * HOUR
    assert noon.quiet_until(at("2026-11-01 13:00")) == at("2026-11-01 14:00")


def test_a_deadline_that_would_fall_into_quiet_hours_comes_after_them() -> None:
    begun = at("2026-11-01 21:30")
    assert NIGHTS.runs_out(begun, HOUR) == at("2026-11-02 07:30")
    assert NIGHTS.runs_out(begun, HOUR / 2) == at("2026-11-01 22:00")


def test_a_duty_that_begins_at_night_runs_from_the_morning() -> None:
    assert NIGHTS.runs_out(at("2026-11-01 23:00"), HOUR) == at("2026-11-02 08:00")


def test_in_the_night_in_which_clocks_are_put_forward_an_hour_less_stands_still() -> None:
    rest = Rest(Quiet(22 * 60, 7 * 60, BERLIN))
    begin, end = at("2026-03-28 21:00", BERLIN), at("2026-03-29 08:00", BERLIN)
    assert end - begin == 10 * HOUR
    assert rest.count_seconds(begin, end) == 2 * HOUR
    assert rest.quiet_until(at("2026-03-29 03:30", BERLIN)) == at("2026-03-29 07:00", BERLIN)


def test_in_the_night_in_which_clocks_are_put_back_an_hour_more_stands_still() -> None:
    rest = Rest(Quiet(22 * 60, 7 * 60, BERLIN))
    begin, end = at("2026-10-24 21:00", BERLIN), at("2026-10-25 08:00", BERLIN)
    assert end - begin == 12 * HOUR
    assert rest.count_seconds(begin, end) == 2 * HOUR


def test_a_wall_time_that_is_left_out_is_read_as_if_no_clock_had_been_put_forward() -> None:
    rest = Rest(Quiet(2 * 60 + 30, 4 * 60, BERLIN))
    assert (
        rest.count_seconds(at("2026-03-29 00:00", BERLIN), at("2026-03-29 06:00", BERLIN))
        == 5 * HOUR - HOUR / 2
    )


def test_of_a_wall_time_that_comes_twice_the_first_is_meant() -> None:
    rest = Rest(Quiet(2 * 60 + 30, 4 * 60, BERLIN))
    assert (
        rest.count_seconds(at("2026-10-25 00:00", BERLIN), at("2026-10-25 06:00", BERLIN))
        == 7 * HOUR - 2.5 * HOUR
    )


@pytest.mark.parametrize("zone", ["UTC", BERLIN, KIRITIMATI, NEW_YORK, "Asia/Kathmandu"])
def test_every_zone_has_its_own_nights(zone: str) -> None:
    rest = Rest(Quiet(23 * 60, 6 * 60, zone))
    assert rest.quiet_until(at("2026-06-10 02:00", zone)) == at("2026-06-10 06:00", zone)
    assert rest.quiet_until(at("2026-06-10 12:00", zone)) is None


def test_a_leap_day_has_its_night() -> None:
    assert NIGHTS.count_seconds(at("2028-02-28 12:00"), at("2028-03-01 12:00")) == 2 * DAY - 18 * HOUR


def test_a_holiday_that_ends_in_quiet_hours_goes_on_until_their_end() -> None:
    rest = Rest(Quiet(22 * 60, 7 * 60, "UTC"), away=((at("2026-11-01 12:00"), at("2026-11-05 03:00")),))
    assert rest.runs_out(at("2026-11-01 13:00"), HOUR) == at("2026-11-05 08:00")
    assert rest.away_until(at("2026-11-04 12:00")) == at("2026-11-05 03:00")
    assert rest.away_until(at("2026-11-05 03:00")) is None


def test_overlapping_rests_count_once() -> None:
    rest = Rest(away=((100.0, 300.0),), gaps=((200.0, 400.0), (390.0, 500.0)))
    assert rest.paused_spans(0.0, 1000.0) == [(100.0, 500.0)]
    assert rest.count_seconds(0.0, 1000.0) == 600.0


def test_a_clock_that_jumps_back_counts_nothing() -> None:
    assert NIGHTS.count_seconds(at("2026-11-02 12:00"), at("2026-11-02 11:00")) == 0.0


def test_in_one_sitting_only_gaps_stop_a_clock() -> None:
    rest = Rest(Quiet(0, 10 * 60, "UTC"), away=((0.0, DAY),), gaps=((5.0, 10.0),))
    assert rest.in_one_sitting() == Rest(gaps=((5.0, 10.0),))


SPANS = st.lists(
    st.tuples(st.floats(0, 40 * DAY), st.floats(0, 10 * DAY)).map(lambda pair: (pair[0], sum(pair))),
    max_size=4,
).map(tuple)
RESTS = st.builds(
    Rest,
    st.none()
    | st.builds(
        lambda begins, length, zone: Quiet(begins, (begins + length) % 1440, zone),
        st.integers(0, 1439),
        st.integers(1, 600),
        st.sampled_from(["UTC", BERLIN, KIRITIMATI, NEW_YORK]),
    ),
    SPANS,
    SPANS,
)


@given(RESTS, st.floats(0, 30 * DAY), st.floats(1, 60 * DAY))
def test_an_expired_clock_has_counted_exactly(rest: Rest, begin: float, seconds: float) -> None:
    end = rest.runs_out(begin, seconds)
    assert rest.count_seconds(begin, end) == pytest.approx(seconds, abs=1e-3)
    assert rest.count_seconds(begin, end - 1) < seconds


@given(RESTS, st.floats(0, 30 * DAY), st.floats(0, 20 * DAY), st.floats(0, 20 * DAY))
def test_time_counted_in_two_parts_is_time_counted_at_once(
    rest: Rest, begin: float, first: float, second: float
) -> None:
    middle, end = begin + first, begin + first + second
    whole = rest.count_seconds(begin, middle) + rest.count_seconds(middle, end)
    assert whole == pytest.approx(rest.count_seconds(begin, end), abs=1e-3)


def test_minutes_of_a_night_are_those_of_the_wall_clock() -> None:
    assert Quiet(23 * 60 + 30, 15, "UTC").minutes * MINUTE == 45 * MINUTE
