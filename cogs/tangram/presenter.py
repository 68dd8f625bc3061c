"""The presenter of Tangram City: its options, words and panel."""

from __future__ import annotations

from cogs.core.presenter import Choice, Presenter, choices_of
from engines.tangram.events import Revealed, TangramEnded
from engines.tangram.options import TangramOptions
from engines.tangram.view import TangramView

CHOICES = choices_of("tangram")


class TangramPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tangram"
    ends = TangramEnded
    asks = Revealed
    charted = "Points"
    tagline = "Everyone gets the same tiles, black or green: who plans the best city?"
    length = "about 30 minutes"
    weight = "easy"

    def choices(self, options: TangramOptions) -> list[Choice]:
        """Return the one option there is."""
        return [CHOICES["boards"]]

    def summary(self, options: TangramOptions, seats: int | None = None) -> str:
        return "1 to 5 players" + (", printed boards" if options.boards == "printed" else "")

    def round_of(self, view: TangramView) -> int | None:
        return view.round
