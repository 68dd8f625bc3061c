"""Medians over several runs, printed side by side."""

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One measured figure: its name, the runs, the unit, and its target (None: none)."""

    name: str
    runs: Sequence[float]
    unit: str
    aim: str | None = None

    def row(self) -> str:
        low, middle, high = min(self.runs), statistics.median(self.runs), max(self.runs)
        cells = [self.name, _short(low), f"**{_short(middle)}**", _short(high), self.unit, self.aim or ""]
        return f"| {' | '.join(cells)} |"


HEAD = "| what | least | median | most | unit | aim |\n|---|---|---|---|---|---|"


def _short(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


@contextmanager
def without_collector() -> Iterator[None]:
    """Stop the cycle collector, which would walk the simulated Discord's whole record.

    That record holds all that was ever sent. Walking it isn't the bot's work.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def cpu_milliseconds(work: Callable[[], Any]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000
