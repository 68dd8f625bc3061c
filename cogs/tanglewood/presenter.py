"""The presenter of Tanglewood: its options, words and panel."""

from collections.abc import Mapping, Sequence
from typing import Any

from cogs.core.presenter import Choice, Illustration, Presenter, Weight, choices_of
from engines.game import Seat
from engines.tanglewood.events import GainedVotes, Scored, TanglewoodEnded
from engines.tanglewood.options import TanglewoodOptions
from engines.tanglewood.view import TanglewoodView

CHOICES = choices_of("tanglewood")


class TanglewoodPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tanglewood"
    ends = TanglewoodEnded
    charted = "Votes won, and votes the forest would pay now"
    estimated = ("vote", "votes")
    tagline = "Win the votes of a forest's regions with workers, Tangles and secret ballots."
    length = "about 90 minutes"
    weight = Weight.MEDIUM
    standing = ("What about your ballots?", {"most_votes": "Play and keep those worth most votes"})

    def choices(self, options: TanglewoodOptions) -> list[Choice]:
        """Return the same three options always."""
        return [CHOICES["length"], CHOICES["fox_tiles"], CHOICES["first"]]

    def length_with(self, options: TanglewoodOptions, /) -> str:
        return "about 60 minutes" if options.length == "short" else self.length

    def summary(self, options: TanglewoodOptions, seats: int | None = None) -> str:
        lines = ["3 to 5 players"]
        if options.length == "short":
            lines.append("short deck")
        if options.fox_tiles == "fixed":
            lines.append("Fox tiles in fixed order")
        if options.first == "host":
            lines.append("the host starts")
        return " · ".join(lines)

    def totals(self, view: TanglewoodView) -> Sequence[int]:
        return view.votes

    def gains(self, event: Any) -> Mapping[Seat, int]:
        match event:
            case GainedVotes(seat=seat, votes=votes):
                return {seat: votes}
            case Scored(gained=gained):
                return dict(enumerate(gained))
            case _:
                return {}

    def illustrations(self, events: Sequence[Any]) -> list[Illustration]:
        return [Illustration("scoring", (1 + event.final,)) for event in events if isinstance(event, Scored)]
