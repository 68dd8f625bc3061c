"""The presenter of Tangram City: its options, its words and its panel, for what all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.app import App
from cogs.presenter import Choice, Presenter, Value
from cogs.tangram import panel, rulebook, words
from cogs.ui.page import Page
from engines.game import Seat
from engines.tangram.options import Options
from render.picture import Picture
from tables.play import Perspective

BOARDS = Choice(
    "boards",
    "City boards",
    (
        Value("plain", "Plain", "every city begins empty"),
        Value("printed", "Printed", "two squares are built already, each player's elsewhere"),
    ),
)


class TangramPresenter(Presenter):
    """See `cogs.presenter.Presenter`."""

    slug = "tangram"
    tagline = "The same tiles for all, black or green side up: who plans the better city?"
    length = "about 30 minutes of play"

    def cover(self) -> Picture:
        """See `rules.cover`."""
        return rulebook.cover()

    def choices(self, options: Options) -> list[Choice]:
        """The one choice there is."""
        return [BOARDS]

    def summary(self, options: Options, seats: int | None = None) -> str:
        """The options in a few words."""
        return "1 to 5 players" + (", printed boards" if options.boards == "printed" else "")

    def event_line(self, event: Any, view: Any, names: Sequence[str]) -> str | None:
        """See `words.event_line`."""
        return words.event_line(event, view, names)

    def duty(self, view: Any, seat: Seat) -> str:
        """See `words.duty`."""
        return words.duty(view, seat)

    def result(self, view: Any, names: Sequence[str]) -> str:
        """See `words.result`."""
        return words.result(view, names)

    async def panel(self, app: App, perspective: Perspective) -> Page:
        """See `panel.panel`."""
        return await panel.panel(app, perspective)

    def rules(self) -> list[Page]:
        """See `rules.pages`."""
        return rulebook.pages()
