from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tables.clocks.clock import Clock, deadline, next_reminder, reminders_due, time_left, with_grace
from tables.clocks.pace import (
    DAY,
    DEFAULT,
    HOUR,
    MINUTE,
    NONE,
    PACES,
    BadPace,
    Pace,
    Quiet,
    Rest,
    add_days,
    begins,
    day_of,
    ends,
    hour_within,
    length_words,
    pace_words,
    read_day,
    read_length,
    read_pace,
)

DAILY, LIVE = PACES["daily"], PACES["live"]
AWAKE = Rest()


def begin_duty(pace: Pace = DAILY, now: float = 0.0) -> Clock:
    return Clock(pace.bank).begin(now)


def test_a_clock_runs_while_its_seat_owes_and_stops_without_a_deadline_but_an_increment() -> None:
    done = begin_duty().finish(5 * HOUR, AWAKE, DAILY, acted=True)
    assert not done.runs
    assert done.left == 2 * DAY - 5 * HOUR + DAY
    assert done.added == DAY
    assert begin_duty().finish(HOUR, AWAKE, DAILY, acted=False).left == 2 * DAY - HOUR
    stood = begin_duty().stop(HOUR, AWAKE)
    assert deadline(stood, AWAKE, DAILY) is None
    assert stood.left == 2 * DAY - HOUR
    assert deadline(stood.run(DAY), AWAKE, DAILY) == 3 * DAY - HOUR


def test_a_bank_stays_between_zero_and_its_cap_and_is_three_days_anew_without_a_pace() -> None:
    clock = begin_duty()
    for turn in range(1, 5):
        clock = clock.finish(turn * MINUTE, AWAKE, DAILY, acted=True).begin(turn * MINUTE)
    assert clock.left == 3 * DAY
    assert deadline(begin_duty(), AWAKE, DAILY) == 2 * DAY
    assert time_left(begin_duty(), AWAKE, 9 * DAY) == 0.0
    assert begin_duty().finish(9 * DAY, AWAKE, DAILY, acted=True).left == DAY
    done = begin_duty(NONE).finish(2 * DAY, AWAKE, NONE, acted=True)
    assert done.left == 3 * DAY
    assert deadline(done.begin(0.0), AWAKE, NONE) == 3 * DAY


def test_a_turn_that_is_taken_back_gives_its_increment_back_or_has_never_begun() -> None:
    done = begin_duty().finish(HOUR, AWAKE, DAILY, acted=True)
    again = done.reopen(2 * HOUR)
    assert again.left == 2 * DAY - HOUR
    assert again.runs
    assert again.finish(3 * HOUR, AWAKE, DAILY, acted=True).left == done.left - HOUR
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


def test_reminders_come_at_half_of_the_bank_and_a_tenth_but_not_at_first_late_or_unpaced() -> None:
    clock = begin_duty()
    assert next_reminder(clock, AWAKE, DAILY) == DAY
    clock = replace(clock, reminders=1)
    assert next_reminder(clock, AWAKE, DAILY) == 1.8 * DAY
    assert next_reminder(replace(clock, reminders=2), AWAKE, DAILY) is None
    assert [reminders_due(begin_duty(), AWAKE, now) for now in (HOUR, DAY, 1.9 * DAY)] == [0, 1, 2]
    short = Pace("1h+0m cap 2h", 1.5 * HOUR, 0.0, 2 * HOUR)
    assert next_reminder(begin_duty(short), AWAKE, short) == HOUR
    assert next_reminder(begin_duty(LIVE), AWAKE, LIVE) is None
    assert next_reminder(begin_duty(NONE), AWAKE, NONE) is None
    assert next_reminder(replace(begin_duty(), late=DAY), AWAKE, DAILY) is None


def test_a_gap_is_given_back_unless_one_was_late_and_in_one_sitting_up_to_its_bank() -> None:
    down = Rest(gaps=((HOUR, DAY + HOUR),))
    assert deadline(begin_duty(), down, DAILY) == 3 * DAY
    assert begin_duty().finish(DAY + 2 * HOUR, down, DAILY, acted=True).left == 2 * DAY - 2 * HOUR + DAY
    assert deadline(begin_duty(), Rest(gaps=((3 * DAY, 4 * DAY),)), DAILY) == 2 * DAY
    short = Rest(gaps=((10 * MINUTE, HOUR),))
    assert deadline(begin_duty(LIVE), short, LIVE) == HOUR + 15 * MINUTE


