"""Ratings from results: OpenSkill's Plackett-Luce model with its usual parameters.

The same results in the same order give the same ratings, so they can be recalculated from the first result.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace
from openskill.models import PlackettLuce

from db.records.results import RatingRow, ResultRow

MODEL = PlackettLuce()
SCALE = 40
"""Displayed points for one point of the model."""
FIRST = 1000
"""The rating before any game."""
SURE_AFTER = 5
"""Games before which a rating is provisional."""
RECENT = 5
"""Games of a trend."""


def points(mu: float, sigma: float) -> int:
    """Return the displayed rating: a level that the player almost certainly has.

    >>> points(25, 25 / 3), points(30, 2)
    (1000, 1960)
    """
    return round(FIRST + SCALE * (mu - 3 * sigma))


def uncertainty(sigma: float) -> int:
    """Return the uncertainty of a rating, in its points.

    >>> uncertainty(25 / 3)
    333
    """
    return round(SCALE * sigma)


def trend(recent: Sequence[int]) -> int:
    """Return the change of a rating over the last games.

    >>> trend([1000, 1137, 1090]), trend([])
    (90, 0)
    """
    return recent[-1] - recent[0] if recent else 0


def newcomer(result: ResultRow) -> RatingRow:
    """Return somebody's rating before their first game."""
    start = MODEL.rating()
    return RatingRow(
        result.guild_id,
        result.game,
        result.user_id,
        result.name,
        start.mu,
        start.sigma,
        points(start.mu, start.sigma),
    )


def after_game(
    game: Sequence[ResultRow], before: Mapping[int, RatingRow]
) -> tuple[list[ResultRow], list[RatingRow]]:
    """Rate one game; return its results with ratings, and the new ratings.

    `before` are existing ratings by user id. Ties are rated as ties; computer players are ignored.
    """
    old = [before.get(result.user_id) or newcomer(result) for result in game]
    teams = [[MODEL.rating(row.mu, row.sigma)] for row in old]
    rated = MODEL.rate(teams, ranks=[float(result.place or 0) for result in game])
    new = [
        _move_rating(row, result, team[0].mu, team[0].sigma)
        for row, result, team in zip(old, game, rated, strict=True)
    ]
    lines = [
        replace(result, before=was.rating, after=now.rating)
        for result, was, now in zip(game, old, new, strict=True)
    ]
    return lines, new


def _move_rating(row: RatingRow, result: ResultRow, mu: float, sigma: float) -> RatingRow:
    rating = points(mu, sigma)
    recent = (*(row.recent or (row.rating,)), rating)
    return replace(
        row,
        name=result.name,
        mu=mu,
        sigma=sigma,
        rating=rating,
        games=row.games + 1,
        wins=row.wins + (result.place == 1),
        recent=recent[-RECENT - 1 :],
    )


def after_games(
    results: Iterable[ResultRow], before: Mapping[int, RatingRow]
) -> tuple[list[ResultRow], dict[int, RatingRow]]:
    """Rate several games, oldest first.

    Return all results, and the ratings at the end. The results of one game are neighbours.
    """
    ratings, entries = dict(before), list[ResultRow]()
    for _, game in groupby(results, key=lambda result: result.table_id):
        rows, new = after_game(list(game), ratings)
        entries += rows
        ratings.update((row.user_id, row) for row in new)
    return entries, ratings
