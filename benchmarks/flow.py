"""The whole flow through the simulated Discord: a press, a move, a panel with its picture, a board post."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import simcord

from benchmarks.measure import Figure
from bot import ParlourBot, spare_the_collector
from db.store import Store
from engines.workers import Workers
from tests.discord.stage import SETTLE, Stage

GAMES = 4


def measure() -> Iterator[Figure]:
    """The figures of turns taken by clicks."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers = Workers(2)
    spare_the_collector()
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/flow.db")
        env = simcord.Env(ParlourBot(store, workers), settle_timeout=SETTLE, check_errors=False)
        await env.start()
        stage = Stage(env)
        turns: list[float] = []
        with _callbacks() as held:
            for number in range(GAMES):
                turns += await _game(stage, number)
        await env.shutdown()
        await store.close()
    workers.close()
    return [
        Figure("a turn by clicks: panel, flip, panel, end, board post", turns, "ms"),
        Figure("CPU time of one callback on the event loop", held, "ms", "<= 10 at most"),
    ]


async def _game(stage: Stage, number: int) -> list[float]:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    rng, spent = Random(number), []
    while "Rematch" not in stage.post(place).buttons:
        name = (await stage.due(number + 1))[0]
        begun = time.perf_counter()
        await stage.act(name, place, rng)
        spent.append((time.perf_counter() - begun) * 1000)
    return spent


@contextmanager
def _callbacks() -> Iterator[list[float]]:
    """The CPU milliseconds of every callback on the event loop meanwhile, but for the clicks' own."""
    spent: list[float] = []
    run, driver = asyncio.Handle._run, asyncio.current_task()

    def timed(handle: asyncio.Handle) -> None:
        begun = time.thread_time()
        run(handle)
        if getattr(getattr(handle, "_callback", None), "__self__", None) is not driver:
            spent.append((time.thread_time() - begun) * 1000)

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]  # the loop offers no other place to look
    try:
        yield spent
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]
