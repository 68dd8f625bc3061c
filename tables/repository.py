"""Tables in memory and on disk: loading, the bounded cache, one lock a table, and the guarded commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from itertools import groupby
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache

from db.batch import Conflict
from db.records import ActionRow, Change, TableRow
from db.store import Store
from engines.engine import Engine, Played, Position, decode_move
from tables.history import MOVES, PLAYED, EntryKind
from tables.meters import COMMITS
from tables.model import (
    Imported,
    Phase,
    Refused,
    Stale,
    Table,
    columns,
    encode,
    from_rows,
    seat_rows,
    timed_columns,
)
from tables.timekeeping import Due, Timekeeping

log = logging.getLogger(__name__)
SNAPSHOT_EVERY = 16
CACHED = 1000
LARGEST = 2**31 - 1
"""No table has a larger number; PostgreSQL wouldn't even look for one."""
Outgoing = tuple[str, int, bool]


class Loaded(msgspec.Struct, frozen=True):
    """A table, the position of its game (None before the start), and the version last snapshot.

    What is `doubtful` is looked after before it is used, for another process may have written the table.
    """

    table: Table
    position: Position | None
    snapshot_at: int
    doubtful: bool = False

    def __repr__(self) -> str:
        return f"Loaded({self.table!r})"


def _nothing(_table: Table, _to_show: bool) -> None:
    """Nobody listens."""


def _no_end(_table: Table) -> None:
    """Nobody listens."""


