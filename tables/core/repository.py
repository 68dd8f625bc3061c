"""Tables in memory and on disk: a bounded cache, and the one way to change a table."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from itertools import groupby
from typing import Any, overload
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache
from msgspec.structs import replace

from db.batch import Conflict
from db.connection.writer import CommitUnknown, UnreadableRow
from db.records import LARGEST_NUMBER, ActionRow, SeatRow, TableRow
from db.records import TableWrite as ChangeRows
from db.store import Store
from engines.engine import Engine, PlayResult, Position, decode_move
from engines.engine import play as play_moves
from engines.engine import position as position_of
from engines.engine import resign as resign_seat
from engines.game import Discreet, Seat
from tables.core import change as changes
from tables.core.change import ApplyResult, Change, Decision, DecisionContext, F, PostRequest, TableState
from tables.core.history import MOVES, PLAYED, EntryKind
from tables.core.outbox import TableListener
from tables.core.table import (
    NoTable,
    Phase,
    Stale,
    Table,
    UnreadableTable,
    columns,
    from_rows,
    seat_rows,
    time_columns,
)
from tables.core.turns import Timekeeping, with_clocks
from tables.runtime import COMMITS


class RequestCache:
    """Tables read within a press; empty after its end."""

    def __init__(self) -> None:
        self._tables: dict[int, TableState] = {}
        self._over = False

    def get(self, table_id: int) -> TableState | None:
        return self._tables.get(table_id)

    def keep(self, loaded: TableState) -> None:
        if not self._over:
            self._tables[loaded.table.id] = loaded

    def invalidate(self, table_id: int | None = None) -> None:
        if table_id is None:
            self._tables.clear()
        else:
            self._tables.pop(table_id, None)

    def end(self) -> None:
        """End the press. Tasks that it has started go on without the cache."""
        self._over = True
        self.invalidate()


_current: ContextVar[RequestCache | None] = ContextVar("look", default=None)


def current_cache() -> RequestCache:
    """Return the cache of this task's press. Outside of a press, one that keeps nothing."""
    look = _current.get()
    if look is None:
        look = RequestCache()
        look.end()
    return look


@contextmanager
def request_cache() -> Iterator[None]:
    """Read each table once inside, instead of each time.

    Decisions still see the newest version: a change of an older one is a conflict, after which the table is
    read again.
    """
    look = RequestCache()
    token = _current.set(look)
    try:
        yield
    finally:
        look.end()
        _current.reset(token)


log = logging.getLogger(__name__)
SNAPSHOT_EVERY = 16
CACHED = 1000
CACHED_VIEWS = 256
"""Cached views, of any table, version and viewer."""
Commit = Callable[[ChangeRows], Awaitable[int | None]]
"""Writes the rows of a change; returns the number of the table opened with it, if any."""
FollowUp = Callable[[TableState, Change, DecisionContext], Change]
"""Adds to a change what follows from it in the same write."""
MOST_TRIES = 8
"""Most attempts at a decision while other processes write the table."""


