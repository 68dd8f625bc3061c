"""A step is written whole, or not at all when its table has moved on."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from db.batch import Conflict
from db.records import SeatRow
from db.store import Store
from tests.db.rows import BO, LOBBY, SEATS, change, everything, new_table, step

pytestmark = pytest.mark.slow
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


async def test_a_step_keeps_everything_that_it_does_not_name(store: Store) -> None:
    number = await new_table(store, thread_id=6)

    await store.commit(change(number))

    assert await store.table(number) == replace(LOBBY, id=number, version=1, thread_id=6)
    assert await store.seats(number) == list(SEATS)
    assert await store.snapshot(number, 1) is None
    assert await store.outbox_of(number, 0.0) == []


@pytest.mark.parametrize("seen", [0, 1, 3], ids=["older", "still older", "newer"])
async def test_nothing_is_written_from_another_version_than_the_tables(
    database: str, store: Store, seen: int
) -> None:
    number = await new_table(store)
    await store.commit(change(number))
    await store.commit(change(number, seen=1))
    before = await everything(database)

    with pytest.raises(Conflict, match=f"table {number} has moved on"):
        await store.commit(full(number, seen))

    assert await everything(database) == before


async def test_nothing_is_written_for_a_table_that_is_not_there(database: str, store: Store) -> None:
    before = await everything(database)

    with pytest.raises(Conflict):
        await store.commit(full(77, seen=0))

    assert await everything(database) == before


async def test_a_step_that_cannot_be_written_leaves_nothing_of_itself(database: str, store: Store) -> None:
    number = await new_table(store)
    before = await everything(database)

    with pytest.raises(Exception, match=r"(?i)unique"):
        await store.commit(replace(full(number, seen=0), seats=SEATED_ANEW * 2))

    assert await everything(database) == before


async def test_a_second_process_gets_a_conflict_and_may_go_on_from_what_it_finds(
    store: Store, second_store: Store
) -> None:
    number = await new_table(store)
    await store.commit(change(number))

    with pytest.raises(Conflict):
        await second_store.commit(change(number))

    row = await second_store.table(number)
    assert row is not None
    await second_store.commit(change(number, seen=row.version))
    assert len(await store.actions(number)) == 2


async def test_of_two_processes_that_write_at_once_exactly_one_gets_through(
    store: Store, second_store: Store
) -> None:
    numbers = [await new_table(store) for _ in range(10)]

    written = await asyncio.gather(
        *(process.commit(change(number)) for number in numbers for process in (store, second_store)),
        return_exceptions=True,
    )

    pairs = zip(written[::2], written[1::2], strict=True)
    assert all(sorted(map(type, pair), key=str) == [type(None), Conflict] for pair in pairs)
    assert [len(await store.actions(number)) for number in numbers] == [1] * 10
