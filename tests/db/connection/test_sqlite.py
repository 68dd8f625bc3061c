"""What is asked of SQLite, so that an acknowledged move survives a power cut."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiosqlite import Connection
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from db.connection import opening
from db.connection.availability import DatabaseUnavailable
from db.connection.trouble import DatabaseUnreachable
from db.store import Store
from tests.db.incidents import FULL, hindered, locked, told
from tests.db.rows import change, new_table

DATABASES = ["sqlite"]
pytestmark = pytest.mark.as_in_use
PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
"""`synchronous` 2 is FULL: each commit is on the disk before it returns."""
LONG = "x" * 100_000


@pytest.mark.parametrize("side", ["_reader", "_write_engine"])
async def test_every_connection_works_in_the_safe_way(store: Store, side: str) -> None:
    async with getattr(store, side).connect() as connection:
        found = {name: await connection.scalar(text(f"PRAGMA {name}")) for name in PRAGMAS}

    assert found == PRAGMAS


async def test_what_is_read_takes_one_trip_to_another_thread(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips: list[object] = []
    await store.change_guild(1, lambda row: replace(row, hints=False))
    assert await store.guild(2) is None
    monkeypatch.setattr(Connection, "_execute", noted(Connection._execute, trips))

    row = await store.guild(1)

    assert row is not None
    assert not row.hints
    assert len(trips) == 1


def noted(known: Callable[..., Awaitable[Any]], trips: list[object]) -> Callable[..., Awaitable[Any]]:
    """The trip to a connection's thread, which notes what is done there."""

    async def done(self: Connection, what: object, *args: Any, **more: Any) -> Any:
        trips.append(what)
        return await known(self, what, *args, **more)

    return done


async def test_what_can_not_be_read_is_told_and_the_next_read_works(store: Store) -> None:
    async with store._reader.connect() as connection:
        with pytest.raises(OperationalError, match="no such table"):
            await connection.execute(text("SELECT * FROM nowhere"))
        assert (await connection.execute(text("SELECT 1, 'one' UNION SELECT 2, 'two'"))).all() == [
            (1, "one"),
            (2, "two"),
        ]


async def test_reading_goes_on_while_somebody_writes(store: Store, second_store: Store) -> None:
    await store.save_fact("key", "old")

    async with second_store._write_engine.begin() as connection:
        await connection.execute(text("UPDATE facts SET value = 'new'"))
        assert await store.fact("key") == "old"

    assert await store.fact("key") == "new"


async def test_a_file_that_is_no_database_is_named_as_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "parlour.db"
    file.write_text("A letter to a friend. " * 100)

    with pytest.raises(DatabaseUnreachable, match=r"parlour.db \(DATABASE_URL\) is damaged \(file is not a"):
        await Store.open(f"sqlite:///{file}")

    assert file.read_text() == "A letter to a friend. " * 100


async def test_a_folder_that_is_missing_is_named_as_the_reason(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnreachable, match=r"The folder .*nowhere of .*DATABASE_URL\) is miss"):
        await Store.open(f"sqlite:///{tmp_path}/nowhere/parlour.db")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a lock."""
    monkeypatch.setattr(opening, "PATIENCE", 0)


@pytest.mark.usefixtures("hasty")
async def test_a_lock_that_another_process_holds_is_told_once_and_waited_out(
    database: str, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = await new_table(store)
    with locked(database):
        for _ in range(3):
            with pytest.raises(DatabaseUnavailable, match="database is locked"):
                await store.commit(change(table))
        assert (await store.actions(table)) == []

    await store.commit(change(table))

    assert len(await store.actions(table)) == 1
    file = database.removeprefix("sqlite:///")
    assert told(caplog) == [
        f"the database can't be written, and will be tried again: {file} (DATABASE_URL) is locked by another "
        "program: end it, or try again when it is done."
    ]


async def test_a_full_disk_is_told_once_and_takes_again_what_fits(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await store.save_fact("key", "old")
    async with hindered(store, FULL):
        for _ in range(3):
            with pytest.raises(DatabaseUnavailable, match="database or disk is full"):
                await store.save_fact("key", LONG)
        assert await store.fact("key") == "old"

    await store.save_fact("key", LONG)

    assert await store.fact("key") == LONG
    (line,) = told(caplog)
    assert " (DATABASE_URL) can't be written because the disk of " in line
    assert line.endswith(" is full: make room, and try again.")
