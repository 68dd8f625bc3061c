"""Writes that wait at the same time share a commit, and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import IntegrityError

from db.batch import Conflict
from db.connection.availability import DatabaseUnavailable
from db.connection.writer import BATCH
from db.records import AuditRow, TableWrite
from db.store import Store
from tests.db.rows import SEATS, change, new_table, step

NO_SUCH_TABLE = 77


class Written(NamedTuple):
    """The results of several writes that were requested at the same time."""

    results: list[Any]
    commits: int

    @property
    def kinds(self) -> list[type]:
        return [type(result) for result in self.results]


@contextmanager
def at_commit(called: Callable[[object], None]) -> Iterator[None]:
    event.listen(Engine, "commit", called)
    try:
        yield
    finally:
        event.remove(Engine, "commit", called)


async def at_once(*writes: Awaitable[Any]) -> Written:
    """Make writes at the same time, and count their commits."""
    commits: list[object] = []
    with at_commit(commits.append):
        results = await asyncio.gather(*writes, return_exceptions=True)
    return Written(results, len(commits))


@pytest.fixture
async def tables(store: Store) -> list[int]:
    return [await new_table(store) for _ in range(20)]


def make_broken_change(table_id: int) -> TableWrite:
    """Return a change that the database refuses: two people on one seat."""
    return change(table_id, seats=(*SEATS, *SEATS))


async def versions(store: Store, tables: list[int]) -> list[int]:
    rows = [await store.table(number) for number in tables]
    return [row.version for row in rows if row is not None]


async def test_steps_of_many_tables_that_wait_together_share_one_commit(
    store: Store, tables: list[int]
) -> None:
    written = await at_once(*(store.commit(change(number)) for number in tables))

    assert written.commits == 1
    assert await versions(store, tables) == [1] * 20


async def test_writes_of_every_kind_share_it_too(store: Store, tables: list[int]) -> None:
    written = await at_once(
        store.commit(change(tables[0])),
        store.save_fact("key", "value"),
        store.commit(change(tables[1])),
        store.administration.add_audit(AuditRow(1, None, 2, "skip", "", 0.0)),
        new_table(store),
    )

    assert written.commits == 1
    assert written.results == [None, None, None, 1, tables[-1] + 1]


async def test_steps_that_come_one_after_another_are_each_safe_before_the_next(
    store: Store, tables: list[int]
) -> None:
    async def one_by_one() -> None:
        for number in tables[:3]:
            await store.commit(change(number))

    written = await at_once(one_by_one())

    assert written.commits == 3


async def test_more_than_one_batch_holds_is_written_in_several(store: Store) -> None:
    written = await at_once(*(store.save_fact(f"key {n}", str(n)) for n in range(BATCH + 1)))

    assert written.commits == 2
    assert await store.fact(f"key {BATCH}") == str(BATCH)


async def test_steps_of_one_table_that_wait_together_are_written_in_their_order(
    store: Store, tables: list[int]
) -> None:
    one, two, *_ = tables

    written = await at_once(
        store.commit(change(one, columns={"beat": 1})),
        store.commit(change(two)),
        store.commit(change(one, seen=1, columns={"beat": 2})),
        store.commit(change(one, seen=2, columns={"beat": 3})),
    )

    assert written.commits == 1
    assert await versions(store, [one, two]) == [3, 1]
    row = await store.table(one)
    assert row is not None
    assert row.beat == 3


async def test_a_step_from_an_older_version_keeps_none_of_its_neighbours(
    store: Store, tables: list[int]
) -> None:
    one, two, three, *_ = tables

    written = await at_once(
        store.commit(change(one)), store.commit(change(two, seen=5)), store.commit(change(three))
    )

    assert written.kinds == [type(None), Conflict, type(None)]
    assert await versions(store, [one, two, three]) == [1, 0, 1]
    assert await store.actions(two) == []


async def test_a_step_that_the_database_refuses_harms_none_of_its_neighbours(
    store: Store, tables: list[int]
) -> None:
    one, two, three, *_ = tables

    written = await at_once(
        store.commit(change(one)),
        store.commit(make_broken_change(two)),
        store.commit(change(three, actions=(step(1), step(2)))),
    )

    assert written.kinds == [type(None), IntegrityError, type(None)]
    assert written.commits == 1
    assert await versions(store, [one, two, three]) == [1, 0, 2]
    assert await store.seats(two) == list(SEATS)


async def test_any_other_write_that_fails_harms_none_of_its_neighbours(
    store: Store, tables: list[int]
) -> None:
    written = await at_once(
        store.save_fact("before", "1"),
        store.ask(NO_SUCH_TABLE, "board", 0, 1, False, 0.0),
        store.save_fact("after", "2"),
        store.commit(change(tables[0])),
    )

    assert written.kinds == [type(None), IntegrityError, type(None), type(None)]
    assert written.commits == 1
    assert [await store.fact("before"), await store.fact("after")] == ["1", "2"]
    assert await versions(store, tables[:1]) == [1]


async def test_when_the_commit_itself_fails_everybody_is_told_and_nothing_is_written(
    store: Store, tables: list[int]
) -> None:
    def disk_is_full(_connection: object) -> None:
        raise OSError("no space left")

    with at_commit(disk_is_full):
        written = await at_once(store.commit(change(tables[0])), store.save_fact("key", "value"))

    assert written.kinds == [DatabaseUnavailable, DatabaseUnavailable]
    assert await versions(store, tables[:1]) == [0]
    await store.commit(change(tables[0]))
    assert await versions(store, tables[:1]) == [1]


async def test_a_write_whose_asker_has_gone_away_harms_none_of_its_neighbours(
    store: Store, tables: list[int]
) -> None:
    impatient = asyncio.create_task(store.commit(change(tables[0])))
    patient = asyncio.create_task(store.commit(change(tables[1])))
    await asyncio.sleep(0)

    impatient.cancel()
    await patient

    assert impatient.cancelled()
    assert await versions(store, tables[1:2]) == [1]


async def test_an_idle_writer_leaves_no_task_behind(store: Store) -> None:
    def writers() -> list[str]:
        return [name for task in asyncio.all_tasks() if (name := task.get_name()) == "database writer"]

    writing = asyncio.create_task(store.save_fact("key", "value"))
    await asyncio.sleep(0)
    assert writers() == ["database writer"]

    await writing

    assert writers() == []


async def test_closing_waits_for_what_was_handed_in(database: str, store: Store) -> None:
    writing = [asyncio.create_task(store.save_fact(f"key {n}", str(n))) for n in range(3)]
    await asyncio.sleep(0)

    await store.close()

    again = await Store.open(database)
    assert [await again.fact(f"key {n}") for n in range(3)] == ["0", "1", "2"]
    await asyncio.gather(*writing)
    await again.close()


async def test_a_write_after_closing_leaves_no_connection_open(store: Store) -> None:
    await store.close()

    await store.save_fact("key", "late")
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "database writer"))

    assert store._write_engine.pool.checkedout() == 0  # type: ignore[attr-defined]  # queues have it
    assert await store.fact("key") == "late"
