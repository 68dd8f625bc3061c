"""The outbox: posts queued in a move's write, and those who react to what happens.

A row that fails stays and is retried with growing pauses, also after a crash. A `Courier` learns if a row
can have been delivered before.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from functools import partial
from typing import NamedTuple, Protocol

from cachetools import LRUCache

from db.records import OutboxRow, PostRow
from db.store import Store
from tables.core.table import Table
from tables.runtime import POST_SECONDS, RETRIES, LogOnce, Retries, TryLater, pause, wait_for_end

log = logging.getLogger(__name__)
MOST_DOUBTS = 10_000
"""The most messages remembered as sent without an answer."""
MOST_UNDONE, MOST_TRIES = 1_000, 40
"""The most decorations that wait for another try, and the tries of each: some hours."""
AT_ONCE = 16
"""Tables shown at once; most wait for Discord, and drawing has its own queue."""
Noted = Callable[[], Awaitable[None]]
Decoration = Callable[[], Awaitable[object]]
Slot = tuple[int, str, int]
"""What a row posts: its table, kind and target."""
ORDER = {"board": 0, "lobby": 1, "hand": 2}


class Delivery(NamedTuple):
    """The result of posting a row.

    Attributes:
        post: the message, with its version; None if there is nothing left to post.
        decoration: work on another message, such as removing an old post's buttons. It starts once the
            message is saved. If it raises TryLater, it runs again later, while this process lives; after
            another error it is given up. Nothing is sent again because of it.
    """

    post: PostRow | None = None
    decoration: Decoration | None = None


class Courier(Protocol):
    """Posts rows where they belong.

    >>> class Printer:
    ...     async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
    ...         print(row.kind, row.target)
    ...         return Delivery()
    >>> courier: Courier = Printer()
    >>> asyncio.run(courier.show(OutboxRow(1, "board", 0, 5, True, 0, 0.0), False))
    board 0
    Delivery(post=None, decoration=None)
    """

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        """Post the table's newest state for that kind and target.

        `may_be_duplicate`: an earlier attempt can have got through without being saved, so look for its
        message first. Raise TryLater if a retry makes sense after a pause.
        """


class Outbox:
    """Delivers rows: tables side by side, each table's rows one after another.

    Attributes:
        verify_before: rows due before that instant can have been posted by somebody else.
    """

    def __init__(
        self,
        store: Store,
        courier: Courier,
        clock: Callable[[], float],
        invalidate: Callable[[int, int], None],
    ) -> None:
        """`invalidate` gets a table and its version before a post, which must be no older."""
        self._store = store
        self._courier = courier
        self._clock = clock
        self.verify_before = clock()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: dict[int, Context] = {}
        self._on_hold: Counter[int] = Counter()
        self._unsure: LRUCache[Slot, bool] = LRUCache(MOST_DOUBTS)
        self._given_up = 0
        self._log_once = LogOnce()
        self._undone: LRUCache[tuple[Slot, int], tuple[OutboxRow, Decoration]] = LRUCache(MOST_UNDONE)
        self._tries: Retries[tuple[Slot, int]] = Retries(clock)
        self._decorating: set[asyncio.Task[None]] = set()
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._invalidate = invalidate

    def wake(self, table_id: int) -> None:
        """Deliver a table's rows soon, with those queued in the meantime."""
        if table_id in self._tasks or self.on_hold(table_id):
            self._again[table_id] = copy_context()
            return
        task = asyncio.create_task(self._deliver(table_id), name=f"posts of table {table_id}")
        self._tasks[table_id] = task
        task.add_done_callback(lambda done: self._on_end(table_id, done))

    @asynccontextmanager
    async def hold(self, table_ids: Collection[int]) -> AsyncIterator[None]:
        """Deliver nothing of some tables inside, after finishing what runs.

        Then deliver everything. The caller must not hold a table's lock: a running delivery can need it.
        """
        self._on_hold.update(table_ids)
        try:
            while tasks := [self._tasks[table_id] for table_id in table_ids if table_id in self._tasks]:
                await wait_for_end(tasks)
            yield
        finally:
            self._on_hold.subtract(table_ids)
            self._on_hold = +self._on_hold
            for table_id in (self._again.keys() & set(table_ids)) - self._on_hold.keys():
                self._again.pop(table_id).run(self.wake, table_id)

    def on_hold(self, table_id: int) -> bool:
        """Return True if nothing of a table is delivered now."""
        return self._on_hold[table_id] > 0

    def _on_end(self, table_id: int, task: asyncio.Task[None]) -> None:
        del self._tasks[table_id]
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception) and self._log_once.note_failure(table_id, error):
            log.error("table %s: its posts wait for the next sweep", table_id, exc_info=error)
        elif error is None:
            self._log_once.note_success(table_id)
        again = self._again.pop(table_id, None)
        if again is not None and not task.cancelled():
            again.run(self.wake, table_id)

    async def sweep(self, later: Callable[[int], bool] = lambda _table_id: False) -> None:
        """Deliver everything due.

        What a crash left, and what failed a while ago. `later` returns True for a table that is woken soon.
        """
        for row in await self._store.outbox_due(self._clock()):
            if not later(row.table_id):
                self.wake(row.table_id)
        for key in list(filter(self._tries.is_due, self._undone)):
            row, decoration = self._undone.pop(key)
            task = asyncio.create_task(self._decorate(row, decoration), name=f"older post of {row.table_id}")
            self._decorating.add(task)
            task.add_done_callback(self._decorating.discard)

    def give_up(self) -> None:
        """Start nothing more: the posts can belong to another process now.

        Running deliveries end by themselves. Cancelling one within a database read would cost the pool that
        connection, and Discord can have the message already.
        """
        self._given_up += 1

    async def finish(self) -> None:
        while running := [*self._tasks.values(), *self._decorating]:
            await wait_for_end(running)

    async def _deliver(self, table_id: int) -> None:
        async with self._gate:
            rows = await self._store.outbox_of(table_id, self._clock())
            notes, given_up = [], self._given_up
            for row in sorted(rows, key=lambda row: (ORDER.get(row.kind, 9), row.target)):
                if given_up != self._given_up:
                    break
                # What was shown is noted while the next is being shown, so that notes share commits.
                note = asyncio.create_task(self._note(row, *await self._show(row)))
                note.add_done_callback(lambda done: done.cancelled() or done.exception())
                notes.append(note)
            await asyncio.gather(*notes)

    def doubt(self, table_id: int, kind: str, target: int = 0) -> None:
        """Look for a message before sending it. Discord can have it without an answer."""
        self._unsure[table_id, kind, target] = True

    async def _show(self, row: OutboxRow) -> tuple[Noted, Decoration | None, bool]:
        """Post a row. Return what to write about it, the decoration, and True if posted."""
        self._invalidate(row.table_id, row.version)
        slot = _slot(row)
        may_be_duplicate = row.attempts > 0 or row.due_at < self.verify_before or slot in self._unsure
        self._unsure[slot] = True
        try:
            post, decoration = await self._courier.show(row, may_be_duplicate)
        except TryLater as reason:
            if self._log_once.note_failure(slot, reason):
                log.warning("table %s, %s: not shown yet: %s", row.table_id, row.kind, reason)
            RETRIES.labels(row.kind).inc()
            seconds = max(reason.seconds, pause(row.attempts))
            return partial(self._store.postpone, row, self._clock() + seconds), None, False
        except Exception as error:  # one table's trouble must not keep the others' posts
            if self._log_once.note_failure(slot, error):
                log.exception("table %s, %s: can't post it", row.table_id, row.kind)
            RETRIES.labels(row.kind).inc()
            return partial(self._store.postpone, row, self._clock() + pause(row.attempts)), None, False
        if row.attempts == 0:
            POST_SECONDS.labels(row.kind).observe(max(0.0, self._clock() - row.due_at))
        again = ", and works again" if self._log_once.note_success(slot) else ""
        log.info("table %s, %s: shown at version %s%s", row.table_id, row.kind, row.version, again)
        return partial(self._store.finish_post, row, post), decoration, True

    async def _note(self, row: OutboxRow, note: Noted, decoration: Decoration | None, is_shown: bool) -> None:
        await note()
        if is_shown:
            # Until then what was tried may have got through, also if a newer row takes its place.
            self._unsure.pop(_slot(row), None)
        if decoration is not None:
            await self._decorate(row, decoration)

    async def _decorate(self, row: OutboxRow, decoration: Decoration) -> None:
        """Change another message because of a new one, now or later. A failure is logged once a table."""
        slot, key = (row.table_id, f"{row.kind}, older post", row.target), (_slot(row), row.version)
        try:
            await decoration()
        except Exception as error:  # whatever it is, the post itself is out and noted
            if self._log_once.note_failure(slot, error):
                log.warning("table %s, %s: an older post stays as it is: %s", row.table_id, row.kind, error)
            if isinstance(error, TryLater) and self._tries.failures(key) < MOST_TRIES:
                self._tries.note_failure(key, error.seconds)
                self._undone[key] = row, decoration
                return
        else:
            self._log_once.note_success(slot)
        self._tries.note_success(key)


def _slot(row: OutboxRow) -> Slot:
    return row.table_id, row.kind, row.target


class TableListener:
    """Receives what happens, and does nothing about it."""

    def on_commit(self, table: Table, to_show: bool) -> None:
        """React to a commit at a table. `to_show` if it asks for posts."""

    def on_deletion(self, table_id: int) -> None:
        """React to the deletion of a table."""

    def on_game_end(self, table: Table) -> None:
        """React to the end of a game, or to its reopening. Runs before `committed`."""

    async def on_action(self, user_id: int) -> None:
        """React to a person's move, undo or resignation."""

    def on_computers_settled(self, table_id: int) -> None:
        """React after a table's computers have moved or failed."""

    async def on_computers_failed(self, table_id: int) -> None:
        """React to a first failure of a table's computers."""

    def on_cup_change(self, cup_id: int) -> None:
        """React to a change of a cup."""

    def on_post_change(self, table_id: int) -> None:
        """Edit a table's post as its outbox says."""

    async def refresh(self, table_id: int, kind: str) -> None:
        """Post something of a table again although nothing has happened."""
