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
    length_words,
    pace_words,
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
def test_a_pace_of_ones_own_is_read_forgivingly(
    typed: str, bank: float, increment: float, cap: float
) -> None:
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
