"""Copies of a database: whole at any moment, verified, and never put over another one by a slip."""

import asyncio
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Self

import pytest

from db.backup import BadCopy, backup, restore, verify
from db.connection.trouble import AlreadyInUse, DatabaseUnreachable, hold_file
from db.store import Store
from tests import swift
from tests.db.rows import everything, new_table

DATABASES = ["sqlite"]


def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
async def home(tmp_path: Path, schema_file: Path) -> Path:
    path = tmp_path / "parlour.db"
    shutil.copyfile(schema_file, path)
    store = swift.open_migrated(url(path))
    await new_table(store)
    await store.close()
    return path


async def test_a_copy_is_whole_while_the_bot_writes(home: Path, tmp_path: Path) -> None:
    store = await Store.open(url(home))
    writing = asyncio.create_task(_write_on(store))
    await asyncio.to_thread(backup, url(home), tmp_path / "copy.db")
    await writing
    await store.close()

    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("pragma integrity_check").fetchone() == ("ok",)
        (number,) = copy.execute("select count(*) from tables").fetchone()
    assert 1 <= number <= 21


async def _write_on(store: Store) -> None:
    for _ in range(20):
        await new_table(store)


PATIENCE = 30.0
"""Seconds after which a copy that should take a fraction of one has failed."""


class BusyWriter:
    """Writes without a pause over a connection of its own, from `with` to its end.

    Each transaction writes the same number into two facts.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = threading.Thread(target=self._write_on)
        self._stop = threading.Event()
        self._begun = threading.Event()
        self.written = 0

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._begun.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _write_on(self) -> None:
        with closing(sqlite3.connect(self._path, timeout=PATIENCE)) as connection:
            connection.execute("pragma synchronous = off")
            while not self._stop.is_set():
                number = self.written + 1
                for key in ("one", "other"):
                    connection.execute("insert or replace into facts values (?, ?)", (key, str(number)))
                connection.commit()
                self.written = number
                self._begun.set()


def enlarge(path: Path, megabytes: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        rows = [(1, version, 1_000_000) for version in range(1000, 1000 + megabytes)]
        connection.executemany("insert into snapshots values (?, ?, zeroblob(?))", rows)
        connection.commit()


async def test_a_copy_ends_while_somebody_writes_without_a_pause(home: Path, tmp_path: Path) -> None:
    enlarge(home, megabytes=40)
    copy = tmp_path / "copy.db"

    with BusyWriter(home) as busy:
        before = busy.written
        copying = asyncio.create_task(asyncio.to_thread(backup, url(home), copy))
        ended, _ = await asyncio.wait({copying}, timeout=PATIENCE)
        after = busy.written
    await copying

    assert ended, "the copy ended only when nobody wrote any more"
    assert after > before
    verify(url(home), copy)
    with closing(sqlite3.connect(copy)) as copied:
        facts = dict(copied.execute("select key, value from facts where key in ('one', 'other')"))
        (states,) = copied.execute("select count(*) from snapshots where version >= 1000").fetchone()
    assert facts["one"] == facts["other"]
    assert before <= int(facts["one"]) <= busy.written
    assert states == 40


async def test_a_restored_copy_equals_the_original(home: Path, tmp_path: Path) -> None:
    before = await everything(url(home))
    backup(url(home), tmp_path / "copy.db")
    store = await Store.open(url(home))
    await new_table(store)
    await store.close()

    with pytest.raises(BadCopy, match="--force"):
        restore(url(home), tmp_path / "copy.db")
    restore(url(home), tmp_path / "copy.db", force=True)

    assert await everything(url(home)) == before


async def test_a_copy_goes_where_no_database_is(home: Path, tmp_path: Path) -> None:
    backup(url(home), tmp_path / "copy.db")

    restore(url(tmp_path / "other.db"), tmp_path / "copy.db")

    assert await everything(url(tmp_path / "other.db")) == await everything(url(home))


async def test_a_file_is_never_written_over(home: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious")

    with pytest.raises(BadCopy, match="already exists"):
        backup(url(home), tmp_path / "copy.db")

    assert (tmp_path / "copy.db").read_text() == "precious"


def test_of_nothing_there_is_no_copy(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnreachable, match="There's no database"):
        backup(url(tmp_path / "none.db"), tmp_path / "copy.db")

    assert list(tmp_path.iterdir()) == []


def spoil(path: Path, copy: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-9000:-100] = b"\xff" * 8900
    copy.write_bytes(data)


async def test_nothing_is_put_back_under_a_running_bot(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup(url(home), copy)
    before = await everything(url(home))

    with hold_file(url(home)), pytest.raises(AlreadyInUse, match="Another process runs the bot"):
        restore(url(home), copy, force=True)

    assert await everything(url(home)) == before
    assert {file for file in os.listdir(tmp_path) if file.startswith("copy.db")} == {"copy.db"}


async def test_a_copy_names_the_file_that_it_would_replace(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    backup(url(home), copy)

    with pytest.raises(BadCopy, match="you'd lose its contents"):
        restore(url(home), copy)
    with pytest.raises(BadCopy, match="There's no folder"):
        backup(url(home), tmp_path / "nowhere" / "copy.db")


async def test_a_file_that_is_no_copy_is_not_restored(home: Path, tmp_path: Path) -> None:
    damaged, newer, other = tmp_path / "damaged.db", tmp_path / "newer.db", tmp_path / "other.txt"
    spoil(home, damaged)
    backup(url(home), newer)
    with closing(sqlite3.connect(newer)) as copy:
        copy.execute("update alembic_version set version_num = '9999'")
        copy.execute("update facts set value = '9998' where key = 'usable from version'")
        copy.commit()
    other.write_text("no database at all" * 100)
    before = await everything(url(home))

    amiss = {
        damaged: "damaged",
        newer: "newer version",
        other: "isn't a copy from",
        tmp_path / "x": "no file",
    }
    for path, why in amiss.items():
        with pytest.raises(BadCopy, match=why):
            verify(url(home), path)
        with pytest.raises(BadCopy, match=why):
            restore(url(home), path, force=True)

    assert await everything(url(home)) == before
