"""The rules of each game alone: moves a second, random games a second, computer players."""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from engines.game import Strength
from engines.registry import AnyGame, games
from tests.benchmarks.measure import Figure

ROUNDS = 7
SECONDS = 1.5
"""Seconds of random games in a round; the last one is played to its end."""


def measure() -> Iterator[Figure]:
    for rules in games():
        yield from _of(rules)


def _of(rules: AnyGame) -> Iterator[Figure]:
    options = rules.Options()
    seats = max(rules.seats_for(options))
    settled = rules.settle(seats, options)
    moves, played = [], []
    for number in range(ROUNDS):
        count, games_played, begun = 0, 0, time.process_time()
        while (spent := time.process_time() - begun) < SECONDS:
            count += _play(rules, seats, settled, f"{number}.{games_played}")
            games_played += 1
        moves.append(count / spent)
        played.append(games_played / spent)
    yield Figure(f"{rules.slug}: moves listed and played", moves, "moves/s")
    yield Figure(f"{rules.slug}: whole random games", played, "games/s")
    # What strong ones take, who look ahead, `python -m tests.benchmarks strength` tells.
    yield Figure(
        f"{rules.slug}: medium computer's decision",
        _thinking(rules, seats, settled, Strength.MEDIUM),
        "ms CPU",
    )


def _play(rules: AnyGame, seats: int, options: Any, name: str) -> int:
    seed = name.encode()
    rng = Random(name)
    state = rules.begin(seats, options, rules.deal(seats, options, seed), seed)
    count = 0
    while prompts := rules.prompts(state):
        seat = next(iter(prompts))
        rules.play(state, seat, rng.choice(list(rules.moves(state, seat))))
        count += 1
    return count


def _thinking(rules: AnyGame, seats: int, options: Any, strength: Strength) -> list[float]:
    spent = []
    for number in range(5):
        seed = f"think {number}".encode()
        rng = Random(number)
        state = rules.begin(seats, options, rules.deal(seats, options, seed), seed)
        while prompts := rules.prompts(state):
            seat = next(iter(prompts))
            view = rules.view(state, seat)
            begun = time.process_time()
            move = rules.choose(view, seat, rng, strength)
            spent.append((time.process_time() - begun) * 1000)
            rules.play(state, seat, move)
    return spent
