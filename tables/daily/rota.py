"""The deal of a day: a pure function of its date, so all servers have the same."""

from collections.abc import Collection
from datetime import date

from engines.daily import DailyGame, Level
from engines.draws import Draws
from engines.registry import SLUGS, daily


def daily_games() -> tuple[str, ...]:
    """Return the games with a deal of the day."""
    return tuple(slug for slug in SLUGS if daily(slug) is not None)


def order(day: str) -> tuple[str, ...]:
    """Return the games of a day in order.

    Each is first once in as many days as games.

    >>> sorted(order("2026-11-23")) == sorted(daily_games())
    True
    """
    known = daily_games()
    turn, at = divmod(date.fromisoformat(day).toordinal(), len(known))
    shuffled = Draws(f"the rota of round {turn}".encode(), 0).shuffle(known)
    return (*shuffled[at:], *shuffled[:at])


def game_of(day: str, wanted: Collection[str] = ()) -> str:
    """Return the game of a day. The first wanted one in the day's order; all by default."""
    games = order(day)
    return next((slug for slug in games if slug in wanted), games[0])


def level_of(day: str, slug: str) -> Level:
    """Return the level of a day: Mondays are easy, Sundays hard."""
    levels = rules(slug).levels
    return levels[date.fromisoformat(day).weekday() * len(levels) // 7]


def rules(slug: str) -> DailyGame:
    """Return how a game is dealt daily. Raises KeyError for one that isn't."""
    game = daily(slug)
    if game is None:
        raise KeyError(slug)
    return game
