"""The computer player: decides from its own view alone, one move at a time.

It has no memory. After each move it looks again at what it can still do, and since what it had in mind
is among that, it carries its plans out.
"""

from __future__ import annotations

from random import Random

from engines.game import Seat, Strength
from engines.tesla.computer import quick, strong
from engines.tesla.moves import Move
from engines.tesla.position import supposed
from engines.tesla.view import View


def choose(view: View, seat: Seat, rng: Random, strength: Strength) -> Move:
    """A legal move for a seat that owes one. Rules: Computer players."""
    if view.over or view.seat != seat:
        raise ValueError("this seat owes no move")
    position = supposed(view)
    if strength is Strength.STRONG:
        return strong.choose(position, rng)
    return quick.choose(position, rng, quick.EASY if strength is Strength.EASY else quick.MEDIUM)