class Repository:
    """Where every room of `tables` finds a table and writes its next version.

    `committed` is called after each commit with the table as it is then, and whether that commit has
    written something to show; before it `ended` with a table whose game has ended by it, or goes on
    after its end.
    """

    def __init__(
        self, store: Store, engine: Engine, clock: Callable[[], float], cached: int = CACHED
    ) -> None:
        self.store = store
        self.engine = engine
        self.clock = clock
        self.time = Timekeeping(store, clock)
        self._cache: LRUCache[int, Loaded] = LRUCache(cached)
        self._forgotten = 0
        self.committed: Callable[[Table, bool], None] = _nothing
        self.ended: Callable[[Table], None] = _no_end
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, table_id: int) -> asyncio.Lock:
        """The lock that whoever changes this table holds; reading needs none."""
        return self._locks.setdefault(table_id, asyncio.Lock())

    def forget_all(self) -> None:
        """Read every table from the database the next time."""
        self._cache.clear()
        self._forgotten += 1

    def forget(self, table_id: int) -> None:
        """Read the table from the database the next time."""
        self._cache.pop(table_id, None)
        self._forgotten += 1

    def doubt(self, table_id: int) -> None:
        """Look the next time whether another process has written the table, and go on from what is known."""
        self._forgotten += 1
        found = self._cache.get(table_id)
        if found is not None:
            self._cache[table_id] = msgspec.structs.replace(found, doubtful=True)

    def expect(self, table_id: int, version: int) -> None:
        """A version of a table is known to be written: what is kept of an older one is looked after.

        Another process has written it, and its word has not arrived yet.
        """
        found = self._cache.get(table_id)
        if found is None or found.table.version < version:
            self.doubt(table_id)

    async def load(self, table_id: int) -> Loaded:
        """A table with its game's state. Raises Refused when there is no such table."""
        found = self._cache.get(table_id)
        if found is not None and not found.doubtful and self._followed(found.table):
            return found
        forgotten = self._forgotten
        row = await self.store.table(table_id) if table_id <= LARGEST else None
        if row is None:
            raise Refused(f"There is no table {table_id}. `/table list` shows those that there are.")
        loaded = await self._loaded(row, found)
        newer = self._cache.get(table_id)
        if newer is not None and newer is not found and newer.table.version >= row.version:
            return newer
        if forgotten == self._forgotten:  # else it may have been read before what it is to be read anew for
            self._cache[table_id] = loaded
        return loaded

    def _followed(self, table: Table) -> bool:
        """Whether all that is written of a table is heard of here, so that what is kept of it is right."""
        return self.store.shards.hearing and self.store.shards.owns(table.guild_id)

    async def _loaded(self, row: TableRow, known: Loaded | None) -> Loaded:
        """The table of a row, from what is known of it already where moves alone have been made since."""
        if known is not None:
            position = await self._caught_up(known, row.version)
            if position is not None or known.table.version == row.version:
                table = from_rows(row, list(seat_rows(known.table)))
                return Loaded(table, position, known.snapshot_at)
        table = from_rows(row, await self.store.seats(row.id))
        if table.deal is None:
            return Loaded(table, None, 0)
        state, at = await self.state_at(table, table.version)
        return Loaded(table, self.engine.position(table.slug, len(table.seats), state), at)

    async def _caught_up(self, known: Loaded, version: int) -> Position | None:
        """The position at a version, if only a few moves have led there from what is known; else None."""
        table, position = known.table, known.position
        if position is None or table.version == version:
            return position
        if not 0 < version - table.version <= SNAPSHOT_EVERY:
            return None
        rows = await self.store.actions(table.id, after=table.version, upto=version)
        steps = [(row.version, row.base) for row in rows if row.kind in MOVES]
        if steps != [(number, number - 1) for number in range(table.version + 1, version + 1)]:
            return None
        return (await self._replayed(table, position.state, rows)).position

    async def _replayed(self, table: Table, state: bytes, rows: Sequence[ActionRow]) -> Played:
        """What some moves, in their order, make of a state."""
        made = [(row.seat or 0, decode_move(table.game, row.payload or "")) for row in rows]
        return await self.engine.play(table.slug, len(table.seats), state, made, follow=False)

    async def table(self, table_id: int) -> Table:
        """A table. Raises Refused when there is none of that number."""
        return (await self.load(table_id)).table

    async def tables(self, rows: list[TableRow]) -> list[Table]:
        """The tables of some rows, seats included, without their games."""
        seats = await self.store.seats_of([row.id for row in rows])
        return [from_rows(row, seats[row.id]) for row in rows]

    async def state_at(self, table: Table, version: int) -> tuple[bytes, int]:
        """The encoded state at a version, and the version of the snapshot that it was replayed from."""
        found = await self.store.snapshot(table.id, version)
        if found is None:
            raise LookupError(f"table {table.id} has no snapshot at or before version {version}")
        at, state = found
        rows = await self.store.actions(table.id, after=at, upto=version)
        for resigned, some in groupby((row for row in rows if row.kind in PLAYED), key=_resigned):
            made = list(some)
            if not resigned:
                state = (await self._replayed(table, state, made)).position.state
                continue
            for row in made:
                gone = await self.engine.resign(
                    table.slug, len(table.seats), state, row.seat or 0, follow=False
                )
                state = gone.position.state
        return state, at

    async def commit(
        self,
        loaded: Loaded,
        table: Table,
        actions: list[ActionRow],
        position: Position | None,
        outgoing: list[Outgoing],
        *,
        later: Sequence[Due] = (),
        snapshot: bool = False,
        earlier: Sequence[tuple[int, bytes]] = (),
        moved: bool = False,
    ) -> Table:
        """Commit the next version of a table, whose lock the caller holds, with its clocks.

        `outgoing` is to be shown at once; `earlier` are states after some of the actions, by version. A table
        that is `moved` has no thread from now on, until one is made for it.
        Without `actions` only time has passed, and the version stays.

        Raises:
            Stale: when another process wrote first; nothing is changed then.
        """
        before, now = loaded.table, self.clock()
        version = actions[-1].version if actions else before.version
        due = position is not None and (snapshot or version - loaded.snapshot_at >= SNAPSHOT_EVERY)
        after = msgspec.structs.replace(
            table, version=version, touched_at=now if actions else before.touched_at
        )
        after, notices = await self.time.kept(before, after, actions)
        shown: list[Due] = [*((*row, now) for row in outgoing), *later, *notices]
        recounts = (before.phase is Phase.OVER) != (after.phase is Phase.OVER)
        change = Change(
            table_id=before.id,
            seen=before.version,
            columns={**columns(after), **({"thread_id": None} if moved else {})},
            actions=tuple(actions),
            snapshot=position.state if position is not None and due else None,
            seats=seat_rows(after) if after.seats != before.seats else None,
            outbox=tuple(shown),
            earlier=tuple(earlier),
            recounts=recounts,
            told=self._told(before),
        )
        try:
            await self.store.commit(change)
        except Conflict:
            self.doubt(before.id)
            raise Stale from None
        COMMITS.inc()
        log.info("table %s: at version %s", before.id, version)
        self._cache[before.id] = Loaded(after, position, version if due else loaded.snapshot_at)
        if recounts:
            self.ended(after)
        self.committed(after, any(at <= now for _, _, _, at in shown))
        return after

    def newest(self, table: Table) -> Table:
        """The table as it is in memory, where that is newer than what was read; the caller holds its lock."""
        found = self._cache.get(table.id)
        return table if found is None or found.table.version < table.version else found.table

    async def keep(self, before: Table, after: Table, later: Sequence[Due]) -> None:
        """Write what time alone has changed of a table, whose lock the caller holds; the version stays.

        Raises:
            Stale: when another process wrote first; nothing is changed then.
        """
        after, notices = await self.time.kept(before, after, ())
        shown = (*later, *notices)
        change = Change(
            before.id, before.version, timed_columns(after), (), outbox=shown, told=self._told(before)
        )
        try:
            await self.store.commit(change)
        except Conflict:
            self.doubt(before.id)
            raise Stale from None
        found = self._cache.get(before.id)
        if found is not None:
            self._cache[before.id] = msgspec.structs.replace(found, table=after)
        self.committed(after, any(at <= self.clock() for _, _, _, at in shown))

    def _told(self, table: Table) -> str:
        """What is told of a commit to the process that acts for the table, where that is another."""
        return self.store.shards.note_of(table.id, table.guild_id)

    def entry(
        self,
        loaded: Loaded,
        kind: EntryKind,
        actor_id: int | None,
        *,
        seat: int | None = None,
        payload: object = None,
        base: int | None = None,
        after: int = 0,
    ) -> ActionRow:
        """An entry of a table's history that is no step of its game.

        `after` says how many other entries the same commit writes before it.
        """
        version = loaded.table.version + after
        return ActionRow(
            version=version + 1,
            base=version if base is None else base,
            kind=kind,
            seat=seat,
            actor_id=actor_id,
            payload=None if payload is None else encode(payload),
            events="[]",
            reveals=True,
            at=self.clock(),
        )

    async def settle_thread(
        self, table_id: int, thread_id: int | None, channel_id: int | None = None
    ) -> None:
        """Remember the thread that a table lives in, made while it belonged to that channel, if one is given.

        Raises:
            Stale: when the table belongs to another channel by now.
        """
        async with self.lock(table_id):
            table = await self.table(table_id)
            if channel_id is not None and table.channel_id != channel_id:
                raise Stale
            await self.store.save_thread(table_id, thread_id, self._told(table))
            self.forget(table_id)


