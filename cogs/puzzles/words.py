"""Sentences about puzzles."""

from __future__ import annotations

from engines.puzzle_play import PuzzleEntry
from engines.registry import game
from engines.words import plural
from tables.puzzles.puzzles import PuzzleProgress, PuzzleResult
from tables.puzzles.ratings import points_of

SIGN = "🧩"
NOTHING_YET = "You haven't tried a puzzle yet. `/puzzle` opens one."
DIFFICULTIES = {"easy": "", "medium": "medium", "strong": "hard"}
"""An easy find for a computer that searches says nothing about people."""
TOUGHEST = "very hard"
SOLUTION_COSTS = "Show the solution? If you haven't tried this puzzle before, it counts as a miss."
HINT_COSTS = "-# With a hint, a solution brings about a third as much."


def difficulty(entry: PuzzleEntry | None) -> str:
    """Name a puzzle's difficulty by the weakest computer that finds it.

    >>> from engines.game import Strength
    >>> [difficulty(PuzzleEntry("a", Strength.STRONG, is_found)) for is_found in (True, False)]
    ['hard', 'very hard']
    """
    if entry is None or not entry.is_found:
        return TOUGHEST
    return DIFFICULTIES.get(entry.difficulty, TOUGHEST)


def heading(task: str, level: str, *, is_new: bool) -> str:
    """Return the line above a puzzle's panel."""
    if not is_new:
        return f"{SIGN} {task}"
    return f"{SIGN} **Puzzle**{f' ({level})' if level else ''}: **{task}**"


def verdict(result: PuzzleResult) -> str:
    """Return what a finished try was worth."""
    head = f"{SIGN} **Solved!**" if result.is_solved else f"{SIGN} **Not quite.**"
    if not result.is_first:
        return head
    sign = "+" if result.change >= 0 else "−"
    return f"{head} Your rating: **{result.rating}** ({sign}{abs(result.change)})."


def progress(known: PuzzleProgress) -> list[str]:
    """Return a person's ratings and streak, a line each."""
    lines = [
        f"{game(row.game).title}: **{points_of(row)}**, "
        f"{row.solved} of {plural(row.tried, 'puzzle')} solved at the first try"
        for row in known.players
    ]
    if known.streak:
        lines.append(f"You've solved a puzzle on {plural(known.streak, 'day')} in a row.")
    return lines or [NOTHING_YET]
