"""How a game is dealt as the deal of the day: at which levels, what a play has come to, and its row of signs.

A game that has one sets `Game.daily`; it works from views and what was told of the turns alone.
"""

from __future__ import annotations

import itertools
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engines.game import Outcome, Seat

GOOD, FAIR, POOR = "🟢", "🔶", "🟥"
"""The signs, each of a shape of its own."""
LONGEST = 10
"""A row has so many signs at most."""
T = TypeVar("T")


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way in which a game is dealt: its name, how many sit there with the person, and the options."""

    name: str
    seats: int = 1
    options: dict[str, Any] = {}


class Verdict(msgspec.Struct, frozen=True):
    """What a play has come to, in words and as a number: of plays of one deal the higher is the better."""

    rank: int
    said: str


class TurnTold(msgspec.Struct, frozen=True):
    """A turn of a finished play: how many moves the person made in it, and the tally after it."""

    moves: int
    tally: tuple[int | None, ...] | None


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a game's `daily.toml`."""

    signs: str
    level: tuple[Level, ...]


class Daily(ABC):
    """How one game is dealt daily.

    Attributes:
        levels: from the easiest, which Mondays have, to the hardest for Sundays.
        legend: what the signs stand for, in a sentence.
    """

    def __init__(self, written: Path) -> None:
        """`written` is the game's `daily.toml`."""
        found = msgspec.convert(tomllib.loads(written.read_text("utf-8")), _Written)
        self.levels, self.legend = found.level, found.signs

    @abstractmethod
    def verdict(self, outcome: Outcome, view: Any, seat: Seat) -> Verdict:
        """What a play has come to, from its end."""

    @abstractmethod
    def signs(self, outcome: Outcome, turns: Sequence[TurnTold], seat: Seat) -> str:
        """A row of signs for how it went; nothing of the deal can be told from it."""


class Duel(Daily):
    """A game of one person against computers that keep score: won or lost by how much."""

    unit = ("point", "points")
    fewer_is_better = False

    def verdict(self, outcome: Outcome, view: Any, seat: Seat) -> Verdict:
        """The margin to the best of the others; a tie in points is what the places say."""
        margin, place = self.margin(outcome, view, seat), outcome.places[seat]
        first = place == 1 and outcome.places.count(1) == 1
        if place == 1 and not first:
            return Verdict(0, "drawn")
        by = abs(margin)
        told = f"{'won' if first else 'lost'} by {by} {self.unit[by != 1]}"
        # A win is never ranked below a loss, and one by a tie-break still is one.
        return Verdict(
            1 + by if first else -1 - by, told if by else f"{'won' if first else 'lost'} on the tie-break"
        )

    def margin(self, outcome: Outcome, view: Any, seat: Seat) -> int:
        """By how much the seat is ahead of the best other one."""
        scores = outcome.scores or ()
        return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)

    def signs(self, outcome: Outcome, turns: Sequence[TurnTold], seat: Seat) -> str:
        """Who was ahead, stretch by stretch."""
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
    """What was turn by turn, in at most `LONGEST` parts of about the same length.

    >>> [len(part) for part in stretches(range(25))]
    [2, 3, 2, 3, 2, 3, 2, 3, 2, 3]
    """
    number = min(len(values), LONGEST)
    cuts = [len(values) * at // number for at in range(number + 1)] if number else []
    return [values[begin:end] for begin, end in itertools.pairwise(cuts)]


def row(signs: Sequence[str]) -> str:
    """A row of at most `LONGEST` signs; where there are more, the worst of some stands for all of those.

    >>> row([GOOD, POOR, GOOD])
    '🟢🟥🟢'
    >>> row([GOOD] * 19 + [POOR])
    '🟢🟢🟢🟢🟢🟢🟢🟢🟢🟥'
    """
    return "".join(max(part, key=(GOOD, FAIR, POOR).index) for part in stretches(signs))
