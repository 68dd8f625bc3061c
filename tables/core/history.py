"""A table's history: what its entries are called, which of them count, and what a step is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, Protocol, get_args

from db.records import ActionRow, TraceRow
from db.store import Store
from engines.engine import Written, decode_events
from engines.game import Seat
from tables.core.table import Table


class EntryKind(StrEnum):
    """What an entry of a history is; stored with each of them."""

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


MOVES = frozenset({EntryKind.MOVE, EntryKind.FORCED})
PLAYED = MOVES | {EntryKind.RESIGN}
"""What changes the state of a game."""
GROUNDS = PLAYED | {EntryKind.START}
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
"""What time and its rules write during a game, and tell."""
STANDING = frozenset({*get_args(Timed), EntryKind.NUDGE, EntryKind.MOVED, EntryKind.REASON})
"""What changes nothing that a panel shows: a choice that was made before it still stands."""
SEATED = frozenset({EntryKind.HAND_OVER, EntryKind.TAKE_OVER})
"""What gives a seat in a game to somebody else."""
FLEETING = MOVES | {EntryKind.UNDO}
"""What a history tells only while it stands; who came, went or administered has done so for good."""


class Told(Protocol):
    """What an entry says of itself, whether it is numbered already or not."""

    @property
    def kind(self) -> str:
        """See `EntryKind`."""

    @property
    def seat(self) -> Seat | None:
        """Whose it is, if a seat's."""

    @property
    def actor_id(self) -> int | None:
        """Who has brought it about, if a person."""


class History:
    """Reads the histories of tables; `tables.core.repository` writes them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def line(self, table: Table, after: int = 0, upto: int | None = None) -> list[ActionRow]:
        """The history that counts after a version, oldest first: every entry but steps taken back.

        With `upto` only until then, as it counted then.
        """
        last = table.version if upto is None else upto
        rows = {row.version: row for row in await self._store.actions(table.id, after=after, upto=last)}
        standing = standing_of(rows, last)
        return [row for row in rows.values() if row.version in standing or row.kind not in FLEETING]

    async def only_others_moved(self, table: Table, seat: Seat, since: int) -> bool:
        """Whether nothing has happened at a table since a version but moves of other seats, and time."""
        rows = await self._store.actions(table.id, after=since)
        return bool(rows) and all(
            row.kind in STANDING or (row.kind in MOVES and row.seat != seat) for row in rows
        )

    async def ground(self, table_id: int, version: int) -> ActionRow | None:
        """The move, leaving or start that made the state of a version, past what only stands on it.

        What was taken back is written with its ground as its base, so that this doesn't grow longer
        the more often somebody tries a step and takes it back.
        """
        while True:
            row = await self._store.action(table_id, version)
            if row is None or row.kind in GROUNDS:
                return row
            version = row.base

    async def last_step(self, table_id: int, version: int) -> list[ActionRow]:
        """The step that a version stands on: a move, and after it what followed from it by force.

        It is empty right after the start or somebody's leaving; what these forced stands without a move.
        """
        step: list[ActionRow] = []
        row = await self.ground(table_id, version)
        while row is not None and row.kind in MOVES:
            step.insert(0, row)
            if row.kind == EntryKind.MOVE:
                break
            row = await self.ground(table_id, row.base)
        return step

    async def last_steps(self, table: Table, most: int) -> list[list[ActionRow]]:
        """The steps that a rollback of so many takes back, oldest first, each with what it forced."""
        version = table.version
        taken: list[list[ActionRow]] = []
        while len(taken) < most and (step := await self.last_step(table.id, version)):
            taken.insert(0, step)
            version = step[0].base
        return taken


def standing_of(rows: Mapping[int, ActionRow | TraceRow], version: int) -> set[int]:
    """Those of some entries, by version, on which a version stands, itself included."""
    standing = set()
    while version in rows:
        standing.add(version)
        version = rows[version].base
    return standing


def made_by(step: Sequence[ActionRow], user_id: int) -> bool:
    """Whether a step is a move that this person has made, and no computer for them."""
    return bool(step) and step[0].kind == EntryKind.MOVE and step[0].actor_id == user_id


def events_of(table: Table, row: ActionRow) -> list[Any]:
    """The events of one entry of a table's history."""
    return [] if row.events == "[]" else decode_events(table.game, row.events)


def steps_of(rows: Sequence[ActionRow]) -> list[Written]:
    """Those of the entries that were played, as they can be played again."""
    return [
        Written(
            seat=row.seat or 0,
            move=None if row.payload is None or row.kind == EntryKind.RESIGN else row.payload.encode(),
            events=row.events.encode(),
            forced=row.kind == EntryKind.FORCED,
        )
        for row in rows
        if row.kind in PLAYED
    ]


def payload_of(row: ActionRow) -> Any:
    """The plain value that an entry carries, for entries that are no moves."""
    return None if row.payload is None else json.loads(row.payload)
