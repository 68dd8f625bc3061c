"""Tangle as the deal of the day: a duel with the strong computer for the first condition."""

from pathlib import Path
from typing import Any

from engines.daily import DailyDuel
from engines.game import Outcome, Seat
from engines.tangle.legal.conditions import tally


class TangleDaily(DailyDuel):
    """Decided by the loser's shortfall on the best of their conditions."""

    unit = ("step", "steps")
    fewer_is_better = True

    def margin(self, outcome: Outcome, view: Any, seat: Seat) -> int:
        """See `DailyDuel.margin`."""
        lacks = [10**3 if one is None else one for one in tally(view, view) or (0,) * view.seats]
        return min(lack for other, lack in enumerate(lacks) if other != seat) - lacks[seat]


DAILY = TangleDaily(Path(__file__).with_name("daily.toml"))
