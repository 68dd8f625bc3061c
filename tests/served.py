from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import uuid4

import asyncpg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from db.connection.opening import connect_to_server, database_url
from db.store import Store

T = TypeVar("T")

POSTGRES = os.environ.get("TEST_POSTGRES_URL")
"""A PostgreSQL server whose superuser we are; see tests/postgres.sh."""
PATIENCE = 30.0
SETTINGS = {"session_replication_role": "replica", "lock_timeout": "10s"}
"""Settings of the connection that empties a database: rows go in any order, and nobody is waited for long."""
SCHEMA = """
    SELECT sum(xmin::text::bigint) FROM (
        SELECT xmin FROM pg_attribute UNION ALL SELECT xmin FROM pg_index
        UNION ALL SELECT xmin FROM pg_constraint UNION ALL SELECT xmin FROM pg_namespace
    ) AS changed
"""
"""A number that every change to the schema changes."""
DELETE = """
    SELECT format('DELETE FROM %I', tablename) FROM pg_tables WHERE schemaname = 'public'
    UNION ALL SELECT format('SELECT setval(%L, 1, false)', sequencename) FROM pg_sequences
"""
"""The statements that empty a database."""
RESTORE = """
    SELECT format('INSERT INTO {0} SELECT * FROM json_populate_recordset(null::{0}, %L)', json_agg(row))
    FROM {0} AS row
"""
"""The statement that writes a table's first rows again."""
FIRST_ROWS = ("alembic_version", "facts")
"""The tables that have rows when no bot has used a database."""
DISCONNECT_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class SharedDatabase:
    """A database that one test after another finds as it was made.

    To create and drop one takes longer than most tests on a server.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._connection: asyncpg.Connection[Any] | None = None
        self._address = ""
        self._schema: Any = None
        self._emptying = ""

    def empty(self) -> str:
        """Empty it, and return its address.

        A test that changed more than rows, or ended all connections, leaves the next one another database.
        """
        try:
            is_empty = self._connection is not None and self._run(self._delete_rows(self._connection))
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            is_empty = False
        if not is_empty:
            self.drop()
            self._create()
        return self._address

    def disconnect(self) -> None:
        """Leave the database to a test that needs it alone."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def drop(self) -> None:
        self.disconnect()
        if self._address:
            self._run(drop_database(self._address))
            self._address = ""

    def close(self) -> None:
        self.drop()
        self._loop.close()

    async def _delete_rows(self, connection: asyncpg.Connection[Any]) -> bool:
        await connection.execute(self._emptying)
        return bool(await connection.fetchval(SCHEMA) == self._schema)

    def _create(self) -> None:
        self._address = self._run(create_database())
        self._run(create_schema(self._address))
        self._connection = self._run(self._connect())

    async def _connect(self) -> asyncpg.Connection[Any]:
        connection = await connect_to_server(database_url(self._address), "tests", PATIENCE, SETTINGS)
        self._schema = await connection.fetchval(SCHEMA)
        deleting = [row[0] for row in await connection.fetch(DELETE)]
        restoring = [await connection.fetchval(RESTORE.format(table)) for table in FIRST_ROWS]
        self._emptying = ";".join([DISCONNECT_OTHERS, *deleting, *restoring])
        return connection

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)


@contextmanager
def own_database() -> Iterator[str]:
    address = asyncio.run(create_database())
    yield address
    asyncio.run(drop_database(address))


async def create_database() -> str:
    assert POSTGRES is not None
    name = f"tangle_{uuid4().hex}"
    await _execute(f"CREATE DATABASE {name} TEMPLATE template1")
    return database_url(POSTGRES).set(database=name).render_as_string(hide_password=False)


async def create_schema(address: str) -> None:
    await (await Store.open(address)).close()


async def drop_database(address: str) -> None:
    await _execute(f"DROP DATABASE {database_url(address).database} WITH (FORCE)")


async def _execute(statement: str) -> None:
    assert POSTGRES is not None
    engine = create_async_engine(database_url(POSTGRES), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()
