"""Puzzles of Tanglewood: the most votes that a seat's last turn before a scoring can bring."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from engines.analysis.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleGame, PuzzleTable
from engines.game import Seat
from engines.marks import capital
from engines.tanglewood import GAME
from engines.tanglewood.moves import Move
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.view import TanglewoodPublic, TanglewoodView, would_score
from engines.tanglewood.words.nouns import place
from engines.words import Names, count_noun, join_phrases, seat_colour

BEST = "best"
"""The aim: the most votes that a turn can bring."""


def votes_with_regions(public: TanglewoodPublic, seat: Seat) -> int:
    """Return a seat's votes, with those that the regions would pay now."""
    return public.votes[seat] + sum(row[seat] for row in would_score(public).values())


def _votes_by_region(view: TanglewoodView, seat: Seat) -> dict[Region, int]:
    return {region: row[seat] for region, row in would_score(view).items()}


_FIRST_MOVES = 2
"""The most first moves from which the best is reached."""
_MOVES = 4000
"""Most moves to try; a turn with more has no puzzle."""
_LEAST_GAIN = 4
"""The votes that the best turn must bring."""


class _Line(NamedTuple):
    """A whole turn, and the votes after it."""

    votes: int
    moves: tuple[Move, ...]


class _TanglewoodPuzzles(PuzzleGame):
    """The best last turn before a scoring, counted as if the forest voted after it.

    Not of the last seat of the round: then the ballots, which nobody knows, would come first.
    """

    tables = tuple(PuzzleTable(seats, {"length": "short"}) for seats in (3, 4, 5))

    def find(self, view: TanglewoodView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the best turn, if few ways of beginning it lead there."""
        if (
            view.phase != "turn"
            or view.round != view.scoring_round
            or all(other in view.out for other in view.order[view.order.index(seat) + 1 :])
        ):
            return
        lines = _list_turns(view, seat)
        if not lines:
            return
        best = max(lines, key=lambda line: (line.votes, -len(line.moves)))
        firsts = {line.moves[0] for line in lines if line.votes == best.votes}
        if best.votes >= votes_with_regions(view, seat) + _LEAST_GAIN and len(firsts) <= _FIRST_MOVES:
            yield PuzzleCandidate(best.moves, BEST, best.votes)

    def is_over(self, puzzle: Puzzle, state: Any) -> bool:
        return bool(state.turns != puzzle.view.turns or state.phase in ("ballots", "over"))

    def is_solved(self, puzzle: Puzzle, state: Any) -> bool:
        return votes_with_regions(state, puzzle.seat) >= (puzzle.target or 0)

    def task(self, puzzle: Puzzle, names: Names = ()) -> str:
        return f"Reach {puzzle.target} votes or more, counted as if the forest voted right after your turn."

    def describe_given(self, puzzle: Puzzle, view: TanglewoodView, names: Names = ()) -> str:
        have, total = view.votes[puzzle.seat], votes_with_regions(view, puzzle.seat)
        more = f"If the forest voted now, you'd get {total - have} more: {total} in all."
        return f"You ({seat_colour(puzzle.seat)}) have {count_noun(have, 'vote')}. {more}"

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        return f"You reached {votes_with_regions(state, puzzle.seat)} of {puzzle.target} votes."

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        steps = self.steps(puzzle)
        seat = puzzle.seat
        first: TanglewoodView = steps[0].before
        last: TanglewoodView = steps[-1].after
        then, now = _votes_by_region(first, seat), _votes_by_region(last, seat)
        changed = [region for region in REGIONS if now[region] != then[region]]
        changes = [f"{place(one)} would pay you {now[one]} instead of {then[one]}" for one in changed]
        won = last.votes[seat] - first.votes[seat]
        if won:
            changes.append(f"you win {count_noun(won, 'vote')} at once")
        before, after = votes_with_regions(first, seat), votes_with_regions(last, seat)
        made = f"That makes {after} instead of {before}; no other turn makes more."
        return f"{capital(join_phrases(changes))}. {made}"


def _list_turns(view: TanglewoodView, seat: Seat) -> list[_Line]:
    """Return every way to make this turn. Nothing if there are too many."""
    waiting: list[tuple[Any, tuple[Move, ...]]] = [(GAME.sample_state(view, Random(0)), ())]
    lines: list[_Line] = []
    tried = 0
    while waiting:
        state, done = waiting.pop()
        for move in GAME.moves(state, seat):
            tried += 1
            if tried > _MOVES:
                return []
            after = GAME.copy(state)
            assert after is not None
            GAME.play(after, seat, move)
            if after.turns != view.turns:
                lines.append(_Line(votes_with_regions(after, seat), (*done, move)))
            else:
                waiting.append((after, (*done, move)))
    return lines


PUZZLES = _TanglewoodPuzzles(GAME, Path(__file__).with_name(FILE))
