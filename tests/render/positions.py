"""Positions of Ribbon Tangle to draw: arranged by hand, or from games of weak computer players."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.options import Options
from engines.ribbon.state import State
from engines.ribbon.view import View
from tests.engines.ribbon.arrange import arranging

NAMES = ("Ann", "Bo", "Cy")
CLEAN = "QIGEKBPMDNCA"
"""A circle without a tangle."""
TANGLED = "QIEGKBPMDNCA"
"""The same with orange tangled at 2-3 and 4-5."""

TABLES = (
    (1, Options("solo", "easy")),
    (1, Options("solo", "medium")),
    (1, Options("solo", "hard")),
    (2, Options("versus")),
    (3, Options("versus")),
    (2, Options("coop")),
    (3, Options("coop")),
)


def seen(circle: str, *hands: str, viewer: int | None = None, **fields: Any) -> View:
    """A view of that circle while the first seat may arrange it."""
    return GAME.view(arranging(circle, hands, **fields), viewer)


def states(seats: int, options: Options, seed: int) -> Iterator[State]:
    """Every position of one game."""
    options, rng, key = GAME.settle(seats, options), Random(seed), bytes([seed])
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    yield state
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.WEAK))
        yield state


def sampled(every: int) -> Iterator[State]:
    """Every so-manieth position of a few games of every kind, the last one of each always."""
    for seed, (seats, options) in enumerate(TABLES):
        for step, state in enumerate(states(seats, options, seed)):
            if step % every == 0 or not GAME.prompts(state):
                yield state
