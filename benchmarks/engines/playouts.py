"""Playouts of a strong computer, compared with its predecessor's search.

Both play on from the same worlds for the same number of turns; playouts per CPU second are counted. Tangram
City has no playouts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

import msgspec

from benchmarks.measure import Figure
from engines.engine import find_automatic_move
from engines.game import Seat, Strength
from engines.registry import AnyGame, game
from engines.search import Playout
from tests.strength.last import last
from tests.strength.matches import MATCHES

POSITIONS = 12
"""Decisions of each game to measure."""

SHARE_MEASURED = 0.05
"""The share of decisions to measure."""

TURNS = {"ribbon": 4, "tesla": 3, "tanglewood": 4, "tangle": 4}
"""Turns of a playout, the current one included."""


class PlayoutTimes(NamedTuple):
    """The seconds of CPU of each playout of a decision."""

    now: list[float]
    before: list[float]


def measure() -> Iterator[Figure]:
    """Yield the playouts a second in each decision, of both computers."""
    for slug, turns in TURNS.items():
        every = list(_decisions(game(slug), turns))
        for name, spent in (("before", [one.before for one in every]), ("now", [one.now for one in every])):
            rates = [len(seconds) / sum(seconds) for seconds in spent]
            yield Figure(f"{slug}: playouts of {turns} turns, {name}", rates, "playouts/s CPU")


def _decisions(rules: AnyGame, turns: int) -> Iterator[PlayoutTimes]:
    """Yield strong computers' costs in positions of games between medium ones."""
    match = MATCHES[rules.slug]
    options = rules.settle(match.seats, msgspec.json.decode(match.options, type=rules.Options))
    number, rng = 0, Random(rules.slug)
    while number < POSITIONS:
        seed = rng.randbytes(32)
        state = rules.begin(match.seats, options, rules.deal(match.seats, options, seed), seed)
        while (prompts := rules.prompts(state)) and number < POSITIONS:
            seat = next(iter(prompts))
            view = rules.view(state, seat)
            if rng.random() < SHARE_MEASURED and (now := _now(rules, view, seat)):
                number += 1
                yield PlayoutTimes(
                    now, [_before(rules, rules.sample_state(view, rng), turns) for _ in range(2)]
                )
            rules.play(state, seat, rules.choose(view, seat, rng, Strength.MEDIUM))


def _now(rules: AnyGame, view: Any, seat: Seat) -> list[float]:
    """Return the time of each playout of a decision; empty without playouts."""
    ahead: Any = import_module(f"engines.{rules.slug}.computer.ahead")
    searched, seconds = ahead.line_of, list[float]()

    def watch(candidates: Any, worlds: Any, played_out: Callable[..., Playout], *more: Any) -> Any:
        def time_playout(*said: Any) -> Playout:
            begun = time.process_time()
            pair = played_out(*said)
            seconds.append(time.process_time() - begun)
            return pair

        return searched(candidates, worlds, time_playout, *more)

    ahead.line_of = watch
    try:
        rules.choose(view, seat, Random(1), Strength.STRONG)
    finally:
        ahead.line_of = searched
    return seconds


def _before(rules: AnyGame, state: Any, turns: int) -> float:
    """Return the old computer's time for `turns` turns."""
    player, luck, end = last(rules.slug), Random(1), _turn(state) + turns
    begun = time.process_time()
    while (prompts := rules.prompts(state)) and _turn(state) < end:
        seat = next(iter(prompts))
        move = find_automatic_move(rules, state, seat)
        rules.play(state, seat, player(rules.view(state, seat), seat, luck) if move is None else move)
    return time.process_time() - begun


def _turn(state: Any) -> int:
    number: int = state.turn if hasattr(state, "turn") else state.turns
    return number
