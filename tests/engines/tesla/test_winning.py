"""Win in one: where a turn wins with a marker and at most one tile, the medium and the strong player win."""

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from engines.game import Strength
from engines.tesla import GAME
from engines.tesla.computer.winning import winning_turn
from engines.tesla.legal.actions import act
from engines.tesla.legal.moves import own_markers
from engines.tesla.legal.position import position_of
from engines.tesla.moves import EndReplay, Replace, Take, TeslaPlace
from engines.tesla.pieces.components import TeslaOptions
from engines.tesla.truth.state import TeslaState
from tests.often import often
from tests.thinking import choose_briefly

pytestmark = pytest.mark.slow
WINS = often(3, 500)
"""The number of positions in which a turn wins and must be played."""

ADVISED = often(1, 20)
"""The number of those in which the winning turn must be advised."""


def positions() -> Iterator[TeslaState]:
    """Yield positions in which the seat to act is near winning."""
    for number in count():
        rng, seed = Random(number), number.to_bytes(8, "big")
        options = GAME.settle(2, TeslaOptions())
        state = GAME.begin(2, options, GAME.deal(2, options, seed), seed)
        while state.outcome is None and state.turn < 40:
            seat, turn = state.seat, state.turn
            while state.outcome is None and state.turn == turn:
                if state.phase == "tiles" and not state.acted and rng.random() < 0.2:
                    near = state.copy()
                    near.scores[seat] = state.options.win - rng.randint(4, 16)
                    near.scores[1 - seat] = max(state.scores[1 - seat], 5)
                    yield near
                strength = Strength.MEDIUM if seat == number % 2 else Strength.EASY
                GAME.play(state, seat, choose_briefly(GAME, GAME.view(state, seat), seat, rng, strength))


def wins(state: TeslaState) -> bool:
    """Return True if a turn with one tile at most wins."""
    seat = state.seat
    if can_take(state, seat):
        return True
    for move in GAME.moves(state, seat):
        if isinstance(move, TeslaPlace | Replace):
            after = state.copy()
            act(after, move)
            if after.phase == "replay":
                act(after, EndReplay())
            if after.outcome is not None and after.outcome.places[seat] == 1:
                return True
            if after.outcome is None and after.seat == seat and can_take(after, seat):
                return True
    return False


def can_take(state: TeslaState, seat: int) -> bool:
    for cell in list(own_markers(state)) if state.may_mark else []:
        after = state.copy()
        act(after, Take(cell))
        if after.outcome is not None and after.outcome.places[seat] == 1:
            return True
    return False


def plays_on(state: TeslaState, strength: Strength) -> bool:
    seat, turn = state.seat, state.turn
    while state.outcome is None and state.turn == turn:
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, Random(1), strength))
    return state.outcome is not None and state.outcome.places[seat] == 1


def is_advised(state: TeslaState, seat: int) -> bool:
    view = GAME.view(state, seat)
    best = GAME.choose(view, seat, Random(1), Strength.STRONG)
    return GAME.advice(view, seat, Random(1))[0].moves == (best,)


def test_a_turn_that_wins_is_found_and_played_and_advised() -> None:
    won = 0
    for state in positions():
        if wins(state):
            won += 1
            assert winning_turn(position_of(GAME.view(state, state.seat))) is not None
            assert won > ADVISED or is_advised(state, state.seat)
            assert plays_on(state.copy(), Strength.STRONG if won % 2 else Strength.MEDIUM)
        if won == WINS:
            return
