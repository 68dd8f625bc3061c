"""The rules of each game: moves a second, random games a second, computer players.

Alone, and from bytes to bytes, as a table keeps them: for each move of a random game the moves are listed,
one is played, the new position is encoded, and the mover gets a view of it.
"""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from engines import engine
from engines.engine import Engine
from engines.game import Strength
from engines.registry import AnyGame, games
from engines.workers import Workers
from tests.benchmarks.measure import Figure

ROUNDS = 7
LEAST_MOVES = 400
"""Moves that a round from bytes to bytes plays at least; its last game is played to its end."""
SECONDS = 1.5
"""Seconds of random games in a round; the last one is played to its end."""


def measure() -> Iterator[Figure]:
    for rules in games():
        yield from _of(rules)


def _of(rules: AnyGame) -> Iterator[Figure]:
    options = rules.Options()
    seats = max(rules.seats_for(options))
    settled = rules.settle(seats, options)
    moves, played, stored = [], [], []
    for number in range(ROUNDS):
        count, games_played, begun = 0, 0, time.process_time()
        while (spent := time.process_time() - begun) < SECONDS:
            count += _play(rules, seats, settled, f"{number}.{games_played}")
            games_played += 1
        moves.append(count / spent)
        played.append(games_played / spent)
        count, games_played, begun = 0, 0, time.process_time()
        while count < LEAST_MOVES:
            count += _play_stored(rules, seats, settled, f"{number}.{games_played}")
            games_played += 1
        stored.append(count / (time.process_time() - begun))
    yield Figure(f"{rules.slug}: moves listed and played", moves, "moves/s")
    yield Figure(f"{rules.slug}: moves, bytes to bytes", stored, "moves/s")
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


def _play_stored(rules: AnyGame, seats: int, options: Any, name: str) -> int:
    table, slug, seed, rng = Engine(Workers()), rules.slug, name.encode(), Random(name)
    encode, count = msgspec.json.encode, 0
    deal = encode(rules.deal(seats, options, seed))
    position = engine.begin(slug, seats, encode(options), deal, seed).position
    while position.owing:
        seat = position.owing[0]
        move = rng.choice(list(table.moves(slug, position.state, seat)))
        position = engine.play(slug, seats, position.state, [(seat, move)]).position
        table.view(slug, position.state, seat)
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
