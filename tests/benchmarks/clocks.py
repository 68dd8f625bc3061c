"""The cost of time: a sweep depends on the due tables, not on the open ones."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from db import schema
from db.connection.opening import database_url
from db.store import Store
from engines.workers import Workers
from tables.clocks.pace import DAY
from tables.parlour import Parlour
from tests.benchmarks.committed import SilentCourier
from tests.benchmarks.measure import Figure
from tests.benchmarks.startup import TABLES, fill

ROUNDS, DUE = 5, 50


def measure() -> Iterator[Figure]:
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'parlour.db'}"
        await fill(address)
        store, beside = await Store.open(address), create_async_engine(database_url(address))
        began = time.time()
        later = 0.0
        parlour = Parlour(store, Workers(1), SilentCourier(), lambda: began + later)
        numbers = await _postpone_all(beside)
        later = 1.5 * DAY
        nothing, due = [], []
        await store.save_fact("alive", repr(began + later))
        await parlour.due.sweep()
        for number in range(ROUNDS):
            nothing.append(await _sweep(parlour))
            await _make_due(beside, numbers[number * DUE : (number + 1) * DUE], began)
            due.append(await _sweep(parlour))
            await parlour.outbox.finish()
        await parlour.close()
        await store.close()
        await beside.dispose()
    return [
        Figure(f"a sweep, {TABLES:,} tables open, none due", nothing, "ms", "<= 5"),
        Figure(f"a sweep, {TABLES:,} tables open, {DUE} due: reminders", due, "ms", "<= 50"),
    ]


async def _sweep(parlour: Parlour) -> float:
    begun = time.perf_counter()
    await parlour.due.sweep()
    return 1000 * (time.perf_counter() - begun)


async def _postpone_all(beside: AsyncEngine) -> list[int]:
    async with beside.begin() as connection:
        t = schema.tables.c
        await connection.execute(update(schema.tables).values(due_at=t.due_at + 1000 * DAY))
        return list((await connection.execute(select(t.id))).scalars())


async def _make_due(beside: AsyncEngine, numbers: list[int], at: float) -> None:
    async with beside.begin() as connection:
        t = schema.tables.c
        await connection.execute(update(schema.tables).where(t.id.in_(numbers)).values(due_at=at))
