"""Win in one: where a placement and what its space asks fulfil a condition, medium and strong do so."""

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from engines.game import Strength
from engines.tangle import GAME
from engines.tangle.decisions import Placing
from engines.tangle.legal.context import shortfall
from engines.tangle.moves import TakePile
from engines.tangle.pieces.components import TangleOptions
from engines.tangle.truth.state import TangleState

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
PARTS = 5
"""The games are parted, so that several processes can look at once."""

WINS = 500 // PARTS
"""The number of positions of each part in which a turn wins and must be played."""

ADVISED = 20 // PARTS
"""The number of those in which the winning turn must be advised."""

DEEP = 2
"""The number of moves of a turn that are all tried."""


def positions(part: int) -> Iterator[TangleState]:
    """Yield positions in which the seat to place lacks little."""
    for number in count(part, PARTS):
        rng, seed = Random(number), number.to_bytes(8, "big")
        state = GAME.begin(2, TangleOptions(), GAME.deal(2, TangleOptions(), seed), seed)
        while prompts := GAME.prompts(state):
            seat = next(iter(prompts))
            if isinstance(state.decision, Placing) and shortfall(state, seat, state.conditions[seat]) <= 2:
                yield state.copy()
            GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))


def wins(state: TangleState, seat: int, deep: int = DEEP) -> bool:
    """Return True if `deep` moves can win the turn, by trying all. Cards from the pile are left out."""
    for move in GAME.moves(state, seat):
        if isinstance(move, TakePile):
            continue
        after = state.copy()
        GAME.play(after, seat, move)
        if after.outcome is not None:
            if after.outcome.places[seat] == 1:
                return True
        elif (
            deep > 1
            and after.turn == state.turn
            and seat in GAME.prompts(after)
            and wins(after, seat, deep - 1)
        ):
            return True
    return False


def plays_on(state: TangleState, strength: Strength) -> bool:
    seat, turn = state.seat, state.turn
    while state.outcome is None and state.turn == turn:
        owing = next(iter(GAME.prompts(state)))
        GAME.play(state, owing, GAME.choose(GAME.view(state, owing), owing, Random(1), strength))
    return state.outcome is not None and state.outcome.places[seat] == 1


def is_advised(state: TangleState, seat: int) -> bool:
    view = GAME.view(state, seat)
    best = GAME.choose(view, seat, Random(1), Strength.STRONG)
    return GAME.advice(view, seat, Random(1))[0].moves == (best,)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_turn_that_wins_is_found_and_played_and_advised(part: int) -> None:
    won = 0
    for state in positions(part):
        if wins(state, state.seat):
            won += 1
            assert won > ADVISED or is_advised(state, state.seat)
            assert plays_on(state.copy(), Strength.STRONG if won % 2 else Strength.MEDIUM)
        if won == WINS:
            return
