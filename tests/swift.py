"""Swift tests: databases that wait for no disk and no thread, and copies of plain data.

What is written need not outlive a power cut, what is asked is compiled once, and files are read and written
without a thread for each connection.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Generator
from copy import deepcopy
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import aiosqlite
import pytest
import simcord.components
import simcord.env
import simcord.gateway
import simcord.http.router
import simcord.results
from simcord import _settlement
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import OperationalError

from db.connection import opening, writer
from db.connection.trouble import DatabaseLabel
from db.connection.writer import FileConnections
from db.store import Store


class Compiled(dict[Any, Any]):
    """Compiled statements that engines share though each has a dialect of its own, of the same kind."""

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the statement compiled for any dialect of that name."""
        return super().get(_dialect_key(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_dialect_key(key), value)


def _dialect_key(key: Any) -> Any:
    dialect, *rest = key
    return dialect.name, *rest


T = TypeVar("T")
COMPILED_ONCE: dict[str, Any] = {"execution_options": {"compiled_cache": Compiled()}}
LONGEST = 5.0
"""Seconds for which a thread is waited for."""
AGAIN = 0.002
"""Seconds until a file that somebody else is writing to is tried again."""
WORK = {"execute", "executemany", "commit", "rollback"}
"""The calls before which other tasks get their turn."""
PLAIN = {str, int, float, bool, type(None)}
"""The types that need no copy."""
INSTEAD = {
    "PRAGMA synchronous=FULL": "PRAGMA synchronous=OFF",
    f"PRAGMA busy_timeout={opening.WRITE_PATIENCE_MS}": "PRAGMA busy_timeout=0",
}
"""Replacements of the bot's settings for a file in tests: no commit waits for the disk, and no statement for
another writer, as `AtOnce` waits for that without holding up the event loop.
"""


class HastyCursor(sqlite3.Cursor):
    """A cursor that waits for no disk and no lock, whatever the settings say."""

    def execute(self, statement: str, *parameters: Any) -> HastyCursor:
        """Execute a statement, except those that would make it wait."""
        return super().execute(INSTEAD.get(statement, statement), *parameters)


class HastyConnection(sqlite3.Connection):
    """A connection that waits for no disk and no lock."""

    def cursor(self, factory: Any = HastyCursor) -> Any:
        return super().cursor(factory)


class Queue:
    """A queue that does each job at once."""

    def put_nowait(self, job: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        answer, function = job
        try:
            result = function()
        except Exception as error:  # the caller gets any error
            if answer is not None:
                answer.set_exception(error)
        else:
            if answer is not None:
                answer.set_result(result)


async def retry_while_locked(work: Callable[[], Awaitable[T]]) -> T:
    loop = asyncio.get_running_loop()
    until = loop.time() + opening.WRITE_PATIENCE_MS / 1000
    while True:
        try:
            return await work()
        except (sqlite3.OperationalError, OperationalError) as error:
            if "locked" not in str(error) or loop.time() > until:
                raise
        await asyncio.sleep(AGAIN)


READING: WeakKeyDictionary[FileConnections, Connection] = WeakKeyDictionary()
"""The open connections: to take one from its pool and to give it back takes as long as most looks."""


async def look_at_once(readers: FileConnections, look: Callable[[Connection], T]) -> T:
    """Look at a file without a thread, after others had their turn."""

    async def looked() -> T:
        connection = READING.get(readers)
        if connection is None:
            connection = READING[readers] = readers.engine.connect()
        try:
            return look(connection)
        finally:
            connection.rollback()

    await asyncio.sleep(0)
    return await retry_while_locked(looked)


async def dispose_at_once(readers: FileConnections) -> None:
    """Close the connection that looked; no thread is at work."""
    connection = READING.pop(readers, None)
    if connection is not None:
        connection.close()
    readers.engine.dispose()


class AtOnce(aiosqlite.Connection):
    """A connection without a thread of its own: handing each statement over takes longer than the statement.

    Others still get their turn at each statement, as they do while a thread is at work.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._tx: Any = Queue()

    def __await__(self) -> Generator[Any, None, aiosqlite.Connection]:
        return self._connect().__await__()

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if getattr(fn, "__name__", "") in WORK:
            await asyncio.sleep(0)
        return await retry_while_locked(partial(super()._execute, fn, *args, **kwargs))


def at_once(database: str, **settings: Any) -> AtOnce:
    """Open a connection to a file, as `aiosqlite.connect` does."""
    return AtOnce(partial(sqlite3.connect, database, **settings))


HASTILY: dict[str, Any] = {"factory": HastyConnection}


def hurry(patch: pytest.MonkeyPatch) -> None:
    """Let stores skip the disk, and compile no statement twice."""
    settings = {
        "sqlite_engine": {"connect_args": {**HASTILY, "async_creator_fn": at_once}},
        "file_connections": {"connect_args": HASTILY},
        "server_engine": {},
    }
    for name, more in settings.items():
        patch.setattr(opening, name, partial(getattr(opening, name), **more, **COMPILED_ONCE))
    patch.setattr(writer, "create_engine", partial(create_engine, **COMPILED_ONCE))
    patch.setattr(FileConnections, "run", look_at_once)
    patch.setattr(FileConnections, "dispose", dispose_at_once)


def open_migrated(address: str) -> Store:
    """Open a database that has the schema.

    It isn't judged, as `Store.open` reads all of it twice for that."""
    at = DatabaseLabel.of(address)
    return Store(*opening.open_connections(at.url, opening.POOL, opening.TIMEOUT), at)


def copy_plain(value: Any) -> Any:
    """Copy JSON-like data much faster than `deepcopy`, which copies all else.

    >>> copy_plain({"a": [1, {}]})
    {'a': [1, {}]}
    """
    kind = type(value)
    if kind is dict:
        return {key: copy_plain(one) for key, one in value.items()}
    if kind is list:
        return [copy_plain(one) for one in value]
    return value if kind in PLAIN else deepcopy(value)


def copy_plainly(patch: pytest.MonkeyPatch) -> None:
    for module in (simcord.components, simcord.results):
        patch.setattr(module, "deepcopy", copy_plain)
    for module in (simcord.gateway, simcord.http.router):
        patch.setattr(module, "copy", SimpleNamespace(deepcopy=copy_plain))


LOOP_SLEEPS = "discord.ext.tasks loop interval"
"""Why simulated Discord doesn't wait for a loop that sleeps between its rounds."""


def park_swiftly(patch: pytest.MonkeyPatch) -> None:
    """Let the simulated Discord recognize a loop's sleep once.

    Several loops sleep all the time, and to recognize them at each look takes a tenth of a flow.
    """
    explain, virtualize = _settlement._park_reason, _settlement._virtualize_recognized_waits
    sleeps: WeakKeyDictionary[Any, tuple[Any, Any]] = WeakKeyDictionary()

    def is_asleep(settling: Any, task: Any) -> bool:
        waiter, timer = sleeps.get(task, (None, None))
        return (
            waiter is not None
            and task._fut_waiter is waiter
            and not waiter.done()
            and timer.when > settling.virtual_time
            and not timer.handle.cancelled()
        )

    def park_reason(settling: Any, task: Any, *more: Any) -> str | None:
        if not task.done() and is_asleep(settling, task):
            return LOOP_SLEEPS
        reason = explain(settling, task, *more)
        if reason == LOOP_SLEEPS:
            waiter = task._fut_waiter
            sleeps[task] = waiter, _settlement._timer_records_waking(settling, task, waiter)[0]
        return reason

    def virtualize_others(settling: Any, pending: list[Any]) -> None:
        virtualize(settling, [task for task in pending if not is_asleep(settling, task)])

    patch.setattr(_settlement, "_park_reason", park_reason)
    patch.setattr(simcord.env, "_virtualize_recognized_waits", virtualize_others)


async def threads_ended() -> None:
    """Wait for the threads of connections that were cut off while opening.

    They still answer, and a closed event loop would be their end.
    """
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, LONGEST)