class Repository:
    """Finds tables for every room of `tables`, and carries decisions out.

    The listener learns of each commit, and of what those rooms do. `follow_up` adds what follows a decision.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Callable[[], float],
        listener: TableListener | None = None,
        follow_up: FollowUp | None = None,
        cached: int = CACHED,
    ) -> None:
        self.store = store
        self.engine = engine
        self.clock = clock
        self.time = Timekeeping(store, clock)
        self._follow_up = follow_up
        self._cache: LRUCache[int, TableState] = LRUCache(cached)
        self._views: LRUCache[tuple[int, int, Seat | None, bool], Any] = LRUCache(CACHED_VIEWS)
        self._invalidated = 0
        self.listener = listener or TableListener()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def _lock(self, table_id: int) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    @asynccontextmanager
    async def lock_for_rewrite(self, table_ids: Collection[int]) -> AsyncIterator[None]:
        """Lock some tables in this process, and reload them afterwards.

        For changes without a decision, as when somebody is erased.
        """
        async with AsyncExitStack() as held:
            for table_id in sorted(table_ids):
                await held.enter_async_context(self._lock(table_id))
            try:
                yield
            finally:
                for table_id in table_ids:
                    self.forget(table_id)

    def forget_all(self) -> None:
        self._cache.clear()
        self._views.clear()
        self.store.forget_newest()
        current_cache().invalidate()
        self._invalidated += 1

    def forget(self, table_id: int) -> None:
        self._cache.pop(table_id, None)
        for key in [key for key in self._views if key[0] == table_id]:
            del self._views[key]
        self.store.forget_newest(table_id)
        current_cache().invalidate(table_id)
        self._invalidated += 1

    def forget_studies(self, source_ids: Collection[int]) -> None:
        """Read studies of some tables' games from the database next time."""
        for table_id, state in list(self._cache.items()):
            if state.table.study is not None and state.table.study.table in source_ids:
                self.forget(table_id)

    def invalidate(self, table_id: int, below: int | None = None) -> None:
        """Recheck the table on the next access.

        Another process can have written it. With `below`, only if the cached version is older than that,
        which is known to be written.
        """
        state = self._cache.get(table_id)
        if below is not None and state is not None and state.table.version >= below:
            return
        self._invalidated += 1
        current_cache().invalidate(table_id)
        if state is not None:
            self._cache[table_id] = replace(state, doubtful=True)

    def recheck_unless(self, row: TableRow) -> None:
        """Recheck a cached table on the next access unless it matches this row.

        Deadlines can change together with other rows, without a decision about the table.
        """
        state = self._cache.get(row.id)
        known = None if state is None else (state.table.version, state.table.ticks, state.table.due_at)
        if known is not None and known != (row.version, row.ticks, row.due_at):
            self.invalidate(row.id)

    async def load(self, table_id: int) -> TableState:
        """Return a table with its game's state. Raises Refused if there is none."""
        state = self._cache.get(table_id)
        shards = self.store.shards  # a process that hears of every write has a valid cache
        if state and not state.doubtful and shards.hearing and shards.owns(state.table.guild_id):
            return state
        look = current_cache()
        looked = look.get(table_id)
        if looked is not None:
            return looked
        invalidated = self._invalidated
        try:
            row = await self.store.table(table_id) if 0 < table_id <= LARGEST_NUMBER else None
            if row is None:
                raise NoTable(table_id)
            with self.store.unreadable.watch(f"the game of table {table_id}"):
                loaded = await self._load_existing(row, state)
        except UnreadableRow:
            raise UnreadableTable from None
        if loaded is None:
            raise NoTable(table_id)
        newer = self._cache.get(table_id)
        if newer is not None and newer is not state and newer.table.version >= row.version:
            return newer
        # What was read before something was invalidated may be older than what has been written since.
        if invalidated == self._invalidated:
            self._cache[table_id] = loaded
            look.keep(loaded)
        return loaded

    async def _load_existing(self, row: TableRow, known: TableState | None) -> TableState | None:
        """Build the table of a row; None if it is gone."""
        try:
            return await self._load_row(row, known)
        except LookupError:
            if await self.store.table(row.id) is None:
                return None  # deleted between two reads
            raise

    async def _load_row(self, row: TableRow, known: TableState | None) -> TableState:
        if known is not None:
            position = await self._catch_up(known, row.version)
            if position is not None or known.table.version == row.version:
                table = read_table(self.store, row, list(seat_rows(known.table)))
                return TableState(table, position, known.snapshot_at)
        seats = await self.store.seats(row.id)
        if not seats:
            raise LookupError(f"table {row.id} has no seats")
        table = read_table(self.store, row, seats)
        if table.deal is None:
            return TableState(table, None)
        state, at = await self.state_at(table, table.version)
        return TableState(table, position_of(table.slug, len(table.seats), state), at)

    async def _catch_up(self, known: TableState, version: int) -> Position | None:
        """Return the position at a version if a few moves lead there from the cache; else None."""
        table, position = known.table, known.position
        if position is None or table.version == version:
            return position
        if not 0 < version - table.version <= SNAPSHOT_EVERY:
            return None
        rows = await self.store.actions(table.id, after=table.version, upto=version)
        steps = [(row.version, row.base) for row in rows if row.kind in MOVES]
        if steps != [(number, number - 1) for number in range(table.version + 1, version + 1)]:
            return None
        return _replay(table, position.state, rows).position

    async def table(self, table_id: int) -> Table:
        return (await self.load(table_id)).table

    async def tables(self, rows: list[TableRow]) -> list[Table]:
        """Build tables from rows, without their games. Unreadable ones are left out."""
        return await read_tables(self.store, rows)

    async def state_at(self, table: Table, version: int) -> tuple[bytes, int]:
        """Return the encoded state at a version, and its snapshot's version."""
        pair = await self.store.snapshot(table.id, version)
        if pair is None:
            raise LookupError(f"table {table.id} has no snapshot at or before version {version}")
        at, state = pair
        rows = await self.store.actions(table.id, after=at, upto=version)
        for resigned, some in groupby(
            (row for row in rows if row.kind in PLAYED), key=lambda row: row.kind == EntryKind.RESIGN
        ):
            made = list(some)
            if not resigned:
                state = _replay(table, state, made).position.state
                continue
            for row in made:
                gone = resign_seat(table.slug, len(table.seats), state, row.seat or 0, follow=False)
                state = gone.position.state
        return state, at

    def view(self, table: Table, version: int, state: bytes, seat: Seat | None, *, reveals: bool) -> Any:
        """Return a version's state as a seat sees it. Each view is made once."""
        key = table.id, version, seat, reveals
        if key not in self._views:
            self._views[key] = self.engine.view(table.slug, state, seat, reveals=reveals)
        return self._views[key]

    async def views_at(
        self, table: Table, version: int, seats: Iterable[Seat | None], *, reveals: bool
    ) -> list[Any]:
        """Return a game at a version as seats see it."""
        keys = [(table.id, version, seat, reveals) for seat in seats]
        state = b"" if all(key in self._views for key in keys) else (await self.state_at(table, version))[0]
        return [self.view(table, version, state, seat, reveals=reveals) for _, _, seat, _ in keys]

    @overload
    async def apply(
        self, table_id: int, decide: Decision, *, people: Collection[int] = ..., commit: Commit | None = ...
    ) -> ApplyResult: ...

    @overload
    async def apply(
        self,
        table_id: int,
        decide: changes.InformedDecision[F],
        read: Callable[[TableState], Awaitable[F]],
        *,
        people: Collection[int] = ...,
        commit: Commit | None = ...,
    ) -> ApplyResult: ...

    async def apply(
        self,
        table_id: int,
        decide: Callable[..., Change | None],
        read: Callable[[TableState], Awaitable[Any]] | None = None,
        *,
        people: Collection[int] = (),
        commit: Commit | None = None,
    ) -> ApplyResult:
        """Decide about a table under its lock, and write the result.

        `read` reads more for the decision under the same lock, as its last argument. `people` are others
        whose settings matter to it; `commit` writes more in the same transaction. If another process writes
        the table in between, the decision runs again.

        Raises:
            Refused: whatever the decision refuses; nothing is changed then.
            Stale: if other processes were faster again and again.
        """
        async with self._lock(table_id):
            for _ in range(MOST_TRIES):
                loaded = await self.load(table_id)
                known = () if read is None else (await read(loaded),)
                now = await self.time.now(loaded.table, people)
                change = decide(loaded, now, *known)
                if change is None:
                    return ApplyResult(loaded)
                if self._follow_up is not None:
                    change = self._follow_up(loaded, change, now)
                changes.require_alone(loaded.table, (entry.kind for entry in change.entries))
                try:
                    return await self.write(loaded, change, now, commit)
                except Conflict:
                    self.invalidate(table_id)
            raise Stale

    async def write(
        self, loaded: TableState, change: Change, now: DecisionContext, commit: Commit | None = None
    ) -> ApplyResult:
        """Write the next version of a table whose lock is held.

        Replace the cached table only by a newer one; recheck it later if anything was invalidated during the
        write. Raise Conflict if another process wrote first; nothing is changed then.
        """
        before, following = loaded.table, next_version(loaded, change, now)
        after, position = following.loaded.table, following.loaded.position
        # Nobody sees what is played alone.
        shown = [] if after.is_alone else [*following.shows]
        if before.phase is Phase.PLAY and after.phase is not Phase.PLAY and not after.is_alone:
            followers = await self.store.relations.followers(before.id)
            shown += [PostRequest("ended", one, fresh=True) for one in followers if one not in after.people]
        recounts = (before.phase is Phase.OVER) != (after.phase is Phase.OVER)
        invalidated = self._invalidated
        with changes.refuse_guards(), self._recheck_if_unknown(before.id):
            thread = {} if change.thread is msgspec.UNSET else {"thread_id": change.thread}
            opened = await (commit or self.store.commit)(
                ChangeRows(
                    table_id=before.id,
                    seen=before.version,
                    columns=(columns(after) if change.entries else time_columns(after)) | thread,
                    actions=following.rows,
                    snapshot=position.state if position is not None and following.keeps_state else None,
                    seats=seat_rows(after) if after.seats != before.seats else None,
                    outbox=tuple((one.kind, one.target, one.fresh, one.at or now.at) for one in shown),
                    earlier=tuple((before.version + made, state) for made, state in change.earlier),
                    recounts=recounts,
                    told=self.store.shards.note_of(before.id, before.guild_id),
                    opens=change.opens,
                    guards=change.guards,
                    ticks=before.ticks,
                )
            )
        COMMITS.inc()
        if following.rows:
            log.info("table %s: at version %s", before.id, after.version)
        newer = self._cache.get(before.id)
        doubtful = invalidated != self._invalidated if newer is None else newer.doubtful
        if newer is None or newer.table.version <= after.version:
            self._cache[before.id] = replace(following.loaded, doubtful=doubtful)
            current_cache().keep(following.loaded)
        if recounts:
            self.listener.on_game_end(after)
        self.listener.on_commit(after, any(one.at is None or one.at <= now.at for one in shown))
        return ApplyResult(following.loaded, change, opened)

    @contextmanager
    def _recheck_if_unknown(self, table_id: int) -> Iterator[None]:
        """Recheck a table on the next access if nobody can say whether a change of it was written."""
        try:
            yield
        except CommitUnknown:
            self.invalidate(table_id)
            raise

    async def settle_thread(
        self, table_id: int, thread_id: int | None, channel_id: int | None = None
    ) -> None:
        """Save a table's thread, made in a channel if one is given.

        Raise Stale if the table belongs to another channel now.
        """
        await self.apply(table_id, partial(_in_thread, thread_id=thread_id, channel_id=channel_id))