@pytest.mark.parametrize("ends", [2 * DAY - 30, 2 * DAY + 1, 2 * DAY + 1000])
def test_a_clock_that_would_end_within_an_hour_of_an_outage_waits(ends: float) -> None:
    back = ends + 3 * DAY
    down = Rest(gaps=((min(ends, 2 * DAY - 30), back),))
    assert deadline(begin_duty(), down, DAILY) == back + HOUR


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


def test_a_night_over_midnight_and_a_rest_at_noon_count_not_and_deadlines_come_after_them() -> None:
    assert NIGHTS.count_seconds(at("2026-11-01 21:00"), at("2026-11-02 08:00")) == 2 * HOUR
    assert NIGHTS.quiet_until(at("2026-11-01 23:30")) == at("2026-11-02 07:00")
    assert NIGHTS.quiet_until(at("2026-11-02 06:59")) == at("2026-11-02 07:00")
    assert NIGHTS.quiet_until(at("2026-11-02 07:00")) is None
    assert NIGHTS.quiet_until(at("2026-11-02 21:59")) is None
    assert Quiet(23 * 60 + 30, 15, "UTC").minutes * MINUTE == 45 * MINUTE
    noon = Rest(Quiet(12 * 60, 14 * 60, "UTC"))
    assert noon.count_seconds(at("2026-11-01 11:00"), at("2026-11-01 15:00")) == 2 * HOUR
    assert noon.quiet_until(at("2026-11-01 13:00")) == at("2026-11-01 14:00")
    rest = Rest(Quiet(22 * 60, 7 * 60, "UTC"))
    clock = begin_duty(now=at("2026-11-01 20:00"))
    assert deadline(clock, rest, DAILY) == at("2026-11-05 08:00")


def test_a_deadline_in_quiet_hours_comes_after_them_and_a_duty_runs_from_the_morning() -> None:
    begun = at("2026-11-01 21:30")
    assert NIGHTS.runs_out(begun, HOUR) == at("2026-11-02 07:30")
    assert NIGHTS.runs_out(begun, HOUR / 2) == at("2026-11-01 22:00")
    assert NIGHTS.runs_out(at("2026-11-01 23:00"), HOUR) == at("2026-11-02 08:00")


NIGHT, LATE = (22 * 60, 7 * 60), (2 * 60 + 30, 4 * 60)


@pytest.mark.parametrize(
    ("hours", "zone", "begin", "end", "counted"),
    [
        pytest.param(NIGHT, BERLIN, "2026-03-28 21:00", "2026-03-29 08:00", 2, id="put forward"),
        pytest.param(NIGHT, BERLIN, "2026-10-24 21:00", "2026-10-25 08:00", 2, id="put back"),
        pytest.param(LATE, BERLIN, "2026-03-29 00:00", "2026-03-29 06:00", 4.5, id="a time that is left out"),
        pytest.param(LATE, BERLIN, "2026-10-25 00:00", "2026-10-25 06:00", 4.5, id="the first of two times"),
        pytest.param(NIGHT, "UTC", "2028-02-28 12:00", "2028-03-01 12:00", 30, id="a leap day"),
        pytest.param(NIGHT, "UTC", "2026-11-02 12:00", "2026-11-02 11:00", 0, id="a jump back"),
    ],
)
def test_quiet_hours_stand_still_by_the_wall_clock(
    hours: tuple[int, int], zone: str, begin: str, end: str, counted: float
) -> None:
    rest = Rest(Quiet(*hours, zone))
    assert rest.count_seconds(at(begin, zone), at(end, zone)) == counted * HOUR


@pytest.mark.parametrize("zone", ["UTC", BERLIN, KIRITIMATI, NEW_YORK, "Asia/Kathmandu"])
def test_every_zone_has_its_own_nights(zone: str) -> None:
    rest = Rest(Quiet(23 * 60, 6 * 60, zone))
    assert rest.quiet_until(at("2026-06-10 02:00", zone)) == at("2026-06-10 06:00", zone)
    assert rest.quiet_until(at("2026-06-10 12:00", zone)) is None
    assert rest.quiet_until(at("2026-03-29 05:30", zone)) == at("2026-03-29 06:00", zone)


