"""`python bot.py puzzles`: makes a game's puzzles; see docs/playing/puzzles.md."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engines.analysis.puzzle_making import difficulty_table, make_puzzles
from engines.analysis.puzzles import Puzzle, PuzzleGame, write
from engines.registry import SLUGS, puzzles
from engines.words import plural

FINE, UNUSABLE = 0, 2


class _Refusal(Exception):
    """Raised for arguments that can't be used; its text is a sentence."""


def main(arguments: Sequence[str]) -> int:
    """Make puzzles and write them to a file. Prints how difficult they are. The exit code is 2 on failure."""
    parser = argparse.ArgumentParser(
        "bot.py puzzles", description="Make a game's puzzles from computers' games."
    )
    parser.add_argument("game", help=", ".join(SLUGS))
    parser.add_argument("--games", default="100", help="how many games to look at, at most (100)")
    parser.add_argument("--seed", default="1", help="any text; the same text gives the same file")
    parser.add_argument("--most", default="200", help="how many puzzles to keep, at most (200)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write here, not to the game's own file")
    wish = parser.parse_args(arguments)
    try:
        if wish.game not in SLUGS:
            raise _Refusal(f"“{wish.game}” isn't a game. Choose one of: {', '.join(SLUGS)}.")
        offer = puzzles(wish.game)
        if offer is None:
            raise _Refusal(f"{wish.game} has no puzzles.")
        games, most = _number("games", wish.games), _number("most", wish.most)
        file: Path = wish.out or offer.file
        if not file.parent.is_dir():
            raise _Refusal(f"There's no folder {file.parent} for {file.name}.")
    except _Refusal as reason:
        print(reason, file=sys.stderr)
        return UNUSABLE
    made = _make(offer, wish.seed, games, most)
    if not made:
        print("No puzzle was found. Try more games.", file=sys.stderr)
        return UNUSABLE
    file.write_bytes(write(made))
    print(f"{file}: {plural(len(made), 'puzzle')}, {file.stat().st_size / 1000:.0f} KB")
    print(difficulty_table(made))
    return FINE


def _make(offer: PuzzleGame, seed: str, games: int, most: int) -> list[Puzzle]:
    """Make puzzles and show the progress. After Ctrl-C, return those made so far."""
    made: list[Puzzle] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with suppress(KeyboardInterrupt), Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task(offer.rules.title, total=games)
        for puzzle in make_puzzles(
            offer, seed, games, most, lambda played: progress.update(bar, completed=played)
        ):
            made.append(puzzle)
            progress.update(bar, description=f"{offer.rules.title}: {len(made)} of {plural(most, 'puzzle')}")
    return made


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise _Refusal(f"--{name} needs a whole number from 1, not {text}.")
    return int(text)
