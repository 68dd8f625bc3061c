"""Pictures: CPU time and size over many positions of each game, cold and warm."""

import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from engines.registry import AnyGame, game, games
from tests.benchmarks.measure import Figure, cpu_milliseconds

POSITIONS, FIRSTS = 60, 5
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
AIMS = {
    "ribbon": ("<= 40", "<= 150"),
    "tesla": ("<= 80", "<= 250"),
    "tangram": ("<= 60", "<= 250"),
    "tanglewood": ("<= 60", "<= 250"),
    "tangle": ("<= 40", "<= 300"),
}
"""Targets for each game: CPU milliseconds and kilobytes of a picture."""


def measure() -> Iterator[Figure]:
    for rules in games():
        draw = import_module(f"render.{rules.slug}").board
        firsts = [_in_a_process(rules.slug, number) for number in range(FIRSTS)]
        yield Figure(f"{rules.slug}: the first picture of a process", firsts, "ms CPU", "<= 150")
        for number in range(POSITIONS):
            draw(_position(rules, number), NAMES)
        taken, sizes = [], []
        for number in range(POSITIONS, 2 * POSITIONS):
            view = _position(rules, number)
            begun = time.process_time()
            picture = draw(view, NAMES)
            taken.append((time.process_time() - begun) * 1000)
            sizes.append(len(picture.png) / 1024)
        time_aim, size_aim = AIMS.get(rules.slug, ("", ""))
        yield Figure(f"{rules.slug}: a picture", taken, "ms CPU", time_aim)
        yield Figure(f"{rules.slug}: a picture", sizes, "KB", size_aim)


def _in_a_process(slug: str, number: int) -> float:
    """Return the CPU milliseconds of a position in a new process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.pictures", slug, str(number)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    return float(done.stdout)


def _first(slug: str, number: int) -> float:
    """Return the time of this process's first picture, after the imports."""
    draw, view = import_module(f"render.{slug}").board, _position(game(slug), number)
    return cpu_milliseconds(lambda: draw(view, NAMES))


def _position(rules: AnyGame, number: int) -> Any:
    rng = Random(number)
    options = rules.Options()
    seats = rng.choice(list(rules.seats_for(options)))
    settled = rules.settle(seats, options)
    seed = f"picture {number}".encode()
    state = rules.begin(seats, settled, rules.deal(seats, settled, seed), seed)
    for _ in range(rng.randrange(45)):
        prompts = rules.prompts(state)
        if not prompts:
            break
        seat = next(iter(prompts))
        rules.play(state, seat, rng.choice(list(rules.moves(state, seat))))
    return rules.view(state, None)


if __name__ == "__main__":
    print(_first(sys.argv[1], int(sys.argv[2])))
