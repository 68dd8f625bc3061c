"""The workers' cost of a daily duel: alone, and after others with the same deal."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from random import Random

from benchmarks.measure import Figure
from benchmarks.tables.committed import SilentCourier
from db.store import Store
from engines.game import Strength
from engines.registry import game
from engines.workers import Workers
from tables.core.table import Occupant, Phase
from tables.parlour import Parlour

PEOPLE = 12
"""Players of each deal, one after another."""
CARELESS = 1 / 3
"""The share of choices as an easy computer's; the others are a medium one's, mostly the same."""
AGAINST = ("tesla", "tanglewood", "tangle")
"""The games that are played against computers; the others are played alone or in a team of one."""


def measure() -> Iterator[Figure]:
    for slug in AGAINST:
        alone = asyncio.run(_duels(slug, shared=False))
        shared = asyncio.run(_duels(slug, shared=True))
        yield Figure(f"{slug}: a duel, thought about alone", alone, "s CPU in the workers")
        yield Figure(f"{slug}: the same duels, answers shared", shared, "s CPU in the workers")
        yield Figure(f"{slug}: shared / alone, all together", [sum(shared) / sum(alone)], "ratio")


async def _duels(slug: str, *, shared: bool) -> list[float]:
    """Return each duel's CPU seconds in a worker that is warm."""
    workers, taken = Workers(1), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/{slug}.db")
        parlour = Parlour(store, workers, SilentCourier(), time.time)
        day = parlour.daily.today
        for number in range(PEOPLE + 1):
            if not shared:
                parlour.play._answers.clear()
            before = await workers.run(time.process_time)
            await _play_duel(parlour, slug, day, number)
            if number:  # the first one finds a worker that has nothing in its caches
                taken.append(await workers.run(time.process_time) - before)
        await parlour.close()
        await store.close()
    workers.close()
    return taken


async def _play_duel(parlour: Parlour, slug: str, day: str, number: int) -> None:
    rules, rng, user = game(slug), Random(number), 1 + number
    table = await parlour.daily.open(Occupant(f"Player {number}", user), day, slug)
    while table.phase is Phase.PLAY:
        await parlour.computers.finish()
        table = await parlour.table(table.id)
        seat = table.seat_of(user)
        if seat in table.owing and seat is not None:
            view = (await parlour.play.perspective(table.id, user)).view
            strength = Strength.EASY if rng.random() < CARELESS else Strength.MEDIUM
            move = rules.choose(view, seat, rng, strength)
            await parlour.play.move(table.id, user, [move])
            table = await parlour.table(table.id)
    await parlour.standings.finish()
