"""One clock: duties, increments, caps, reminders, deadlines, and that no second is lost or made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.clocks.clock import Clock, deadline, next_reminder, reminders_due, time_left, with_grace
from tables.clocks.pace import DAY, HOUR, MINUTE, NONE, PACES, Pace, Quiet, Rest
from tests.tables.clocks.test_rest import at

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
