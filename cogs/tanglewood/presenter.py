"""The presenter of Tanglewood: its options, its words and its panel, for what all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.core.presenter import Choice, Illustration, Presenter, Value
from engines.tanglewood.events import Ended, Scored
from engines.tanglewood.options import Options

LENGTH = Choice(
    "length",
    "Length",
    (
        Value("full", "Full", "35 Tangles in the deck, as printed"),
        Value("short", "Short", "21 Tangles: about three fifths of the rounds"),
    ),
)
FOX_TILES = Choice(
    "fox_tiles",
    "Fox tiles",
    (
        Value("shuffled", "Shuffled", "another order of the four each time"),
        Value("fixed", "Fixed", "Night Planting, Whispers, False Trail, Acorn Hoard"),
    ),
)
FIRST = Choice("first", "Who starts", (Value("random", "Drawn at random"), Value("host", "The host")))


class TanglewoodPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tanglewood"
    ends = Ended
    charted = "Votes: won, and what the forest would pay"
    estimated = ("vote", "votes")
    tagline = "Win the regions of a forest over, twice, with workers, Tangles and secret ballots."
    length = "about 90 minutes of play, 60 with the short deck"
    weight = "medium"

    def choices(self, options: Options) -> list[Choice]:
        """The same three whatever the others are."""
        return [LENGTH, FOX_TILES, FIRST]

    def summary(self, options: Options, seats: int | None = None) -> str:
        lines = ["3 to 5 players"]
        if options.length == "short":
            lines.append("short")
        if options.fox_tiles == "fixed":
            lines.append("Fox tiles in fixed order")
        if options.first == "host":
            lines.append("the host starts")
        return ", ".join(lines)

    def illustrations(self, events: Sequence[Any]) -> list[Illustration]:
        """The table of a scoring."""
        return [Illustration("scoring", (1 + event.final,)) for event in events if isinstance(event, Scored)]
