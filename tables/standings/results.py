"""Results of a finished table, from its history."""

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from db.records import ActionRow, EntryHeader, ResultRow
from db.subjects.standings import VERSUS
from engines.game import Outcome, Seat
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


def game_start(table: Table, with_computers: bool) -> GameStart:
    return GameStart(tuple(occupant.user_id for occupant in table.seats), tuple(table.names), with_computers)


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
    stayed = _who_stayed(table, began, played)
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
    stayed = _who_stayed(table, began, _list_moves(table, trace))
    stayed[leaver] = False
    return does_count(table, began, ResultKind.VERSUS, stayed)


def _find_start(table: Table, entries: Sequence[ActionRow]) -> ActionRow | None:
    """Return the start that says who began; None if nobody knows."""
    start = next((row for row in entries if row.kind == EntryKind.START), None)
    return None if table.origin is not None or start is None or start.payload is None else start


def _list_moves(table: Table, trace: Sequence[EntryHeader]) -> list[EntryHeader]:
    active = active_entries({row.version: row for row in trace}, table.version)
    return [row for row in trace if row.version in active and row.kind in PLAYED]


def _who_stayed(table: Table, began: GameStart, played: Sequence[EntryHeader]) -> list[bool]:
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
