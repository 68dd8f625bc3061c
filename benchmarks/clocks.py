"""What time costs: a sweep by what is due, however many tables are open."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from benchmarks.committed import Nowhere
from benchmarks.measure import Figure
from db import schema
from db.store import Store, database_url
from engines.ribbon.options import Options
from engines.workers import Workers
from tables.clocks.pace import DAY
from tables.model import Sitter
from tables.parlour import Parlour

ROUNDS, OPEN, DUE = 5, 10_000, 50


def measure() -> Iterator[Figure]:
    """The figures of a sweep."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'parlour.db'}"
        store, beside = await Store.open(address), create_async_engine(database_url(address))
        began = time.time()
        later = 0.0
        parlour = Parlour(store, Workers(1), Nowhere(), lambda: began + later)
        numbers = await _tables(parlour, beside)
        later = 1.5 * DAY
        nothing, due = [], []
        await store.save_fact("alive", repr(began + later))
        await parlour.passing.sweep()
        for number in range(ROUNDS):
            nothing.append(await _sweep(parlour))
            await _make_due(beside, numbers[number * DUE : (number + 1) * DUE], began)
            due.append(await _sweep(parlour))
        await parlour.close()
        await store.close()
        await beside.dispose()
    return [
        Figure(f"a sweep, {OPEN:,} tables open, none due", nothing, "ms", "<= 5"),
        Figure(f"a sweep, {OPEN:,} tables open, {DUE} due: reminders", due, "ms", "<= 50"),
    ]


async def _sweep(parlour: Parlour) -> float:
    begun = time.perf_counter()
    await parlour.passing.sweep()
    return 1000 * (time.perf_counter() - begun)


async def _tables(parlour: Parlour, beside: AsyncEngine) -> list[int]:
    """One game that has begun, ten thousand times, with nothing due for years."""
    people = (Sitter("Ann", 1), Sitter("Bo", 2))
    table = await parlour.lobby.create(1, 2, people[0], "ribbon", Options(mode="coop"), people[1:])
    await parlour.lobby.start(table.id, 1)
    await parlour.outbox.finish()
    async with beside.begin() as connection:
        row = dict((await connection.execute(select(schema.tables))).mappings().one())
        seats = [dict(seat) for seat in (await connection.execute(select(schema.seats))).mappings()]
        state = dict((await connection.execute(select(schema.snapshots))).mappings().one())
        numbers = range(row["id"] + 1, row["id"] + OPEN)
        await connection.execute(
            insert(schema.tables), [{**row, "id": n, "due_at": row["due_at"] + 1000 * DAY} for n in numbers]
        )
        await connection.execute(
            insert(schema.seats),
            [{**seat, "table_id": n, "user_id": 10 * n + seat["seat"]} for n in numbers for seat in seats],
        )
        await connection.execute(insert(schema.snapshots), [{**state, "table_id": n} for n in numbers])
        t = schema.tables.c
        await connection.execute(
            update(schema.tables).where(t.id == row["id"]).values(due_at=row["due_at"] + 1000 * DAY)
        )
    return list(numbers)


async def _make_due(beside: AsyncEngine, numbers: list[int], at: float) -> None:
    """Let a reminder be due at these tables."""
    async with beside.begin() as connection:
        t = schema.tables.c
        await connection.execute(update(schema.tables).where(t.id.in_(numbers)).values(due_at=at))
