"""The engines from bytes to bytes: the cost of one move of a random game for a table.

A table keeps encoded states: for each move, the moves are listed, one is played, the new position is
encoded, and the mover gets a view of it.
"""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from engines import engine
from engines.engine import Engine
from engines.registry import AnyGame, games
from engines.workers import Workers
from tests.benchmarks.measure import Figure

ROUNDS = 5
LEAST_MOVES = 400
"""Moves that a round plays at least; its last game is played to its end."""


def measure() -> Iterator[Figure]:
    """Yield the figures of each hosted game with its most seats."""
    for rules in games():
        yield Figure(
            f"{rules.slug}: moves, bytes to bytes", [_round(rules, n) for n in range(ROUNDS)], "moves/s"
        )


def _round(rules: AnyGame, number: int) -> float:
    """Return moves per CPU second over random games, always the same ones."""
    options = rules.Options()
    seats = max(rules.seats_for(options))
    settled = rules.settle(seats, options)
    moves, games_played, begun = 0, 0, time.process_time()
    while moves < LEAST_MOVES:
        moves += _play(rules, seats, settled, f"{number}.{games_played}")
        games_played += 1
    return moves / (time.process_time() - begun)


def _play(rules: AnyGame, seats: int, options: Any, name: str) -> int:
    """Play a random game; return the number of its moves."""
    table, slug, seed, rng = Engine(Workers()), rules.slug, name.encode(), Random(name)
    encode = msgspec.json.encode
    deal = rules.deal(seats, options, seed)
    position = engine.begin(slug, seats, encode(options), encode(deal), seed).position
    count = 0
    while position.owing:
        seat = position.owing[0]
        move = rng.choice(list(table.moves(slug, position.state, seat)))
        position = engine.play(slug, seats, position.state, [(seat, move)]).position
        table.view(slug, position.state, seat)
        count += 1
    return count
