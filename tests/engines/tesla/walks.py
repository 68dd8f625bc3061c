"""Random games of Tesla's Tangle in which every kind of move happens often."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

from engines.game import Seat
from engines.tesla import GAME
from engines.tesla.events import Event
from engines.tesla.moves import Move
from engines.tesla.pieces.components import TeslaOptions
from engines.tesla.truth.state import TeslaState


def kind(rng: Random, moves: list[Move]) -> Move:
    """Choose a move, each kind of move as likely as the others."""
    kinds: dict[str, list[Move]] = defaultdict(list)
    for move in moves:
        kinds[type(move).__name__].append(move)
    return rng.choice(kinds[rng.choice(sorted(kinds))])


def walk(
    number: int, most: int, **options: Any
) -> Iterator[tuple[TeslaState, Seat, Move | None, list[Event]]]:
    """Yield a random game's first steps. Each has the state after it, who moved, the move, and the events."""
    rng, seed = Random(number), number.to_bytes(8, "big")
    seats = 2 + number % 3
    chosen = GAME.settle(seats, TeslaOptions(**options))
    state = GAME.begin(seats, chosen, GAME.deal(seats, chosen, seed), seed)
    for _ in range(most):
        if state.phase == "over":
            return
        seat = state.seat
        move = kind(rng, list(GAME.moves(state, seat)))
        yield state, seat, move, GAME.play(state, seat, move)
