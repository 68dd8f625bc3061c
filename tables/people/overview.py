"""A person's tables: those that wait for them, those that wait for others, and ended games."""

import json
from contextlib import suppress

import msgspec

from db.connection.reading import UnreadableRow
from db.records.tables import TurnRow
from tables.clocks.clock import Clock, deadline
from tables.clocks.pace import read_pace
from tables.clocks.rest import Rest, Span
from tables.core.repository import Repository
from tables.core.table import OPEN, Phase, Table
from tables.core.timekeeping import AwaitedPerson
from tables.review.notes import Notes


class RunningTable(msgspec.Struct, frozen=True):
    """A running table: the people to move, `own` the one who looks."""

    table: Table
    waited: tuple[AwaitedPerson, ...]
    own: AwaitedPerson | None = None


class Overview(msgspec.Struct, frozen=True):
    """A person's tables: those to move first, most urgent first, then the rest.

    `notes` are the person's own notes, by table.
    """

    mine: tuple[RunningTable, ...] = ()
    others: tuple[RunningTable, ...] = ()
    lobbies: tuple[Table, ...] = ()
    ended: tuple[Table, ...] = ()
    notes: dict[int, str] = {}


class WaitingTurn(msgspec.Struct, frozen=True):
    """A table that waits for a person: its number, version, and deadline if its clock is visible."""

    table_id: int
    slug: str
    version: int
    until: float | None


class Digest(msgspec.Struct, frozen=True):
    """An overview to send, identified by its person and its due time.

    `gap` is the long outage of the bot if this is the first digest since.
    """

    user_id: int
    due_at: float
    overview: Overview
    gap: Span | None = None


class Overviews:
    """Builds the overview of a person's tables in a fixed number of queries."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._notes = Notes(repository)

    async def of(self, user_id: int, since: float) -> Overview:
        """Return a person's open tables, and games that ended since an instant."""
        rows = await self._repository.store.tables_lately(user_id, OPEN, since)
        tables = await self._repository.tables(rows)
        # Known together, they aren't asked for one table after another.
        await self._repository.time.people.of({user for table in tables for user in table.people})
        going = [await self._standing(table, user_id) for table in tables if table.phase is Phase.PLAY]
        return Overview(
            mine=tuple(sorted((one for one in going if one.own is not None), key=_urgency)),
            others=tuple(one for one in going if one.own is None),
            lobbies=tuple(table for table in tables if table.phase is Phase.LOBBY),
            ended=tuple(table for table in tables if table.phase not in OPEN and table.deal is not None),
            notes=await self._notes.of(user_id, [table.id for table in tables]),
        )

    async def _standing(self, table: Table, user_id: int) -> RunningTable:
        waited = await self._repository.time.waited_people(table)
        seat = table.seat_of(user_id)
        own = next((one for one in waited if one.seat == seat), None)
        may = seat is not None and table.paused_at is None and not table.clock(seat).deputy
        return RunningTable(table, tuple(waited), own if may else None)

    async def next_turn(self, user_id: int, beside: int) -> WaitingTurn | None:
        """Return the most urgent table that waits for a person, except one. One query."""
        rows = await self._repository.store.turns_of(user_id)
        person = await self._repository.time.people.person(user_id)
        pairs: list[tuple[tuple[int, float], WaitingTurn]] = []
        for row in rows:
            gaps = await self._repository.time.downtime.gaps(row.guild_id)
            with (
                suppress(UnreadableRow),
                self._repository.store.unreadable.watch(f"the turn at table {row.id}"),
            ):
                pair = None if row.id == beside else _turn(row, person.rest(gaps))
                pairs += [] if pair is None else [pair]
        return min(pairs, key=lambda one: one[0])[1] if pairs else None


def _turn(row: TurnRow, rest: Rest) -> tuple[tuple[int, float], WaitingTurn] | None:
    """Return a turn with its urgency; None out of turn."""
    clocks = msgspec.json.decode(row.clocks, type=tuple[Clock, ...])
    owes = row.seat in json.loads(row.owing) and row.paused_at is None
    if not owes or row.seat >= len(clocks) or clocks[row.seat].deputy:
        return None
    clock, pace = clocks[row.seat], read_pace(row.pace)
    until = deadline(clock, rest.in_one_sitting() if pace.one_sitting else rest, pace)
    shown = until if pace.kept and clock.late is None else None
    return _rank(clock.late, until), WaitingTurn(row.id, row.game, row.version, shown)


def _urgency(standing: RunningTable) -> tuple[int, float]:
    own = standing.own
    return _rank(None, None) if own is None else _rank(own.late, own.until)


def _rank(late: float | None, until: float | None) -> tuple[int, float]:
    """Return the sort key of a table. Late ones first, longest late first; then by deadline."""
    if late is not None:
        return 0, late
    return (2, 0.0) if until is None else (1, until)
