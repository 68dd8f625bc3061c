from collections.abc import Iterator
from itertools import count

import pytest

from cogs.tangram import draft as drafts
from engines.analysis.simulation import GameCourse, SimulationPlan
from engines.game import Seat, Strength
from engines.registry import game
from engines.tangram.moves import Decline
from engines.tangram.pieces.components import FOUNTAIN
from engines.tangram.truth.state import TangramState
from engines.tangram.view import TangramView

PLAN = SimulationPlan("tangram", b"{}", (Strength.EASY, Strength.EASY))
RULES = game("tangram")


def last_rounds(open_tiles: int) -> Iterator[tuple[TangramState, TangramView, Seat]]:
    """Yield positions whose seat still has that many tiles to place."""
    for number in count():
        course = GameCourse(PLAN, "last rounds", number)
        while prompts := RULES.prompts(course.state):
            seat = next(iter(prompts))
            view = RULES.view(course.state, seat)
            if view.phase == "final" and len(drafts.open_tiles(view)) == open_tiles:
                yield course.state, view, seat
            course.step()


@pytest.mark.parametrize("open_tiles", [2, 3])
def test_tiles_that_the_others_leave_no_room_for_are_set_aside(open_tiles: int) -> None:
    state, view, seat = next(
        (state, view, seat)
        for state, view, seat in last_rounds(open_tiles)
        if drafts.count_placed(drafts.best_answers(view)) < open_tiles
    )

    answers = drafts.best_answers(view)
    for answer in answers:
        RULES.play(state, seat, answer)

    assert any(isinstance(answer, Decline) for answer in answers)
    assert set(drafts.open_tiles(RULES.view(state, seat))) <= {FOUNTAIN}


def test_all_tiles_are_placed_where_some_order_has_room_for_all() -> None:
    orders = (drafts.best_answers(view) for _, view, _ in last_rounds(3))
    placed = next(answers for answers in orders if drafts.count_placed(answers) == 3)

    assert not any(isinstance(answer, Decline) for answer in placed)
