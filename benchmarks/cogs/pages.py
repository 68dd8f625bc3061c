"""Pages of ten games of each kind, with few and many seats: their size, and their cost for a worker."""

import asyncio
import tempfile
import time
from collections.abc import Iterator

from benchmarks.cogs.flow import callbacks
from benchmarks.measure import Figure
from benchmarks.tables.committed import SilentCourier
from benchmarks.tables.replay import play_game
from bot import spare_the_collector
from cogs.review.page import PageWriter
from db.store import Store
from engines.registry import SLUGS, game
from engines.workers import Workers
from tables.parlour import Parlour

GAMES = 10


def measure() -> Iterator[Figure]:
    spare_the_collector()
    for slug in SLUGS:
        yield from asyncio.run(_measure(slug))


async def _measure(slug: str) -> list[Figure]:
    workers = Workers(1)
    rules, sizes, times, turns, held = game(slug), list[float](), list[float](), list[float](), list[float]()
    seats = rules.seats_for(rules.Options())
    several = [number for number in seats if number > 1] or list(seats)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/{slug}.db")
        parlour = Parlour(store, workers, SilentCourier(), time.time)
        for number in range(GAMES):
            table = await play_game(parlour, slug, number, several[number % len(several)])
            before = await workers.run(time.process_time)
            writer = PageWriter(parlour.record, workers, table, None, "light")
            with callbacks() as spent:
                data = await asyncio.create_task(writer.write())
            held += spent
            times.append(await workers.run(time.process_time) - before)
            sizes.append(len(data) / 1e6)
            turns.append((await parlour.record.turns(table))[-1].number)
        await store.close()
    workers.close()
    return [
        Figure(f"{slug}: turns of a game for {several[0]} to {several[-1]}", turns, "turns"),
        Figure(f"{slug}: its page", sizes, "MB", "<= 3"),
        Figure(f"{slug}: its page", times, "s CPU in the worker"),
        Figure(f"{slug}: one callback on the event loop", held, "ms CPU", "<= 10 at most"),
    ]
