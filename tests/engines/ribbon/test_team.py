"""Co-op and solo: one for all, with open hands."""

import pytest

from engines.ribbon import GAME
from engines.ribbon.events import CircleFull, Finished, Flipped, RibbonTurnEnded
from engines.ribbon.moves import ChooseHand, Exchange, OfferTie
from tests.engines.ribbon.arrange import arranging, begin, hands, labels, last, legal, outcome, prolong, run
from tests.engines.ribbon.games import CLEAN, FILL, NEARLY, NEARLY_FULL


def test_a_player_of_a_team_uses_the_own_hand_only() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, "flip 1; flip 2")
    assert {move.card for move in legal(state) if isinstance(move, Exchange)} == set("OPR")


def test_the_flip_that_wins_says_so_in_order() -> None:
    events = last(begin(CLEAN, mode="coop"), FILL)
    assert [type(event) for event in events] == [Flipped, CircleFull, Finished]


def test_a_lost_turn_names_the_tangles_that_lost_it() -> None:
    state = begin("QAIGEKBHMDNCFOJPLR", 3, first=1, mode="coop")
    ended, finished = last(state, "flip 1; flip 2; pass")
    assert isinstance(ended, RibbonTurnEnded)
    assert isinstance(finished, Finished)
    assert labels(ended.tangles) == labels(finished.tangles) == "1O 1P"
    assert finished.outcome.won is False


@pytest.mark.slow
def test_a_limit_names_no_tangles() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, NEARLY_FULL)
    prolong(state, 23)
    assert outcome(state) == ("limit", (None, None))
    assert state.lost_by == ()


def test_a_team_never_offers_a_tie_and_counts_no_positions() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, f"{NEARLY_FULL}; swap 8; pass")
    assert OfferTie() not in legal(state)
    assert (state.positions, state.begun) == ([], 0)


@pytest.mark.parametrize(("difficulty", "count"), [("easy", 2), ("medium", 3), ("hard", 2)])
def test_a_solo_player_chooses_among_all_hands(difficulty: str, count: int) -> None:
    state = begin(CLEAN, 1, difficulty=difficulty)
    assert legal(state) == [ChooseHand(hand) for hand in range(1, count + 1)]


def test_a_solo_exchange_goes_back_to_the_hand_in_use() -> None:
    state = begin(CLEAN, 1, difficulty="medium")
    run(state, "hand 3; flip 1; flip 2; exchange 2 O")
    assert hands(state) == ["FI", "LJ", "HR"]
    assert GAME.view(state, 0).shown == (("I",), (), ())


def test_a_solo_game_is_won_and_lost_like_that_of_a_team() -> None:
    won = begin(CLEAN, 1, mode="solo")
    run(won, f"hand 1; {FILL}")
    assert outcome(won) == ("untangled", (1,))
    lost = arranging("AE??????????", ["BCD", "FGH"], mode="solo")
    run(lost, "pass")
    assert outcome(lost) == ("tangled", (None,))


def test_a_swap_may_win_too() -> None:
    state = arranging("QIEGKBPMDNCA", ["FHJ", "LOR"], mode="coop")
    events = run(state, "swap 3")
    assert isinstance(events[-1], Finished)
    assert events[-1].reveals
    assert outcome(state) == ("untangled", (1, 1))
