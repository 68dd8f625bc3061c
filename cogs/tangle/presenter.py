"""The presenter of Tangle: its options, its words and its panel, for everything that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.core.presenter import Choice, Presenter, Value
from cogs.tangle import cards, words
from engines.tangle.events import TurnEnded
from engines.tangle.options import Options
from engines.tangle.view import View

CENTRE = Choice(
    "centre",
    "The centre",
    (
        Value("none", "Nothing", "nobody goes there, as usual"),
        Value("sacrifice", "Sacrificial ground", "offer tiles for resources, placements or a card"),
        Value("hibernate", "Hibernate", "a root sleeps, and moves first in the next turn"),
        Value("takeover", "Aggressive takeover", "replace opponents' empty clean earth"),
        Value("random", "One of the three", "drawn at the start"),
    ),
)
ROUNDS = Choice(
    "round_limit",
    "Rounds at most",
    (Value("50", "50"), Value("30", "30"), Value("0", "No limit")),
)


class TanglePresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tangle"
    ends = TurnEnded
    charted = "Still lacking for the best condition"
    estimated = ("round", "rounds")
    tagline = "Turn a wasteland green with wandering roots, and fulfil a secret condition first."
    length = "about 45 minutes of play for each player"
    weight = "demanding"

    def several_line(self, events: Sequence[Any], names: Sequence[str]) -> str | None:
        return words.several_line(events, names)

    def hand_text(self, view: View) -> str | None:
        return cards.hand_text(view)

    def row_text(self, view: View) -> str | None:
        return cards.row_text(view)

    def choices(self, options: Options) -> list[Choice]:
        """The same two whatever the others are; spaces are exchanged by the command."""
        return [CENTRE, ROUNDS]

    def summary(self, options: Options, seats: int | None = None) -> str:
        lines = ["2 to 4 players"]
        if options.centre != "none":
            lines.append(f"centre: {next(v.label for v in CENTRE.values if v.value == options.centre)}")
        lines += [f"{space}: {action}" for space, action in options.exchange]
        if options.round_limit != 50:
            lines.append(f"{options.round_limit} rounds at most" if options.round_limit else "no round limit")
        return ", ".join(lines)
