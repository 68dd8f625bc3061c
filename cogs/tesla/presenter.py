"""The presenter of Tesla's Tangle: its options, words and panel."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from cogs.core.presenter import Choice, Presenter, Weight, choices_of
from engines.game import Seat
from engines.tesla.events import Closed, Marked, Taken, TeslaTurnEnded
from engines.tesla.options import TeslaOptions
from engines.tesla.view import TeslaView
from engines.tesla.words import event_lines, nouns

CHOICES = choices_of("tesla")


class TeslaPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tesla"
    ends = TeslaTurnEnded
    charted = "Points"
    boards = ("table", "turn")
    tagline = "Grow electric circuits, mark them, and score them at the right moment."
    length = "about 45 minutes"
    weight = Weight.MEDIUM

    def choices(self, options: TeslaOptions) -> list[Choice]:
        """Return the same three options always."""
        return [CHOICES["tiles"], CHOICES["opening"], CHOICES["win"]]

    def summary(self, options: TeslaOptions, seats: int | None = None) -> str:
        lines = ["2 to 4 players", f"first to {options.win} points"]
        if options.tiles == "square":
            lines.append("square tiles")
        if options.opening == "balanced":
            lines.append("balanced start")
        return " · ".join(lines)

    def uneven(self, view: TeslaView) -> str | None:
        """Explain the balanced start."""
        return nouns.UNEVEN if view.options.opening == "balanced" else None

    def view_to_name(self, view: TeslaView, first: TeslaView) -> TeslaView:
        """Number the tiles as the hand shows them at the turn's start."""
        return replace(view, hands=first.hands) if view.seat == first.seat else view

    def totals(self, view: TeslaView) -> Sequence[int]:
        return view.scores

    def gains(self, event: Any) -> Mapping[Seat, int]:
        match event:
            case Marked(seat=seat, cost=cost):
                return {seat: -cost}
            case Taken(seat=seat, gain=gain):
                return {seat: gain}
            case Closed(owner=int(owner), count=count, points=points):
                return {owner: count * points}
            case _:
                return {}

    def digest(
        self, events: Sequence[Any], seat: Seat, before: TeslaView, after: TeslaView, names: Sequence[str]
    ) -> str | None:
        return event_lines.digest(events, seat, before, after, names)

    def several_line(self, events: Sequence[Any], view: TeslaView, names: Sequence[str]) -> str | None:
        return event_lines.reconnection(events, names)
