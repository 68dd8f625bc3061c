from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.clocks.pace import (
    DAY,
    DEFAULT,
    HOUR,
    MINUTE,
    PACES,
    BadPace,
    Pace,
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


def tell_instant(at: float, zone: str = "UTC") -> str:
    return datetime.fromtimestamp(at, ZoneInfo(zone)).strftime("%m-%d %H:%M")


@pytest.mark.parametrize(
    ("day", "hour", "zone", "at"),
    [
        ("2026-11-23", 9, "UTC", "11-23 09:00"),
        ("2026-11-23", 9, "Europe/Berlin", "11-23 08:00"),
        ("2026-11-23", 9, "Pacific/Auckland", "11-23 20:00"),
        ("2026-11-23", 20, "America/New_York", "11-23 01:00"),
    ],
)
def test_a_places_hour_lies_within_the_day_of_the_world(day: str, hour: int, zone: str, at: str) -> None:
    assert tell_instant(hour_within(day, hour, zone)) == at


def test_an_hour_that_does_not_exist_is_the_next_moment_that_does() -> None:
    # On 29 March 2026 the clocks of Berlin go from 2:00 to 3:00.
    assert tell_instant(hour_within("2026-03-29", 2, "Europe/Berlin"), "Europe/Berlin") == "03-29 03:00"
    assert tell_instant(hour_within("2026-03-29", 3, "Europe/Berlin"), "Europe/Berlin") == "03-29 03:00"


def test_an_hour_that_exists_twice_is_the_first() -> None:
    # On 25 October 2026 they go from 3:00 back to 2:00, at 1:00 UTC.
    assert tell_instant(hour_within("2026-10-25", 2, "Europe/Berlin")) == "10-25 00:00"


def test_a_day_that_the_clocks_leave_without_the_hour_has_its_beginning() -> None:
    # 1:00 in Berlin is 23:00 UTC of the day before in summer, and midnight in winter.
    assert tell_instant(hour_within("2026-10-24", 1, "Europe/Berlin")) == "10-24 23:00"
    assert hour_within("2026-10-25", 2, "Europe/Berlin") == begins("2026-10-25")


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
