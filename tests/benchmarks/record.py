"""Looking back: any turn of a long game, from the database to its picture, with a cold cache."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from random import Random

from cogs.core.pictures import Pictures
from cogs.core.story import lines_of
from db.store import Store
from engines.registry import SLUGS, game
from engines.workers import Workers
from tables.core.table import Occupant, Phase, Table
from tables.parlour import Parlour
from tests.benchmarks.committed import SilentCourier
from tests.benchmarks.flow import callbacks
from tests.benchmarks.measure import Figure

MOVES, LOOKS = 500, 24


def measure() -> Iterator[Figure]:
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers, figures = Workers(2), list[Figure]()
    with tempfile.TemporaryDirectory() as folder:
        for slug in SLUGS:
            store = await Store.open(f"sqlite:///{folder}/{slug}.db")
            table = await _play_game(Parlour(store, workers, SilentCourier(), time.time), slug)
            with callbacks() as held:
                looks = await asyncio.create_task(_looks(store, workers, table))
            text = f"{slug}: any of {table.version} versions, seen as a turn"
            figures += [
                Figure(text, looks, "ms", "<= 400"),
                Figure(f"{slug}: one callback on the event loop", held, "ms CPU", "<= 10 at most"),
            ]
            await store.close()
    workers.close()
    return figures


async def _play_game(parlour: Parlour, slug: str) -> Table:
    """Make a table with legal random moves, or a whole game."""
    people = [Occupant(name, number) for number, name in enumerate(("Ann", "Bo", "Cy", "Di", "Ed"), start=1)]
    lobby = await parlour.lobby.create(1, 1, people[0], slug, game(slug).Options(), tuple(people[1:]))
    table = await parlour.lobby.start(lobby.id, lobby.host_id)
    while table.version < MOVES and table.phase is Phase.PLAY:
        user = table.seats[table.owing[0]].user_id
        moves = await parlour.play.moves(table.id, user or 0)
        await parlour.play.move(table.id, user or 0, [Random(table.version).choice(moves)])
        table = await parlour.table(table.id)
    return table


async def _looks(store: Store, workers: Workers, table: Table) -> list[float]:
    """Return the milliseconds until pictures of turns all over the game."""
    taken = []
    for look in (0, 0, *range(LOOKS)):  # the first two start the workers
        parlour, pictures = Parlour(store, workers, SilentCourier(), time.time), Pictures(workers)
        begun = time.perf_counter()
        now = await parlour.table(table.id)
        turns = await parlour.record.turns(now)
        turn = turns[look * (len(turns) - 1) // (LOOKS - 1)]
        view = await parlour.record.view(now, turn.version, 0)
        lines_of(now, view, await parlour.record.entries(now, turn), 0)
        await pictures.board(now, view)
        taken.append((time.perf_counter() - begun) * 1000)
    return taken[2:]
