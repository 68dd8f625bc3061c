"""Places, points and streaks: pure functions of what was finished."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from db.records import DailyPlayRow, DailyPointsRow
from tables.clocks.days import later
from tables.core.naming import name_apart

POINTS = (10, 8, 6, 5, 4, 3, 2)
"""What the first places of a day bring; every other place brings one point."""


class Placed(msgspec.Struct, frozen=True):
    """A play with its place among those of its server, and the points that this brings."""

    play: DailyPlayRow
    place: int
    points: int


def placed(plays: Sequence[DailyPlayRow]) -> list[Placed]:
    """The plays of a day, which are given the best first, with their places; equals share the better one."""
    found: list[Placed] = []
    for number, play in enumerate(name_apart(plays), start=1):
        equal = bool(found) and found[-1].play.rank == play.rank
        place = found[-1].place if equal else number
        found.append(Placed(play, place, points(place)))
    return found


def points(place: int) -> int:
    """What a place brings.

    >>> points(1), points(7), points(8), points(100)
    (10, 2, 1, 1)
    """
    return POINTS[place - 1] if place <= len(POINTS) else 1


def points_rows(guild_id: int, found: Sequence[Placed]) -> list[DailyPointsRow]:
    """What is kept of a day's places in a server."""
    return [
        DailyPointsRow(guild_id, one.play.day, one.play.user_id, one.play.name, one.place, one.points)
        for one in found
    ]


def streak(days: Sequence[str], today: str) -> int:
    """On how many days in a row somebody has finished, until today or yesterday; `days` are newest first.

    >>> streak(["2026-03-01", "2026-02-28", "2026-02-26"], "2026-03-02")
    2
    >>> streak(["2026-03-01"], "2026-03-03")
    0
    """
    wanted = today if today in days[:1] else later(today, -1)
    length = 0
    for day in days:
        if day != wanted:
            break
        length, wanted = length + 1, later(wanted, -1)
    return length
