"""Pictures: CPU time and size over many positions of each game, cold and warm."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

from benchmarks.measure import Figure
from engines.registry import AnyGame, games

POSITIONS = 60
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
AIMS = {
    "ribbon": ("<= 40", "<= 150"),
    "tesla": ("<= 80", "<= 250"),
    "tangram": ("<= 60", "<= 250"),
    "tanglewood": ("<= 60", "<= 250"),
    "tangle": ("<= 40", "<= 300"),
}
"""For each game: CPU milliseconds and kilobytes of a picture."""


def measure() -> Iterator[Figure]:
    """The figures of every hosted game's board."""
    for rules in games():
        draw = import_module(f"render.{rules.slug}").board
        begun = time.process_time()
        draw(_position(rules, 0), NAMES)
        yield Figure(
            f"{rules.slug}: the first picture of a process", [(time.process_time() - begun) * 1000], "ms CPU"
        )
        for number in range(POSITIONS):
            draw(_position(rules, number), NAMES)
        spent, sizes = [], []
        for number in range(POSITIONS, 2 * POSITIONS):
            view = _position(rules, number)
            begun = time.process_time()
            picture = draw(view, NAMES)
            spent.append((time.process_time() - begun) * 1000)
            sizes.append(len(picture.png) / 1024)
        time_aim, size_aim = AIMS.get(rules.slug, ("", ""))
        yield Figure(f"{rules.slug}: a picture", spent, "ms CPU", time_aim)
        yield Figure(f"{rules.slug}: a picture", sizes, "KB", size_aim)


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
