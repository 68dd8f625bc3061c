"""A database is carried over into another: every row, every number, or nothing."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from db import backup as moving
from db.backup import BadCopy, move
from db.condition import OLDEST, USABLE_FROM
from db.records import AuditRow
from db.store import Store
from tests import swift
from tests.db.rows import everything, new_table


@pytest.fixture
async def old(tmp_path: Path, schema_file: Path) -> str:
    """Return a SQLite database with tables; its newest one is erased."""
    address = f"sqlite:///{tmp_path}/old.db"
    shutil.copyfile(schema_file, tmp_path / "old.db")
    store = swift.open_migrated(address)
    for _ in range(moving.BATCH // 100):
        await new_table(store)
    await store.close()
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.execute("pragma foreign_keys = on")
        connection.execute("delete from tables where id = (select max(id) from tables)")
        connection.execute(
            "insert into audit (guild_id, actor_id, action, detail, at) values (1, 2, 'x', '', 0)"
        )
        connection.commit()
    return address


async def test_every_row_is_carried_over(old: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "BATCH", 3)

    numbers = await move(old, database)

    assert numbers["tables"] == 4
    assert await everything(database) == await everything(old)


async def test_the_number_of_an_erased_table_is_not_given_again(old: str, database: str) -> None:
    await move(old, database)

    store = await Store.open(database)
    number = await new_table(store)
    await store.administration.add_audit(AuditRow(1, None, 2, "y", "", 1.0))
    await store.close()

    assert number == 6


async def test_a_round_trip_changes_nothing(old: str, database: str, tmp_path: Path) -> None:
    await move(old, database)

    await move(database, f"sqlite:///{tmp_path}/back.db")

    assert await everything(f"sqlite:///{tmp_path}/back.db") == await everything(old)


async def test_a_database_that_holds_something_is_left_alone(old: str, database: str) -> None:
    store = await Store.open(database)
    await new_table(store)
    await store.close()
    before = await everything(database)

    with pytest.raises(BadCopy, match="isn't empty"):
        await move(old, database)

    assert await everything(database) == before


async def test_an_old_version_is_brought_up_to_date_first(
    old: str, database: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("next_version")

    with pytest.raises(BadCopy, match=r"at version \d+; update it first"):
        await move(old, database)


async def test_a_wrong_copy_is_not_kept(old: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number_on = moving._number_on

    def spoil(connection: Any, table: Any, column: Any, last: int) -> None:
        number_on(connection, table, column, last)
        connection.exec_driver_sql("update tables set host_id = host_id + 1 where id = 2")

    monkeypatch.setattr(moving, "_number_on", spoil)

    with pytest.raises(BadCopy, match=r"differs in tables, row \[2\]"):
        await move(old, database)

    left = await everything(database)
    del left["alembic_version"]
    assert [row for rows in left.values() for row in rows] == [(USABLE_FROM, OLDEST)]
