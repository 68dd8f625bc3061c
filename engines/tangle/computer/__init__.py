"""The computer players: each decides from its own view alone, one move at a time.

The medium one tries every placement on a copy of its view, decides the follow-ups by rules of thumb, and
takes the best; the easy and casual ones do so too, but overlook some and misjudge the others. The strong one
plays its best choices on for some turns.
"""

from random import Random
from typing import Any

from engines.attention import Attention, pick
from engines.game import Game, Seat, Strength, Thinking
from engines.tangle import decisions
from engines.tangle.computer import ahead
from engines.tangle.computer.judging import (
    TrialFactory,
    after,
    decide_upkeep,
    gain_of_card,
    is_idle,
    placements,
)
from engines.tangle.computer.policy import decide
from engines.tangle.computer.winning import NEAR, ONE_PLACEMENT, winning_move
from engines.tangle.legal.moves import choices
from engines.tangle.moves import Move
from engines.tangle.view import TangleView

ATTENTION = {
    Strength.EASY: Attention(overlooked=0.33, misjudged=3.9),
    Strength.CASUAL: Attention(overlooked=0.23, misjudged=2.7),
    Strength.MEDIUM: Attention(misjudged=1.0),
}
"""The attention of the players that don't look ahead, in rounds."""


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
    near = ONE_PLACEMENT if strength is Strength.EASY else NEAR
    won = winning_move(view, seat, rng, rules, trials, near)
    if won is not None:
        return won
    if isinstance(view.decision, decisions.Upkeep):
        return decide_upkeep(trials.of(view, rng), view.decision, seat, view.conditions)
    if strength is Strength.STRONG:
        return ahead.best(view, seat, rng, rules, trials, ahead.DEPTHS[thinking])[0].candidate
    trial, conditions, attention = trials.of(view, rng), view.conditions, ATTENTION[strength]
    match view.decision:
        case decisions.Placing():
            return pick(
                placements(legal),
                lambda move: after(trial, conditions, move),
                attention,
                rng,
                lambda move: is_idle(trial, seat, move),
            )
        case decisions.Casting():
            return max(legal, key=lambda move: gain_of_card(trial, seat, conditions, move))
        case _:
            return decide(trial.context(seat), view.decision, conditions)
