"""The presenter of Tangram City: its options, words and panel."""

from cogs.core.presenter import Choice, Presenter, Weight, choices_of
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
    tagline = "Everyone gets the same tiles. Who plans the best city?"
    length = "about 30 minutes"
    weight = Weight.EASY

    def choices(self, options: TangramOptions) -> list[Choice]:
        """Return the boards, and the sides if they have any."""
        return [CHOICES["boards"], *([CHOICES["sides"]] if options.boards == "start" else [])]

    def summary(self, options: TangramOptions, seats: int | None = None) -> str:
        if options.boards != "start":
            return f"1 to 5 players · {options.boards} boards"
        return "1 to 5 players" + (" · choose your side" if options.sides == "choose" else "")

    def round_of(self, view: TangramView) -> int | None:
        return view.round
