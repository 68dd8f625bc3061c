"""What a decision about a table is made from, and what it comes to: plain values, nothing is written here.

A decision is a pure function. It gets the table as it is under its lock (`Loaded`), and all else that it may
look at (`Now`, and what was read for it); it answers with a `Change`, or None where there is nothing to do.
`tables.core.repository.Repository.apply` is the one place that carries a change out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from db.records import ActionRow, Guard, SeatRow, TableRow
from engines.engine import Position, Step
from engines.game import Seat
from tables.clocks.rest import Rest, Span
from tables.core.history import EntryKind
from tables.core.people import Person
from tables.core.table import Table, encode

P = ParamSpec("P")


class Loaded(msgspec.Struct, frozen=True):
    """A table, the position of its game (None before the start), and the version last snapshot.

    What is `doubtful` is looked after before it is used, for another process may have written the table.
    """

    table: Table
    position: Position | None
    snapshot_at: int = 0
    doubtful: bool = False

    def __repr__(self) -> str:
        return f"Loaded({self.table!r})"


class Now(msgspec.Struct, frozen=True):
    """The instant of a decision, what the people at the table have set, and when the bot was away."""

    at: float
    people: Mapping[int, Person] = {}
    gaps: tuple[Span, ...] = ()

    def person(self, user_id: int) -> Person:
        """What a person has set; the defaults for who has set nothing."""
        return self.people.get(user_id) or Person(user_id)

    def rest(self, user_id: int) -> Rest:
        """What stops the clocks of a person."""
        return self.person(user_id).rest(self.gaps)

    @property
    def rests(self) -> dict[int, Rest]:
        """What stops the clocks of each person, by user id."""
        return {user_id: self.rest(user_id) for user_id in self.people}


class Entry(msgspec.Struct, frozen=True):
    """An entry of a table's history before it is numbered.

    `base` is the version whose state it stands on, by default the one before it; `at` is when it happened,
    by default now. The rest is as in `ActionRow`.
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
    """An entry that is no step of a game, with what it carries as a plain value."""
    return Entry(kind, actor_id, seat, None if payload is None else encode(payload), base)


def because(decide: Callable[P, Change], actor_id: int, reason: str) -> Callable[P, Change]:
    """A decision of an administrator whose reason, where there is one, is written behind what it does."""

    def decided(*asked: P.args, **more: P.kwargs) -> Change:
        change = decide(*asked, **more)
        given = (entry(EntryKind.REASON, actor_id, payload=reason),) if reason else ()
        return replace(change, entries=(*change.entries, *given))

    return decided


class Outgoing(msgspec.Struct, frozen=True):
    """Something to be shown because of a change: at once, or from an instant on.

    `fresh` asks for a new message instead of an edit of the last one.
    """

    kind: str
    target: int = 0
    fresh: bool = False
    at: float | None = None


FRESH_BOARD = Outgoing("board", fresh=True)
BOARD = Outgoing("board")
LOBBY = Outgoing("lobby")


class Change(msgspec.Struct, frozen=True):
    """The next version of a table, before its entries are numbered and its clocks are counted.

    Attributes:
        table: the table as it is then, but for version, clocks that follow from the entries, and what is due.
        entries: what goes into the history; without any, only time has passed.
        position: the game after it, where it has changed.
        shows: what is to be shown because of it.
        steps: the steps of the game that it is made of, for those who tell of them.
        snapshot: whether the position is kept as a whole.
        earlier: states of the game after so many of the entries.
        thread: the thread in which the table lives from now on, None for none yet.
        opens: another table that is opened together with it; its number becomes the last entry's payload.
        guards: limits that are counted where it is written.
    """

    table: Table
    entries: tuple[Entry, ...] = ()
    position: Position | None = None
    shows: tuple[Outgoing, ...] = ()
    steps: tuple[Step, ...] = ()
    snapshot: bool = False
    earlier: tuple[tuple[int, bytes], ...] = ()
    thread: int | msgspec.UnsetType | None = msgspec.UNSET
    opens: tuple[TableRow, tuple[SeatRow, ...]] | None = None
    guards: tuple[Guard, ...] = ()

    def __repr__(self) -> str:
        return f"Change({self.table!r}, entries={self.entries})"


class Applied(msgspec.Struct, frozen=True):
    """A table after a decision, and the change that it came to; None where nothing was to be done.

    `opened` is the number of the table that was opened together with it.
    """

    loaded: Loaded
    change: Change | None = None
    opened: int | None = None

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.loaded.table

    @property
    def steps(self) -> list[Step]:
        """The steps of the game that the change has made."""
        return [] if self.change is None else list(self.change.steps)

    def __repr__(self) -> str:
        return f"Applied({self.table!r})"


F = TypeVar("F")
Decision = Callable[[Loaded, Now], Change | None]
"""Raises Refused where somebody may not have what they ask for."""
Informed = Callable[[Loaded, Now, F], Change | None]
"""A decision that needs something else that was read for it."""


def reached(loaded: Loaded, change: Change | None) -> Loaded:
    """The table after a change, for a further decision that is written together with it."""
    if change is None:
        return loaded
    table = replace(change.table, version=loaded.table.version + len(change.entries))
    return replace(loaded, table=table, position=change.position or loaded.position)


def together(changes: Iterable[Change | None]) -> Change | None:
    """One change of several, each made from what the one before has reached; None where there is none."""
    found = [change for change in changes if change is not None]
    if not found:
        return None
    last = found[-1]
    made, earlier = 0, list[tuple[int, bytes]]()
    for change in found:
        earlier += [(made + after, state) for after, state in change.earlier]
        made += len(change.entries)
    return Change(
        table=last.table,
        entries=tuple(entry for change in found for entry in change.entries),
        position=next((change.position for change in reversed(found) if change.position is not None), None),
        shows=tuple(dict.fromkeys(shown for change in found for shown in change.shows)),
        steps=tuple(step for change in found for step in change.steps),
        snapshot=any(change.snapshot for change in found),
        earlier=tuple(earlier),
        thread=last.thread,
        opens=last.opens,
        guards=tuple(guard for change in found for guard in change.guards),
    )


def numbered(loaded: Loaded, change: Change, at: float) -> tuple[ActionRow, ...]:
    """The entries of a change as rows of the history of the table that it was decided on."""
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
