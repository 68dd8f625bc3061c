"""Troubles of databases: no space, no right to write, somebody else who holds the lock."""

import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager, suppress
from itertools import count
from typing import Any

import pytest
from sqlalchemy import event

from db.connection.writer import DatabaseUnavailable
from db.store import Store
from tests.db.rows import change, new_table

FULL = "PRAGMA max_page_count = 1"
"""No page more than there are, which is how SQLite meets a full disk: rows that need none still fit."""
READ_ONLY = {
    "sqlite": "PRAGMA query_only = ON",
    "postgresql": "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
}


@contextmanager
def lock_file(database: str) -> Iterator[None]:
    """Lock a SQLite file as a writing process that doesn't finish."""
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@asynccontextmanager
async def restrict_writers(store: Store, statement: str) -> AsyncIterator[None]:
    writing = store._write_engine.sync_engine

    def restrict(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(statement)
        cursor.close()
        connection.commit()

    async def afresh() -> None:
        await store._writer.close()
        await store._write_engine.dispose()

    event.listen(writing, "connect", restrict)
    await afresh()
    yield
    event.remove(writing, "connect", restrict)
    await afresh()


def read_only(store: Store) -> AbstractAsyncContextManager[None]:
    return restrict_writers(store, READ_ONLY[store._write_engine.dialect.name])


@asynccontextmanager
async def full(store: Store) -> AsyncIterator[None]:
    """Leave no room for one more step of a table."""
    table = await new_table(store)
    async with restrict_writers(store, FULL):
        with suppress(DatabaseUnavailable):
            for seen in count():
                await store.commit(change(table, seen))
        yield


def log_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
