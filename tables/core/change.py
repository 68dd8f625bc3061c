"""The input and the output of decisions about tables: plain values, nothing is written here.

A decision is a pure function. It gets the table under its lock (`TableState`) and everything else that
matters (`DecisionContext`, and what was read for it); it returns a `Change`, or None if nothing is to do.
`tables.core.repository.Repository.apply` alone carries a change out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from db.records.tables import ActionRow, Guard, SeatRow, TableRow
from engines.engine import Position, Step
from engines.game import Seat
from tables.clocks.rest import Rest, Span
from tables.core.history import EntryKind
from tables.core.people import Person
from tables.core.table import Table, encode

P = ParamSpec("P")


class TableState(msgspec.Struct, frozen=True):
    """A table, its game's position (None before the start), and the version last snapshot.

    A `doubtful` one is checked before use, since another process can have written the table.
    """

    table: Table
    position: Position | None
    snapshot_at: int = 0
    doubtful: bool = False

    def __repr__(self) -> str:
        return f"Loaded({self.table!r})"


class DecisionContext(msgspec.Struct, frozen=True):
    """The instant of a decision, people's settings, and the bot's outages."""

    at: float
    people: Mapping[int, Person] = {}
    gaps: tuple[Span, ...] = ()

    def person(self, user_id: int) -> Person:
        """Return a person's settings, or the defaults."""
        return self.people.get(user_id) or Person(user_id)

    def rest(self, user_id: int) -> Rest:
        return self.person(user_id).rest(self.gaps)

    @property
    def rests(self) -> dict[int, Rest]:
        """Return what pauses each person's clocks, by user id."""
        return {user_id: self.rest(user_id) for user_id in self.people}


class Entry(msgspec.Struct, frozen=True):
    """An entry of a table's history before it has a number.

    `base` is the version whose state it continues, by default the one before; `at` is its time, by default
    now. The rest is as in `ActionRow`.
    """

    kind: EntryKind
    actor_id: int | None = None
    seat: Seat | None = None
    payload: str | None = None
    base: int | None = None
    events: str = "[]"
    reveals: bool = True
    at: float | None = None
    beat: int | None = None

    def __repr__(self) -> str:
        return f"Entry(kind={self.kind!r}, seat={self.seat})"


def entry(
    kind: EntryKind,
    actor_id: int | None,
    *,
    seat: Seat | None = None,
    payload: object = None,
    base: int | None = None,
) -> Entry:
    """Make an entry that is no step of a game."""
    return Entry(kind, actor_id, seat, None if payload is None else encode(payload), base)


def with_reason_entry(decide: Callable[P, Change], actor_id: int, reason: str) -> Callable[P, Change]:
    """Add an administrator's reason, if any, to a decision."""

    def decided(*asked: P.args, **more: P.kwargs) -> Change:
        change = decide(*asked, **more)
        given = (entry(EntryKind.REASON, actor_id, payload=reason),) if reason else ()
        return replace(change, entries=(*change.entries, *given))

    return decided


class PostRequest(msgspec.Struct, frozen=True):
    """A post that a change asks for: now, or from an instant on.

    `fresh` asks for a new message instead of an edit of the last one.
    """

    kind: str
    target: int = 0
    fresh: bool = False
    at: float | None = None


FRESH_BOARD = PostRequest("board", fresh=True)
BOARD = PostRequest("board")
LOBBY = PostRequest("lobby")


class Change(msgspec.Struct, frozen=True):
    """The next version of a table, before its entries have numbers and its clocks are counted.

    Attributes:
        table: the new table, without its version, counted clocks, and deadline.
        entries: new entries of the history; none if only time has passed.
        position: the new position, if it changed.
        shows: posts that it asks for.
        steps: the steps of the game in it, for stories.
        snapshot: True to store the whole position.
        earlier: states of the game after that many of the entries.
        thread: the table's thread from now on; None if there is none yet.
        opens: another table to open with it; its number becomes the last entry's payload.
        guards: limits checked in the write.
    """

    table: Table
    entries: tuple[Entry, ...] = ()
    position: Position | None = None
    shows: tuple[PostRequest, ...] = ()
    steps: tuple[Step, ...] = ()
    snapshot: bool = False
    earlier: tuple[tuple[int, bytes], ...] = ()
    thread: int | msgspec.UnsetType | None = msgspec.UNSET
    opens: tuple[TableRow, tuple[SeatRow, ...]] | None = None
    guards: tuple[Guard, ...] = ()

    def __repr__(self) -> str:
        return f"Change({self.table!r}, entries={self.entries})"


class ApplyResult(msgspec.Struct, frozen=True):
    """A table after a decision, and the change; None if nothing was to do.

    `opened` is the number of the table opened with it.
    """

    loaded: TableState
    change: Change | None = None
    opened: int | None = None

    @property
    def table(self) -> Table:
        return self.loaded.table

    @property
    def steps(self) -> list[Step]:
        """Return the steps of the game in the change."""
        return [] if self.change is None else list(self.change.steps)

    def __repr__(self) -> str:
        return f"Applied({self.table!r})"


F = TypeVar("F")
Decision = Callable[[TableState, DecisionContext], Change | None]
"""A decision; it raises Refused for a wish that isn't allowed."""
InformedDecision = Callable[[TableState, DecisionContext, F], Change | None]
"""A decision that needs something read for it."""


def after_change(loaded: TableState, change: Change | None) -> TableState:
    """Return the state after a change, for one more decision."""
    if change is None:
        return loaded
    table = replace(change.table, version=loaded.table.version + len(change.entries))
    return replace(loaded, table=table, position=change.position or loaded.position)


def merge_changes(changes: Iterable[Change | None]) -> Change | None:
    """Merge changes, each made from the state after the one before. None if there is none."""
    entries = [change for change in changes if change is not None]
    if not entries:
        return None
    last = entries[-1]
    made, earlier = 0, list[tuple[int, bytes]]()
    for change in entries:
        earlier += [(made + after, state) for after, state in change.earlier]
        made += len(change.entries)
    return Change(
        table=last.table,
        entries=tuple(entry for change in entries for entry in change.entries),
        position=next((change.position for change in reversed(entries) if change.position is not None), None),
        shows=tuple(dict.fromkeys(shown for change in entries for shown in change.shows)),
        steps=tuple(step for change in entries for step in change.steps),
        snapshot=any(change.snapshot for change in entries),
        earlier=tuple(earlier),
        thread=last.thread,
        opens=last.opens,
        guards=tuple(guard for change in entries for guard in change.guards),
    )


def entry_rows(loaded: TableState, change: Change, at: float) -> tuple[ActionRow, ...]:
    rows = []
    for version, entry in enumerate(change.entries, start=loaded.table.version + 1):
        rows.append(
            ActionRow(
                version=version,
                base=version - 1 if entry.base is None else entry.base,
                kind=entry.kind,
                seat=entry.seat,
                actor_id=entry.actor_id,
                payload=entry.payload,
                events=entry.events,
                reveals=entry.reveals,
                at=at if entry.at is None else entry.at,
                beat=entry.beat,
            )
        )
    return tuple(rows)
