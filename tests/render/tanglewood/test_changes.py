import msgspec
import pytest

from engines.game import BoardChange
from engines.tanglewood.view import TanglewoodView
from render.tanglewood import board, changes, forest
from tests.engines.cases import CASES
from tests.engines.conformance import fresh

NAMES = ("Ann", "Bo", "Cy", "Dee")
pytestmark = pytest.mark.slow


def view_with(*news: BoardChange) -> TanglewoodView:
    case = next(case for case in CASES if case.slug == "tanglewood")
    table = next(one for one in case.usual_tables if one.seats == 4)
    view = case.game.view(fresh(case.game, table, b"changes"), None)
    before = {region: tuple(max(0, one - 1) for one in counts) for region, counts in view.workers.items()}
    changed: TanglewoodView = msgspec.structs.replace(view, before=before, news=news)
    return changed


def test_another_seats_change_has_the_mark_of_that_seat() -> None:
    change = BoardChange("E", "1", 0)

    assert changes.maker(view_with(change), "E", 1) == 0
    assert changes.maker(view_with(BoardChange("E", "0", 0)), "E", 0) is None
    assert forest(view_with(change), NAMES).png != forest(view_with(), NAMES).png


@pytest.mark.parametrize("place", ["F", "I"])
def test_workers_that_moved_have_an_arrow(place: str) -> None:
    moved = BoardChange(place, "0", 0, start="E")

    assert forest(view_with(moved), NAMES).png != forest(view_with(BoardChange(place, "0", 0)), NAMES).png


def test_votes_that_were_won_are_beside_the_total() -> None:
    pictures = {
        board(view_with(BoardChange("", "votes 1", 1, points=gain)), NAMES).png for gain in (0, 14, 15)
    }

    assert len(pictures) == 3
