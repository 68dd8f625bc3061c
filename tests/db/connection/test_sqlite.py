"""SQLite settings that let an acknowledged move survive a power cut."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from db.connection import opening
from db.connection.trouble import DatabaseUnreachable
from db.connection.writer import DatabaseUnavailable
from db.store import Store
from tests.db.incidents import FULL, lock_file, log_lines, restrict_writers
from tests.db.rows import change, new_table

DATABASES = ["sqlite"]
pytestmark = pytest.mark.as_in_use
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "journal_size_limit": 8 * 1024**2,
}
"""`synchronous` 2 is FULL: each commit is on the disk before it returns."""
LONG = "x" * 100_000


def pragmas(connection: Connection) -> dict[str, object]:
    return {name: connection.scalar(text(f"PRAGMA {name}")) for name in PRAGMAS}


async def test_every_connection_works_in_the_safe_way(store: Store) -> None:
    async with store._write_engine.connect() as writing:
        assert await writing.run_sync(pragmas) == PRAGMAS
    assert await store._reader.read(pragmas) == PRAGMAS


async def test_reading_blocks_nobody(store: Store) -> None:
    here, begun, goes_on = threading.get_ident(), asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def look(connection: Connection) -> tuple[int, object]:
        loop.call_soon_threadsafe(begun.set)
        assert goes_on.wait(5)
        return threading.get_ident(), connection.scalar(text("SELECT 7"))

    reading = asyncio.create_task(store._reader.read(look))
    await begun.wait()
    assert await store.fact("key") is None
    goes_on.set()

    there, result = await reading
    assert (there == here, result) == (False, 7)


async def test_a_batch_takes_one_trip_to_a_thread(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await store.save_fact("key", "old")
    trips: list[object] = []
    known = aiosqlite.Connection._execute

    async def noted(file: aiosqlite.Connection, work: Callable[..., Any], *args: Any, **more: Any) -> Any:
        trips.append(work)
        return await known(file, work, *args, **more)  # type: ignore[no-untyped-call]  # no types there

    monkeypatch.setattr(aiosqlite.Connection, "_execute", noted)

    await asyncio.gather(store.save_fact("key", "new"), store.save_fact("other", "new"))

    assert (await store.fact("key"), await store.fact("other")) == ("new", "new")
    assert len(trips) == 1


async def test_a_store_that_closes_lets_those_who_look_finish(store: Store, database: str) -> None:
    other = await Store.open(database)
    reading = asyncio.create_task(other._reader.read(lambda connection: connection.scalar(text("SELECT 7"))))
    await asyncio.sleep(0)

    await other.close()

    assert await reading == 7


async def test_an_unreadable_row_is_reported_and_the_next_read_works(store: Store) -> None:
    with pytest.raises(OperationalError, match="no such table"):
        await store._plain_rows(text("SELECT * FROM nowhere"))

    assert await store._plain_rows(text("SELECT 1, 'one' UNION SELECT 2, 'two'")) == [(1, "one"), (2, "two")]


async def test_reading_goes_on_while_somebody_writes(store: Store, second_store: Store) -> None:
    await store.save_fact("key", "old")

    async with second_store._write_engine.begin() as connection:
        await connection.execute(text("UPDATE facts SET value = 'new'"))
        assert await store.fact("key") == "old"

    assert await store.fact("key") == "new"


def test_a_new_file_is_opened_although_another_process_has_it_for_a_moment(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "new.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    impatient = sqlite3.connect(tmp_path / "new.db", timeout=0)

    threading.Timer(0.05, other.close).start()
    opening._set_up(impatient, None, None)

    assert impatient.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    impatient.close()


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
    """Make every wait for a lock fail at once."""
    monkeypatch.setattr(opening, "WRITE_PATIENCE_MS", 0)


@pytest.mark.usefixtures("hasty")
async def test_a_lock_that_another_process_holds_is_told_once_and_waited_out(
    database: str, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = await new_table(store)
    with lock_file(database):
        for _ in range(3):
            with pytest.raises(DatabaseUnavailable, match="database is locked"):
                await store.commit(change(table))
        assert (await store.actions(table)) == []

    await store.commit(change(table))

    assert len(await store.actions(table)) == 1
    file = database.removeprefix("sqlite:///")
    assert log_lines(caplog) == [
        f"the database can't be written, and will be tried again: {file} (DATABASE_URL) is locked by another "
        "program: quit it, or try again when it's done."
    ]


async def test_a_full_disk_is_told_once_and_takes_again_what_fits(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await store.save_fact("key", "old")
    async with restrict_writers(store, FULL):
        for _ in range(3):
            with pytest.raises(DatabaseUnavailable, match="database or disk is full"):
                await store.save_fact("key", LONG)
        assert await store.fact("key") == "old"

    await store.save_fact("key", LONG)

    assert await store.fact("key") == LONG
    (line,) = log_lines(caplog)
    assert " (DATABASE_URL) can't be written because the disk of " in line
    assert line.endswith(" is full: make room, and try again.")
