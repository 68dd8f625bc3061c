"""The count of certain wins plays real games, and finds what a player misses."""

from __future__ import annotations

import pytest

from benchmarks.engines import wins
from benchmarks.engines.wins import CHECKS, certain_wins, rows, wins_everywhere
from engines.game import Strength
from engines.registry import game

pytestmark = pytest.mark.slow
RIBBON = game("ribbon")


def test_a_row_tells_the_wins_that_a_player_missed() -> None:
    medium, strong = rows("ribbon", 1, first=0)

    assert medium.startswith("| ribbon | medium | 1 | 1 | **0** |")
    assert strong.startswith("| ribbon | strong | 1 | 1 | **0** |")


def test_a_careless_player_misses_certain_wins() -> None:
    check = CHECKS["ribbon"]
    found = [one for number in range(3) for one in certain_wins(RIBBON, check, number)]

    assert found
    assert not all(wins_everywhere(RIBBON, check, *one, Strength.EASY, []) for one in found)


def test_only_games_with_a_check_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        wins.main(["tesla"])

    assert "choose from ribbon, tangle" in capsys.readouterr().err
