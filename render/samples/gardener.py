"""Games of Tangle for pictures: everybody gardens by a rule of thumb, with some chance in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from engines.tangle import GAME
from engines.tangle.data import SPACES, SpaceCode
from engines.tangle.moves import Cast, Done, Drop, DropRest, Move, Offer, PayRest, Place, Swap
from engines.tangle.options import Options
from engines.tangle.state import State
from engines.tangle.view import View

WHIM = 0.25
"""How often a root goes where it wants."""


def states(seats: int, seed: int, options: Options | None = None) -> Iterator[State]:
    """Every position of one game; always the same object, which goes on changing."""
    rng, key = Random(seed), bytes([seed])
    options = GAME.settle(seats, options or Options())
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    yield state
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        GAME.play(state, seat, choice(GAME.view(state, seat), GAME.moves(state, seat), rng))
        yield state


def choice(view: View, legal: Iterable[Move], rng: Random) -> Move:
    """What a gardener does: it pays, casts what it can, and lets nothing lie idle."""
    moves = list(legal)
    placements = [move for move in moves if isinstance(move, Place) and move.to in SPACES]
    if placements and rng.random() > WHIM:
        return max(placements, key=lambda move: (_worth(view, move.to), rng.random()))
    kept = [move for move in moves if isinstance(move, PayRest | Cast)]
    busy = [move for move in moves if not isinstance(move, Done | Drop | DropRest | Offer | Swap)]
    return rng.choice(kept or busy or moves)


def _worth(view: View, space: SpaceCode) -> float:
    """How much a seat wants to place a root there."""
    player = view.players[view.seat]
    water, earth, nourishment, mana = player.stash
    own = [tile for tile in view.tiles.values() if tile.owner == view.seat]
    free = sum(tile.kind == "earth" and tile.seed is None for tile in own)
    sprouting = sum(tile.seed is not None or tile.kind == "sapling" for tile in own)
    shortest = ("W", "E", "N", "M")[min(range(4), key=player.stash.__getitem__)]
    toll = sum(owner != view.seat for owner in view.roots.get(space, ()))
    wish = {
        "CE": min(earth, 4) * (1.0 if free < 3 else 0.2),
        "LA": 2.2,
        "ME": 1.4 * min(nourishment // 2, free),
        "GR": 2.2 * min(water, nourishment, sprouting),
        "PL": 2.5 * min(sum(player.seeds), free),
        "BS": 1.6 if not player.seeds[0] else 0.4,
        "TS": 1.8 if not player.seeds[1] else 0.4,
        "EN": 2.4 if player.held < 2 and mana > 1 else 0.8,
        shortest: 2.0,
    }
    return wish.get(space, 1.2) - toll
