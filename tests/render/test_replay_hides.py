"""No replay of a game that goes on shows its viewer anything that they may not know."""

from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest

from engines.game import Seat
from render.core import animation
from render.core.animation import Frame
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import decode_state, sample, some, viewers

pytestmark = pytest.mark.slow

GAMES, TURNS = 1, 4
"""The number of random games of each game, and turns of each; turned up in a search for a leak."""
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")

every_game = pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)


def replay(case: GameCase, states: list[Any], viewer: Seat | None) -> bytes:
    """Return a replay with each turn's marks and then the differences."""
    rules = case.game
    seen = [rules.view(state, viewer) for state in states]
    views = seen + [rules.since(view, [before]) for before, view in pairwise(seen)]
    frames = [Frame(view, f"Frame {at}", 0.5, 1) for at, view in enumerate(views)]
    reel = animation.draw_frames(case.slug, NAMES, frames)
    return animation.beginning(case.slug, reel) + reel.blocks


@pytest.mark.any_game
@every_game
def test_a_replay_is_the_same_whatever_its_viewer_cannot_know(case: GameCase) -> None:
    for game in islice(sample(case, GAMES * case.weight, "replay"), GAMES):
        states = [decode_state(case.game, taken.before) for taken in some(game.steps, TURNS)]
        for viewer in viewers(game.table):
            others = [case.game.resample_hidden(state, viewer, Random(at)) for at, state in enumerate(states)]

            assert replay(case, others, viewer) == replay(case, states, viewer)


@pytest.mark.any_game
@every_game
def test_compared_games_differ_in_hidden_things(case: GameCase) -> None:
    game = next(iter(sample(case, GAMES, "replay")))
    states = [decode_state(case.game, taken.before) for taken in some(game.steps, TURNS)]

    assert any(case.game.resample_hidden(state, None, Random(at)) != state for at, state in enumerate(states))
