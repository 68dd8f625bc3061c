"""The record of a game as somebody could see it then, and private notes."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import msgspec
from cachetools import LRUCache

from db.records import ActionRow, EntryHeader, NoteRow
from engines.engine import chart_steps, estimate_steps, replay_views
from engines.game import Seat
from engines.marks import clean
from tables.core.history import MOVES, PLAYED, STATE_ENTRIES, EntryKind, History, active_entries
from tables.core.repository import Repository
from tables.core.table import OPEN, Phase, Refused, Table

OWN_ENTRIES = (EntryKind.MOVE, EntryKind.UNDO)
"""Entries that a person makes with the board in view."""
MOST_ESTIMATES = 300
"""The most turns with estimates."""
MOST_FOLLOWED = 12
"""Changes of more missed turns than this are marked without saying by whom."""
CACHED_TURNS = 64
"""Tables with cached turns."""


class RecordedTurn(msgspec.Struct, frozen=True):
    """The active steps made in one beat.

    Attributes:
        number: 0 for the start of the game, then counting.
        version: the table's version after the last step, with the turn's position.
        after: the version of the turn before; entries since then belong to this one.
        seats: the seats that moved, each once, in order.
        at: the time of the last step, in seconds since 1970.
    """

    number: int
    version: int
    after: int
    seats: tuple[Seat, ...]
    at: float


class MissedTurns(msgspec.Struct, frozen=True):
    """What a person has missed at a table.

    Attributes:
        rows: what happened, oldest first.
        turns: the turns in which it happened.
        first: True if the person hasn't moved yet, so it is everything since the start.
        seen: the game as the person saw it last, and after each turn since but the last.
    """

    rows: list[ActionRow]
    turns: list[RecordedTurn]
    first: bool
    seen: Sequence[Any]


class Record:
    """Reads the past of a game: its turns, their entries, and positions."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._history = History(repository.store)
        self._missed: LRUCache[tuple[int, int, int], MissedTurns | None] = LRUCache(CACHED_TURNS)
        self._estimates: LRUCache[tuple[int, int], list[tuple[float | None, ...]]] = LRUCache(CACHED_TURNS)
        self._turns: LRUCache[int, tuple[int, list[EntryHeader], list[RecordedTurn]]] = LRUCache(CACHED_TURNS)

    async def turns(self, table: Table) -> list[RecordedTurn]:
        """Return the turns of a game, the start first, without undone steps.

        Raise Refused if the game hasn't begun.
        """
        version, trace, result = self._turns.get(table.id, (0, [], []))
        if version != table.version:
            # While all answer at once nobody may know who has answered what, or how often.
            secret = table.beat if table.game.simultaneous and table.phase is Phase.PLAY else None
            if trace and trace[-1].version < table.version:
                rows = await self._repository.store.actions(table.id, trace[-1].version, table.version)
                trace = [*trace, *(msgspec.convert(row, EntryHeader, from_attributes=True) for row in rows)]
            else:
                trace = await self._repository.store.entry_headers(table.id)
            key = partial(table.game.turn_at, seats=len(table.seats), options=table.options)
            result = turns_of(trace, table.version, secret, key)
            self._turns[table.id] = table.version, trace, result
        if not result:
            raise Refused(f"Table {table.id} hasn't begun, so there's nothing to look back at.")
        return result

    async def entries(self, table: Table, turn: RecordedTurn) -> list[ActionRow]:
        """Return a turn's entries, oldest first, with those of administration and seats.

        The last turn includes what has happened since without a move.
        """
        last = (await self.turns(table))[-1]
        rows = await self._history.active_history(table, turn.after, None if turn == last else turn.version)
        return [row for row in rows if row.version <= turn.version or row.kind not in PLAYED]

    async def entries_between(self, table: Table, after: int, version: int) -> list[ActionRow]:
        """Return the entries active just before a version, oldest first."""
        return await self._history.active_history(table, max(0, after), version - 1)

    async def view(self, table: Table, version: int, seat: Seat | None) -> Any:
        return (await self._repository.views_at(table, version, [seat], reveals=self.reveals(table)))[0]

    async def hands(self, table: Table, version: int) -> list[Any]:
        """Return a finished game at a version as every seat saw it then.

        Raises:
            Refused: during the game, since each sees their own; and while others play the same deal of the
                day.
        """
        if table.phase in OPEN:
            raise Refused("You can see all hands once the game is over.")
        if not self.reveals(table):
            raise Refused("Others are still playing this deal. You can see all hands when the day is over.")
        return await self._repository.views_at(table, version, range(len(table.seats)), reveals=True)

    def reveals(self, table: Table) -> bool:
        """Return True unless others still play the same deal of the day."""
        return not table.is_secret(self._repository.clock())

    async def views(self, table: Table, turns: Sequence[RecordedTurn], seat: Seat | None) -> list[Any]:
        """Return the game after each of some turns, for a viewer.

        A worker plays them one after another, as a part of a replay.
        """
        if not turns:
            return []
        state, steps, stops = await self._course(table, turns)
        reveals = self.reveals(table)
        return await self._repository.engine.run(replay_views, table.slug, state, steps, stops, seat, reveals)

    async def tallies(self, table: Table) -> list[tuple[int | None, ...] | None]:
        """Return the charted numbers of a finished game after each turn. See `Game.tally`."""
        state, steps, stops = await self._course(table, await self.turns(table))
        end = await self.end(table)
        return await self._repository.engine.run(chart_steps, table.slug, state, steps, stops, end)

    async def end(self, table: Table) -> Any:
        """Return the revealed end of a game, for calculations; nobody sees it."""
        state, _ = await self._repository.state_at(table, (await self.turns(table))[-1].version)
        return self._repository.engine.view(table.slug, state, None)

    async def estimates(self, table: Table) -> tuple[list[RecordedTurn], list[tuple[float | None, ...]]]:
        """Return the estimates of every seat after a finished game's turns.

        See `Game.estimate`. They are for the last `ESTIMATED` turns and the one before.

        Raises:
            Refused: during the game, since nobody knows how the others are doing.
        """
        if table.phase is not Phase.OVER:
            raise Refused("You can see what decided a game once it's over.")
        turns = (await self.turns(table))[-MOST_ESTIMATES - 1 :]
        key = table.id, turns[-1].version
        if key not in self._estimates:
            state, steps, stops = await self._course(table, turns)
            engine = self._repository.engine
            self._estimates[key] = await engine.run(
                estimate_steps, table.slug, len(table.seats), state, steps, stops
            )
        return turns, self._estimates[key]

    async def _course(
        self, table: Table, turns: Sequence[RecordedTurn]
    ) -> tuple[bytes, list[tuple[Seat, str | None]], list[int]]:
        """Return the state after the first turn, later steps, and each turn's number of steps."""
        first = turns[0].version
        state, _ = await self._repository.state_at(table, first)
        rows = await self._history.active_history(table, first, turns[-1].version)
        played = [row for row in rows if row.kind in PLAYED and row.seat is not None]
        steps = [(row.seat or 0, row.payload if row.kind in MOVES else None) for row in played]
        stops = [sum(row.version <= turn.version for row in played) for turn in turns]
        return state, steps, stops

    async def find_missed(self, table: Table, user_id: int) -> MissedTurns | None:
        """Return what others did since a person's own last step.

        None if the person doesn't play, or nobody has moved since.
        """
        seat = table.seat_of(user_id)
        if seat is None or table.phase is not Phase.PLAY:
            return None
        key = table.id, table.version, user_id
        if key not in self._missed:
            self._missed[key] = await self._look_up_missed(table, user_id, seat)
        return self._missed[key]

    async def _look_up_missed(self, table: Table, user_id: int, seat: Seat) -> MissedTurns | None:
        last = await self._repository.store.last_made_by(
            table.id, user_id, OWN_ENTRIES, apart=EntryKind.PLANNED
        )
        turns = await self.turns(table)
        after = turns[0].version if last is None else last
        since = after if last is None else after - 1
        entries = await self._repository.store.actions(table.id, since, table.version)
        own = entries[0] if last is not None and entries else None
        rows = self._history.select_active(entries, table.version, after)
        # A turn's end brings forced moves of the next one, such as upkeep, in the same person's name.
        others = [
            row
            for row in rows
            if row.kind not in PLAYED
            or row.actor_id != user_id
            or (row.kind == EntryKind.FORCED and own is not None and row.beat != own.beat)
        ]
        if not any(row.kind in PLAYED or row.kind == EntryKind.ROLLBACK for row in others):
            return None
        missed = [turn for turn in turns if turn.version > after]
        # What a rollback took away is nobody's change, so the marks begin after it.
        since = max([after, *(row.version for row in rows if row.kind == EntryKind.ROLLBACK)])
        known = [await self.view(table, since, seat)]
        between = [turn for turn in missed if turn.version > since][:-1]
        if len(between) <= MOST_FOLLOWED:
            known += [await self.view(table, turn.version, seat) for turn in between]
        return MissedTurns(others, missed, first=last is None, seen=known)

    async def mark_last_turn(self, table: Table, version: int, view: Any, after: int | None = None) -> Any:
        """Return a view with the last turn's changes marked.

        With `after`, mark all changes after that version.
        """
        turns = [turn for turn in await self.turns(table) if turn.number and turn.version <= version]
        marked = [turn for turn in turns if after is not None and turn.version > after] or turns[-1:]
        if not marked:
            return view
        stops = [turn.version for turn in marked[:-1]] if len(marked) <= MOST_FOLLOWED else []
        start = max(marked[0].after, after or 0)  # a turn can have been told in part
        seen = [await self.view(table, stop, None) for stop in (start, *stops)]
        return table.game.since(view, seen)


