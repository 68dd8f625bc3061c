"""A computer's move while twenty people wait for replays: as one queue, and by urgency."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import ParamSpec, TypeVar

import msgspec

from benchmarks.measure import Figure
from benchmarks.tables.committed import SilentCourier
from benchmarks.tables.replay import play_game
from cogs.core import replay_renderer
from cogs.core.replay_renderer import ReplayRenderer
from db.store import Store
from engines import engine
from engines.engine import Engine, Position
from engines.game import Strength
from engines.registry import game
from engines.workers import Urgency, Workers
from tables.core.table import Refused, Table
from tables.parlour import Parlour

SLUG = "tesla"
ASKED, MOVES = 20, 15
P = ParamSpec("P")
R = TypeVar("R")


class OneQueue(Workers):
    """Workers without urgencies: a replay counts as much as a computer's move."""

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a function; see `Workers.run_with`."""
        return await super().run_with(min(urgency, Urgency.LONG), work, *args, **kwargs)


def measure() -> Iterator[Figure]:
    """Yield the seconds of a strong computer's move, waiting included."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    what = "a computer's move"
    return [
        Figure(f"{what}, nothing else to do", await _moves(Workers(2), 0), "s"),
        Figure(f"{what}, behind {ASKED} replays in one queue, before", await _before(), "s"),
        Figure(f"{what}, while {ASKED} people ask for replays, now", await _moves(Workers(2), ASKED), "s"),
    ]


async def _before() -> list[float]:
    kept = replay_renderer.MOST_AT_ONCE, replay_renderer.BATCH
    replay_renderer.MOST_AT_ONCE, replay_renderer.BATCH = ASKED, 10
    try:
        return await _moves(OneQueue(2), ASKED)
    finally:
        replay_renderer.MOST_AT_ONCE, replay_renderer.BATCH = kept


async def _moves(workers: Workers, asked: int) -> list[float]:
    """Return the seconds of moves while `asked` replays are requested."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/waits.db")
        parlour = Parlour(store, workers, SilentCourier(), time.time)
        tables = [await play_game(parlour, SLUG, number) for number in range(asked)]
        await workers.start()
        renderer = ReplayRenderer(parlour.record, workers)
        await _ask(renderer, tables)
        thinking, position, values = Engine(workers), _opening(), list[float]()
        for number in range(MOVES):
            began = time.perf_counter()
            await thinking.think(SLUG, position.state, position.owing[0], bytes([number]), Strength.STRONG)
            values.append(time.perf_counter() - began)
        await renderer.stop()
        await workers.run_with(Urgency.REPLAY, time.time)  # goes after the piece that is being drawn
        await store.close()
    workers.close()
    return values


def _opening() -> Position:
    """Return the position in which the computer moves."""
    rules, seed, encode = game(SLUG), bytes(32), msgspec.json.encode
    options = rules.settle(2, rules.Options())
    deal = rules.deal(2, options, seed)
    return engine.begin(SLUG, 2, encode(options), encode(deal), seed).position


async def _ask(renderer: ReplayRenderer, tables: Sequence[Table]) -> None:
    """Request each table's replay, as different people."""
    for person, table in enumerate(tables):
        try:
            await renderer.replay(table, None, "", person)
        except Refused:
            break
