"""Habits of a person: reliability, speed and hours, from their results and moves."""

from collections.abc import Sequence
from statistics import median

import msgspec

from db.records.results import ResultRow

GAMES = 50
"""The newest games with others that count."""
FEWEST_GAMES = 5
"""The games below which nothing is said."""
TIMED_GAMES = 10
"""The newest games whose moves tell the usual hours."""
TIMED_MOVES = 300
FEWEST_MOVES = 20
MOST_HOURS = 10
"""The length of a day's part at most that is called usual."""
USUAL = 0.7
"""The share of the moves that fall into the usual hours at least."""
HOUR, DAY = 3600, 24


class Habits(msgspec.Struct, frozen=True):
    """The habits of a person in games with others.

    Attributes:
        games: their newest games, `GAMES` at most.
        finished: those that they finished in their own seat.
        answer: the median over these games of their average turn, in seconds; None without turns.
        hours: the first and the last of the usual hours (UTC, the last is excluded); None if they vary.
    """

    games: int
    finished: int
    answer: float | None
    hours: tuple[int, int] | None


def does_finish(habits: Habits | None, percent: int) -> bool:
    """Return True if somebody finishes that share, or has played too little.

    >>> does_finish(Habits(10, 9, None, None), 90), does_finish(Habits(10, 8, None, None), 90)
    (True, False)
    >>> does_finish(None, 90)
    True
    """
    return habits is None or 100 * habits.finished >= percent * habits.games


def common_hours(one: Habits, other: Habits) -> int | None:
    """Count the usual hours that two people share; None if somebody's vary.

    >>> late, later = Habits(9, 9, None, (18, 23)), Habits(9, 9, None, (21, 26))
    >>> common_hours(late, later), common_hours(later, Habits(9, 9, None, (0, 4)))
    (2, 2)
    """
    if one.hours is None or other.hours is None:
        return None
    return len(_hours(one.hours) & _hours(other.hours))


def _hours(usual: tuple[int, int]) -> set[int]:
    return {hour % DAY for hour in range(*usual)}


def habits_of(rows: Sequence[ResultRow], moves: Sequence[float]) -> Habits | None:
    """Return the habits that results and times show, if games are enough."""
    if len(rows) < FEWEST_GAMES:
        return None
    averages = [row.seconds / row.turns for row in rows if row.turns]
    return Habits(
        games=len(rows),
        finished=sum(row.stayed for row in rows),
        answer=median(averages) if averages else None,
        hours=usual_hours(moves),
    )


def usual_hours(moves: Sequence[float]) -> tuple[int, int] | None:
    """Return the shortest part of the day with most of the moves.

    >>> usual_hours([hour * 3600 for hour in (18, 19, 20, 20, 21, 22, 23) for _ in range(5)])
    (18, 22)
    >>> usual_hours([hour * 3600 for hour in range(24)]) is None
    True
    """
    if len(moves) < FEWEST_MOVES:
        return None
    made = [0] * DAY
    for at in moves:
        made[int(at // HOUR) % DAY] += 1
    for length in range(1, MOST_HOURS + 1):
        number, first = max(
            (sum(made[(start + step) % DAY] for step in range(length)), -start) for start in range(DAY)
        )
        if number >= USUAL * len(moves):
            return -first, -first + length
    return None
