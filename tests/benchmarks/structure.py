"""The way of one press through the code: **End turn** of Ribbon Tangle, in the simulated Discord."""

import asyncio
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from db.store import Store
from engines.workers import Workers
from tests.benchmarks.flow import without_flood_limit
from tests.benchmarks.measure import Figure
from tests.discord.stage import DiscordStage, pick, read_message, simulation

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = {"host", "cogs", "tables", "engines", "render", "db"}
LOADS, VIEWS = "Store.table", "Engine.view"
TURNS = 10
"""Turns of the game; about half of them are traced."""


class PressTrace:
    """The functions of ours that ran, with their calls; comprehensions and resumed coroutines don't count."""

    def __init__(self) -> None:
        self._frames = set[FrameType]()

    @contextmanager
    def record(self) -> Iterator[None]:
        sys.setprofile(self._note)
        threading.setprofile(self._note)
        try:
            yield
        finally:
            threading.setprofile(None)
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and not frame.f_code.co_name.endswith(("comp>", "genexpr>")):
            self._frames.add(frame)

    def calls(self) -> Counter[tuple[str, str]]:
        """Return the calls of each of our functions, by file and name."""
        result = Counter[tuple[str, str]]()
        for code, count in Counter(frame.f_code for frame in self._frames).items():
            path = Path(code.co_filename)
            if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PRODUCT:
                result[str(path), code.co_qualname] += count
        return result


def measure() -> Iterator[Figure]:
    traces, spent = asyncio.run(_press_in_turns())

    def count_calls(ending: str) -> list[float]:
        return [sum(count for (_, name), count in one.items() if name == ending) for one in traces]

    yield Figure("project files", [len({file for file, _ in one}) for one in traces], "", "<= 60")
    yield Figure("functions", [len(one) for one in traces], "", "<= 320")
    yield Figure("calls", [one.total() for one in traces], "", "<= 1,250")
    yield Figure("loads of the table", count_calls(LOADS), "", "<= 2")
    yield Figure("views", count_calls(VIEWS), "", "<= 2")
    yield Figure("CPU, with that of the simulated Discord", spent, "ms")


async def _press_in_turns() -> tuple[list[Counter[tuple[str, str]]], list[float]]:
    """Return the traces of some presses, and the milliseconds of others."""
    traces, spent = list[Counter[tuple[str, str]]](), list[float]()
    workers = Workers(1)
    with tempfile.TemporaryDirectory() as folder, without_flood_limit():
        store = await Store.open(f"sqlite:///{folder}/structure.db")
        env = await simulation(store, workers)
        stage = DiscordStage(env)
        place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random", first="host")
        for number in range(TURNS):
            name = ("Ann", "Bo")[number % 2]
            opened, panel = await stage.panel(name, place)
            if "flip" in panel.menus:
                await pick(stage[name], opened.response, "flip", panel.values("flip")[0])
            if "End turn" not in read_message(opened.response).buttons:
                continue
            if number % 4 > 1:
                begun = time.process_time()
                await stage[name].click(opened.response, label="End turn")
                spent.append((time.process_time() - begun) * 1000)
                continue
            trace = PressTrace()
            with trace.record():
                await stage[name].click(opened.response, label="End turn")
            traces.append(trace.calls())
        await env.shutdown()
        await store.close()
    workers.close()
    return traces, spent
