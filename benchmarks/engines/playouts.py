"""Playouts of strong computers a second of CPU. Tangram City has none."""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

import msgspec

from benchmarks.measure import Figure
from engines.game import Seat, Strength
from engines.registry import AnyGame, game
from engines.search import Playout
from tests.strength.matches import MATCHES

POSITIONS = 12
"""Decisions of each game to measure."""

SHARE_MEASURED = 0.05
"""The share of decisions to measure."""

GAMES = ("ribbon", "tesla", "tanglewood", "tangle")


def measure() -> Iterator[Figure]:
    """Yield the playouts a second in each decision."""
    for slug in GAMES:
        rates = [len(seconds) / sum(seconds) for seconds in _decisions(game(slug))]
        yield Figure(f"{slug}: playouts", rates, "playouts/s CPU")


def _decisions(rules: AnyGame) -> Iterator[list[float]]:
    """Yield the seconds of each playout, in games between medium computers."""
    match = MATCHES[rules.slug]
    options = rules.settle(match.seats, msgspec.json.decode(match.options, type=rules.Options))
    number, rng = 0, Random(rules.slug)
    while number < POSITIONS:
        seed = rng.randbytes(32)
        state = rules.begin(match.seats, options, rules.deal(match.seats, options, seed), seed)
        while (prompts := rules.prompts(state)) and number < POSITIONS:
            seat = next(iter(prompts))
            view = rules.view(state, seat)
            if rng.random() < SHARE_MEASURED and (spent := _time_playouts(rules, view, seat)):
                number += 1
                yield spent
            rules.play(state, seat, rules.choose(view, seat, rng, Strength.MEDIUM))


def _time_playouts(rules: AnyGame, view: Any, seat: Seat) -> list[float]:
    """Return the time of each playout of a decision; empty without playouts."""
    ahead: Any = import_module(f"engines.{rules.slug}.computer.ahead")
    searched, seconds = ahead.rank_candidates, list[float]()

    def watch(candidates: Any, worlds: Any, played_out: Callable[..., Playout], *more: Any) -> Any:
        def time_playout(*said: Any) -> Playout:
            begun = time.process_time()
            pair = played_out(*said)
            seconds.append(time.process_time() - begun)
            return pair

        return searched(candidates, worlds, time_playout, *more)

    ahead.rank_candidates = watch
    try:
        rules.choose(view, seat, Random(1), Strength.STRONG)
    finally:
        ahead.rank_candidates = searched
    return seconds
