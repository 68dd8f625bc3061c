"""The presenter of Nim: its options, its words and its panel, for what all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.app import App
from cogs.nim import panel, rulebook, words
from cogs.presenter import Choice, Presenter, Value
from cogs.ui.page import Page
from engines.game import Seat
from engines.nim.options import Options
from render.nim import cover
from render.picture import Picture
from tables.play import Perspective

LAST = Choice(
    "last",
    "Who takes the last stone",
    (Value("wins", "Wins", "the usual game"), Value("loses", "Loses", "leave it to somebody else")),
)


class NimPresenter(Presenter):
    """See `cogs.presenter.Presenter`."""

    slug = "nim"
    tagline = "Three heaps of stones, and everybody takes: who gets the last one?"
    length = "about 5 minutes"

    def cover(self) -> Picture:
        """Some stones."""
        return cover()

    def choices(self, options: Options) -> list[Choice]:
        """The one choice there is."""
        return [LAST]

    def summary(self, options: Options, seats: int | None = None) -> str:
        """The options in a few words."""
        return f"2 to 4 players, the last stone {options.last}"

    def event_line(self, event: Any, view: Any, names: Sequence[str]) -> str | None:
        """See `words.event_line`."""
        return words.event_line(event, names)

    def duty(self, view: Any, seat: Seat) -> str:
        """There is one duty."""
        return "take stones from a heap"

    def result(self, view: Any, names: Sequence[str]) -> str:
        """See `words.result`."""
        return words.result(view, names)

    async def panel(self, app: App, perspective: Perspective) -> Page:
        """See `panel.panel`."""
        return await panel.panel(app, perspective)

    def rules(self) -> list[Page]:
        """See `rulebook.pages`."""
        return rulebook.pages()
