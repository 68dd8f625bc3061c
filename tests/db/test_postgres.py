"""What only a server can do to us."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from db.opening import DatabaseUnreachable, database_url
from db.store import Store
from tests.db.rows import connected

DATABASES = ["postgresql"]

HANG_UP_ON_EVERYBODY_ELSE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def test_a_server_that_was_restarted_is_not_noticed(database: str, store: Store) -> None:
    await store.save_fact("key", "old")
    async with connected(database) as connection:
        await connection.execute(text(HANG_UP_ON_EVERYBODY_ELSE))

    assert await store.fact("key") == "old"
    async with connected(database) as connection:
        await connection.execute(text(HANG_UP_ON_EVERYBODY_ELSE))
    await store.save_fact("key", "new")

    assert await store.fact("key") == "new"


async def test_a_database_that_is_missing_is_named_as_the_reason(database: str) -> None:
    missing = database_url(database).set(database="nowhere").render_as_string(hide_password=False)

    with pytest.raises(DatabaseUnreachable, match=r'can\'t be opened: .*database "nowhere" does not exist'):
        await Store.open(missing)