def turns_of(
    trace: Sequence[EntryHeader],
    version: int,
    secret: int | None = None,
    turn_at: Callable[[int], int | None] = int,
) -> list[RecordedTurn]:
    """Return the turns that a version builds on, the start first.

    `turn_at` is `Game.turn_at`. None before the game. Old steps without a beat are a turn each. The beat
    `secret` is left out.
    """
    rows = {row.version: row for row in trace}
    standing = active_entries(rows, version)
    turns: list[RecordedTurn] = []
    key: int | None = None
    for row in trace:
        if row.version not in standing or row.kind not in STATE_ENTRIES:
            continue
        if row.beat is not None and row.beat == secret:
            break
        seats: tuple[Seat, ...] = () if row.seat is None else (row.seat,)
        before, key = key, None if row.beat is None else turn_at(row.beat)
        if turns and row.beat is not None and key == before:
            last = turns.pop()
            seats = last.seats + tuple(seat for seat in seats if seat not in last.seats)
            # The first turn takes as long as its player needs, and not from the last choice before it.
            at = last.at if last.number == 0 else row.at
            turns.append(RecordedTurn(last.number, row.version, last.after, seats, at))
        else:
            after = turns[-1].version if turns else 0
            turns.append(RecordedTurn(len(turns), row.version, after, seats, row.at))
    return turns


LONGEST = 500
"""The most characters of a note."""


class Notes:
    """One private note per person and table, erased with its table."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def of(self, user_id: int, table_ids: Collection[int]) -> dict[int, str]:
        if not table_ids:
            return {}
        rows = await self._repository.store.notes(user_id, table_ids)
        return {row.table_id: row.text for row in rows}

    async def write(self, table_id: int, user_id: int, text: str) -> str:
        """Replace a note; return the new one. An empty one deletes it.

        Raise Refused if it is too long, or there is no such table.
        """
        await self._repository.table(table_id)
        kept = "\n".join(map(clean, text.splitlines())).strip()
        if len(kept) > LONGEST:
            raise Refused(f"That note is too long: {len(kept)} of {LONGEST} characters.")
        await self._repository.store.save_note(NoteRow(table_id, user_id, kept))
        return kept
