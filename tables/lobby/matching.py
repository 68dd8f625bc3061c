"""Matches people who look for a game: pure decisions."""

from collections.abc import Sequence
from enum import StrEnum
from statistics import median

import msgspec

from tables.standings.habits import Habits, common_hours, does_finish

BAND = 150
"""The most points between two displayed ratings that count as near."""
SHARED_HOURS = 2
"""The fewest hours a day that two people share."""
FINISHING = 90
"""The percentage of games finished by somebody who finishes their games."""
FEWEST_WAITS = 3
"""The waits below which nothing is said about them."""


class Want(StrEnum):
    """Names the company that somebody would like."""

    NEAR = "near"
    HOURS = "hours"
    FINISH = "finish"


class Seeker(msgspec.Struct, frozen=True):
    """Somebody who looks for a game.

    Attributes:
        wants: with whom they would like to play.
        rating: their displayed rating; that of a newcomer without one.
        habits: how they play; None if they are newcomers or hide it.
    """

    wants: tuple[str, ...]
    rating: int
    habits: Habits | None


def suits(one: Seeker, other: Seeker) -> bool:
    """Return True if two people get what both of them want.

    Nobody is refused for what isn't known about them.

    >>> suits(Seeker((Want.NEAR,), 1000, None), Seeker((), 1100, None))
    True
    >>> suits(Seeker((), 1000, None), Seeker((Want.NEAR,), 1200, None))
    False
    """
    wants = {*one.wants, *other.wants}
    if Want.NEAR in wants and abs(one.rating - other.rating) > BAND:
        return False
    if Want.HOURS in wants and one.habits is not None and other.habits is not None:
        shared = common_hours(one.habits, other.habits)
        if shared is not None and shared < SHARED_HOURS:
            return False
    return _finishes(one, other) and _finishes(other, one)


def _finishes(asked: Seeker, asking: Seeker) -> bool:
    return Want.FINISH not in asking.wants or does_finish(asked.habits, FINISHING)


def usual_wait(waits: Sequence[float]) -> float | None:
    """Return the median of waits in seconds; None if too few.

    >>> usual_wait([60.0, 3600.0]), usual_wait([60.0, 3600.0, 7200.0])
    (None, 3600.0)
    """
    return median(waits) if len(waits) >= FEWEST_WAITS else None
