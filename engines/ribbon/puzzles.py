"""Puzzles of Ribbon Tangle: clean ends of a turn, traps for the last opponent, and the ends of solo games."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from engines.game import Seat, Strength
from engines.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleGame, PuzzleTable
from engines.ribbon import GAME
from engines.ribbon.computer.advice import moves_of_draft
from engines.ribbon.computer.ahead import is_trapped, winning_results
from engines.ribbon.computer.masks import EVERY_RIBBON, can_clear, numbers
from engines.ribbon.computer.results import TurnResult, results
from engines.ribbon.moves import Move
from engines.ribbon.preview import TurnDraft, apply_draft, drafts, is_winning, losing_tangles
from engines.ribbon.view import RibbonView
from engines.ribbon.words.puzzles import (
    CLEAN,
    TRAP,
    WIN,
    describe_given,
    describe_miss,
    describe_task,
    explain,
)
from engines.words import Names

_WAYS = 2
"""The most ways to reach the aim, apart from their order."""
_MOST_TRAPS = 4
"""The most arrangements that leave the other seat no way out."""
_WAYS_OF_TWO = 12
"""The most first turns from which the next one wins."""


class _RibbonPuzzles(PuzzleGame):
    """Clean ends of a turn, found after its flip; wins of a team in its turn, or of solo in the next."""

    tables = (
        PuzzleTable(2, {"mode": "versus"}),
        PuzzleTable(1, {"mode": "solo", "difficulty": "easy"}, Strength.MEDIUM),
        PuzzleTable(1, {"mode": "solo", "difficulty": "hard"}, Strength.MEDIUM),
        PuzzleTable(3, {"mode": "versus"}),
        PuzzleTable(1, {"mode": "solo", "difficulty": "easy"}, Strength.MEDIUM),
        PuzzleTable(1, {"mode": "solo", "difficulty": "medium"}, Strength.MEDIUM),
        PuzzleTable(2, {"mode": "coop"}, Strength.MEDIUM),
    )
    most_easy = 1.0
    most_of_kind: Mapping[str, float] = {CLEAN: 0.45, TRAP: 0.45}

    def find(self, view: RibbonView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the aim of a turn whose arrangement has just begun."""
        if view.phase != "arrange" or view.swapped or view.exchanged:
            return
        if view.mode != "versus" and view.full:
            yield from _find_wins(view)
        elif view.mode == "versus" or not view.full:
            yield from _find_clean(view)
            yield from _find_traps(view)

    def is_over(self, puzzle: Puzzle, state: Any) -> bool:
        turns = puzzle.target or 1
        return bool(state.phase == "over" or state.turn >= puzzle.view.turn + turns)

    def is_solved(self, puzzle: Puzzle, state: Any) -> bool:
        """Return True if the aim is reached. A trap must hold whatever is hidden."""
        if puzzle.kind == TRAP and state.outcome is None and puzzle.seat not in state.out:
            view, other = GAME.view(state, puzzle.seat), next(iter(_others(puzzle.view)))
            return is_trapped(view, other, numbers(view.circle))
        if puzzle.kind == TRAP:
            return state.outcome is not None and state.outcome.places[puzzle.seat] == 1
        won = state.outcome is not None and bool(state.outcome.won)
        if puzzle.kind == WIN or won:
            return won
        return puzzle.seat not in state.out and (puzzle.view.mode == "versus" or state.outcome is None)

    def task(self, puzzle: Puzzle, names: Names = ()) -> str:
        return describe_task(puzzle, names or [""] * puzzle.seats)

    def describe_given(self, puzzle: Puzzle, view: RibbonView, names: Names = ()) -> str:
        return describe_given(puzzle, view, names or [""] * puzzle.seats)

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        return describe_miss(puzzle, GAME.view(state, puzzle.seat), names or [""] * puzzle.seats)

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        return explain(puzzle, self.steps(puzzle), names or [""] * puzzle.seats)


def _find_clean(view: RibbonView) -> Iterator[PuzzleCandidate]:
    clean = [draft for draft in drafts(view) if not losing_tangles(view, apply_draft(view.circle, draft))]
    circles = {apply_draft(view.circle, draft) for draft in clean}
    if 0 < len(circles) <= _WAYS and TurnDraft() not in clean:
        yield PuzzleCandidate(moves_of_draft(view, min(clean, key=_count_steps)), CLEAN)


def _find_traps(view: RibbonView) -> Iterator[PuzzleCandidate]:
    """Yield a turn that leaves the only other seat no way out. If few do."""
    if view.mode != "versus" or len(view.remaining) != 2:
        return
    ways = list(winning_results(view, results(view)))
    if ways and len({tuple(way.circle) for way in ways}) <= _MOST_TRAPS:
        yield PuzzleCandidate(moves_of_draft(view, min((way.draft for way in ways), key=_count_steps)), TRAP)


def _others(view: RibbonView) -> Iterator[Seat]:
    return (seat for seat in view.remaining if seat != view.seat)


def _count_steps(draft: TurnDraft) -> int:
    return (draft.swap is not None) + (draft.exchange is not None)


def _find_wins(view: RibbonView) -> Iterator[PuzzleCandidate]:
    """Yield a win in this turn or the next, if few do."""
    entries = results(view)
    wins = [entry.draft for entry in entries if is_winning(view, apply_draft(view.circle, entry.draft))]
    if wins:
        if len({apply_draft(view.circle, draft) for draft in wins}) <= _WAYS:
            yield PuzzleCandidate(moves_of_draft(view, min(wins, key=_count_steps)), WIN, 1)
        return
    if view.mode != "solo":
        return
    hand = numbers(view.hands[((view.hand_in_use or 0) + 1) % len(view.hands)])
    ways = [entry for entry in entries if _can_follow(view, entry, hand)]
    if 0 < len({tuple(entry.circle) for entry in ways}) <= _WAYS_OF_TWO:
        first = moves_of_draft(view, min((entry.draft for entry in ways), key=_count_steps))
        yield PuzzleCandidate((*first, *_win_after(view, first)), WIN, 2)


def _can_follow(view: RibbonView, entry: TurnResult, hand: Sequence[int]) -> bool:
    """Return True if the next turn, with that hand, can win. And this one doesn't lose."""
    circle = apply_draft(view.circle, entry.draft)
    return not losing_tangles(view, circle) and can_clear(entry.circle, hand, EVERY_RIBBON)


def _win_after(view: RibbonView, turn: Sequence[Move]) -> tuple[Move, ...]:
    state = GAME.sample_state(view, Random(0))
    for move in turn:
        GAME.play(state, view.seat, move)
    after = GAME.view(state, view.seat)
    wins = [draft for draft in drafts(after) if is_winning(after, apply_draft(after.circle, draft))]
    return moves_of_draft(after, min(wins, key=_count_steps))


PUZZLES = _RibbonPuzzles(GAME, Path(__file__).with_name(FILE))
