"""Scripted beginners: they play legal moves, look one step ahead, and forget to look every fourth time.

A beginner tries some of its legal moves in a position that its view allows, and takes the one with the most
obvious gain. In Tesla's Tangle, Tangram City and Tangle it values a position as the computer players do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from engines.game import Seat
from engines.registry import AnyGame, game
from engines.ribbon.computer.advice import moves_of_draft
from engines.ribbon.pieces.circle import Circle, tangles
from engines.ribbon.pieces.components import Colour
from engines.ribbon.preview import TurnDraft, apply_draft, drafts
from engines.tangle.computer.evaluation import value
from engines.tangle.truth.state import context_for
from engines.tanglewood.pieces.board import votes
from engines.tangram.computer.evaluation import cover_of, promise
from engines.tesla.computer.evaluation import Evaluation
from tests.strength.revision import PlayerChoice

FORGETS = 4
"""A beginner forgets to look in every fourth of its turns."""
LOOKS = 60
"""The most moves that a beginner tries."""
KEPT = 0.5
"""Weight of things that may count later, compared with points."""
OWN = 100.0
"""Weight of an own tangle, compared with another."""
OUT = -1000.0
"""The value of being out."""

Obvious = Callable[[Any, Seat], float]
"""The obvious value of a state to a seat."""


def _ribbon(state: Any, seat: Seat) -> float:
    """Count the tangles of the others' ribbons; its own must go."""
    return OUT if seat in state.out else _count_tangles(state.circle, state.ribbons[seat])


def _count_tangles(circle: Circle, own: Colour | None) -> float:
    every = tangles(circle)
    return len(every) - OWN * sum(tangle.colour == own for tangle in every)


def _tesla(state: Any, seat: Seat) -> float:
    """Value the points, and what the markers promise."""
    if seat in state.out:
        return OUT
    return Evaluation(state, seat).value(state)


def _tangram(state: Any, seat: Seat) -> float:
    """Value the look of the city with the answers given so far."""
    city = state.cities[seat]
    for answer in state.pending[seat]:
        if answer.piece is not None:
            city = city.add(answer.piece)
    return promise(cover_of(city))


def _tanglewood(state: Any, seat: Seat) -> float:
    """Count the votes of a scoring now, and the things held."""
    totals = list(state.votes)
    for region, workers in state.workers.items():
        for one, paid in enumerate(votes(region, workers, state.seats, state.out)):
            totals[one] += paid
    best = max(total for one, total in enumerate(totals) if one != seat)
    return float(totals[seat] - KEPT * best + KEPT * (state.circles[seat] + len(state.hands[seat])))


def _tangle(state: Any, seat: Seat) -> float:
    """Value the way to the seat's conditions."""
    return value(context_for(state, seat), state.conditions[seat])


class ScriptedBeginner(NamedTuple):
    """A game's beginner: the obvious value by which it plays, and the most moves and follow-ups it tries."""

    obvious: Obvious
    looks: int
    follow_ups: int = 0


BEGINNERS = {
    "ribbon": ScriptedBeginner(_ribbon, 60),
    "tesla": ScriptedBeginner(_tesla, 60),
    "tangram": ScriptedBeginner(_tangram, 60),
    "tanglewood": ScriptedBeginner(_tanglewood, 60, 6),
    "tangle": ScriptedBeginner(_tangle, 12, 6),
}


def choose_as_beginner(slug: str, view: Any, seat: Seat, luck: Random) -> PlayerChoice:
    """Choose a move as somebody does who has just read the rules."""
    begun = time.process_time()
    rules, beginner = game(slug), BEGINNERS[slug]
    look = _Look(rules, beginner, rules.sample_state(view, luck), seat, luck)
    move = look.choose_ending(view) if getattr(view, "phase", "") == "arrange" else look.choose()
    return PlayerChoice(move, (time.process_time() - begun) * 1000)


class _Look:
    """A beginner's look at one of its decisions."""

    def __init__(
        self, rules: AnyGame, beginner: ScriptedBeginner, state: Any, seat: Seat, luck: Random
    ) -> None:
        self._rules, self._beginner, self._state = rules, beginner, state
        self._seat, self._luck = seat, luck
        beat = rules.post_counter(state)
        turn = (rules.turn_at(beat, state.seats, state.options) or 0) // state.seats + seat
        self._forgets = turn % FORGETS == 0

    def choose(self) -> Any:
        """Return the most obvious move.

        If it forgets to look, any that doesn't put it out.
        """
        moves = self._sample(list(self._rules.moves(self._state, self._seat)), self._beginner.looks)
        if self._forgets:
            return next((move for move in moves if self._gain(move) > OUT), moves[0])
        return max(moves, key=self._gain)

    def choose_ending(self, view: Any) -> Any:
        """Begin the most obvious way to end a turn of Ribbon Tangle."""
        ways = [TurnDraft(), *self._sample(list(drafts(view)), self._beginner.looks)]
        own = view.ribbons[self._seat]
        gains = {way: _count_tangles(apply_draft(view.circle, way), own) for way in ways}
        safe = [way for way in ways if gains[way] >= 0]
        way = safe[0] if safe and self._forgets else max(ways, key=gains.__getitem__)
        return moves_of_draft(view, way)[0]

    def _sample(self, moves: list[Any], most: int) -> list[Any]:
        return self._luck.sample(moves, min(most, len(moves)))

    def _gain(self, move: Any) -> float:
        after = self._play(self._state, move)
        now = self._beginner.obvious(after, self._seat)
        goes_on = self._rules.post_counter(after) == self._rules.post_counter(self._state)
        if not self._beginner.follow_ups or not goes_on or self._seat not in self._rules.prompts(after):
            return now
        following = self._sample(list(self._rules.moves(after, self._seat)), self._beginner.follow_ups)
        return max(self._beginner.obvious(self._play(after, one), self._seat) for one in following)

    def _play(self, state: Any, move: Any) -> Any:
        after: Any = self._rules.copy(state) or deepcopy(state)
        self._rules.play(after, self._seat, move)
        return after
