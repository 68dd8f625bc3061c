"""Tesla's Tangle as the strong player of the last version plays it."""

from __future__ import annotations

from random import Random

from engines.game import Seat
from engines.tesla.legal.position import supposed
from engines.tesla.moves import Move
from engines.tesla.view import View
from tests.strength.last.tesla import strong


def choose(view: View, seat: Seat, rng: Random) -> Move:
    return strong.choose(supposed(view), rng)
