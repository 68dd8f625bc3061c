import msgspec
import pytest

from engines.tangram import GAME
from render.tangram import board
from tests.engines.tangram.arrange import begin

NAMES = ("Ann", "Bo", "Cy")
pytestmark = pytest.mark.slow


def test_points_that_were_made_are_beside_the_score(text_sizes: dict[str, int]) -> None:
    before = msgspec.structs.replace(GAME.view(begin(3), None), scores=[0, 0, 0])
    after = msgspec.structs.replace(before, scores=[14, 0, 9])

    board(GAME.since(after, [before]), NAMES)

    assert {"14", "+14", "9", "+9"} <= set(text_sizes)
    assert "+0" not in text_sizes


def test_points_that_an_earlier_view_has_are_no_news(text_sizes: dict[str, int]) -> None:
    view = msgspec.structs.replace(GAME.view(begin(3), None), scores=[14, 0, 9])

    board(GAME.since(view, [view]), NAMES)

    assert "14" in text_sizes
    assert not any(text.startswith("+") for text in text_sizes)
