"""Ribbon Tangle as the deal of the day: alone, untangled in as few turns as possible."""

from collections.abc import Sequence
from pathlib import Path

from engines.daily import FAIR, GOOD, POOR, DailyGame, DailyVerdict, TurnSummary, row
from engines.game import Outcome, Seat
from engines.ribbon.view import RibbonView

WIN_BONUS = 1000
"""Ranks every win above all losses."""
PLAIN_MOVES = 2
"""The moves of a turn without an arrangement: the flip, and its end."""


class RibbonDaily(DailyGame):
    """Ranks wins by fewer turns, losses by more open cards."""

    def verdict(self, outcome: Outcome, view: RibbonView, seat: Seat) -> DailyVerdict:
        """See `DailyGame.verdict`."""
        if outcome.won:
            return DailyVerdict(WIN_BONUS - view.turn, f"won on turn {view.turn}")
        return DailyVerdict(sum(card is not None for card in view.circle), f"lost on turn {view.turn}")

    def signs(self, outcome: Outcome, turns: Sequence[TurnSummary], seat: Seat) -> str:
        """Return a sign a turn, from the first flip on. To choose a hand comes before the first turn."""
        played = [one for one in turns if one.moves][1:]
        texts = [GOOD if one.moves <= PLAIN_MOVES else FAIR for one in played]
        return row([*texts[:-1], *([POOR] if texts and not outcome.won else texts[-1:])])


DAILY = RibbonDaily(Path(__file__).with_name("daily.toml"))
