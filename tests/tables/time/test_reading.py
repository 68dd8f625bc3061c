"""Typed times are read forgivingly, and unreadable ones are answered with an example."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tables.clocks.pace import DAY, HOUR
from tables.time import reading

BERLIN = "Europe/Berlin"
SUNDAY = datetime(2026, 11, 22, 15, 30, tzinfo=ZoneInfo(BERLIN)).timestamp()


def day(text: str, now: float = SUNDAY, zone: str = BERLIN) -> str:
    """Return the instant that a text means, on that zone's clocks."""
    return datetime.fromtimestamp(reading.read_until(text, now, zone), ZoneInfo(zone)).strftime(
        "%Y-%m-%d %H:%M"
    )


@pytest.mark.parametrize(
    "text",
    [
        *("2026-12-24", "24.12.", "24.12", "24. 12. 2026", "24.12.26", "until 24.12."),
        *("24 Dec", "24th of December", "December 24", "dec. 24, 2026"),
    ],
)
def test_a_day_is_its_beginning_in_the_zone(text: str) -> None:
    assert day(text) == "2026-12-24 00:00"


@pytest.mark.parametrize("text", ["24.12. 18:00", "2026-12-24 18:00", "Dec 24 at 6pm", "24 dec, 18"])
def test_a_time_of_the_day_may_follow(text: str) -> None:
    assert day(text) == "2026-12-24 18:00"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10 days", 10 * DAY),
        ("10d", 10 * DAY),
        ("2w", 14 * DAY),
        ("in 2 weeks", 14 * DAY),
        ("a week", 7 * DAY),
        ("one day", DAY),
        ("1w 3d", 10 * DAY),
        ("1.5 days", 36 * HOUR),
        ("36h", 36 * HOUR),
    ],
)
def test_a_length_is_counted_from_now(text: str, seconds: float) -> None:
    assert reading.read_until(text, SUNDAY, BERLIN) - SUNDAY == seconds


def test_words_for_days_are_read_in_the_zone_and_without_a_year_as_the_next_of_the_date() -> None:
    assert day("tomorrow") == "2026-11-23 00:00"
    assert day("Friday") == "2026-11-27 00:00"
    assert day("next sunday") == day("sun") == "2026-11-29 00:00"
    assert day("tomorrow", zone="Pacific/Auckland") == "2026-11-24 00:00"
    assert day("1.3.") == "2027-03-01 00:00"
    assert day("22.11.") == "2026-11-22 00:00"
    assert day("21.11.") == "2027-11-21 00:00"
    assert day("29.2.") == "2028-02-29 00:00"
    before = datetime(2026, 10, 20, tzinfo=ZoneInfo(BERLIN)).timestamp()

    assert reading.read_until("26.10.", before, BERLIN) - before == 6 * DAY + HOUR


@pytest.mark.parametrize(
    "text",
    ["", "soon", "31.2.", "2026-13-01", "10", "24/12", "1 month", "24 foo", "99h99", "monkey", "3 d x"],
)
def test_a_wrong_day_is_answered_with_examples(text: str) -> None:
    with pytest.raises(reading.Unreadable, match=r"`10 days`"):
        reading.read_until(text, SUNDAY, BERLIN)


@pytest.mark.parametrize("text", ["22", "22:00", "22.00", "10pm", "10 PM", "2200", "22h"])
def test_a_time_of_the_day_is_written_in_many_ways(text: str) -> None:
    assert reading.read_time(text) == 22 * 60


@pytest.mark.parametrize("text", ["", "25", "22:60", "13pm", "0am", "late", "-1", "22:0"])
def test_a_wrong_time_is_answered_with_examples(text: str) -> None:
    with pytest.raises(reading.Unreadable, match=r"`22:00`"):
        reading.read_time(text)


def test_a_zone_is_found_by_its_place_and_none_or_several_are_said_so() -> None:
    assert [reading.read_zone(text) for text in ("berlin", "new york", "EUROPE/london", "gmt")] == [
        BERLIN,
        "America/New_York",
        "Europe/London",
        "UTC",
    ]
    with pytest.raises(reading.UnknownZone, match="`Europe/Berlin`"):
        reading.read_zone("atlantis")
    with pytest.raises(reading.UnknownZone, match="can mean several time zones: `"):
        reading.read_zone("america")
    with pytest.raises(reading.UnknownZone, match="isn't a time zone"):
        reading.read_zone("  ")


@pytest.mark.parametrize("text", ["MST", "CET", "CST", "EET", "Spain", "USA", "IST"])
def test_of_several_zones_that_fit_some_are_offered(text: str) -> None:
    with pytest.raises(reading.UnknownZone, match=r"can mean several time zones: `[A-Z]"):
        reading.read_zone(text)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("PST8", None),
        ("PDT", "America/Los_Angeles"),
        ("EST5", None),
        ("ET", "America/New_York"),
        ("JST", "Asia/Tokyo"),
        ("Japan", "Asia/Tokyo"),
        ("poland", "Europe/Warsaw"),
        ("UTC+2", "Etc/GMT-2"),
        ("GMT-5", "Etc/GMT+5"),
        ("utc + 0", "UTC"),
        ("+02:00", "Etc/GMT-2"),
        ("UTC+5:30", None),
        ("UTC+20", None),
        ("Etc/GMT-2", "Etc/GMT-2"),
        ("sterd", None),
        ("dam", None),
        ("ork", None),
        ("los angeles", "America/Los_Angeles"),
        ("america los angeles", "America/Los_Angeles"),
    ],
)
def test_whole_words_abbreviations_countries_and_offsets_are_read(text: str, zone: str | None) -> None:
    if zone is None:
        with pytest.raises(reading.UnknownZone):
            reading.read_zone(text)
    else:
        assert reading.read_zone(text) == zone
        ZoneInfo(zone)


def test_no_zone_is_guessed_inside_a_word_and_every_offered_zone_is_one() -> None:
    assert reading.zones_like("mst")[:2] == ["America/Denver", "America/Phoenix"]
    assert "Europe/Amsterdam" not in reading.zones_like("mst")
    assert "Africa/Freetown" not in reading.zones_like("eet")
    assert reading.zones_like("rome")[0] == "Europe/Rome"
    assert reading.zones_like("paris")[0] == "Europe/Paris"
    assert "Asia/Kolkata" in reading.zones()
    assert all(ZoneInfo(name) for name in reading.zones())
    called = reading._zones_by_name()

    assert len(called) > 250
    assert all(ZoneInfo(zone) for those in called.values() for zone in those)
