"""The presenter of Tesla's Tangle: its options, its words and its panel, for what all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.core.presenter import Choice, Presenter, Value
from cogs.tesla import words
from engines.game import Seat
from engines.tesla.events import TurnEnded
from engines.tesla.options import Options
from engines.tesla.pieces.components import BALANCED
from engines.tesla.view import View

TILES = Choice(
    "tiles",
    "Tiles",
    (
        Value("hex", "Six-sided", "up to three wires a tile, up to four circuits in one join"),
        Value("square", "Square", "up to two wires a tile; quicker to take in"),
    ),
)
OPENING = Choice(
    "opening",
    "Opening",
    (
        Value("usual", "As usual", "even start for two players, all alike for more"),
        Value(
            "balanced",
            "Even start",
            f"no marker in the first player's first turn, {BALANCED.others_start} for the others",
        ),
        Value("rulebook", "All alike", "everybody starts at 0; going first is worth a lot"),
    ),
)
WIN = Choice(
    "win",
    "Points to win",
    (Value("30", "30", "a short game"), Value("50", "50"), Value("80", "80", "a long game")),
)


class TeslaPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tesla"
    ends = TurnEnded
    charted = "Points"
    boards = ("table", "turn")
    tagline = "Grow electric circuits, mark them, and cash your markers in at the right moment."
    length = "about 45 minutes of play"
    weight = "medium"

    def choices(self, options: Options) -> list[Choice]:
        """The same three whatever the others are."""
        return [TILES, OPENING, WIN]

    def summary(self, options: Options, seats: int | None = None) -> str:
        lines = [f"2 to 4 players, {options.win} points win"]
        if options.tiles == "square":
            lines.append("square tiles")
        if options.opening == "balanced":
            lines.append("even start")
        elif options.opening == "rulebook":
            lines.append("all start alike")
        return ", ".join(lines)

    def uneven(self, view: View) -> str | None:
        """The even start."""
        return words.UNEVEN if view.options.opening == "balanced" else None

    def digest(self, events: Sequence[Any], seat: Seat, view: View, names: Sequence[str]) -> str | None:
        """Tiles, circuits, the marker and the points."""
        return words.digest(events, seat, view, names)
