"""The computer players: each decides from its own view alone, one move at a time.

The medium one plays the biggest gain, as `engines.tanglewood.computer.actions` sees it; the easy one does so
too, but misjudges it. The strong one plays its best moves on for some turns. Medium and strong play a
certain win.
"""

from __future__ import annotations

from random import Random
from typing import Any

from engines.game import Game, Seat, Strength, Thinking
from engines.tanglewood.computer import ahead
from engines.tanglewood.computer.choosing import choose_kept_ballots, gains
from engines.tanglewood.computer.winning import winning_move
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import Move
from engines.tanglewood.view import TanglewoodView

MISJUDGED = {Strength.EASY: 24.0, Strength.MEDIUM: 1.0}
"""The most votes by which each player overrates a move."""


def choose(
    view: TanglewoodView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: Game[Any, Any, Any, Any, Any, Any],
    thinking: Thinking = Thinking.USUAL,
) -> Move:
    """Choose a legal move for a seat that owes one.

    Rules: Computer players.
    """
    legal = choices(view)
    if view.viewer != seat or not legal:
        raise ValueError("this seat owes no move")
    if view.phase == "keep":
        return choose_kept_ballots(view, seat)
    won = None if strength is Strength.EASY else winning_move(view, seat, rng, rules)
    if won is not None:
        return won
    if strength is Strength.STRONG:
        return ahead.best(view, seat, rng, rules, ahead.DEPTHS[thinking])[0].candidate
    gain, misjudged = gains(view, seat), MISJUDGED[strength]
    return max(legal, key=lambda move: gain(move) + misjudged * rng.random())
