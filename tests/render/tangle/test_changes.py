import msgspec
import pytest

from engines.game import BoardChange
from engines.tangle.view import TangleView, TurnChanges
from render.tangle import board, focus, roots
from tests.engines.cases import CASES
from tests.engines.conformance import fresh, walk

NAMES = ("Ann", "Bo", "Cy")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def later() -> TangleView:
    """Return a view of Ann's while both have roots on spaces."""
    case = next(case for case in CASES if case.slug == "tangle")
    table = case.usual_tables[0]
    state = fresh(case.game, table, b"changes")
    for reached, _ in walk(case.game, table, b"changes", 1.0):
        state = reached
        if len({seat for owners in state.roots.values() for seat in owners}) > 1:
            break
    view: TangleView = case.game.view(state, 0)
    return view


def with_news(view: TangleView, *news: BoardChange) -> TangleView:
    spaces = tuple(one.place for one in news)
    return msgspec.structs.replace(view, changed=TurnChanges((), spaces), news=news)


def test_a_changed_space_has_the_colour_and_emblem_of_its_seat(later: TangleView) -> None:
    pictures = {board(with_news(later, BoardChange("CE", "roots", seat)), NAMES).png for seat in (None, 0, 1)}

    assert len(pictures) == 3


def test_a_root_that_moved_has_an_arrow(later: TangleView) -> None:
    still, moved = (with_news(later, BoardChange("CE", "roots", 0, start=start)) for start in (None, "EN"))

    assert board(still, NAMES).png != board(moved, NAMES).png


def test_a_choice_marks_its_candidates_and_no_changes(later: TangleView) -> None:
    changed = with_news(later, BoardChange("CE", "roots", 0, start="EN"))

    assert focus(changed, NAMES, (), ("CE",)).png == focus(later, NAMES, (), ("CE",)).png


def test_a_players_own_roots_are_bolder(later: TangleView) -> None:
    other = msgspec.structs.replace(later, viewer=1)

    assert roots(later, NAMES).png != roots(other, NAMES).png
    assert board(later, NAMES).png == board(other, NAMES).png
