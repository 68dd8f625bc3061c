"""Sentences about puzzles."""

from engines.analysis.puzzle_making import PuzzleEntry
from engines.registry import game
from engines.words import plural
from tables.puzzles import PuzzleProgress, PuzzleResult, points_of

SIGN = "🧩"
SOLVED_YESTERDAY = "You solved a puzzle yesterday."
NOTHING_YET = "You haven't tried a puzzle yet. `/puzzle` opens one."
DIFFICULTIES = {"easy": "", "medium": "medium", "strong": "hard"}
"""An easy find for a computer that searches says nothing about people."""
TOUGHEST = "very hard"
COUNTS = "-# Your first try counts for your rating."
COUNTS_NOT = "This try doesn't count, because it isn't your first."
HINT_ASKED = "Show the first step? A solution then brings about a third as much."
SOLUTION_COSTS = "Show the solution? This is your first try at this puzzle, so it counts as a miss."


def difficulty(entry: PuzzleEntry | None) -> str:
    """Name a puzzle's difficulty by the weakest computer that finds it.

    >>> from engines.game import Strength
    >>> [difficulty(PuzzleEntry("a", Strength.STRONG, is_found)) for is_found in (True, False)]
    ['hard', 'very hard']
    """
    if entry is None or not entry.is_found:
        return TOUGHEST
    return DIFFICULTIES.get(entry.difficulty, TOUGHEST)


def heading(title: str, task: str, level: str, *, is_new: bool) -> str:
    """Return the line above a puzzle's panel, whole on the first one.

    >>> heading("Tangle", "Win this turn.", "hard", is_new=True)
    '🧩 **Tangle puzzle** (hard): **Win this turn.**'
    """
    if not is_new:
        return f"{SIGN} {task}"
    return f"{SIGN} **{title} puzzle**{f' ({level})' if level else ''}: **{task}**"


def in_small_print(given: str) -> str:
    return "\n".join(f"-# {line}" for line in given.splitlines())


def verdict(result: PuzzleResult, miss: str = "") -> str:
    """Return what a finished try lacks, and what it was worth."""
    head = f"{SIGN} **Solved!**" if result.is_solved else f"{SIGN} **Not quite.** {miss}"
    if not result.is_first:
        return f"{head.rstrip()} {COUNTS_NOT}"
    sign = "+" if result.change >= 0 else "−"
    return f"{head} Your rating: **{result.rating}** ({sign}{abs(result.change)})."


def progress(known: PuzzleProgress) -> list[str]:
    lines = [
        f"{game(row.game).title}: **{points_of(row)}**, "
        f"{row.solved} of {plural(row.tried, 'puzzle')} solved at the first try"
        + _with_hints(row.solved, known.hinted.get(row.game, 0))
        for row in known.players
    ]
    if known.streak == 1:
        lines.append("You've solved a puzzle today." if known.has_solved_today else SOLVED_YESTERDAY)
    elif known.streak:
        lines.append(f"You've solved a puzzle on {known.streak} days in a row.")
    return lines or [NOTHING_YET]


def _with_hints(solved: int, hinted: int) -> str:
    """Say how many solved puzzles took a hint.

    >>> _with_hints(1, 1), _with_hints(4, 2), _with_hints(4, 0)
    (', with a hint', ', 2 of them with a hint', '')
    """
    if not hinted:
        return ""
    return ", with a hint" if solved == 1 else f", {hinted} of them with a hint"
