"""What is asked of SQLite, so that an acknowledged move survives a power cut."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from db.store import Store

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
"""`synchronous` 2 is FULL: each commit is on the disk before it returns."""


@pytest.mark.parametrize("side", ["_reader", "_write_engine"])
async def test_every_connection_works_in_the_safe_way(store: Store, side: str) -> None:
    async with getattr(store, side).connect() as connection:
        found = {name: await connection.scalar(text(f"PRAGMA {name}")) for name in PRAGMAS}

    assert found == PRAGMAS


async def test_reading_goes_on_while_somebody_writes(store: Store, second_store: Store) -> None:
    await store.save_fact("key", "old")

    async with second_store._write_engine.begin() as connection:
        await connection.execute(text("UPDATE facts SET value = 'new'"))
        assert await store.fact("key") == "old"

    assert await store.fact("key") == "new"
