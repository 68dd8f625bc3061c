"""Tangram City as the deal of the day: one city, as many points as possible."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from engines.daily import FAIR, GOOD, POOR, DailyGame, DailyVerdict, TurnSummary, stretches
from engines.game import Outcome, Seat
from engines.tangram.view import TangramView


class TangramDaily(DailyGame):
    """Judged by the score of the city."""

    def verdict(self, outcome: Outcome, view: TangramView, seat: Seat) -> DailyVerdict:
        """See `DailyGame.verdict`."""
        score = (outcome.scores or (0,))[seat]
        return DailyVerdict(score, f"{score} {'point' if score == 1 else 'points'}")

    def signs(self, outcome: Outcome, turns: Sequence[TurnSummary], seat: Seat) -> str:
        """Rate stretches of turns by their points within the same play."""
        scores = [one.tally[seat] or 0 for one in turns if one.tally is not None]
        gains = [after - before for before, after in itertools.pairwise(scores)]
        parts = [sum(part) for part in stretches(gains)]
        usual = sum(parts) / len(parts) if parts else 0.0
        return "".join(GOOD if gain >= usual else FAIR if gain > 0 else POOR for gain in parts)


DAILY = TangramDaily(Path(__file__).with_name("daily.toml"))
