"""Bytes of a game in the database, with its whole history."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from random import Random

from sqlalchemy import text

from benchmarks.measure import Figure
from benchmarks.tables.committed import SilentCourier
from db.store import Store
from engines.game import Strength
from engines.registry import SLUGS, game
from engines.workers import Workers
from tables.core.table import OPEN, Occupant
from tables.parlour import Parlour

EACH = 4


def measure() -> Iterator[Figure]:
    """Yield figures of whole games: fewest seats, random moves, medium computers."""
    workers = Workers(2)
    for slug in SLUGS:
        sizes, moves = asyncio.run(_measure_sizes(workers, slug))
        yield Figure(f"{slug}: a game with its history", sizes, "KB")
        yield Figure(f"{slug}: entries of its history", moves, "")
    workers.close()


async def _measure_sizes(workers: Workers, slug: str) -> tuple[list[float], list[float]]:
    sizes, moves = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/parlour.db")
        before = await _size(store)
        parlour = Parlour(store, workers, SilentCourier(), time.time)
        for number in range(EACH):
            moves.append(await _play_game(parlour, slug, Random(number)))
        await parlour.close()
        sizes.append((await _size(store) - before) / 1024 / EACH)
        await store.close()
    return sizes, moves


async def _size(store: Store) -> int:
    """Return the bytes of the database in use."""
    names = ("page_count", "freelist_count", "page_size")
    pages, free, each = [int(await store._scalar(text(f"PRAGMA {name}"))) for name in names]
    return (pages - free) * each


async def _play_game(parlour: Parlour, slug: str, rng: Random) -> float:
    """Play a whole game; return the number of its entries."""
    host = Occupant("Ann", 1)
    rules = game(slug)
    table = await parlour.lobby.create(1, 2, host, slug, rules.Options())
    while len((await parlour.table(table.id)).seats) < max(2, rules.seats[0]):
        await parlour.lobby.add_computer(table.id, 1, Strength.MEDIUM)
    table = await parlour.lobby.start(table.id, 1)
    while (table := await parlour.table(table.id)).phase in OPEN:
        moves = await parlour.play.moves(table.id, 1)
        if moves:
            await parlour.play.move(table.id, 1, [rng.choice(moves)])
        await parlour.computers.finish()
    return float(table.version)
