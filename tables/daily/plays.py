"""A play of a deal of the day, from its start to its result: pure functions."""

import itertools
from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from db.records.daily import DailyDealRow, DailyPlayRow
from db.records.servers import ServerSettings
from db.records.tables import EntryHeader, SeatRow
from db.subjects.daily import COUNTED
from engines.daily import TurnSummary
from engines.game import Strength
from engines.registry import game
from tables.clocks.days import ends
from tables.clocks.pace import MINUTE, NONE
from tables.core.history import PLAYED, EntryKind, active_entries
from tables.core.table import DailyDeal, Hints, Occupant, Table, Terms, encode
from tables.daily.rota import level_of, rules
from tables.lobby.decisions import StartContext, computer_name, start
from tables.lobby.lobby import StartedTable, begin_alone, new_row, on_terms
from tables.review.record import RecordedTurn

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
    """Return the deal of a day in a game, with the given secrets."""
    level = level_of(day, slug)
    known = game(slug)
    options = known.settle(level.seats, msgspec.convert(level.options, known.Options))
    return DailyDealRow(day, slug, level.name, level.seats, encode(options), seed.hex(), salt.hex())
