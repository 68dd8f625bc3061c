"""The count of certain wins plays real games."""

import pytest

from tests.benchmarks import wins
from tests.benchmarks.wins import rows


def test_a_row_tells_the_wins_that_a_player_missed() -> None:
    medium, strong = rows("ribbon", 1, first=0)

    assert "| medium |" in medium
    assert "| 1 | **0** |" in medium
    assert "| 1 | **0** |" in strong


def test_only_games_with_a_check_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        wins.main(["tesla"])

    assert "choose from ribbon, tangle" in capsys.readouterr().err
