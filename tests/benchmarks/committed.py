"""Moves through `tables`, each committed before it is acknowledged: to a SQLite file, and to PostgreSQL.

At one table, one move after another, with the time of a rematch between them; at 200 tables at once, whose
moves and rematches share commits; and in bare aiosqlite transactions of the same size, for the disk's own
limit. All in one run. The server is the benchmark's own, if there is one; it doesn't wait for the disk,
which the file does.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import aiosqlite

from db.records import OutboxRow
from db.store import Store
from engines.ribbon.pieces.components import RibbonOptions
from engines.workers import Workers
from tables.core.outbox import Delivery
from tables.core.table import Occupant
from tables.parlour import Parlour
from tables.people import Digest
from tests.benchmarks.measure import Figure
from tests.db.server import NoServer, own_server

ROUNDS = 5
ONE, MANY, EACH, SWAPS = 150, 200, 8, 12
ONE_TABLE, MANY_TABLES = "committed moves, one table", "committed moves, 200 tables at once"
AGAIN = "a rematch, opened and begun"
LATE = "a move at history 500 / a move at history 5"
ON_A_SERVER = ", on PostgreSQL"


class SilentCourier:
    """A courier that shows nothing, to measure moves without their pictures."""

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        return Delivery()

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        """Send nothing."""


def measure() -> Iterator[Figure]:
    """Yield committed moves on each database, and PostgreSQL's ratio to SQLite's."""
    figures = asyncio.run(_measure())
    yield from figures
    try:
        with own_server() as server:
            there = asyncio.run(_on_a_server(server.address))
    except NoServer:
        return
    yield from there
    here = {figure.name: statistics.median(figure.runs) for figure in figures}
    for figure in there:
        name = figure.name.removesuffix(ON_A_SERVER)
        ratio = statistics.median(figure.runs) / here[name]
        yield Figure(f"{name}, PostgreSQL / SQLite", [ratio], "ratio")


async def _on_a_server(address: str) -> list[Figure]:
    parlour = await _parlour(address)
    one, again, many, late = list[float](), list[float](), [], []
    for number in range(ROUNDS):
        one.append(await _alone(parlour, 2 * number, again))
        many.append(await _rate(parlour, MANY, EACH, 2 * number + 1))
        late.append(await _late_against_early(parlour, 9_000_001 + 10 * number))
    await parlour.close()
    await parlour.store.close()
    return [
        Figure(f"{ONE_TABLE}{ON_A_SERVER}", one, "moves/s"),
        Figure(f"{AGAIN}{ON_A_SERVER}", again, "ms"),
        Figure(f"{MANY_TABLES}{ON_A_SERVER}", many, "moves/s"),
        Figure(f"{LATE}{ON_A_SERVER}", late, "ratio", "<= 1.2"),
    ]


async def _measure() -> list[Figure]:
    bare, one, again, many, late = [], list[float](), list[float](), [], []
    for number in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            bare.append(await _bare(Path(folder) / "bare.db"))
            parlour = await _parlour(f"sqlite:///{folder}/parlour.db")
            one.append(await _alone(parlour, number, again))
            many.append(await _rate(parlour, MANY, EACH, number))
            late.append(await _late_against_early(parlour))
            await parlour.close()
            await parlour.store.close()
    return [
        Figure("bare aiosqlite transactions of the same size", bare, "commits/s"),
        Figure(ONE_TABLE, one, "moves/s", ">= 300, or half of bare"),
        Figure(
            "committed moves, one table / bare",
            [a / b for a, b in zip(one, bare, strict=True)],
            "ratio",
            ">= 0.5",
        ),
        Figure(AGAIN, again, "ms"),
        Figure(MANY_TABLES, many, "moves/s", ">= 1,000"),
        Figure(LATE, late, "ratio", "<= 1.2"),
    ]


async def _parlour(address: str) -> Parlour:
    store = await Store.open(address)
    return Parlour(store, Workers(1), SilentCourier(), time.time)


async def _bare(path: Path) -> float:
    """Return the disk's limit in transactions a second.

    Each has two small updates and an insert, with the same pragmas.
    """
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            await connection.execute(f"PRAGMA {pragma}")
        await connection.execute("create table tables (id integer primary key, version int, row text)")
        await connection.execute("create table actions (id int, version int, payload text)")
        await connection.execute("insert into tables values (1, 0, ?)", ("x" * 600,))
        begun = time.perf_counter()
        for version in range(ONE):
            await connection.execute("begin immediate")
            await connection.execute("select * from tables where id = 1")
            await connection.execute("update tables set version = ?, row = ?", (version, "y" * 600))
            await connection.execute("insert into actions values (1, ?, ?)", (version, "z" * 300))
            await connection.execute("commit")
        return ONE / (time.perf_counter() - begun)


async def _rate(parlour: Parlour, tables: int, moves: int, number: int) -> float:
    """Return the moves a second of several tables, rematches included."""
    ids = [await _begin_game(parlour, 1000 * number + seat) for seat in range(tables)]
    rngs = [Random(f"{number}.{table}") for table in ids]
    begun = time.perf_counter()
    await asyncio.gather(*(_play(parlour, i, moves, r) for i, r in zip(ids, rngs, strict=True)))
    return tables * moves / (time.perf_counter() - begun)


async def _alone(parlour: Parlour, number: int, again: list[float]) -> float:
    """Return one table's moves a second; add each rematch's milliseconds to `again`."""
    table, before = await _begin_game(parlour, 1000 * number), len(again)
    begun = time.perf_counter()
    again += await _play(parlour, table, ONE, Random(f"{number}.{table}"))
    return ONE / (time.perf_counter() - begun - sum(again[before:]) / 1000)


async def _begin_game(parlour: Parlour, host: int) -> int:
    people = (Occupant("Ann", 10 * host + 1), Occupant("Bo", 10 * host + 2))
    table = await parlour.lobby.create(
        1, 2, people[0], "ribbon", RibbonOptions(ribbon_choice="random"), people[1:]
    )
    return (await parlour.lobby.start(table.id, 10 * host + 1)).id


async def _play(parlour: Parlour, table_id: int, moves: int, rng: Random) -> list[float]:
    """Make `moves` moves at a table; return the milliseconds of its rematches."""
    again = []
    for _ in range(moves):
        table = await parlour.table(table_id)
        if not table.owing:
            begun = time.perf_counter()
            lobby = await parlour.lobby.rematch(table_id, table.people[0])
            table = await parlour.lobby.start(lobby.id, table.people[0])
            table_id = table.id
            again.append((time.perf_counter() - begun) * 1000)
        user = table.seats[table.owing[0]].user_id or 0
        legal = await parlour.play.moves(table_id, user)
        await parlour.play.move(table_id, user, [rng.choice(legal)])
    return again


async def _late_against_early(parlour: Parlour, host: int = 9_000_001) -> float:
    """Return the ratio of a late step's time to an early one's."""
    late, early = await _pair(parlour, host), await _pair(parlour, host + 2)
    while (await parlour.table(late)).version < 500:
        await _swap(parlour, late, host + 1)
    spent: dict[int, list[float]] = {late: [], early: []}
    for _ in range(SWAPS):
        for table_id, user in ((late, host + 1), (early, host + 3)):
            spent[table_id].append(await _swap(parlour, table_id, user))
    return statistics.median(spent[late]) / statistics.median(spent[early])


async def _pair(parlour: Parlour, host: int) -> int:
    """Make a co-op game in which the second player may swap."""
    people = (Occupant("Ann", host), Occupant("Bo", host + 1))
    options = RibbonOptions(mode="coop", first="host")
    table = await parlour.lobby.create(1, 2, people[0], "ribbon", options, people[1:])
    await parlour.lobby.start(table.id, host)
    for user in (host, host + 1):
        await parlour.play.move(table.id, user, [(await parlour.play.moves(table.id, user))[0]])
    return table.id


async def _swap(parlour: Parlour, table_id: int, user: int) -> float:
    """Swap and undo it; return the seconds of the swap."""
    swap = (await parlour.play.moves(table_id, user))[0]
    begun = time.perf_counter()
    await parlour.play.move(table_id, user, [swap])
    spent = time.perf_counter() - begun
    await parlour.play.undo(table_id, user)
    return spent
