"""Puzzles of Tangle: turns that win for certain."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from engines.game import IllegalMove, Seat
from engines.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleTable, WinningPuzzles
from engines.tangle import GAME
from engines.tangle.computer.winning import winning_line
from engines.tangle.decisions import Placing
from engines.tangle.legal.conditions import shortfall
from engines.tangle.moves import Move, TangleDone
from engines.tangle.truth.trial import TangleTrial
from engines.tangle.view import TangleView
from engines.tangle.words.puzzles import describe_given, describe_miss, explain_win
from engines.words import Names

_LACKS = range(1, 8)
"""The things that a seat can lack on its best condition."""
_NEAR, _WIN = "near", "win"
"""The kinds: a condition lacks a single thing, or more."""
_MOVES = 150
"""Most moves to try in search of a win."""
_SHORTEST = 3
"""The fewest moves of a win."""


class _TanglePuzzles(WinningPuzzles):
    """Wins in this turn, found at its first placement, without a move that isn't needed."""

    tables = (PuzzleTable(2), PuzzleTable(2), PuzzleTable(2), PuzzleTable(3))
    most_easy = 1.0
    most_of_kind: Mapping[str, float] = {_NEAR: 0.25}

    def find(self, view: TangleView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield a winning turn before its first placement."""
        first = isinstance(view.decision, Placing) and not (view.decision.extra or view.decision.sleeper)
        if not first or view.seat != seat or view.changes or view.offered or view.conditions is None:
            return
        lacks = shortfall(view, seat, view.conditions)
        if lacks in _LACKS:
            line = _shorten(
                view, seat, winning_line(view, seat, Random(0), GAME, TangleTrial, _LACKS[-1], _MOVES)
            )
            if len(line) >= _SHORTEST:
                yield PuzzleCandidate(line, _NEAR if lacks == 1 else _WIN)

    def describe_given(self, puzzle: Puzzle, view: TangleView, names: Names = ()) -> str:
        return describe_given(view, puzzle.seat)

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        return describe_miss(self.rules.view(state, puzzle.seat), puzzle.seat)

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        return explain_win(self.steps(puzzle), puzzle.seat, names or [""] * puzzle.seats)


def _shorten(view: TangleView, seat: Seat, line: Sequence[Move]) -> tuple[Move, ...]:
    """Leave out the moves that a win doesn't need. Or stop instead of making them."""
    needed = list(line)
    for move in line:
        place = needed.index(move)
        for instead in ([], [TangleDone()]):
            other = [*needed[:place], *instead, *needed[place + 1 :]]
            if _wins(view, seat, other):
                needed = other
                break
    return tuple(needed)


def _wins(view: TangleView, seat: Seat, line: Sequence[Move]) -> bool:
    state = GAME.sample_state(view, Random(0))
    for move in line:
        try:
            GAME.play(state, seat, move)
        except IllegalMove:
            return False
    return state.outcome is not None and state.outcome.places[seat] == 1


PUZZLES = _TanglePuzzles(GAME, Path(__file__).with_name(FILE))
