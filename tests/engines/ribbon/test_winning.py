"""Win in one: a circle that can be untangled is, and a rival who can be left no way out is left none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.options import Options
from engines.ribbon.preview import Draft, drafted, drafts, losing, winning
from engines.ribbon.truth.state import State
from engines.ribbon.view import View
from tests.often import often

pytestmark = pytest.mark.slow
WINS = often(1, 500)
"""In this many positions in which a turn wins, the test checks that it is played."""
EARLIEST = {"coop": often(168, 0), "versus": often(307, 0)}
"""The game from which on it is looked for them: the first that has one, where one is enough."""


def positions(**options: Any) -> Iterator[State]:
    """Positions with a full circle in which the seat to act may arrange it."""
    for number in count(EARLIEST[options["mode"]]):
        rng, seed = Random(number), number.to_bytes(8, "big")
        settled = GAME.settle(2, Options(**options))
        state = GAME.begin(2, settled, GAME.deal(2, settled, seed), seed)
        while (prompts := GAME.prompts(state)) and state.turn < 40:
            seat = next(iter(prompts))
            view = GAME.view(state, seat)
            if view.full and state.phase == "arrange" and not (state.swapped or state.exchanged):
                yield msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
            GAME.play(state, seat, GAME.choose(view, seat, rng, Strength.MEDIUM))


def leaves_no_way_out(view: View, state: State, draft: Draft) -> bool:
    """Whether every way in which the other seat may end its next turn puts it out."""
    if losing(view, drafted(view.circle, draft)):
        return False
    after = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
    after.circle = tuple(drafted(view.circle, draft))
    after.seat = 1 - view.seat
    if draft.exchange is not None:
        place, card = draft.exchange
        before = view.circle if draft.swap is None else drafted(view.circle, Draft(draft.swap))
        taken = before[place - 1]
        assert taken is not None
        after.hands[view.seat] = [taken if held == card else held for held in after.hands[view.seat]]
    theirs = GAME.view(after, after.seat)
    return all(losing(theirs, drafted(theirs.circle, reply)) for reply in drafts(theirs))


def ended(state: State, strength: Strength) -> None:
    """Play the turn of the seat to act to its end."""
    seat, turn = state.seat, state.turn
    while state.turn == turn and state.phase == "arrange":
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, Random(1), strength))


@pytest.mark.parametrize("strength", [Strength.MEDIUM, Strength.STRONG])
def test_a_team_untangles_what_it_can(strength: Strength) -> None:
    won = 0
    for state in positions(mode="coop"):
        view = GAME.view(state, state.seat)
        if any(winning(view, drafted(view.circle, draft)) for draft in drafts(view)):
            ended(state, strength)
            assert state.outcome is not None
            assert state.outcome.won
            won += 1
        if won == WINS:
            return


@pytest.mark.parametrize("strength", [Strength.MEDIUM, Strength.STRONG])
def test_a_rival_is_left_no_way_out_where_that_can_be(strength: Strength) -> None:
    won = 0
    for state in positions(mode="versus"):
        seat = state.seat
        view = GAME.view(state, seat)
        if any(leaves_no_way_out(view, state, draft) for draft in drafts(view)):
            ended(state, strength)
            theirs = GAME.view(state, 1 - seat)
            assert all(losing(theirs, drafted(theirs.circle, reply)) for reply in drafts(theirs))
            won += 1
        if won == WINS:
            return