def test_a_holiday_that_ends_in_quiet_hours_goes_on_until_their_end() -> None:
    rest = Rest(Quiet(22 * 60, 7 * 60, "UTC"), away=((at("2026-11-01 12:00"), at("2026-11-05 03:00")),))
    assert rest.runs_out(at("2026-11-01 13:00"), HOUR) == at("2026-11-05 08:00")
    assert rest.away_until(at("2026-11-04 12:00")) == at("2026-11-05 03:00")
    assert rest.away_until(at("2026-11-05 03:00")) is None


def test_overlapping_rests_count_once_none_by_the_second_and_in_one_sitting_only_gaps_stop() -> None:
    rest = Rest(away=((100.0, 300.0),), gaps=((200.0, 400.0), (390.0, 500.0)))
    assert rest.paused_spans(0.0, 1000.0) == [(100.0, 500.0)]
    assert rest.count_seconds(0.0, 1000.0) == 600.0
    assert Rest().count_seconds(10.0, 25.0) == 15.0
    assert Rest().runs_out(10.0, 15.0) == 25.0
    assert Rest().quiet_until(10.0) is None
    assert Rest().away_until(10.0) is None
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


def numbers(pace: Pace) -> tuple[float, float, float]:
    """Return bank, increment and cap."""
    return pace.bank, pace.increment, pace.cap


@pytest.mark.parametrize(
    ("name", "bank", "increment", "cap"),
    [
        ("live", 15 * MINUTE, MINUTE, 15 * MINUTE),
        ("brisk", 12 * HOUR, 4 * HOUR, DAY),
        ("daily", 2 * DAY, DAY, 3 * DAY),
        ("relaxed", 5 * DAY, 2 * DAY, 8 * DAY),
        ("weekly", 14 * DAY, 4 * DAY, 21 * DAY),
    ],
)
def test_a_named_pace_is_as_the_design_has_it(name: str, bank: float, increment: float, cap: float) -> None:
    assert numbers(read_pace(name)) == (bank, increment, cap)
    assert read_pace(name.upper()) is PACES[name]


def test_daily_is_the_usual_one_and_none_is_shown_to_nobody() -> None:
    assert DEFAULT == "daily"
    assert [name for name, pace in PACES.items() if not pace.kept] == ["none"]
    assert [name for name, pace in PACES.items() if pace.one_sitting] == ["live"]


@pytest.mark.parametrize(
    ("typed", "bank", "increment", "cap"),
    [
        ("3d+12h cap 5d", 3 * DAY, 12 * HOUR, 5 * DAY),
        ("3 days + 12 hours, max 5 days", 3 * DAY, 12 * HOUR, 5 * DAY),
        ("1d12h", 1.5 * DAY, 0, 1.5 * DAY),
        ("1w + 1d", 7 * DAY, DAY, 9 * DAY),
        ("  90 MINUTES and 10 min up to 2h ", 90 * MINUTE, 10 * MINUTE, 2 * HOUR),
        ("2d+0", 2 * DAY, 0, 2 * DAY),
        ("3 days + 12h, at most 1 week", 3 * DAY, 12 * HOUR, 7 * DAY),
        ("0.5d", 12 * HOUR, 0, 12 * HOUR),
        ("30d+14d", 30 * DAY, 14 * DAY, 58 * DAY),
    ],
)
def test_a_custom_pace_is_read_forgivingly(typed: str, bank: float, increment: float, cap: float) -> None:
    assert numbers(read_pace(typed)) == (bank, increment, cap)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "isn't a pace"),
        ("soon", "Choose “none”, “live”, “brisk”, “daily”, “relaxed”, “weekly”"),
        ("3", "isn't a pace"),
        ("4m", "5 minutes to 30 days"),
        ("31d", "5 minutes to 30 days"),
        ("3d+15d", "14 days at most"),
        ("3d+1d cap 2d", "shorter than the starting time"),
        ("3d+1d cap 61d", "longer than 60 days"),
        ("3 months", "“months” isn't a unit of time"),
        ("3 fortnights", "“fortnights” isn't a unit of time"),
        ("-3d", "isn't a pace"),
        ("9" * 400 + "d", "isn't a pace"),
    ],
)
def test_a_pace_that_cannot_be_kept_is_refused_with_an_example(typed: str, why: str) -> None:
    with pytest.raises(BadPace, match=why) as refused:
        read_pace(typed)
    assert "3d+12h cap 5d" in str(refused.value)


