"""Which deal a day has: a pure function of its date, so that all servers have the same."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from engines.daily import Daily, Level
from engines.draws import Draws
from engines.registry import SLUGS, daily


def dealt_daily() -> tuple[str, ...]:
    """The games that are dealt daily."""
    return tuple(slug for slug in SLUGS if daily(slug) is not None)


def order(day: str) -> tuple[str, ...]:
    """The games of a day, the first one first; each comes first once in as many days as there are games.

    >>> sorted(order("2026-11-23")) == sorted(dealt_daily())
    True
    """
    known = dealt_daily()
    turn, at = divmod(date.fromisoformat(day).toordinal(), len(known))
    shuffled = Draws(f"the rota of round {turn}".encode(), 0).shuffled(known)
    return (*shuffled[at:], *shuffled[:at])


def game_of(day: str, wanted: Collection[str] = ()) -> str:
    """The game of a day where some are wanted, or without any all: the first of them in the day's order."""
    games = order(day)
    return next((slug for slug in games if slug in wanted), games[0])


def level_of(day: str, slug: str) -> Level:
    """How a game is dealt on a day: Mondays are easy, and Sundays hard."""
    levels = rules(slug).levels
    return levels[date.fromisoformat(day).weekday() * len(levels) // 7]


def rules(slug: str) -> Daily:
    """How a game is dealt daily. Raises KeyError for one that is not."""
    found = daily(slug)
    if found is None:
        raise KeyError(slug)
    return found
