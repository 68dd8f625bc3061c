"""Ribbon Tangle as the deal of the day: alone, untangled in as few turns as can be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engines.daily import FAIR, GOOD, POOR, Daily, TurnTold, Verdict, row
from engines.game import Outcome, Seat
from engines.ribbon.view import View

WON = 1000
"""Every game that is won ranks above all that are lost."""
PLAIN = 2
"""The moves of a turn in which nothing is rearranged: the flip, and its end."""


class RibbonDaily(Daily):
    """Won: the fewer turns, the better; lost: the more cards lay open."""

    def verdict(self, outcome: Outcome, view: View, seat: Seat) -> Verdict:
        """See `Daily.verdict`."""
        if outcome.won:
            return Verdict(WON - view.turn, f"untangled on turn {view.turn}")
        return Verdict(sum(card is not None for card in view.circle), f"tangled on turn {view.turn}")

    def signs(self, outcome: Outcome, turns: Sequence[TurnTold], seat: Seat) -> str:
        """A sign a turn, from the first flip on."""
        found = [GOOD if one.moves <= PLAIN else FAIR for one in turns if one.moves]
        return row([*found[:-1], *([POOR] if found and not outcome.won else found[-1:])])


DAILY = RibbonDaily(Path(__file__).with_name("daily.toml"))