@given(st.integers(5, 43_200), st.integers(0, 20_160), st.integers(0, 50_000))
def test_the_name_of_a_pace_reads_as_that_pace(bank: int, increment: int, more: int) -> None:
    cap = min(bank + more, 86_400)
    pace = read_pace(f"{bank}m+{increment}m cap {cap}m")
    assert read_pace(pace.name) == pace
    assert len(pace.name) <= 64
    assert pace_words(pace)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1 minute"),
        (HOUR, "1 hour"),
        (3 * DAY + 5 * HOUR + MINUTE, "3 days 5 hours"),
        (DAY + MINUTE, "1 day 1 minute"),
        (59.9 * MINUTE, "1 hour"),
    ],
)
def test_a_length_is_told_in_its_two_largest_units(seconds: float, text: str) -> None:
    assert length_words(seconds) == text


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("1d12h", 1.5 * DAY),
        ("+ 2 Days", 2 * DAY),
        ("90 minutes", 1.5 * HOUR),
        ("1.5d", 1.5 * DAY),
        ("1w 1d", 8 * DAY),
    ],
)
def test_a_length_is_read_forgivingly(typed: str, seconds: float) -> None:
    assert read_length(typed) == seconds


@pytest.mark.parametrize("typed", ["", "soon", "3", "-3d", "3 months", "tomorrow", "9" * 50 + "d"])
def test_a_wrong_length_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(BadPace, match="`1d12h`"):
        read_length(typed)


ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "Pacific/Apia")


@pytest.mark.parametrize(
    ("day", "hour", "zone", "instant"),
    [
        ("2026-11-23", 9, "UTC", "11-23 09:00"),
        ("2026-11-23", 9, "Europe/Berlin", "11-23 08:00"),
        ("2026-11-23", 9, "Pacific/Auckland", "11-23 20:00"),
        ("2026-11-23", 20, "America/New_York", "11-23 01:00"),
        # On 29 March 2026 the clocks of Berlin go from 2:00 to 3:00, at 1:00 UTC.
        pytest.param("2026-03-29", 2, "Europe/Berlin", "03-29 01:00", id="the next of an hour that isn't"),
        pytest.param("2026-03-29", 3, "Europe/Berlin", "03-29 01:00", id="the hour after it"),
        # On 25 October 2026 they go from 3:00 back to 2:00, at 1:00 UTC.
        pytest.param(
            "2026-10-25", 2, "Europe/Berlin", "10-25 00:00", id="the first of two, at the beginning"
        ),
        pytest.param("2026-10-24", 1, "Europe/Berlin", "10-24 23:00", id="an hour of the evening before"),
    ],
)
def test_a_places_hour_lies_within_the_day_of_the_world(day: str, hour: int, zone: str, instant: str) -> None:
    assert hour_within(day, hour, zone) == at(f"2026-{instant}")


@given(
    st.integers(0, 4000).map(lambda days: add_days("2024-01-01", days)),
    st.integers(0, 23),
    st.sampled_from(ZONES),
)
def test_every_day_has_every_hour_once_within_it(day: str, hour: int, zone: str) -> None:
    at = hour_within(day, hour, zone)

    assert begins(day) <= at < ends(day)
    shown = datetime.fromtimestamp(at, ZoneInfo(zone))
    assert (
        shown.hour == hour
        or at == begins(day)
        or shown.utcoffset() != datetime.fromtimestamp(at - 7200, ZoneInfo(zone)).utcoffset()
    )


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)))
def test_a_day_holds_its_instants(moment: datetime) -> None:
    at = moment.replace(tzinfo=UTC).timestamp()

    assert begins(day_of(at)) <= at < ends(day_of(at))
    assert day_of(ends(day_of(at))) == add_days(day_of(at), 1)


@pytest.mark.parametrize("text", ["", "today", "2026-13-01", "2026-2-3", "9999999-01-01", "2026-11-23x", "0"])
def test_a_wrong_day_is_none(text: str) -> None:
    assert read_day(text) is None
