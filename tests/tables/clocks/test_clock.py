from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.clocks.clock import Clock, deadline, next_reminder, reminders_due, time_left, with_grace
from tables.clocks.pace import DAY, HOUR, MINUTE, NONE, PACES, Pace, Quiet, Rest

DAILY, LIVE = PACES["daily"], PACES["live"]
AWAKE = Rest()


def begin_duty(pace: Pace = DAILY, now: float = 0.0) -> Clock:
    return Clock(pace.bank).begin(now)


def test_a_clock_runs_while_its_seat_owes_and_stops_with_an_increment() -> None:
    done = begin_duty().finish(5 * HOUR, AWAKE, DAILY, acted=True)
    assert not done.runs
    assert done.left == 2 * DAY - 5 * HOUR + DAY
    assert done.added == DAY


def test_a_bank_never_holds_more_than_its_cap() -> None:
    clock = begin_duty()
    for turn in range(1, 5):
        clock = clock.finish(turn * MINUTE, AWAKE, DAILY, acted=True).begin(turn * MINUTE)
    assert clock.left == 3 * DAY


def test_an_unasked_seat_gets_no_increment() -> None:
    assert begin_duty().finish(HOUR, AWAKE, DAILY, acted=False).left == 2 * DAY - HOUR


def test_without_a_pace_every_duty_has_three_days_anew() -> None:
    done = begin_duty(NONE).finish(2 * DAY, AWAKE, NONE, acted=True)
    assert done.left == 3 * DAY
    assert deadline(done.begin(0.0), AWAKE, NONE) == 3 * DAY


def test_a_clock_never_falls_below_zero_and_is_late_from_its_deadline_on() -> None:
    assert deadline(begin_duty(), AWAKE, DAILY) == 2 * DAY
    assert time_left(begin_duty(), AWAKE, 9 * DAY) == 0.0
    assert begin_duty().finish(9 * DAY, AWAKE, DAILY, acted=True).left == DAY


def test_a_standing_clock_has_no_deadline() -> None:
    stood = begin_duty().stop(HOUR, AWAKE)
    assert deadline(stood, AWAKE, DAILY) is None
    assert stood.left == 2 * DAY - HOUR
    assert deadline(stood.run(DAY), AWAKE, DAILY) == 3 * DAY - HOUR


def test_a_turn_that_is_taken_back_gives_its_increment_back() -> None:
    done = begin_duty().finish(HOUR, AWAKE, DAILY, acted=True)
    again = done.reopen(2 * HOUR)
    assert again.left == 2 * DAY - HOUR
    assert again.runs
    assert again.finish(3 * HOUR, AWAKE, DAILY, acted=True).left == done.left - HOUR


def test_a_duty_that_is_taken_back_by_who_caused_it_has_never_begun() -> None:
    assert begin_duty(now=5.0).settle(65.0, AWAKE).forget().left == 2 * DAY


def test_time_that_is_given_makes_nobody_late() -> None:
    late = replace(begin_duty(), late=2 * DAY, deputy=True)
    given_more = late.add_time(HOUR, 3 * DAY, AWAKE)
    assert (given_more.left, given_more.late, given_more.deputy) == (HOUR, None, False)
    assert late.fill_to(2 * DAY, 3 * DAY, AWAKE).left == 2 * DAY
    assert begin_duty().fill_to(DAY, HOUR, AWAKE).left == 2 * DAY - HOUR


def test_turns_that_a_computer_makes_are_counted_until_the_person_acts() -> None:
    clock = begin_duty()
    for missed in (1, 2):
        clock = replace(clock, deputy=True).finish(0.0, AWAKE, DAILY, acted=True).begin(0.0)
        assert clock.missed == missed
    assert clock.finish(0.0, AWAKE, DAILY, acted=True).missed == 0


def test_reminders_come_at_half_of_the_bank_and_at_a_tenth() -> None:
    clock = begin_duty()
    assert next_reminder(clock, AWAKE, DAILY) == DAY
    clock = replace(clock, reminders=1)
    assert next_reminder(clock, AWAKE, DAILY) == 1.8 * DAY
    assert next_reminder(replace(clock, reminders=2), AWAKE, DAILY) is None


def test_reminders_that_were_missed_together_are_one() -> None:
    assert [reminders_due(begin_duty(), AWAKE, now) for now in (HOUR, DAY, 1.9 * DAY)] == [0, 1, 2]


def test_nobody_is_reminded_in_the_first_hour() -> None:
    short = Pace("1h+0m cap 2h", 1.5 * HOUR, 0.0, 2 * HOUR)
    assert next_reminder(begin_duty(short), AWAKE, short) == HOUR
    assert next_reminder(begin_duty(LIVE), AWAKE, LIVE) is None


def test_without_a_pace_and_after_the_deadline_nobody_is_reminded() -> None:
    assert next_reminder(begin_duty(NONE), AWAKE, NONE) is None
    assert next_reminder(replace(begin_duty(), late=DAY), AWAKE, DAILY) is None


def test_a_gap_is_given_back() -> None:
    down = Rest(gaps=((HOUR, DAY + HOUR),))
    assert deadline(begin_duty(), down, DAILY) == 3 * DAY
    assert begin_duty().finish(DAY + 2 * HOUR, down, DAILY, acted=True).left == 2 * DAY - 2 * HOUR + DAY


