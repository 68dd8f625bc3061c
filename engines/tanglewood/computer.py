"""The computer players."""

from __future__ import annotations

from random import Random

from engines.game import Seat, Strength
from engines.tanglewood.choices import choices
from engines.tanglewood.moves import Move
from engines.tanglewood.view import View


def choose(view: View, seat: Seat, rng: Random, strength: Strength) -> Move:
    """A legal move for a seat that owes one. Rules: Computer players."""
    return rng.choice(choices(view))
