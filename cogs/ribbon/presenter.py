"""The presenter of Ribbon Tangle: its options, its words and its panel, for what all games share."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.core.presenter import Choice, Presenter, Value
from cogs.ribbon import panel, words
from cogs.ui.page import Button
from engines.game import Seat
from engines.ribbon.events import Event, TurnEnded
from engines.ribbon.options import Options
from engines.ribbon.view import View
from render.core.palette import Rgb
from render.ribbon.marks import emblem_colour
from tables.play.play import Perspective

MODE = Choice(
    "mode",
    "Mode",
    (
        Value("versus", "Versus", "2 or 3 players, each with a ribbon; the last one untangled wins"),
        Value("coop", "Co-op", "2 or 3 players as a team; no ribbon may stay tangled"),
        Value("solo", "Solo", "1 player with two or three hands, co-op rules"),
    ),
)
DIFFICULTY = Choice(
    "difficulty",
    "Difficulty",
    (
        Value("easy", "Easy", "two hands of three cards"),
        Value("medium", "Medium", "three hands of two cards"),
        Value("hard", "Hard", "two hands of two cards, two cards out of the game"),
    ),
)
RIBBON_CHOICE = Choice(
    "ribbon_choice",
    "How ribbons are chosen",
    (
        Value("blind", "Before hands are seen", "pick your favourite; good for a first game"),
        Value("after_hand", "After looking at the hand", "if you know the game"),
        Value("random", "Dealt at random", "nobody waits"),
    ),
)
FIRST = Choice(
    "first",
    "Who goes first",
    (Value("random", "Anybody", "drawn with the deal"), Value("host", "The host")),
)


class RibbonPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "ribbon"
    ends = TurnEnded
    charted = "Tangles of each ribbon"
    estimated = ("per cent", "per cent")
    tagline = "Twelve cards, three ribbons: keep yours from getting tangled."
    length = "about 15 minutes of play"
    weight = "easy"

    def colours(self, view: View) -> Sequence[Rgb]:
        """Those of the ribbons, where each has its own."""
        if view.mode != "versus":
            return super().colours(view)
        return [emblem_colour(colour) for colour in view.ribbons]

    def seat_sign(self, view: View, seat: Seat) -> str:
        """The shape in the colour of the seat's ribbon."""
        return words.seat_sign(view, seat)

    def choices(self, options: Options) -> list[Choice]:
        """Mode first; then what matters in that mode."""
        match options.mode:
            case "versus":
                return [MODE, RIBBON_CHOICE, FIRST]
            case "coop":
                return [MODE, FIRST]
            case "solo":
                return [MODE, DIFFICULTY]

    def summary(self, options: Options, seats: int | None = None) -> str:
        match options.mode:
            case "solo":
                return f"Solo, {options.difficulty}"
            case "coop":
                lines = ["Co-op for 2 or 3"]
            case "versus":
                lines = ["Versus for 2 or 3"]
                if options.ribbon_choice == "after_hand":
                    lines.append("ribbons chosen after looking at the hand")
                elif options.ribbon_choice == "random":
                    lines.append("ribbons dealt at random")
        if options.first == "host":
            lines.append("the host goes first")
        return ", ".join(lines)

    def dm_buttons(self, perspective: Perspective) -> list[Button]:
        """Yes and no to a tie."""
        return panel.buttons_for_dm(perspective)

    def forced_line(self, line: str, seat: Seat, names: Sequence[str]) -> str:
        """The last face-down card is turned up without asking."""
        return f"{line} It was the last one face down."

    def before(self, view: View, event: Event) -> View:
        """Earlier lines count the tangles of who was still in."""
        return words.before(view, event)
