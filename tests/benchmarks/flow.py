"""The whole flow through the simulated Discord: a press, a move, a panel with its picture, a board post."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import simcord
from simcord.http import router

from cogs.ui import press
from db.store import Store
from engines.registry import game
from engines.workers import Workers
from host.client import ParlourBot
from host.start import spare_the_collector
from tests.benchmarks.measure import Figure
from tests.discord.stage import SETTLE, DiscordStage

PEOPLE = ("Ann", "Bo", "Cy")
GAMES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("ribbon", 4, {"mode": "versus", "ribbon_choice": "random"}),
    ("tesla", 1, {"win": 50}),
    ("tangram", 2, {}),
    ("tanglewood", 1, {"length": "short"}),
    ("tangle", 1, {"round_limit": 30}),
)
"""The games to play: how many of each, with their options."""


def measure() -> Iterator[Figure]:
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers = Workers(2)
    spare_the_collector()
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/flow.db")
        env = simcord.Env(
            ParlourBot(store, workers), settle_timeout=SETTLE, check_errors=False, shard_count=1
        )
        await env.start()
        stage = DiscordStage(env)
        figures, played = [], 0
        for slug, count, options in GAMES:
            panels: list[float] = []
            turns: list[float] = []
            with callbacks() as held, without_flood_limit():
                for _ in range(count):
                    played += 1
                    opened, taken = await _game(stage, slug, played, options)
                    panels += opened
                    turns += taken
            figures += [
                Figure(f"{slug}: the panel's answer, picture included", panels, "ms", "<= 300"),
                Figure(f"{slug}: a turn by clicks, from the panel to the board post", turns, "ms"),
                Figure(f"{slug}: one callback on the event loop", held, "ms CPU", "<= 10 at most"),
            ]
        await env.shutdown()
        await store.close()
    workers.close()
    return figures


async def _game(
    stage: DiscordStage, slug: str, number: int, options: dict[str, Any]
) -> tuple[list[float], list[float]]:
    """Return the milliseconds to open each panel, and of each turn."""
    place = await stage.open(*PEOPLE[: max(2, game(slug).seats[0])], game=slug, **options)
    rng = Random(number)
    opened: list[float] = []
    taken: list[float] = []
    while "Rematch" not in stage.post(place).buttons:
        name = (await stage.due(number))[0]
        begun = time.perf_counter()
        await stage.panel(name, place)
        opened.append((time.perf_counter() - begun) * 1000)
        await stage.act(name, place, rng, number)
        taken.append((time.perf_counter() - begun) * 1000 - opened[-1])
    return opened, taken


@contextmanager
def without_flood_limit() -> Iterator[None]:
    """Disable the flood limit: the simulated clock stops while people press."""
    presses, press.PRESSES = press.PRESSES, 10**6
    try:
        yield
    finally:
        press.PRESSES = presses


@contextmanager
def callbacks() -> Iterator[list[float]]:
    """Collect the CPU milliseconds of each event loop callback.

    Those of the clicks and of the simulated Discord don't count: in use they run elsewhere.
    """
    spent: list[float] = []
    with simulators(spent.append):
        yield spent


def _task_of(handle: asyncio.Handle) -> object:
    """Return a callback's task, also a wrapped one. None if it has none."""
    callback = getattr(handle, "_callback", None)
    return getattr(getattr(callback, "__simcord_original_callback__", callback), "__self__", None)


@contextmanager
def simulators(bots: Callable[[float], object] = bool) -> Iterator[Callable[[], float]]:
    """Measure the CPU milliseconds of the clicks and the simulated Discord.

    `bots` receives each callback's time without them.
    """
    run, driver = asyncio.Handle._run, asyncio.current_task()
    dispatch, theirs = router.dispatch, 0.0

    def dispatch_timed(*args: Any, **kwargs: Any) -> Any:
        nonlocal theirs
        begun = time.thread_time()
        try:
            return dispatch(*args, **kwargs)
        finally:
            theirs += (time.thread_time() - begun) * 1000

    def run_timed(handle: asyncio.Handle) -> None:
        nonlocal theirs
        before, begun = theirs, time.thread_time()
        run(handle)
        taken = (time.thread_time() - begun) * 1000 - (theirs - before)
        if _task_of(handle) is driver:
            theirs += taken
        else:
            bots(taken)

    asyncio.Handle._run = run_timed  # type: ignore[method-assign, assignment]  # the loop offers no other place to look
    router.dispatch = dispatch_timed
    try:
        yield lambda: theirs
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]  # put back as it was
        router.dispatch = dispatch
