"""The deal of a day, its plays, places, points and streaks: pure functions."""

import itertools
from collections.abc import Collection, Sequence
from datetime import date
from functools import partial

import msgspec
from msgspec.structs import replace

from db.records import DailyDealRow, DailyPlayRow, DailyPointsRow, EntryHeader, SeatRow, ServerSettings
from db.subjects.daily import COUNTED
from engines.analysis.daily import DailyGame, Level, TurnSummary
from engines.game import Draws, Strength
from engines.registry import SLUGS, daily, game
from tables.clocks.pace import MINUTE, NONE, add_days, ends
from tables.core.history import PLAYED, EntryKind, active_entries
from tables.core.people import name_apart
from tables.core.table import DailyDeal, Hints, Occupant, Table, Terms, encode
from tables.lobby.decisions import StartContext, computer_name, start
from tables.lobby.lobby import StartedTable, begin_alone, new_row, on_terms
from tables.review.record import RecordedTurn


def daily_games() -> tuple[str, ...]:
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


SEAT = 0
"""The person's seat."""
LONGEST_PAUSE = 5 * MINUTE
"""The most seconds of a pause between two moves that count."""
TERMS = Terms(NONE, private=True, rated=False, hints=Hints.FORBIDDEN)


def play_rows(deal: DailyDealRow, person: Occupant, now: float) -> StartedTable:
    """Return the table of a person who begins a deal, against strong computers."""
    row = new_row(0, 0, person.user_id or 0, deal.game, deal.options, now)
    row = replace(on_terms(row, TERMS, ordered=True), seed=deal.seed, salt=deal.salt)
    row = replace(row, origin=encode(DailyDeal(deal.day)))
    names = [person.name]
    for _ in range(deal.seats - 1):
        names.append(computer_name(names))
    seats = [SeatRow(SEAT, person.user_id, person.name, person.strength)]
    seats += [SeatRow(seat, None, name, Strength.STRONG) for seat, name in enumerate(names) if seat != SEAT]
    begin = partial(start, beginning=StartContext(ServerSettings(0)), user_id=person.user_id or 0)
    return begin_alone(row, seats, begin, now)


class PlayCourse(msgspec.Struct, frozen=True):
    """The course of a play: its entries, its turns, and the tally after each."""

    trace: Sequence[EntryHeader]
    turns: Sequence[RecordedTurn]
    tallies: Sequence[tuple[int | None, ...] | None]


def finish_play(play: DailyPlayRow, table: Table, course: PlayCourse, view: object) -> DailyPlayRow:
    """Return the result of a play whose game is over.

    `view` is the final one. A play that was given up, or finished after the day, isn't in the day's
    standing.
    """
    rows = {row.version: row for row in course.trace}
    standing = active_entries(rows, table.version)
    played = [row for row in course.trace if row.version in standing and row.kind in PLAYED]
    own = [row for row in played if row.seat == SEAT and row.kind == EntryKind.MOVE]
    # What computers answer after that is nobody's lateness.
    at = max((row.at for row in own), default=play.begun_at)
    given_up = table.outcome is None or any(row.kind == EntryKind.RESIGN for row in played)
    known = replace(play, ended_at=at, moves=len(own), seconds=_seconds(play.begun_at, own))
    if given_up or table.outcome is None:
        return replace(known, said="given up")
    daily = rules(table.slug)
    verdict = daily.verdict(table.outcome, view, SEAT)
    summaries = [
        TurnSummary(sum(turn.after < row.version <= turn.version for row in own), tally)
        for turn, tally in zip(course.turns, course.tallies, strict=True)
    ]
    return replace(
        known,
        rank=verdict.rank,
        said=verdict.said,
        signs=daily.signs(table.outcome, summaries, SEAT),
        counts=play.attempt == COUNTED and at < ends(play.day),
    )


def _seconds(begun: float, own: Sequence[EntryHeader]) -> float:
    """Return the seconds of a play, without longer pauses."""
    instants = [begun, *(row.at for row in own)]
    gaps = (after - before for before, after in itertools.pairwise(instants))
    return sum(min(max(gap, 0.0), LONGEST_PAUSE) for gap in gaps)


def new_deal(day: str, slug: str, seed: bytes, salt: bytes) -> DailyDealRow:
    level = level_of(day, slug)
    known = game(slug)
    options = known.settle(level.seats, msgspec.convert(level.options, known.Options))
    return DailyDealRow(day, slug, level.name, level.seats, encode(options), seed.hex(), salt.hex())


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
