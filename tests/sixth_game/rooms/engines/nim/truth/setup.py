"""Dealing and beginning a game of Nim."""

from engines.game import Draws
from engines.game import IllegalDeal
from engines.nim.options import Options
from engines.nim.truth.state import Deal, State

HEAPS, SMALLEST, LARGEST = 3, 2, 6


def dealt(seats: int, seed: bytes) -> Deal:
    """Draw the heaps from the seed. Rules: Setup."""
    draws = Draws(seed, 0)
    heaps = tuple(SMALLEST + draws.below(LARGEST - SMALLEST + 1) for _ in range(HEAPS))
    return Deal(heaps, draws.below(seats))


def begun(seats: int, options: Options, deal: Deal, seed: bytes) -> State:
    """Return the first state. Rules: Setup."""
    if len(deal.heaps) != HEAPS or not all(SMALLEST <= stones <= LARGEST for stones in deal.heaps):
        raise IllegalDeal(f"There must be {HEAPS} heaps of {SMALLEST} to {LARGEST} stones.")
    if not 0 <= deal.first < seats:
        raise IllegalDeal("The first seat must be one at the table.")
    return State(options=options, seats=seats, heaps=list(deal.heaps), seat=deal.first, seed=seed)
