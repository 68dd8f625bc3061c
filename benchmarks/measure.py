"""Medians over several runs, printed side by side."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure: its name, the runs, the unit, and what we aim at (None: nothing)."""

    name: str
    runs: Sequence[float]
    unit: str
    aim: str | None = None

    def row(self) -> str:
        """The figure as a row of a Markdown table."""
        low, middle, high = min(self.runs), statistics.median(self.runs), max(self.runs)
        cells = [self.name, _short(low), f"**{_short(middle)}**", _short(high), self.unit, self.aim or ""]
        return f"| {' | '.join(cells)} |"


HEAD = "| what | least | median | most | unit | aim |\n|---|---|---|---|---|---|"


def _short(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"
