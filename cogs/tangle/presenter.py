"""The presenter of Tangle: its options, words and panel."""

from collections.abc import Sequence
from typing import Any

from cogs.core.presenter import Choice, Presenter, Weight, choices_of
from engines.game import Seat
from engines.tangle import moves
from engines.tangle.decisions import Casting
from engines.tangle.events import TangleTurnEnded
from engines.tangle.legal.moves import choices
from engines.tangle.options import TangleOptions
from engines.tangle.view import TangleView
from engines.tangle.words import cards, event_lines, nouns, several

CHOICES = choices_of("tangle")


class TanglePresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tangle"
    ends = TangleTurnEnded
    charted = "What each player still needs for their closest condition"
    estimated = ("round", "rounds")
    tagline = "Turn a wasteland green with your roots, and be the first to meet a secret condition."
    length = "about 45 minutes a player"
    weight = Weight.DEMANDING
    standing = (
        "What about upkeep?",
        {"keep_all": "Always pay for everything", "no_lakes": "Pay for everything but lakes"},
    )

    def several_line(self, events: Sequence[Any], view: TangleView, names: Sequence[str]) -> str | None:
        line = several.several_line(events, view, names)
        return None if line is None else nouns.with_few_signs(line)

    def retell(self, event: Any, line: str, before: TangleView | None, after: TangleView) -> str | None:
        return event_lines.retell(event, line, before, after)

    def hand_text(self, view: TangleView) -> str | None:
        return cards.hand_text(view)

    def row_text(self, view: TangleView) -> str | None:
        return cards.row_text(view)

    def choices(self, options: TangleOptions) -> list[Choice]:
        """Return the same three options always; spaces are exchanged by the command."""
        return [CHOICES["centre"], CHOICES["round_limit"], CHOICES["upkeep"]]

    def summary(self, options: TangleOptions, seats: int | None = None) -> str:
        lines = ["2 to 4 players"]
        centres = {value.value: value.label for value in CHOICES["centre"].values}
        if options.centre != "none":
            lines.append(f"{centres[options.centre]} in the centre")
        lines += [f"{centres[action]} on space {space}" for space, action in options.exchange]
        if options.round_limit != 50:
            lines.append(f"at most {options.round_limit} rounds" if options.round_limit else "no round limit")
        if options.upkeep == "asked":
            lines.append("I always ask how to pay upkeep")
        return " · ".join(lines)

    def explain_forced_move(self, line: str, seat: Seat, names: Sequence[str]) -> str:
        return f"{line.removesuffix('.')} automatically."

    @property
    def automatic_moves(self) -> tuple[moves.Move, ...]:
        return (moves.TangleDone(),)

    def obvious(self, view: TangleView) -> tuple[moves.Move, str] | None:
        """Cast nothing if nothing in the hand can be paid for."""
        if isinstance(view.decision, Casting) and choices(view) == [moves.TangleDone()]:
            return moves.TangleDone(), "-# You can't afford any of your enchantments, so you cast none."
        return None
