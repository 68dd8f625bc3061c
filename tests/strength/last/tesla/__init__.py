"""Tesla's Tangle as the strong player of the last version plays it."""

from __future__ import annotations

from random import Random

from engines.game import Seat
from engines.tesla.legal.position import position_of
from engines.tesla.moves import Move
from engines.tesla.view import TeslaView
from tests.strength.last.tesla import strong


def choose(view: TeslaView, seat: Seat, rng: Random) -> Move:
    return strong.choose(position_of(view), rng)
