"""The standing answer about ballots: those that bring the seat most votes."""

import pytest

from engines.tanglewood import GAME
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.moves import KeepBallots, PlayBallots
from engines.tanglewood.preview import swings
from engines.tanglewood.truth.visibility import MOST_VOTES
from engines.tanglewood.view import TanglewoodView
from tests.engines.tanglewood.arrange import arrange


def votes_with_regions(view: TanglewoodView, move: PlayBallots) -> int:
    return swings(view, workers_after(view.workers, 0, move, view.active))[0]


@pytest.mark.parametrize("hand", ["ABC", "AAB", "EEEF", "ABCDI", "GGHHI"])
def test_no_other_ballots_bring_more(hand: str) -> None:
    state = arrange(hands=[hand, "DE", "FG", "HI"], phase="ballots", seat=None)
    view = GAME.view(state, 0)

    answer = GAME.standing_move(view, 0, MOST_VOTES)

    legal = list(GAME.moves(state, 0))
    assert isinstance(answer, PlayBallots)
    assert answer in legal
    assert all(
        votes_with_regions(view, answer) >= votes_with_regions(view, move)
        for move in legal
        if isinstance(move, PlayBallots)
    )


@pytest.mark.parametrize(("hand", "kept"), [("ABC", 2), ("A", 1)])
def test_as_many_as_allowed_are_kept(hand: str, kept: int) -> None:
    state = arrange(hands=[hand, "", "", ""], phase="keep", seat=None)

    answer = GAME.standing_move(GAME.view(state, 0), 0, MOST_VOTES)

    assert isinstance(answer, KeepBallots)
    assert len(answer.regions) == kept
    assert answer in list(GAME.moves(state, 0))


def test_nothing_but_ballots_is_answered() -> None:
    view = GAME.view(arrange(), 0)

    assert GAME.standing_move(view, 0, MOST_VOTES) is None
    assert not GAME.is_answer_secret(view, 0)
