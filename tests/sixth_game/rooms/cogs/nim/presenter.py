"""The presenter of Nim: its options, its words and its panel, for what all games share."""

from __future__ import annotations

from cogs.core.presenter import Choice, Presenter, Value
from engines.nim.events import Taken
from engines.nim.options import Options

LAST = Choice(
    "last",
    "Who takes the last stone",
    (Value("wins", "Wins", "the usual game"), Value("loses", "Loses", "leave it to somebody else")),
)


class NimPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "nim"
    ends = Taken
    tagline = "Three heaps of stones, and everybody takes: who gets the last one?"
    length = "about 5 minutes"
    weight = "easy"

    def choices(self, options: Options) -> list[Choice]:
        return [LAST]

    def summary(self, options: Options, seats: int | None = None) -> str:
        return f"2 to 4 players, the last stone {options.last}"
