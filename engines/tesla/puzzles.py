"""Puzzles of Tesla's Tangle: turns that win for certain."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engines.game import Seat
from engines.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleTable, WinningPuzzles
from engines.tesla import GAME
from engines.tesla.computer.winning import winning_turn
from engines.tesla.legal.position import position_of
from engines.tesla.view import TeslaView
from engines.tesla.words.puzzles import describe_given, describe_miss, explain_win
from engines.words import Names

_WIDTHS = ((), (60,), (80, 20))
"""The placements to follow in search of a shorter win: of one tile, two, three."""
_POSITIONS = 250
"""Most positions to search for each."""


class _TeslaPuzzles(WinningPuzzles):
    """Wins in this turn, with at least one tile, and with as few as possible."""

    tables = (
        PuzzleTable(2),
        PuzzleTable(2, {"tiles": "square"}),
        PuzzleTable(2),
        PuzzleTable(2, {"tiles": "square"}),
        PuzzleTable(3),
    )
    other_hands = 2

    def find(self, view: TeslaView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the shortest winning turn at the start of a turn."""
        if view.acted or view.phase != "tiles":
            return
        position = position_of(view)
        won = winning_turn(position)
        if won is None:
            return
        shorter = (winning_turn(position, widths, _POSITIONS) for widths in _WIDTHS)
        won = next((line for line in shorter if line is not None), won)
        if len(won) > 1:
            yield PuzzleCandidate(won)

    def describe_given(self, puzzle: Puzzle, view: TeslaView, names: Names = ()) -> str:
        return describe_given(view, puzzle.seat, names or [""] * puzzle.seats)

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        return describe_miss(self.rules.view(state, puzzle.seat), puzzle.seat)

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        return explain_win(self.steps(puzzle), puzzle.seat, names or [""] * puzzle.seats)


PUZZLES = _TeslaPuzzles(GAME, Path(__file__).with_name(FILE))
