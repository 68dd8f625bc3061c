"""What is asked of SQLite, so that an acknowledged move survives a power cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from db.opening import DatabaseUnreachable
from db.store import Store

DATABASES = ["sqlite"]
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


async def test_a_file_that_is_no_database_is_named_as_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "parlour.db"
    file.write_text("A letter to a friend. " * 100)

    with pytest.raises(DatabaseUnreachable, match=r"can't be opened: file is not a database\."):
        await Store.open(f"sqlite:///{file}")

    assert file.read_text() == "A letter to a friend. " * 100


async def test_a_folder_that_is_missing_is_named_as_the_reason(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnreachable, match=r"can't be opened: unable to open database file\."):
        await Store.open(f"sqlite:///{tmp_path}/nowhere/parlour.db")
