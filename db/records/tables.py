"""Rows of tables: what is played, what waits to be posted, and one write of it all."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

LARGEST_NUMBER = 2**31 - 1
"""The largest number of a table or a cup; PostgreSQL wouldn't even look for a larger one."""


class TableRow(msgspec.Struct, frozen=True):
    """One table. `options`, `owing`, `deal`, `outcome`, `clocks`, `proposal` and `origin` are JSON.

    Times are seconds since 1970; `due_at` is the next instant at which time changes the table.
    """

    id: int
    guild_id: int
    channel_id: int
    thread_id: int | None
    game: str
    options: str
    phase: str
    host_id: int
    version: int
    beat: int
    owing: str
    computer_due: bool
    seed: str
    salt: str
    deal: str | None
    outcome: str | None
    created_at: float
    touched_at: float
    pace: str = "none"
    when_late: str = "others"
    starts_full: bool = False
    clocks: str = "[]"
    paused_at: float | None = None
    paused_until: float | None = None
    proposal: str | None = None
    due_at: float | None = None
    origin: str | None = None
    private: bool = False
    rated: bool = True
    ordered: bool = False
    hints: str = "usual"
    held: bool = False
    thinking: str = "usual"
    obstacle: str | None = None
    ticks: int = 0
    finishers: int = 0
    plans: str = "[]"
    standing: str = "[]"

    def __repr__(self) -> str:
        return f"TableRow(id={self.id}, game={self.game!r}, phase={self.phase!r}, version={self.version})"


class SeatRow(msgspec.Struct, frozen=True):
    """The occupant of a seat: a person (`user_id`) or a computer (`strength`), perhaps for a person."""

    seat: int
    user_id: int | None
    name: str
    strength: str | None
    kept_for: int | None = None


class ActionRow(msgspec.Struct, frozen=True):
    """One entry of a table's history: the state of `version` was made from the state of `base`.

    `beat` is the beat of a step; None in other entries and old steps.
    """

    version: int
    base: int
    kind: str
    seat: int | None
    actor_id: int | None
    payload: str | None
    events: str
    reveals: bool
    at: float
    beat: int | None = None

    def __repr__(self) -> str:
        return f"ActionRow(version={self.version}, base={self.base}, kind={self.kind!r}, seat={self.seat})"


class EntryHeader(msgspec.Struct, frozen=True):
    """An entry of a history without its content."""

    version: int
    base: int
    kind: str
    seat: int | None
    at: float
    beat: int | None
    actor_id: int | None = None


class OutboxRow(msgspec.Struct, frozen=True):
    """Something still to be posted: `kind` to `target`, at least as new as `version`.

    `fresh` asks for a new message instead of an edit of the last one.
    """

    table_id: int
    kind: str
    target: int
    version: int
    fresh: bool
    attempts: int
    due_at: float


class PostRow(msgspec.Struct, frozen=True):
    """The last message shown for a kind and target; `memo` is the sender's own note about it."""

    table_id: int
    kind: str
    target: int
    channel_id: int
    message_id: int
    version: int
    memo: str


class DraftRow(msgspec.Struct, frozen=True):
    """A seat's draft (`payload`, JSON) in the moment `version` of its table."""

    table_id: int
    seat: int
    version: int
    payload: str

    def __repr__(self) -> str:
        return f"DraftRow(table_id={self.table_id}, seat={self.seat}, version={self.version})"


class TurnRow(msgspec.Struct, frozen=True):
    """A running table, for a person who looks for their turn. `owing` and `clocks` are JSON."""

    id: int
    guild_id: int
    game: str
    version: int
    owing: str
    clocks: str
    pace: str
    paused_at: float | None
    seat: int


class NoteRow(msgspec.Struct, frozen=True):
    """A person's private note about a table."""

    table_id: int
    user_id: int
    text: str

    def __repr__(self) -> str:
        return f"NoteRow(table_id={self.table_id}, user_id={self.user_id})"


class Guard(Protocol):
    """A condition that must hold when a change is written; see `db.guards`.

    >>> from db.guards import CupQuota
    >>> CupQuota(guild_id=7, phases=("play",), most=10).locks()
    (7,)
    """

    def locks(self) -> Sequence[int]:
        """Return the servers and people that it is about. Their locks make it exclusive."""

    def check(self, connection: Any) -> None:
        """Raise an error if it doesn't hold."""


class TableWrite(msgspec.Struct, frozen=True):
    """One or more steps of one table, written whole or not at all.

    `seen` is the version before the first step; the last action's version becomes the table's. `columns` are
    new values for the table's row. `snapshot` is the state after the last step, `earlier` are states after
    earlier ones, by version. `seats`, if given, replaces every seat. `outbox` holds (kind, target, fresh,
    due_at). Without actions the table keeps its version: only time has passed. `told` is the notice to other
    processes, if any. `recounts`: the game ends, or goes on after its end, so its results are worked out.
    `opens` is another table opened in the same transaction; its number becomes the payload of the last
    action. `guards` are checked in the transaction; if one fails, nothing is written. `ticks` are the
    changes by time that were seen; None doesn't check them.
    """

    table_id: int
    seen: int
    columns: dict[str, Any]
    actions: tuple[ActionRow, ...]
    snapshot: bytes | None = None
    seats: tuple[SeatRow, ...] | None = None
    outbox: tuple[tuple[str, int, bool, float], ...] = ()
    earlier: tuple[tuple[int, bytes], ...] = ()
    recounts: bool = False
    told: str = ""
    opens: tuple[TableRow, tuple[SeatRow, ...]] | None = None
    guards: tuple[Guard, ...] = ()
    ticks: int | None = None

    @property
    def version(self) -> int:
        return self.actions[-1].version if self.actions else self.seen

    def __repr__(self) -> str:
        return f"TableWrite(table_id={self.table_id}, seen={self.seen}, version={self.version})"
