"""The cost of standings with 10,000 rated games: reading them, and recomputing all ratings."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import msgspec
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.cogs.flow import callbacks
from benchmarks.measure import Figure
from benchmarks.tables.committed import SilentCourier
from db import schema
from db.connection.opening import database_url
from db.records.results import ResultRow
from db.records.tables import TableRow
from db.store import Store
from engines.workers import Workers
from tables.parlour import Parlour
from tables.standings.results import ResultKind

GAMES, PEOPLE, SEATS = 10_000, 1_000, 4
GUILD, GAME, DAY = 1, "tangle", 86_400.0
ROUNDS = 20


def measure() -> Iterator[Figure]:
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'parlour.db'}"
        await _fill(address)
        store, workers = await Store.open(address), Workers(1)
        parlour = Parlour(store, workers, SilentCourier(), time.time)
        standings = parlour.standings
        await workers.start()
        with callbacks() as held:
            recounting = asyncio.create_task(standings.recount(GUILD, GAME))
            begun = time.perf_counter()
            await recounting
            again = [1000 * (time.perf_counter() - begun)]
        board = await _time_work(lambda: standings.leaderboard(GUILD, GAME, 7, 0, 10), ROUNDS)
        last = await _time_work(lambda: standings.leaderboard(GUILD, GAME, 7, PEOPLE - 10, 10), ROUNDS)
        profile = await _time_work(lambda: standings.profile(GUILD, 7, 7), ROUNDS)
        check = await _time_work(store.standings.find_wrong_ratings, ROUNDS)
        await parlour.close()
        await store.close()
        workers.close()
    return [
        Figure(f"{GAMES:,} rated games: the leaderboard", board, "ms", "<= 100"),
        Figure(f"{GAMES:,} rated games: its last part", last, "ms", "<= 100"),
        Figure(f"{GAMES:,} rated games: a profile", profile, "ms", "<= 100"),
        Figure(f"{GAMES:,} rated games: all ratings worked out again", again, "ms"),
        Figure(
            f"{GAMES:,} rated games: one callback on the event loop meanwhile",
            held,
            "ms CPU",
            "<= 10 at most",
        ),
        Figure(f"{GAMES:,} rated games: whether they fit, at a start", check, "ms"),
    ]


async def _time_work(work: Callable[[], Awaitable[object]], rounds: int) -> list[float]:
    """Return the milliseconds of some work, time after time."""
    result = []
    for _ in range(rounds):
        begun = time.perf_counter()
        await work()
        result.append(1000 * (time.perf_counter() - begun))
    return result


async def _fill(address: str) -> None:
    """Insert finished games of four people each, with random places."""
    await (await Store.open(address)).close()
    rng, engine = Random(1), create_async_engine(database_url(address))
    async with engine.begin() as connection:
        tables = [msgspec.structs.asdict(_table(number)) for number in range(1, GAMES + 1)]
        await connection.execute(insert(schema.tables), tables)
        rows = [msgspec.structs.asdict(row) for number in range(1, GAMES + 1) for row in _game(number, rng)]
        await connection.execute(insert(schema.results), rows)
    await engine.dispose()


def _table(number: int) -> TableRow:
    return TableRow(
        id=number,
        guild_id=GUILD,
        channel_id=2,
        thread_id=None,
        game=GAME,
        options="{}",
        phase="over",
        host_id=1,
        version=80,
        beat=80,
        owing="[]",
        computer_due=False,
        seed="5eed",
        salt="5a17",
        deal=None,
        outcome=None,
        created_at=number * DAY,
        touched_at=number * DAY,
    )


def _game(number: int, rng: Random) -> Iterator[ResultRow]:
    people = rng.sample(range(1, PEOPLE + 1), SEATS)
    places = [1, 2, 3, 4] if rng.random() < 0.8 else [1, 1, 3, 4]
    for user_id, place in zip(people, places, strict=True):
        yield ResultRow(
            table_id=number,
            user_id=user_id,
            guild_id=GUILD,
            game=GAME,
            kind=ResultKind.VERSUS,
            options="{}",
            name=f"Person {user_id}",
            seats=SEATS,
            stayed=True,
            counts=True,
            place=place,
            won=None,
            score=None,
            turns=20,
            seconds=20 * DAY,
            ended_at=number * DAY,
        )
