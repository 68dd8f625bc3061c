"""Win in one: where the answers of the last round can win whatever the others answer, they are given."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from math import prod
from random import Random

import msgspec
import pytest

from engines.game import Seat, Strength
from engines.tangram import GAME
from engines.tangram.legal.moves import fountain_fits, tile_fits
from engines.tangram.pieces.board import City, is_complete, score
from engines.tangram.pieces.components import FOUNTAIN, SCORING, TangramOptions, TileId
from engines.tangram.truth.state import TangramState, current
from tests.often import often

pytestmark = pytest.mark.slow
WINS = often(6, 500)
"""The number of positions with a certain win in which the seat must win."""

MOST = 1500
"""The number of ways to answer for all tiles that are all tried."""


def positions() -> Iterator[tuple[TangramState, Seat]]:
    """Yield last rounds in which only the seat's best ending wins. The round's fountains are included."""
    for number in count():
        rng, seed = Random(number), number.to_bytes(8, "big")
        state = GAME.begin(2, TangramOptions(), GAME.deal(2, TangramOptions(), seed), seed)
        asked: set[tuple[str, Seat]] = set()
        while prompts := GAME.prompts(state):
            seat = next(iter(prompts))
            if state.round == 6 and (state.phase, seat) not in asked:
                asked.add((state.phase, seat))
                other, tiles = 1 - seat, (*current(state), FOUNTAIN)
                if max(ways(city, tiles) for city in state.cities) <= MOST and not state.pending[seat]:
                    near = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TangramState)
                    behind = most(state.cities[other], tiles) - most(state.cities[seat], tiles)
                    near.scores[seat], near.scores[other] = 100 + behind, 100
                    yield near, seat
            GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))


def ways(city: City, tiles: tuple[TileId, ...]) -> int:
    return prod(1 + len(tile_fits(city, tile)) for tile in tiles if tile != FOUNTAIN)


@cache
def most(city: City, tiles: tuple[TileId, ...]) -> int:
    """Return a city's most points, by trying every way."""
    if not tiles:
        result = score(city)
        return result.points + result.balance.bonus + SCORING.planning_bonus * is_complete(city)
    fitting = fountain_fits(city) if tiles[0] == FOUNTAIN else tile_fits(city, tiles[0])
    return max(most(after, tiles[1:]) for after in (city, *map(city.add, fitting)))


def wins_in_play(state: TangramState, seat: Seat, strength: Strength, rng: Random) -> bool:
    """Return True if the computer wins or shares against any answer."""
    while prompts := GAME.prompts(state):
        mover = next(iter(prompts))
        if mover == seat:
            move = GAME.choose(GAME.view(state, seat), seat, Random(1), strength)
        else:
            move = GAME.choose(GAME.view(state, mover), mover, rng, Strength.MEDIUM)
        GAME.play(state, mover, move)
    return state.outcome is not None and state.outcome.places[seat] == 1


def test_the_best_ending_wins_where_nothing_else_does() -> None:
    for number, (state, seat) in enumerate(positions()):
        assert wins_in_play(state, seat, Strength.STRONG if number % 2 else Strength.MEDIUM, Random(number))
        if number == WINS:
            return
