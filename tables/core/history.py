"""A table's history: kinds of entries, which of them are active, and what a step is."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, Protocol, get_args

from db.records import ActionRow, EntryHeader
from db.store import Store
from engines.engine import RecordedStep, decode_events
from engines.game import Seat
from tables.core.table import Table


class EntryKind(StrEnum):
    """The kinds of entries, as stored."""

    JOIN = "join"
    LEAVE = "leave"
    KICK = "kick"
    OPTIONS = "options"
    START = "start"
    MOVE = "move"
    FORCED = "forced"
    RESIGN = "resign"
    UNDO = "undo"
    ROLLBACK = "rollback"
    HAND_OVER = "hand_over"
    SKIP = "skip"
    CLOSE = "close"
    REMATCH = "rematch"
    LATE = "late"
    DEPUTY = "deputy"
    WAIT = "wait"
    DEADLINE = "deadline"
    AWAY = "away"
    PAUSE = "pause"
    RESUME = "resume"
    PROPOSE = "propose"
    AGREE = "agree"
    DECLINE = "decline"
    TAKE_OVER = "take_over"
    BACK = "back"
    NUDGE = "nudge"
    EXPIRE = "expire"
    REOPEN = "reopen"
    MOVED = "moved"
    REASON = "reason"
    PLANNED = "planned"


MOVES = frozenset({EntryKind.MOVE, EntryKind.FORCED})
PLAYED = MOVES | {EntryKind.RESIGN}
"""Entries that change the state of a game."""
STATE_ENTRIES = PLAYED | {EntryKind.START}
Timed = Literal[
    EntryKind.LATE,
    EntryKind.DEPUTY,
    EntryKind.WAIT,
    EntryKind.DEADLINE,
    EntryKind.AWAY,
    EntryKind.PAUSE,
    EntryKind.RESUME,
    EntryKind.PROPOSE,
    EntryKind.AGREE,
    EntryKind.DECLINE,
    EntryKind.TAKE_OVER,
    EntryKind.BACK,
]
"""Entries that time and its rules write during a game, and announce."""
NO_STATE_CHANGE = frozenset(
    {*get_args(Timed), EntryKind.NUDGE, EntryKind.MOVED, EntryKind.REASON, EntryKind.PLANNED}
)
"""Entries that change nothing in a panel, so an earlier choice stays valid."""
SEATS_GIVEN = frozenset({EntryKind.HAND_OVER, EntryKind.TAKE_OVER})
"""Entries that give a seat in a game to somebody else."""
SEAT_CHANGES = SEATS_GIVEN | {EntryKind.BACK}
"""Entries after which another plays for a seat."""
UNDOABLE = MOVES | {EntryKind.UNDO}
"""Entries that count only while active; others stay for good."""


class EntryLike(Protocol):
    """The parts of an entry that are known with or without its number.

    >>> from db.records import EntryHeader
    >>> entry: EntryLike = EntryHeader(version=3, base=2, kind="move", seat=1, at=0.0, beat=2)
    >>> entry.kind, entry.seat
    ('move', 1)
    """

    @property
    def kind(self) -> str:
        """Return the kind; see `EntryKind`."""

    @property
    def seat(self) -> Seat | None:
        """Return the seat that it is about, if any."""

    @property
    def actor_id(self) -> int | None:
        """Return the person who made it, if any."""


class History:
    """Reads the histories of tables; `tables.core.repository` writes them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def active_history(self, table: Table, after: int = 0, upto: int | None = None) -> list[ActionRow]:
        """Return the active history after a version, oldest first: without undone steps.

        With `upto`, up to that version and as active then.
        """
        last = table.version if upto is None else upto
        return self.select_active(await self._store.actions(table.id, after=after, upto=last), last)

    @staticmethod
    def select_active(rows: Sequence[ActionRow], version: int, after: int = 0) -> list[ActionRow]:
        """Return a version's active ones of a table's newest entries; see `active_history`."""
        known = {row.version: row for row in rows if row.version <= version}
        standing = active_entries(known, version)
        active = (row for row in known.values() if row.version in standing or row.kind not in UNDOABLE)
        return [row for row in active if row.version > after]

    async def have_only_others_moved(self, table: Table, seat: Seat, since: int) -> bool:
        """Return True if only other seats and time have moved since a version."""
        rows = await self._store.actions(table.id, after=since)
        return bool(rows) and all(
            row.kind in NO_STATE_CHANGE or (row.kind in MOVES and row.seat != seat) for row in rows
        )

    async def state_entry(self, table_id: int, version: int) -> ActionRow | None:
        """Return the move, resignation or start that made a version's state.

        An undo has the ground of its target as base, so that the search doesn't grow with repeated undos.
        """
        while True:
            row = await self._store.action(table_id, version)
            if row is None or row.kind in STATE_ENTRIES:
                return row
            version = row.base

    async def last_step(self, table_id: int, version: int) -> list[ActionRow]:
        """Return the step that led to a version.

        A move, and the forced moves after it. Empty right after the start or a resignation, whose forced
        moves belong to no step.
        """
        step: list[ActionRow] = []
        row = await self.state_entry(table_id, version)
        while row is not None and row.kind in MOVES:
            step.insert(0, row)
            if row.kind == EntryKind.MOVE:
                break
            row = await self.state_entry(table_id, row.base)
        return step

    async def last_steps(self, table: Table, most: int) -> list[list[ActionRow]]:
        """Return the last steps for a rollback, oldest first."""
        version = table.version
        taken: list[list[ActionRow]] = []
        while len(taken) < most and (step := await self.last_step(table.id, version)):
            taken.insert(0, step)
            version = step[0].base
        return taken


def active_entries(rows: Mapping[int, ActionRow | EntryHeader], version: int) -> set[int]:
    """Return the versions of the entries that a version builds on, with itself."""
    standing = set()
    while version in rows:
        standing.add(version)
        version = rows[version].base
    return standing


def events_of(table: Table, row: ActionRow) -> list[Any]:
    return [] if row.events == "[]" else decode_events(table.game, row.events)


def steps_of(rows: Sequence[ActionRow]) -> list[RecordedStep]:
    """Return the played entries as steps that can be played again."""
    return [
        RecordedStep(
            seat=row.seat or 0,
            move=None if row.payload is None or row.kind == EntryKind.RESIGN else row.payload.encode(),
            events=row.events.encode(),
            forced=row.kind == EntryKind.FORCED,
        )
        for row in rows
        if row.kind in PLAYED
    ]


def payload_of(row: ActionRow) -> Any:
    return None if row.payload is None else json.loads(row.payload)
