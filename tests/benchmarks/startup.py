"""Start-up of the bot on a database with 10,000 open tables: time and memory, in a new process."""

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import create_async_engine

from db import schema
from db.connection.opening import database_url
from db.store import Store
from engines.ribbon.pieces.components import RibbonOptions
from engines.workers import Workers
from tables.core.table import Occupant
from tables.parlour import Parlour
from tests.benchmarks.committed import SilentCourier
from tests.benchmarks.measure import Figure

TABLES = 10_000
RUNS = 3


def measure() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        full, empty = f"sqlite:///{folder}/full.db", f"sqlite:///{folder}/empty.db"
        asyncio.run(fill(full))
        asyncio.run(_open(empty))
        runs = {name: [_start(url) for _ in range(RUNS)] for name, url in (("10,000", full), ("no", empty))}
    for name, pairs in runs.items():
        aim = "<= 2" if name == "10,000" else None
        yield Figure(f"start-up with {name} open tables", [seconds for seconds, _ in pairs], "s", aim)
        yield Figure(f"memory with {name} open tables", [memory for _, memory in pairs], "MB")


async def _open(url: str) -> None:
    await (await Store.open(url)).close()


def _one_server(_number: int) -> int:
    return 1


async def fill(url: str, tables: int = TABLES, guild_of: Callable[[int], int] = _one_server) -> None:
    """Fill a database with copies of one real game of two people."""
    store = await Store.open(url)
    parlour = Parlour(store, Workers(1), SilentCourier(), time.time)
    people = (Occupant("Ann", 1), Occupant("Bo", 2))
    table = await parlour.lobby.create(
        1, 2, people[0], "ribbon", RibbonOptions(ribbon_choice="random"), people[1:]
    )
    await parlour.lobby.start(table.id, 1)
    row = await store.table(table.id)
    actions, snapshot = await store.actions(table.id), await store.snapshot(table.id, 10)
    assert row is not None
    assert snapshot is not None
    numbers = range(table.id + 1, table.id + tables)
    plain, step = msgspec.structs.asdict(row), msgspec.structs.asdict(actions[0])
    await parlour.close()
    await parlour.store.close()
    engine = create_async_engine(database_url(url))
    async with engine.begin() as connection:
        await connection.execute(
            insert(schema.tables),
            [{**plain, "id": n, "guild_id": guild_of(n), "thread_id": n} for n in numbers],
        )
        await connection.execute(
            insert(schema.seats),
            [
                {"table_id": n, "seat": seat, "user_id": 10 * n + seat, "name": "Ann", "strength": None}
                for n in numbers
                for seat in (0, 1)
            ],
        )
        await connection.execute(insert(schema.actions), [{"table_id": n, **step} for n in numbers])
        await connection.execute(
            insert(schema.snapshots),
            [{"table_id": n, "version": snapshot[0], "state": snapshot[1]} for n in numbers],
        )
        if engine.dialect.name == "postgresql":  # or the next table would get a number that is taken
            await connection.execute(text("SELECT setval('tables_id_seq', (SELECT max(id) FROM tables))"))
            await connection.execute(text("ANALYZE"))
    await engine.dispose()


def _start(url: str) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.startup", url],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    seconds, memory = json.loads(done.stdout.splitlines()[-1])
    return float(seconds), float(memory)


async def _start_bot(url: str) -> None:
    """Start the bot as `make run` does, until it serves. Discord is simulated."""
    begun = time.perf_counter()
    import simcord

    from host.client import ParlourBot

    store = await Store.open(url)
    workers = Workers(1)
    env = simcord.Env(ParlourBot(store, workers), settle_timeout=60, check_errors=False, shard_count=1)
    await env.start()
    spent = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    await env.shutdown()
    await store.close()
    workers.close()
    print(json.dumps([spent, memory]))


if __name__ == "__main__":
    asyncio.run(_start_bot(sys.argv[1]))
