"""Rows of results: finished games, ratings and records."""

import msgspec


class ResultRow(msgspec.Struct, frozen=True):
    """A person's result at a finished table where they sat from the beginning.

    `kind` is ``versus``, ``coop`` or ``solo``; `options` (JSON) are the game's. `place` counts among all
    `seats`, None in a team and alone; a person who has not `stayed` is last. `won` is a team's, `score` the
    game's. Their `turns` took `seconds` together. `counts`: for the ratings, or among the best results.
    `before` and `after` are displayed ratings, of a versus game that counts.
    """

    table_id: int
    user_id: int
    guild_id: int
    game: str
    kind: str
    options: str
    name: str
    seats: int
    stayed: bool
    counts: bool
    place: int | None
    won: bool | None
    score: int | None
    turns: int
    seconds: float
    ended_at: float
    before: int | None = None
    after: int | None = None


class ComputerGameRow(msgspec.Struct, frozen=True):
    """A person's place in a finished game against computers of one strength, among all `seats`."""

    place: int
    seats: int
    strength: str


class RatingRow(msgspec.Struct, frozen=True):
    """A person's skill at a game in a server: OpenSkill's `mu` and `sigma`.

    `rating` is the displayed number; `recent` holds it before the last games and after each.
    """

    guild_id: int
    game: str
    user_id: int
    name: str
    mu: float
    sigma: float
    rating: int
    games: int = 0
    wins: int = 0
    recent: tuple[int, ...] = ()


class RankedRow(msgspec.Struct, frozen=True):
    """A line of a leaderboard; `rank` counts visible people only."""

    rank: int
    user_id: int
    name: str
    sigma: float
    rating: int
    games: int
    wins: int
    recent: tuple[int, ...]


class BestRow(msgspec.Struct, frozen=True):
    """A person's best with the same options, alone or in a team."""

    options: str
    user_id: int
    name: str
    games: int
    wins: int
    score: int | None


class TallyRow(msgspec.Struct, frozen=True):
    """Number of games of a kind that ended alike for a person, and their time to move.

    `score` is the highest of them, if the game keeps one.
    """

    game: str
    kind: str
    counts: bool
    place: int | None
    won: bool | None
    games: int
    score: int | None
    turns: int
    seconds: float


class OpponentRow(msgspec.Struct, frozen=True):
    """A person's record against another: games finished ahead of them, and behind them."""

    user_id: int
    name: str
    games: int
    won: int
    lost: int
