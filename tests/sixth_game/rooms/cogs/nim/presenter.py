"""The presenter of Nim: its options, its words and its panel, for what all games share."""

from cogs.core.presenter import Choice, Presenter, Weight, choices_of
from engines.nim.moves import Taken
from engines.nim.options import Options

CHOICES = choices_of("nim")


class NimPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "nim"
    ends = Taken
    tagline = "Three heaps of stones, and everyone takes: who gets the last one?"
    length = "about 5 minutes"
    weight = Weight.EASY

    def choices(self, options: Options) -> list[Choice]:
        return [CHOICES["last"]]

    def summary(self, options: Options, seats: int | None = None) -> str:
        return f"2 to 4 players, the last stone {options.last}"
