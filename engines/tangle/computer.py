"""The computer players: each decides from its own view alone, one move at a time."""

from __future__ import annotations

from random import Random

from engines.game import Seat, Strength
from engines.tangle.legal import choices
from engines.tangle.moves import Move
from engines.tangle.view import View


def choose(view: View, seat: Seat, rng: Random, strength: Strength) -> Move:
    """A legal move for a seat that owes one. Raises ValueError for one that owes none."""
    legal = choices(view)
    if view.viewer != seat or not legal:
        raise ValueError("this seat owes no move")
    return rng.choice(legal)