async def read_tables(store: Store, rows: Sequence[TableRow]) -> list[Table]:
    """Build tables from rows, without their games. Unreadable ones are left out."""
    seats, tables = await store.seats_of([row.id for row in rows]), list[Table]()
    for row in rows:
        if not seats[row.id] and await store.table(row.id) is None:
            continue  # deleted between the two reads
        with suppress(UnreadableRow):
            tables.append(read_table(store, row, seats[row.id]))
    return tables


def read_table(store: Store, row: TableRow, seats: list[SeatRow]) -> Table:
    with store.unreadable.watch(f"table {row.id}"):
        return from_rows(row, seats)


def _in_thread(
    loaded: TableState, _now: DecisionContext, *, thread_id: int | None, channel_id: int | None
) -> Change | None:
    if channel_id is not None and loaded.table.channel_id != channel_id:
        raise Stale
    return Change(loaded.table, thread=thread_id)


class NextVersion(Discreet, frozen=True):
    """A change made ready for writing: entries as rows, and all posts.

    `keeps_state`: store the whole state of its game.
    """

    loaded: TableState
    rows: tuple[ActionRow, ...]
    shows: tuple[PostRequest, ...]
    keeps_state: bool


def next_version(loaded: TableState, change: Change, now: DecisionContext) -> NextVersion:
    """Return the table after a change, with its clocks. Without entries it keeps its version."""
    before, rows = loaded.table, changes.entry_rows(loaded, change, now.at)
    version = rows[-1].version if rows else before.version
    table = replace(
        change.table,
        version=version,
        touched_at=now.at if rows else before.touched_at,
        ticks=before.ticks if rows else before.ticks + 1,
    )
    after, notices = with_clocks(before, table, change.entries, now)
    if change.thread is not msgspec.UNSET:
        after = replace(after, thread_id=change.thread)
    position = change.position or loaded.position
    long_ago = version - loaded.snapshot_at >= SNAPSHOT_EVERY
    keeps_state = position is not None and bool(rows) and (change.snapshot or long_ago)
    reached = TableState(after, position, version if keeps_state else loaded.snapshot_at)
    # A game that ends, a seat that changes and a player who is out all end a hand.
    had, have = people_with_hands(loaded), people_with_hands(reached)
    shows = (*change.shows, *notices, *(PostRequest("hand", user_id) for user_id in sorted(had ^ have)))
    return NextVersion(reached, rows, tuple(dict.fromkeys(shows)), keeps_state)


def people_with_hands(loaded: TableState) -> set[int]:
    """Return the people who hold secret cards in a running game."""
    if loaded.position is None or loaded.table.phase is not Phase.PLAY:
        return set()
    seats = zip(loaded.table.seats, loaded.position.hands, strict=True)
    return {occupant.user_id for occupant, hand in seats if occupant.user_id is not None and hand is not None}


def _replay(table: Table, state: bytes, rows: Sequence[ActionRow]) -> PlayResult:
    made = [(row.seat or 0, decode_move(table.game, row.payload or "")) for row in rows]
    return play_moves(table.slug, len(table.seats), state, made, follow=False)
