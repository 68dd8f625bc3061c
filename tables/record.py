"""The record of a game: its turns, and any position that it has been in, as somebody could see it then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from cachetools import LRUCache

from db.records import ActionRow, TraceRow
from engines.game import Seat
from tables.history import GROUNDS, MOVES, PLAYED, EntryKind, History, standing_of
from tables.model import Refused, Table
from tables.repository import Repository

SEEN = 64
"""So many views of earlier positions are kept in memory."""
TURNS = 64
"""Of so many tables the turns are kept in memory."""


class Turn(msgspec.Struct, frozen=True):
    """The steps that were made in one beat, as far as they count.

    Attributes:
        number: 0 for the start of the game, then counting.
        version: that of the table after the last of them, where the position of the turn is read.
        after: that of the turn before; what was told since then belongs to this one.
        seats: who moved, each once, in order.
        at: when the last of them was made, in seconds since 1970.
    """

    number: int
    version: int
    after: int
    seats: tuple[Seat, ...]
    at: float


class Record:
    """Reads what was: the turns of a game, what happened in them, and how it stood then."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._history = History(repository.store)
        self._views: LRUCache[tuple[int, int, Seat | None], Any] = LRUCache(SEEN)
        self._turns: LRUCache[int, tuple[int, list[Turn]]] = LRUCache(TURNS)

    async def turns(self, table: Table) -> list[Turn]:
        """The turns of a game, the start first; steps that were taken back are in none.

        Raises:
            Refused: when the game has not begun.
        """
        version, found = self._turns.get(table.id, (0, []))
        if version != table.version:
            found = turns_of(await self._repository.store.trace(table.id), table.version)
            self._turns[table.id] = table.version, found
        if not found:
            raise Refused("The game has not begun yet, so there is nothing to look back at.")
        return found

    async def entries(self, table: Table, turn: Turn) -> list[ActionRow]:
        """What happened in a turn, oldest first, with who came, went or administered meanwhile."""
        return await self._history.line(table, turn.after, turn.version)

    async def view(self, table: Table, version: int, seat: Seat | None) -> Any:
        """The game at a version as a seat, or with None a spectator, could see it then."""
        key = table.id, version, seat
        found = self._views.get(key)
        if found is None:
            state, _ = await self._repository.state_at(table, version)
            found = self._views[key] = self._repository.engine.view(table.slug, state, seat)
        return found

    async def views(self, table: Table, turns: Sequence[Turn], seat: Seat | None) -> list[Any]:
        """The game after each of some turns, in order, as a seat, or with None a spectator, could see it.

        They are played in a worker, one after another; whoever wants very many asks for them by and by.
        """
        if not turns:
            return []
        state, steps, stops = await self._course(table, turns)
        return await self._repository.engine.replayed(table.slug, state, steps, stops, seat)

    async def tallies(self, table: Table) -> list[tuple[int | None, ...] | None]:
        """What is charted of a finished game, after each of its turns; see `Game.tally`."""
        turns = await self.turns(table)
        state, steps, stops = await self._course(table, turns)
        end = await self.view(table, turns[-1].version, None)
        return await self._repository.engine.tallied(table.slug, state, steps, stops, end)

    async def _course(
        self, table: Table, turns: Sequence[Turn]
    ) -> tuple[bytes, list[tuple[Seat, str | None]], list[int]]:
        """The state after the first of some turns, later steps, and after how many of them each ends."""
        first = turns[0].version
        state, _ = await self._repository.state_at(table, first)
        rows = await self._history.line(table, first, turns[-1].version)
        played = [row for row in rows if row.kind in PLAYED and row.seat is not None]
        steps = [(row.seat or 0, row.payload if row.kind in MOVES else None) for row in played]
        stops = [sum(row.version <= turn.version for row in played) for turn in turns]
        return state, steps, stops

    async def last_own(self, table: Table, user_id: int) -> int | None:
        """The version after a person's newest own step, taken back or not; None before the first."""
        kinds = (EntryKind.MOVE, EntryKind.UNDO)
        return await self._repository.store.last_made_by(table.id, user_id, kinds)


def turns_of(trace: Sequence[TraceRow], version: int) -> list[Turn]:
    """The turns on which a version of a table stands, the start first; none before the game.

    Steps from before their beats were kept are a turn each.
    """
    rows = {row.version: row for row in trace}
    standing = standing_of(rows, version)
    turns: list[Turn] = []
    beat: int | None = None
    for row in trace:
        if row.version not in standing or row.kind not in GROUNDS:
            continue
        seats: tuple[Seat, ...] = () if row.seat is None else (row.seat,)
        if turns and row.beat is not None and row.beat == beat:
            last = turns.pop()
            seats = last.seats + tuple(seat for seat in seats if seat not in last.seats)
            turns.append(Turn(last.number, row.version, last.after, seats, row.at))
        else:
            after = turns[-1].version if turns else 0
            turns.append(Turn(len(turns), row.version, after, seats, row.at))
        beat = row.beat
    return turns
