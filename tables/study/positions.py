"""The beginning of a study, and the turns worth another try: pure functions."""

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from db.records import SeatRow
from engines.engine import Position
from engines.game import Seat, Strength
from tables.clocks.pace import NONE
from tables.core.change import Change, DecisionContext, TableState, entry
from tables.core.history import EntryKind
from tables.core.table import SUFFIX, Hints, Occupant, Phase, Refused, Study, StudyKind, Table, Terms, encode
from tables.learning.hints import Swing
from tables.lobby.lobby import StartedTable, begin_alone, new_row, on_terms
from tables.review.record import RecordedTurn

MOST_MISSED = 3
"""The turns of a player that are offered for another try."""
MOST_WEIGHED = 6
"""The turns that are compared with the computer's choice, which takes a second each."""
LEAST_LOSS = 0.03
"""A turn whose chance of winning is less behind the computer's choice isn't worth another try."""
LEAST_LEAD_LOST = 1.0
"""The same where a lead is counted, in the game's own unit."""
NO_DEAL = "null"
"""The deal of a table that begins in the middle of a game."""
NOTHING_LEFT = "Nothing is left to play after that turn. Choose an earlier one."
TERMS = Terms(NONE, private=True, rated=False, hints=Hints.ALLOWED)


class StudyStart(msgspec.Struct, frozen=True):
    """The beginning of a study: whose game, which turn, and who plays which side."""

    source: Table
    turn: RecordedTurn
    kind: StudyKind
    seat: Seat
    all_sides: bool = False


def list_weak_turns(
    swings: Iterable[Swing], turns: Sequence[RecordedTurn], own: Collection[int]
) -> list[int]:
    """Return those of somebody's `own` turns that brought least.

    The worst is first. A turn of one's own usually helps, so a small gain can be a missed chance.

    >>> turns = [RecordedTurn(n, n, n - 1, (n % 2,), 0.0) for n in range(8)]
    >>> changes = [0.1, -0.1, 0.09, -0.1, -0.2, -0.1, 0.1]
    >>> swings = [Swing(turn, change) for turn, change in enumerate(changes, start=1)]
    >>> list_weak_turns(swings, turns, {1, 3, 5, 7}), list_weak_turns(swings[:4], turns[2:], {3, 5})
    ([5, 3, 1, 7], [5, 3])
    """
    known = [swing for swing in swings if turns[swing.turn].number in own]
    worst = sorted(known, key=lambda swing: swing.change)[:MOST_WEIGHED]
    return [turns[swing.turn].number for swing in worst]


def find_missed_turns(losses: Iterable[tuple[float | None, int]], least: float = LEAST_LOSS) -> list[int]:
    """Return the turns that lost most beside the computer's choice.

    Each is given with its loss; None if that isn't known. A loss below `least` doesn't count.

    >>> find_missed_turns([(0.01, 4), (None, 6), (0.05, 8), (0.2, 10), (0.3, 12), (0.04, 14)])
    [12, 10, 8]
    """
    known = [(loss, number) for loss, number in losses if loss is not None and loss >= least]
    return [number for _, number in sorted(known, reverse=True)[:MOST_MISSED]]


def is_own_turn(turn: RecordedTurn, seat: Seat, *, simultaneous: bool) -> bool:
    """Return True if a turn began with a decision of the seat."""
    return turn.number > 0 and (seat in turn.seats if simultaneous else turn.seats[:1] == (seat,))


def study_luck(source: Table, turn: RecordedTurn, seat: Seat) -> bytes:
    """Return the luck of a study.

    Another try of the same turn has the same. It comes from the salt, which nothing dealt
    depends on, so it gives nothing hidden away.
    """
    return sha256(f"study {turn.number} {seat} ".encode() + source.salt).digest()


def study_table(start: StudyStart, position: Position, person: Occupant, now: float) -> StartedTable:
    """Return the private table of a study.

    In a sandbox computers play the other sides, or the person all of them. Raise Refused if nothing is left
    to play.
    """
    source = start.source
    if position.over:
        raise Refused(NOTHING_LEFT)
    turn = start.turn
    origin = Study(start.kind, source.id, turn.number, start.seat, position.beat, version=turn.version)
    seats = [_seat_row(seat, one, start, person) for seat, one in enumerate(map(_plain_name, source.seats))]
    return begin_study(source.slug, encode(source.options), origin, position, seats, now)


def begin_study(
    slug: str, options: str, origin: Study, position: Position, seats: Sequence[SeatRow], now: float
) -> StartedTable:
    """Return a private table that begins at a position; `options` is JSON."""
    host = seats[origin.seat].user_id or 0
    row = new_row(0, 0, host, slug, options, now)
    row = replace(on_terms(row, TERMS, ordered=True), origin=encode(origin))
    if origin.kind is StudyKind.PUZZLE:
        row = replace(row, hints=Hints.FORBIDDEN)

    def begin(loaded: TableState, _now: DecisionContext) -> Change:
        table = replace(
            loaded.table, phase=Phase.PLAY, deal=NO_DEAL, beat=position.beat, owing=position.owing, clocks=()
        )
        return Change(table, (entry(EntryKind.START, host),), position=position, snapshot=True)

    return begin_alone(row, seats, begin, now)


def _plain_name(occupant: Occupant) -> str:
    return occupant.name.removesuffix(SUFFIX)


def _seat_row(seat: Seat, name: str, start: StudyStart, person: Occupant) -> SeatRow:
    if seat == start.seat or start.all_sides:
        return SeatRow(seat, person.user_id, name, None)
    if start.kind is StudyKind.SANDBOX:
        return SeatRow(seat, None, f"{name}{SUFFIX}", Strength.STRONG)
    return SeatRow(seat, None, name, None)


def is_turn_over(table: Table) -> bool:
    """Return True if the turn that is tried again has been played.

    The seat isn't asked any more, or for another turn.
    """
    study = table.study
    if study is None or study.kind is not StudyKind.TURN:
        return False
    if table.phase is not Phase.PLAY or study.seat not in table.owing:
        return True
    return turn_key(table, table.beat) != turn_key(table, study.beat)


def turn_key(table: Table, beat: int) -> int | None:
    return table.game.turn_at(beat, len(table.seats), table.options)
