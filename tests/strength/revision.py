"""The computer players of another revision, each in a process of its own, to be played against."""

import atexit
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from engines.game import Seat, Strength
from engines.registry import game

ROOT = Path(__file__).resolve().parents[2]


class PlayerChoice(NamedTuple):
    """A player's move, and the ms of CPU that it took."""

    move: Any
    spent: float


Player = Callable[[Any, Seat, Random], PlayerChoice]
"""Chooses a legal move for a seat that owes one, from its view and its own luck."""
SERVE = """
import sys, time, msgspec
from random import Random
from engines.game import Strength
from engines.registry import game
rules = game(sys.argv[1])
for line in sys.stdin.buffer:
    seat, luck, view = msgspec.json.decode(line, type=tuple[int, int, msgspec.Raw])
    known, begun = msgspec.json.decode(view, type=rules.View), time.process_time()
    move = rules.choose(known, seat, Random(luck), Strength(sys.argv[2]))
    spent = (time.process_time() - begun) * 1000
    sys.stdout.buffer.write(msgspec.json.encode((spent, move)) + b"\\n")
    sys.stdout.buffer.flush()
"""
"""Answers each line of a seat, a seed and a view with a move. It runs on the other revision's code."""


@contextmanager
def check_out(revision: str) -> Iterator[Path]:
    """Yield a folder with a revision of this project.

    Raises:
        subprocess.CalledProcessError: if there is no such revision.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*tree, "add", "--detach", folder, revision], check=True, capture_output=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run([*tree, "remove", "--force", folder], check=True, capture_output=True)


@cache
def player_from(folder: Path, slug: str, strength: Strength = Strength.STRONG) -> Player:
    """Return the strong player of the code in a folder.

    It lives as long as this process, and works while both know the same views and moves.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, slug, strength],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(process.kill)
    return partial(_ask, process, game(slug).Move)


def _ask(process: subprocess.Popen[bytes], move: Any, view: Any, seat: Seat, luck: Random) -> PlayerChoice:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode((seat, luck.getrandbits(64), view)) + b"\n")
    process.stdin.flush()
    spent, answer = msgspec.json.decode(process.stdout.readline(), type=tuple[float, msgspec.Raw])
    return PlayerChoice(msgspec.json.decode(answer, type=move), spent)
