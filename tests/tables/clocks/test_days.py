from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.clocks.pace import add_days, begins, day_of, ends, hour_within, read_day

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
def test_the_hour_of_a_place_lies_within_the_day_of_the_world(
    day: str, hour: int, zone: str, at: str
) -> None:
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
