"""Failures that only a server can cause."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from db.connection.opening import database_url
from db.connection.trouble import DatabaseUnreachable
from db.connection.writer import DatabaseUnavailable
from db.store import Store
from tests.db.rows import connect

DATABASES = ["postgresql"]

HANG_UP_ON_EVERYBODY_ELSE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def test_a_server_that_was_restarted_is_not_noticed(database: str, store: Store) -> None:
    await store.save_fact("key", "old")
    async with connect(database) as connection:
        await connection.execute(text(HANG_UP_ON_EVERYBODY_ELSE))

    assert await store.fact("key") == "old"
    async with connect(database) as connection:
        await connection.execute(text(HANG_UP_ON_EVERYBODY_ELSE))
    await store.save_fact("key", "new")

    assert await store.fact("key") == "new"


@pytest.fixture
async def hasty(database: str, store: Store) -> AsyncIterator[Store]:
    opened = await Store.open(database, 2, 1.0)
    yield opened
    await opened.close()


async def test_a_statement_that_takes_too_long_is_ended_by_the_server(hasty: Store) -> None:
    with pytest.raises(DatabaseUnavailable, match="statement timeout") as slow:
        await hasty._plain_rows(text("SELECT pg_sleep(5)"))

    assert slow.value.cause == "slow"
    await hasty.save_fact("key", "value")
    assert await hasty.fact("key") == "value"


async def test_waiting_too_long_for_a_connection_is_explained(hasty: Store) -> None:
    async with AsyncEngine(hasty._reader.connections.engine).connect():
        with pytest.raises(DatabaseUnavailable) as full:
            await hasty.fact("key")

    assert full.value.cause == "connections"


async def test_a_read_needs_no_transaction(hasty: Store) -> None:
    # Within a transaction it is always the same time.
    first, second = await hasty._reader.read(
        lambda connection: [connection.scalar(text("SELECT now()")) for _ in range(2)]
    )

    assert first < second


async def test_a_database_that_is_missing_is_named_as_the_reason(database: str) -> None:
    missing = database_url(database).set(database="nowhere").render_as_string(hide_password=False)

    with pytest.raises(DatabaseUnreachable, match=r"\(DATABASE_URL\) has no database “nowhere”: create it"):
        await Store.open(missing)