def _resigned(row: ActionRow) -> bool:
    return row.kind == EntryKind.RESIGN


def outgoing(table: Table, before: Position, position: Position) -> list[Outgoing]:
    """What a step makes it necessary to show: a fresh board post, an edit of the last, changed hands.

    A fresh post is due with each new beat and at the end; where others owe than before, the post
    that stands is edited; a step inside a turn shows nothing.
    """
    rows: list[Outgoing] = []
    if position.over or position.beat != before.beat:
        rows.append(("board", 0, True))
    elif set(position.owing) != set(before.owing):
        rows.append(("board", 0, False))
    for sitter, old, new in zip(table.seats, before.hands, position.hands, strict=True):
        if sitter.user_id is not None and new is not None and new != old:
            rows.append(("hand", sitter.user_id, False))
    if position.over:
        rows.append(("lobby", 0, False))
    return rows


def require_open(table: Table) -> None:
    """Raises Refused unless the table is in its lobby or in play."""
    match table.phase:
        case Phase.OVER:
            raise Refused(f"Table {table.id} is finished. `/help` says how to open a new one.")
        case Phase.CLOSED:
            raise Refused(f"Table {table.id} was closed. `/help` says how to open a new one.")
        case Phase.EXPIRED:
            raise Refused(
                f"Table {table.id} is closed, for nobody came for a week. "
                "**Open it again** on its card is for those who sat there."
            )


def require_lobby(table: Table) -> None:
    """Raises Refused unless the table is still in its lobby."""
    require_open(table)
    if table.phase is not Phase.LOBBY:
        raise Refused("The game has begun already, so its lobby is closed.")


def require_play(table: Table) -> None:
    """Raises Refused unless a game is going on at the table."""
    require_open(table)
    if table.phase is not Phase.PLAY:
        raise Refused("The game has not begun yet. The host starts it with **Start** or `/table start`.")


def require_playable(table: Table) -> None:
    """Raises Refused unless a game is going on at the table, or has ended there by its rules."""
    if table.phase is not Phase.OVER:
        return require_play(table)
    if isinstance(table.origin, Imported):
        raise Refused("Nobody here has played this game, so there is no step to take back.")


def require_going(table: Table) -> None:
    """Raises Refused while a table is paused."""
    if table.paused_at is not None:
        until = "" if table.paused_until is None else f" until <t:{table.paused_until:.0f}:f>"
        raise Refused(f"The table is paused{until}. Press **Go on** below its last post to end it for all.")
