"""SQLite connections that only read: a statement and its rows take one trip to the connection's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import partial
from typing import Any

import aiosqlite


class Rows:
    """A cursor that has all rows of a statement as soon as that is executed.

    Else making it, executing, fetching and closing are a trip each, and on a busy machine whatever waits for
    a thread waits for its turn on a processor as well.
    """

    description: Any = None
    rowcount, lastrowid, arraysize = -1, None, 1

    def __init__(self, connection: ReadingConnection) -> None:
        self._connection = connection
        self._rows: Iterable[Any] = ()

    async def __aenter__(self) -> Rows:
        return self

    async def execute(self, statement: str, parameters: tuple[Any, ...] = ()) -> Rows:
        """Execute a statement and fetch what it finds."""
        found = partial(_found, self._connection, statement, parameters)
        execute: Any = self._connection._execute
        self.description, self._rows = await execute(found)
        return self

    async def fetchall(self) -> Iterable[Any]:
        """All rows."""
        return self._rows

    async def close(self) -> None:
        """Nothing is left to be closed."""


class ReadingConnection(aiosqlite.Connection):
    """A connection whose cursors are `Rows`."""

    def cursor(self) -> Rows:  # type: ignore[override]  # what SQLAlchemy asks of one is all that `Rows` has
        """A cursor, without a trip."""
        return Rows(self)


def _found(
    connection: ReadingConnection, statement: str, parameters: tuple[Any, ...]
) -> tuple[Any, list[Any]]:
    """What a statement finds, on the connection's own thread: its columns and its rows."""
    cursor = connection._conn.execute(statement, parameters)
    try:
        return cursor.description, cursor.fetchall()
    finally:
        cursor.close()


def reading(database: str, **settings: Any) -> ReadingConnection:
    """A connection to a file, made as `aiosqlite.connect` makes one."""
    connection = ReadingConnection(partial(sqlite3.connect, database, **settings), iter_chunk_size=64)
    connection._thread.daemon = True  # as SQLAlchemy has it of its own connections
    return connection
