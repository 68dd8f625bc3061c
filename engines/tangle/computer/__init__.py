"""The computer players: each decides from its own view alone, one move at a time.

The medium one tries every placement on a copy of its view, decides the follow-ups by rules of thumb, and
takes the best; the easy one does so too, but misjudges the values. The strong one plays its best choices on
for some turns.
"""

from __future__ import annotations

from random import Random
from typing import Any

from engines.game import Game, Seat, Strength, Thinking
from engines.tangle import decisions
from engines.tangle.computer import ahead
from engines.tangle.computer.judging import TrialFactory, after, decide_upkeep, gain_of_card, placements
from engines.tangle.computer.policy import decide
from engines.tangle.computer.winning import winning_move
from engines.tangle.legal.moves import choices
from engines.tangle.moves import Move
from engines.tangle.view import TangleView

MISJUDGED = {Strength.EASY: 20.0, Strength.MEDIUM: 1.0}
"""The most rounds by which each player overrates a placement."""


def choose(
    view: TangleView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: Game[Any, Any, Any, Any, Any, Any],
    trials: TrialFactory,
    thinking: Thinking = Thinking.USUAL,
) -> Move:
    """Choose a legal move for a seat that owes one.

    Rules: Computer players. Raises ValueError for a seat that owes none.
    """
    legal = choices(view)
    if view.viewer != seat or view.decision is None or view.conditions is None or not legal:
        raise ValueError("this seat owes no move")
    won = None if strength is Strength.EASY else winning_move(view, seat, rng, rules, trials)
    if won is not None:
        return won
    if isinstance(view.decision, decisions.Upkeep):
        return decide_upkeep(trials.of(view, rng), view.decision, seat, view.conditions)
    if strength is Strength.STRONG:
        return ahead.best(view, seat, rng, rules, trials, ahead.DEPTHS[thinking])[0].candidate
    trial, conditions, misjudged = trials.of(view, rng), view.conditions, MISJUDGED[strength]
    match view.decision:
        case decisions.Placing():
            ways = placements(legal)
            return max(ways, key=lambda move: after(trial, conditions, move) + misjudged * rng.random())
        case decisions.Casting():
            return max(legal, key=lambda move: gain_of_card(trial, seat, conditions, move))
        case _:
            return decide(trial.context(seat), view.decision, conditions)
