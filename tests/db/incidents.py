"""What happens to databases: no space, no right to write, somebody else who holds the lock."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from db.store import Store

FULL = "PRAGMA max_page_count = 1"
"""No page more than there are, which is how SQLite meets a full disk: rows that need none still fit."""
READ_ONLY = {
    "sqlite": "PRAGMA query_only = ON",
    "postgresql": "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
}


@contextmanager
def locked(database: str) -> Iterator[None]:
    """Another process is writing to a SQLite file meanwhile, and doesn't come to an end."""
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@asynccontextmanager
async def hindered(store: Store, statement: str) -> AsyncIterator[None]:
    """The connections that write are under a restriction meanwhile."""
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


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says, from warnings on."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
