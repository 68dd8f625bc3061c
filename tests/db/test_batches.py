import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, event, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from db import schema
from db.batch import Conflict
from db.connection import writer
from db.connection.writer import BATCH, CommitUnknown, DatabaseUnavailable, Writer, _CommitUnanswered
from db.records import AuditRow, SeatRow
from db.store import Store
from tests.db.rows import BO, LOBBY, SEATS, change, everything, new_table, step

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


async def versions(store: Store, tables: list[int]) -> list[int]:
    rows = [await store.table(number) for number in tables]
    return [row.version for row in rows if row is not None]


async def test_waiting_steps_of_many_tables_share_one_commit(store: Store, tables: list[int]) -> None:
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


async def test_successive_steps_are_each_safe_before_the_next(store: Store, tables: list[int]) -> None:
    async def one_by_one() -> None:
        for number in tables[:3]:
            await store.commit(change(number))

    written = await at_once(one_by_one())

    assert written.commits == 3


async def test_what_no_batch_holds_is_written_in_several_and_a_step_keeps_the_rest(store: Store) -> None:
    written = await at_once(*(store.save_fact(f"key {n}", str(n)) for n in range(BATCH + 1)))

    assert written.commits == 2
    assert await store.fact(f"key {BATCH}") == str(BATCH)

    number = await new_table(store, thread_id=6)

    await store.commit(change(number))

    assert await store.table(number) == replace(LOBBY, id=number, version=1, thread_id=6)
    assert await store.seats(number) == list(SEATS)
    assert await store.snapshot(number, 1) is None
    assert await store.outbox_of(number, 0.0) == []


async def test_waiting_steps_of_a_table_keep_their_order(store: Store, tables: list[int]) -> None:
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


@pytest.mark.parametrize(
    ("spoilt", "error"),
    [({"seen": 5}, Conflict), ({"seats": (*SEATS, *SEATS)}, IntegrityError)],
    ids=["of an older version", "with two people on one seat"],
)
async def test_a_refused_step_harms_none_of_its_neighbours(
    store: Store, tables: list[int], spoilt: dict[str, Any], error: type[Exception]
) -> None:
    one, two, three, *_ = tables

    written = await at_once(
        store.commit(change(one)),
        store.commit(change(two, **spoilt)),
        store.commit(change(three, actions=(step(1), step(2)))),
    )

    assert written.kinds == [type(None), error, type(None)]
    assert written.commits == 1
    assert await versions(store, [one, two, three]) == [1, 0, 2]
    assert await store.actions(two) == []
    assert await store.seats(two) == list(SEATS)


async def test_another_failed_write_harms_none_of_its_neighbours(store: Store, tables: list[int]) -> None:
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


async def test_a_failed_commit_writes_nothing_and_tells_everybody(store: Store, tables: list[int]) -> None:
    def disk_is_full(_connection: object) -> None:
        raise OSError("no space left")

    with at_commit(disk_is_full):
        written = await at_once(store.commit(change(tables[0])), store.save_fact("key", "value"))

    assert written.kinds == [DatabaseUnavailable, DatabaseUnavailable]
    assert await versions(store, tables[:1]) == [0]
    await store.commit(change(tables[0]))
    assert await versions(store, tables[:1]) == [1]


async def test_an_abandoned_write_harms_none_of_its_neighbours(store: Store, tables: list[int]) -> None:
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


SEATED_ANEW = (SeatRow(0, BO, "Bo", None),)


def full(table_id: int, seen: int) -> Any:
    return change(
        table_id,
        seen,
        columns={"phase": "play", "beat": 3, "computer_due": True, "touched_at": 2000.0},
        actions=(step(seen + 1), step(seen + 2, kind="forced")),
        snapshot=b"state",
        seats=SEATED_ANEW,
        outbox=(("board", 0, True, 0.0), ("hand", BO, False, 0.0)),
    )


async def test_every_part_of_a_step_is_written(store: Store) -> None:
    number = await new_table(store)

    await store.commit(full(number, seen=0))

    assert await store.table(number) == replace(
        LOBBY, id=number, version=2, phase="play", beat=3, computer_due=True, touched_at=2000.0
    )
    assert await store.actions(number) == [step(1), step(2, kind="forced")]
    assert await store.snapshot(number, 2) == (2, b"state")
    assert await store.seats(number) == list(SEATED_ANEW)
    assert [(row.kind, row.version) for row in await store.outbox_of(number, 0.0)] == [
        ("board", 2),
        ("hand", 2),
    ]


@pytest.mark.parametrize(
    ("number", "seen"), [(1, 0), (1, 1), (1, 3), (77, 0)], ids=["older", "still older", "newer", "no table"]
)
async def test_nothing_is_written_from_another_version_than_the_tables(
    database: str, store: Store, number: int, seen: int
) -> None:
    assert await new_table(store) == 1
    await store.commit(change(1))
    await store.commit(change(1, seen=1))
    before = await everything(database)

    with pytest.raises(Conflict, match=f"table {number} has moved on"):
        await store.commit(full(number, seen))

    assert await everything(database) == before


async def test_a_step_that_cannot_be_written_leaves_nothing_of_itself(database: str, store: Store) -> None:
    number = await new_table(store)
    before = await everything(database)

    with pytest.raises(Exception, match=r"(?i)unique"):
        await store.commit(replace(full(number, seen=0), seats=SEATED_ANEW * 2))

    assert await everything(database) == before


async def test_a_second_process_gets_a_conflict_and_can_go_on(store: Store, second_store: Store) -> None:
    number = await new_table(store)
    await store.commit(change(number))

    with pytest.raises(Conflict):
        await second_store.commit(change(number))

    row = await second_store.table(number)
    assert row is not None
    await second_store.commit(change(number, seen=row.version))
    assert len(await store.actions(number)) == 2


async def test_of_two_writing_processes_exactly_one_succeeds(store: Store, second_store: Store) -> None:
    numbers = [await new_table(store) for _ in range(10)]

    written = await asyncio.gather(
        *(process.commit(change(number)) for number in numbers for process in (store, second_store)),
        return_exceptions=True,
    )

    pairs = zip(written[::2], written[1::2], strict=True)
    assert all(sorted(map(type, pair), key=str) == [type(None), Conflict] for pair in pairs)
    assert [len(await store.actions(number)) for number in numbers] == [1] * 10


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


async def test_an_ever_crossed_write_is_unavailable(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_first(monkeypatch, store, 100, DBAPIError("", {}, TableEnded("40P01")))

    with pytest.raises(DatabaseUnavailable) as refused:
        await store.save_fact("key", "value")

    assert refused.value.cause == "locked"


async def test_crossing_writes_all_succeed_or_conflict(store: Store, second_store: Store) -> None:
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


async def test_a_cut_batch_is_reported_as_unknown(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
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
