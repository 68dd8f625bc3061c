"""Places, points and streaks: pure functions of finished plays."""

from collections.abc import Sequence

import msgspec

from db.records.daily import DailyPlayRow, DailyPointsRow
from tables.clocks.days import add_days
from tables.core.naming import name_apart

POINTS = (10, 8, 6, 5, 4, 3, 2)
"""Points of the first places of a day; every other place has one."""


class PlacedPlay(msgspec.Struct, frozen=True):
    """A play with its place in its server, and the points."""

    play: DailyPlayRow
    place: int
    points: int


def place_plays(plays: Sequence[DailyPlayRow]) -> list[PlacedPlay]:
    """Place a day's plays, given best first; equals share the better place."""
    finishers: list[PlacedPlay] = []
    for number, play in enumerate(name_apart(plays), start=1):
        equal = bool(finishers) and finishers[-1].play.rank == play.rank
        place = finishers[-1].place if equal else number
        finishers.append(PlacedPlay(play, place, points(place)))
    return finishers


def points(place: int) -> int:
    """Return the points of a place.

    >>> points(1), points(7), points(8), points(100)
    (10, 2, 1, 1)
    """
    return POINTS[place - 1] if place <= len(POINTS) else 1


def points_rows(guild_id: int, finishers: Sequence[PlacedPlay]) -> list[DailyPointsRow]:
    """Return the rows of a day's places in a server."""
    return [
        DailyPointsRow(guild_id, one.play.day, one.play.user_id, one.play.name, one.place, one.points)
        for one in finishers
    ]


def streak(days: Sequence[str], today: str) -> int:
    """Count the days in a row until today or yesterday.

    `days` are newest first.

    >>> streak(["2026-03-01", "2026-02-28", "2026-02-26"], "2026-03-02")
    2
    >>> streak(["2026-03-01"], "2026-03-03")
    0
    """
    wanted = today if today in days[:1] else add_days(today, -1)
    length = 0
    for day in days:
        if day != wanted:
            break
        length, wanted = length + 1, add_days(wanted, -1)
    return length
