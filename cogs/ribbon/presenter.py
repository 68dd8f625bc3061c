"""The presenter of Ribbon Tangle: its options, words and panel."""

from collections.abc import Sequence

from cogs.core.presenter import Choice, Presenter, Weight, choices_of
from cogs.ribbon import panel
from cogs.ui.page import Button
from engines.game import Seat
from engines.ribbon.events import Event, RibbonTurnEnded
from engines.ribbon.options import RibbonOptions
from engines.ribbon.view import RibbonView
from engines.ribbon.words import event_lines, nouns
from render.core.palette import Rgb
from render.ribbon.colours import THEMES
from tables.play.play import Perspective

CHOICES = choices_of("ribbon")


class RibbonPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "ribbon"
    ends = RibbonTurnEnded
    questions = ("turn",)
    charted = "Tangles of each ribbon"
    estimated = ("per cent", "per cent")
    tagline = "Twelve cards, three ribbons: keep yours untangled."
    length = "about 15 minutes"
    weight = Weight.EASY

    def colours(self, view: RibbonView, theme: str) -> Sequence[Rgb]:
        """Return the ribbons' colours, if each seat has its own ribbon."""
        if view.mode != "versus":
            return super().colours(view, theme)
        return [THEMES[theme].emblem(colour) for colour in view.ribbons]

    def seat_sign(self, view: RibbonView, seat: Seat) -> str:
        """Return the shape in the colour of the seat's ribbon."""
        return nouns.seat_sign(view, seat)

    def choices(self, options: RibbonOptions) -> list[Choice]:
        """Return the mode first, then its own options."""
        match options.mode:
            case "versus":
                return [CHOICES["mode"], CHOICES["ribbon_choice"], CHOICES["first"]]
            case "coop":
                return [CHOICES["mode"], CHOICES["first"]]
            case "solo":
                return [CHOICES["mode"], CHOICES["difficulty"]]

    def summary(self, options: RibbonOptions, seats: int | None = None) -> str:
        match options.mode:
            case "solo":
                return f"Solo, {options.difficulty} level"
            case "coop":
                lines = ["Co-op for 2 or 3 players"]
            case "versus":
                lines = ["Versus for 2 or 3 players"]
                if options.ribbon_choice == "after_hand":
                    lines.append("you choose your ribbon after you see your hand")
                elif options.ribbon_choice == "random":
                    lines.append("I deal the ribbons at random")
        if options.first == "host":
            lines.append("the host goes first")
        return " · ".join(lines)

    def dm_buttons(self, perspective: Perspective) -> list[Button]:
        return panel.buttons_for_dm(perspective)

    def explain_forced_move(self, line: str, seat: Seat, names: Sequence[str]) -> str:
        """Explain a flip of the last face-down card."""
        return f"{line} It was the last face-down card."

    def before(self, view: RibbonView, event: Event) -> RibbonView:
        """Keep a player in whom the event takes out."""
        return event_lines.before(view, event)
