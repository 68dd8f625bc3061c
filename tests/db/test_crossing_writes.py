"""Writes that cross those of other processes, are cut off, or are cancelled: all are answered, and truly."""

import asyncio
import threading
from typing import Any

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from db import schema
from db.batch import Conflict
from db.connection import writer
from db.connection.availability import CommitUnknown, DatabaseUnavailable
from db.connection.writer import Writer, _CommitUnanswered
from db.store import Store
from tests.db.rows import change, new_table


class TableEnded(Exception):
    """The driver's error for a transaction that the server has ended."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(f"deadlock detected ({sqlstate})")
        self.sqlstate = sqlstate


def fail_first(monkeypatch: pytest.MonkeyPatch, store: Store, times: int, error: Exception) -> list[int]:
    """Fail the first batches with an error; return the number of batches."""
    carried_out: list[int] = []
    apply = store._writer._apply

    def failing(connection: Any, jobs: list[Any], careful: bool) -> list[Any]:
        carried_out.append(len(jobs))
        if len(carried_out) <= times:
            raise error
        return apply(connection, jobs, careful)

    monkeypatch.setattr(store._writer, "_apply", failing)
    monkeypatch.setattr(writer, "CROSSING_PAUSE", 0.0)
    return carried_out


@pytest.mark.parametrize("sqlstate", ["40P01", "40001"])
async def test_a_write_that_was_crossed_is_carried_out_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, sqlstate: str
) -> None:
    carried_out = fail_first(monkeypatch, store, 5, DBAPIError("", {}, TableEnded(sqlstate)))

    await store.save_fact("key", "value")

    assert len(carried_out) == 6
    assert await store.fact("key") == "value"


async def test_a_write_that_is_crossed_again_and_again_is_unavailable_and_no_error(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_first(monkeypatch, store, 100, DBAPIError("", {}, TableEnded("40P01")))

    with pytest.raises(DatabaseUnavailable) as refused:
        await store.save_fact("key", "value")

    assert refused.value.cause == "locked"


async def test_crossing_writes_of_two_processes_all_succeed_or_conflict(
    store: Store, second_store: Store
) -> None:
    tables = [await new_table(store) for _ in range(6)]

    async def write(one: Store, order: list[int]) -> list[BaseException | int | None]:
        return await asyncio.gather(*(one.commit(change(table)) for table in order), return_exceptions=True)

    here, there = await asyncio.gather(write(store, tables), write(second_store, tables[::-1]))

    for mine, theirs in zip(here, reversed(there), strict=True):
        assert sorted(isinstance(one, Conflict) for one in (mine, theirs)) == [False, True]
        assert all(one is None or isinstance(one, Conflict) for one in (mine, theirs))


async def test_a_cancelled_writer_writes_what_waits_and_answers(store: Store) -> None:
    first = [asyncio.create_task(store.save_fact(f"first {number}", "1")) for number in range(3)]
    await asyncio.sleep(0)
    task = store._writer._task
    assert task is not None

    task.cancel()
    second = [asyncio.create_task(store.save_fact(f"second {number}", "1")) for number in range(3)]
    await asyncio.gather(*first, *second)
    await store.save_fact("third", "1")

    for key in ("first 0", "first 2", "second 0", "second 2", "third"):
        assert await store.fact(key) == "1"


async def test_a_batch_that_is_cut_off_is_told_as_unknown(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PAUSES", (0.0, 0.0))

    async def lost(_self: Writer, jobs: list[Any], *, careful: bool) -> list[Any]:
        raise _CommitUnanswered(7, [None for _ in jobs], OSError("the connection was lost"))

    def unreachable(*_args: object) -> Any:
        raise OSError("no server")

    with monkeypatch.context() as broken:
        broken.setattr(Writer, "_transaction", lost)
        broken.setattr(store._writer._engine.__class__, "connect", unreachable)
        with pytest.raises(CommitUnknown, match="no server"):
            await store.save_fact("key", "value")


@pytest.mark.as_in_use
async def test_what_a_batch_reads_first_still_holds_when_it_writes(store: Store, second_store: Store) -> None:
    """Else a table's next entry could be written without the table."""
    table = await new_table(store)
    read, written = threading.Event(), threading.Event()

    def read_and_wait(connection: Connection) -> tuple[int, int]:
        version = select(schema.tables.c.version).where(schema.tables.c.id == table).with_for_update()
        before = connection.execute(version).scalar_one()
        read.set()
        written.wait(1)
        return before, connection.execute(version).scalar_one()

    waiting = asyncio.create_task(store._writer.write(read_and_wait))
    await asyncio.to_thread(read.wait)
    moving = asyncio.create_task(second_store.commit(change(table)))
    moving.add_done_callback(lambda _: written.set())

    assert await waiting == (0, 0)
    assert await moving is None
