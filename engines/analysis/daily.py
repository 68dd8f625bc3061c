"""Deals of the day: the levels of a game, the verdict on a play, and its row of signs.

A game that has one sets `Game.daily`; it works from views and the summaries of the turns alone.
"""

import itertools
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engines.game import Outcome, Seat

GOOD, FAIR, POOR = "🟢", "🔶", "🟥"
"""Each sign has a shape of its own."""
MOST_SIGNS = 10
"""Length of a row of signs."""
T = TypeVar("T")


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to deal a game: its name, how many computers play along, and the options."""

    name: str
    seats: int = 1
    options: dict[str, Any] = {}


class DailyVerdict(msgspec.Struct, frozen=True):
    """The result of a play, in words and as a number: of plays of one deal, higher is better."""

    rank: int
    said: str


class TurnSummary(msgspec.Struct, frozen=True):
    """A turn of a finished play: the number of moves the person made, and the tally after it."""

    moves: int
    tally: tuple[int | None, ...] | None


class _DailyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a game's `daily.toml`."""

    signs: str
    level: tuple[Level, ...]


class DailyGame(ABC):
    """Defines how one game is dealt daily.

    Attributes:
        levels: from the easiest, which Mondays have, to the hardest for Sundays.
        legend: the meaning of the signs, in a sentence.

    >>> from engines.ribbon.game import DAILY
    >>> [level.name for level in DAILY.levels][:2]
    ['easy', 'medium']
    """

    def __init__(self, written: Path) -> None:
        """Read the levels and the legend from the game's `daily.toml`."""
        result = msgspec.convert(tomllib.loads(written.read_text("utf-8")), _DailyFile)
        self.levels, self.legend = result.level, result.signs

    @abstractmethod
    def verdict(self, outcome: Outcome, view: Any, seat: Seat) -> DailyVerdict:
        """Judge a finished play."""

    @abstractmethod
    def signs(self, outcome: Outcome, turns: Sequence[TurnSummary], seat: Seat) -> str:
        """Return a row of signs for the play. It must reveal nothing of the deal."""


class DailyDuel(DailyGame):
    """A game of one person against computers that keep score: won or lost by a margin."""

    unit = ("point", "points")
    fewer_is_better = False

    def verdict(self, outcome: Outcome, view: Any, seat: Seat) -> DailyVerdict:
        """Judge by the margin to the best opponent. Places decide a tie in points."""
        margin, place = self.margin(outcome, view, seat), outcome.places[seat]
        first = place == 1 and outcome.places.count(1) == 1
        if place == 1 and not first:
            return DailyVerdict(0, "drawn")
        by = abs(margin)
        text = f"{'won' if first else 'lost'} by {by} {self.unit[by != 1]}"
        # A win is never ranked below a loss, and one by a tie-break still is one.
        return DailyVerdict(
            1 + by if first else -1 - by, text if by else f"{'won' if first else 'lost'} on the tie-break"
        )

    def margin(self, outcome: Outcome, view: Any, seat: Seat) -> int:
        """Return the seat's lead over the best other seat. Negative if it's behind."""
        scores = outcome.scores or ()
        return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)

    def signs(self, outcome: Outcome, turns: Sequence[TurnSummary], seat: Seat) -> str:
        """Mark the lead at the end of each stretch."""
        leads = [self._lead(one.tally, seat) for one in turns[1:] if one.tally is not None]
        ends = [share[-1] for share in stretches(leads)]
        return "".join(GOOD if lead > 0 else FAIR if lead == 0 else POOR for lead in ends)

    def _lead(self, tally: tuple[int | None, ...], seat: Seat) -> int:
        own = tally[seat]
        others = [score for other, score in enumerate(tally) if other != seat and score is not None]
        if own is None or not others:
            return -1 if own is None else 1
        return min(others) - own if self.fewer_is_better else own - max(others)


def stretches(values: Sequence[T]) -> list[Sequence[T]]:
    """Split a play into at most `MOST_SIGNS` parts of about equal length.

    >>> [len(part) for part in stretches(range(25))]
    [2, 3, 2, 3, 2, 3, 2, 3, 2, 3]
    """
    number = min(len(values), MOST_SIGNS)
    cuts = [len(values) * at // number for at in range(number + 1)] if number else []
    return [values[begin:end] for begin, end in itertools.pairwise(cuts)]


def row(signs: Sequence[str]) -> str:
    """Join at most `MOST_SIGNS` signs.

    Of a longer row, keep the worst of each stretch.

    >>> row([GOOD, POOR, GOOD])
    '🟢🟥🟢'
    >>> row([GOOD] * 19 + [POOR])
    '🟢🟢🟢🟢🟢🟢🟢🟢🟢🟥'
    """
    return "".join(max(part, key=(GOOD, FAIR, POOR).index) for part in stretches(signs))