@pytest.mark.parametrize("ends", [2 * DAY - 30, 2 * DAY + 1, 2 * DAY + 1000])
def test_a_clock_that_would_end_within_an_hour_of_an_outage_waits(ends: float) -> None:
    back = ends + 3 * DAY
    down = Rest(gaps=((min(ends, 2 * DAY - 30), back),))
    assert deadline(begin_duty(), down, DAILY) == back + HOUR


def test_being_late_before_an_outage_stays_late() -> None:
    assert deadline(begin_duty(), Rest(gaps=((3 * DAY, 4 * DAY),)), DAILY) == 2 * DAY


def test_in_one_sitting_a_gap_moves_a_deadline_by_no_more_than_its_bank() -> None:
    down = Rest(gaps=((10 * MINUTE, HOUR),))
    assert deadline(begin_duty(LIVE), down, LIVE) == HOUR + 15 * MINUTE


def test_at_night_no_clock_runs_and_a_deadline_comes_in_the_morning() -> None:
    rest = Rest(Quiet(22 * 60, 7 * 60, "UTC"))
    clock = begin_duty(now=at("2026-11-01 20:00"))
    assert deadline(clock, rest, DAILY) == at("2026-11-05 08:00")


SPAN = st.tuples(st.floats(0, 30 * DAY), st.floats(130, 5 * DAY)).map(lambda pair: (pair[0], sum(pair)))
RESTS = st.builds(
    Rest,
    st.none() | st.just(Quiet(22 * 60, 7 * 60, "Europe/Berlin")),
    st.lists(SPAN, max_size=2).map(tuple),
    st.lists(SPAN, max_size=2).map(tuple),
)
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["begin", "finish", "pause", "go_on", "settle", "give"]), st.floats(0, 3 * DAY)
    ),
    max_size=20,
)


@given(RESTS, st.sampled_from(list(PACES.values())), DEEDS)
def test_time_is_conserved_and_nobody_is_late_while_their_clock_stands(
    rest: Rest, pace: Pace, deeds: list[tuple[str, float]]
) -> None:
    """Bank and used time add up, stopped or late."""
    clock, now = Clock(pace.bank), 0.0
    given_out, used, running, owed = pace.bank, 0.0, 0.0, 0.0
    for deed, passes in deeds:
        was, then = clock, now
        now += passes
        if was.runs:
            counted = rest.count_seconds(then, now)
            taken = was.left - time_left(was, rest, now) - (was.left - time_left(was, rest, then))
            used += taken
            running += counted
            owed += counted - taken
            ends = deadline(was, rest, pace)
            assert ends is not None
            if counted == 0 and was.left > 0:
                assert ends > then, "late while the clock stands"
        clock = clock.settle(now, rest)
        if deed == "begin" and not clock.runs:
            clock = clock.begin(now)
        elif deed == "finish" and clock.runs:
            clock = clock.finish(now, rest, pace, acted=True)
            given_out += clock.added
        elif deed == "pause":
            clock = clock.stop(now, rest)
        elif deed == "go_on" and not clock.runs:
            clock = clock.run(now)
        elif deed == "give":
            clock = clock.add_time(HOUR, now, rest)
            given_out += HOUR
        assert clock.left + used == pytest.approx(given_out, abs=1e-3)
        assert used + owed == pytest.approx(running, abs=1e-3)
        assert clock.left >= 0


def test_the_hour_after_a_gap_outlives_a_pause() -> None:
    down = Rest(gaps=((2 * DAY - 60, 5 * DAY),))
    clock = begin_duty()
    assert deadline(clock, down, DAILY) == 5 * DAY + HOUR

    settled = with_grace(clock, down, DAILY, 5 * DAY + 60)

    assert settled.left == HOUR - 60
    assert deadline(settled, down, DAILY) == 5 * DAY + HOUR
    assert with_grace(begin_duty(), AWAKE, DAILY, HOUR) == begin_duty().settle(HOUR, AWAKE)


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
ANY_RESTS = st.builds(
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


@given(ANY_RESTS, st.floats(0, 30 * DAY), st.floats(1, 60 * DAY))
def test_an_expired_clock_has_counted_exactly(rest: Rest, begin: float, seconds: float) -> None:
    end = rest.runs_out(begin, seconds)
    assert rest.count_seconds(begin, end) == pytest.approx(seconds, abs=1e-3)
    assert rest.count_seconds(begin, end - 1) < seconds


@given(ANY_RESTS, st.floats(0, 30 * DAY), st.floats(0, 20 * DAY), st.floats(0, 20 * DAY))
def test_time_counted_in_parts_is_the_same(rest: Rest, begin: float, first: float, second: float) -> None:
    middle, end = begin + first, begin + first + second
    whole = rest.count_seconds(begin, middle) + rest.count_seconds(middle, end)
    assert whole == pytest.approx(rest.count_seconds(begin, end), abs=1e-3)


def test_minutes_of_a_night_are_those_of_the_wall_clock() -> None:
    assert Quiet(23 * 60 + 30, 15, "UTC").minutes * MINUTE == 45 * MINUTE
