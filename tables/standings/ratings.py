"""Results of finished tables; OpenSkill's Plackett-Luce ratings; people's habits and rivals.

The same results in the same order give the same ratings, so they can be recalculated from the first result.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import groupby, takewhile
from statistics import mean, median

import msgspec
from msgspec.structs import replace
from openskill.models import PlackettLuce

from db.records import ActionRow, ComputerGameRow, EntryHeader, RatingRow, ResultRow
from db.subjects.standings import VERSUS
from engines.game import Outcome, Seat, Strength
from tables.core.history import PLAYED, EntryKind, active_entries
from tables.core.table import Phase, Table, encode

WHOLE_ENTRIES = frozenset({EntryKind.START, EntryKind.RESIGN, EntryKind.PAUSE, EntryKind.RESUME})
"""Kinds of entries that are needed whole; of others only the time."""


class ResultKind(StrEnum):
    """How people have played: against each other, together, or alone."""

    VERSUS = VERSUS
    COOP = "coop"
    SOLO = "solo"


class GameStart(msgspec.Struct, frozen=True):
    """The people by seat when a game began, None if a computer played; saved with the start.

    `with_computers`: the server counts games with computer players.
    """

    people: tuple[int | None, ...]
    names: tuple[str, ...]
    with_computers: bool


def results_of(table: Table, trace: Sequence[EntryHeader], entries: Sequence[ActionRow]) -> list[ResultRow]:
    """Return the results of all who began a game, by user id.

    `entries` are those of `WHOLE_ENTRIES`. There are none before the end, of a game that wasn't dealt here,
    and if nobody knows who began. People who resigned, or aren't on their seat at the end, share the last
    place.
    """
    start = _find_start(table, entries)
    if table.phase is not Phase.OVER or table.outcome is None or start is None:
        return []
    began, played = msgspec.json.decode(start.payload or "", type=GameStart), _list_moves(table, trace)
    stayed = _find_stayers(table, began, played)
    kind = kind_of(len(began.people), table.outcome)
    spent = turns_of(began, start.at, played, pauses_of(entries))
    placed = places(table.outcome, stayed) if kind is ResultKind.VERSUS else [None] * len(stayed)
    counted = does_count(table, began, kind, stayed)
    result = [
        ResultRow(
            table_id=table.id,
            user_id=user_id,
            guild_id=table.guild_id,
            game=table.slug,
            kind=kind,
            options=encode(table.options),
            name=began.names[seat],
            seats=len(began.people),
            stayed=stayed[seat],
            counts=counted,
            place=placed[seat],
            won=None if table.outcome.won is None else table.outcome.won and stayed[seat],
            score=None if table.outcome.scores is None else table.outcome.scores[seat],
            turns=len(spent[user_id]),
            seconds=sum(spent[user_id]),
            ended_at=played[-1].at if played else start.at,
        )
        for seat, user_id in enumerate(began.people)
        if user_id is not None
    ]
    return sorted(result, key=lambda row: row.user_id)


def counts_after_leaving(
    table: Table, leaver: Seat, trace: Sequence[EntryHeader], entries: Sequence[ActionRow]
) -> bool:
    """Return True if a game of opponents counts without one of them."""
    start = _find_start(table, entries)
    if start is None:
        return False
    began = msgspec.json.decode(start.payload or "", type=GameStart)
    stayed = _find_stayers(table, began, _list_moves(table, trace))
    stayed[leaver] = False
    return does_count(table, began, ResultKind.VERSUS, stayed)


def _find_start(table: Table, entries: Sequence[ActionRow]) -> ActionRow | None:
    """Return the start that says who began; None if nobody knows."""
    start = next((row for row in entries if row.kind == EntryKind.START), None)
    return None if table.origin is not None or start is None or start.payload is None else start


def _list_moves(table: Table, trace: Sequence[EntryHeader]) -> list[EntryHeader]:
    active = active_entries({row.version: row for row in trace}, table.version)
    return [row for row in trace if row.version in active and row.kind in PLAYED]


def _find_stayers(table: Table, began: GameStart, played: Sequence[EntryHeader]) -> list[bool]:
    resigned = {row.seat for row in played if row.kind == EntryKind.RESIGN}
    return [
        seat not in resigned and user_id == table.seats[seat].owner
        for seat, user_id in enumerate(began.people)
    ]


def kind_of(seats: int, outcome: Outcome) -> ResultKind:
    """Return how a game was played.

    >>> kind_of(2, Outcome("left", (1, 2))), kind_of(3, Outcome("saved", (1, 1, 1), won=True))
    (<ResultKind.VERSUS: 'versus'>, <ResultKind.COOP: 'coop'>)
    """
    if seats == 1:
        return ResultKind.SOLO
    return ResultKind.VERSUS if outcome.won is None else ResultKind.COOP


def does_count(table: Table, began: GameStart, kind: ResultKind, stayed: Sequence[bool]) -> bool:
    """Return True if a game counts.

    For the ratings, or among the best results. The table must be rated, and computer players allowed if
    there were any. Somebody must have stayed to the end; a rating needs two people.
    """
    people = [seat for seat, user_id in enumerate(began.people) if user_id is not None]
    allowed = table.rated and (began.with_computers or len(people) == len(began.people))
    enough = len(people) >= (2 if kind is ResultKind.VERSUS else 1)
    return allowed and enough and any(stayed[seat] for seat in people)


def places(outcome: Outcome, stayed: Sequence[bool]) -> list[int | None]:
    """Return the places of all seats, ties sharing the better one.

    Leavers come last.

    >>> places(Outcome("points", (1, 2, 2, 4)), [False, True, True, True])
    [4, 1, 1, 3]
    """
    last = len(stayed) + 1
    keys = [
        (False, outcome.places[seat] or last) if stays else (True, 0) for seat, stays in enumerate(stayed)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


Span = tuple[float, float]


def pauses_of(entries: Sequence[ActionRow]) -> list[Span]:
    spans: list[Span] = []
    since: float | None = None
    for row in entries:
        if row.kind == EntryKind.PAUSE and since is None:
            since = row.at
        elif row.kind == EntryKind.RESUME and since is not None:
            spans.append((since, row.at))
            since = None
    return spans


def turns_of(
    began: GameStart, start: float, played: Sequence[EntryHeader], pauses: Sequence[Span]
) -> defaultdict[int, list[float]]:
    """Return the seconds of each person's turns, without pauses.

    A turn lasts from the end of the one before until the person's last own step in it: computers' and forced
    steps are no turns of theirs.
    """
    result: defaultdict[int, list[float]] = defaultdict(list)
    since, beat, ends = start, None, dict[int, float]()
    last = start

    def close() -> None:
        for user_id, at in ends.items():
            stood = sum(max(0.0, min(end, at) - max(begin, since)) for begin, end in pauses)
            result[user_id].append(at - since - stood)

    for row in played:
        if row.beat is None or row.beat != beat:
            close()
            since, beat, ends = last, row.beat, {}
        owner = None if row.seat is None else began.people[row.seat]
        if row.kind == EntryKind.MOVE and owner is not None and row.actor_id == owner:
            ends[owner] = row.at
        last = row.at
    close()
    return result


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


SUGGESTED_FROM = 5
"""The newest games against computers that are looked at."""
FEWEST = 2
"""The games at one strength before another is suggested."""
TOO_EASY, TOO_HARD = 2 / 3, 1 / 4
"""The shares of computers beaten from which the next step, or the one before, suits better."""


def next_strength(games: Sequence[ComputerGameRow]) -> Strength:
    """Return the strength that suits the player of these games, newest first.

    It is that of the newest game, or a step from it if most games at it were won or lost.

    >>> won, lost = ComputerGameRow(1, 2, "easy"), ComputerGameRow(2, 2, "easy")
    >>> next_strength([won]).value, next_strength([won, won]).value, next_strength([lost, won]).value
    ('easy', 'casual', 'easy')
    """
    steps = list(Strength)
    strength = Strength(games[0].strength)
    played = list(takewhile(lambda game: Strength(game.strength) is strength, games))
    beaten = mean((game.seats - game.place) / (game.seats - 1) for game in played)
    step = 0
    if len(played) >= FEWEST:
        step = 1 if beaten >= TOO_EASY else -1 if beaten <= TOO_HARD else 0
    return steps[min(max(steps.index(strength) + step, 0), len(steps) - 1)]


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
