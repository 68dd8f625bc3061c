"""The whole flow through the simulated Discord: a press, a move, a panel with its picture, a board post."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from random import Random

import simcord

from benchmarks.measure import Figure
from bot import ParlourBot
from db.store import Store
from engines.workers import Workers
from tests.discord.stage import SETTLE, Stage

GAMES = 4


def measure() -> Iterator[Figure]:
    """The figures of turns taken by clicks."""
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers = Workers(2)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/flow.db")
        env = simcord.Env(ParlourBot(store, workers), settle_timeout=SETTLE, check_errors=False)
        await env.start()
        turns, held = [], []
        watch = asyncio.create_task(_watch(held))
        for number in range(GAMES):
            turns += await _game(Stage(env) if number == 0 else None, env, number)
        watch.cancel()
        await env.shutdown()
        await store.close()
    workers.close()
    return [
        Figure("a turn by clicks: panel, flip, panel, end, board post", turns, "ms"),
        Figure("the longest that the event loop was held in a game's flow", [max(held)], "ms"),
    ]


_STAGES: list[Stage] = []


async def _game(stage: Stage | None, env: simcord.Env, number: int) -> list[float]:
    if stage is not None:
        _STAGES.append(stage)
    stage = _STAGES[0]
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    rng, spent = Random(number), []
    while "Rematch" not in stage.post(place).buttons:
        name = (await stage.due(number + 1))[0]
        begun = time.perf_counter()
        await stage.act(name, place, rng)
        spent.append((time.perf_counter() - begun) * 1000)
    return spent


async def _watch(held: list[float]) -> None:
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(0.001)
        held.append((time.perf_counter() - begun - 0.001) * 1000)
