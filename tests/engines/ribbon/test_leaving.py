"""Leaving the game: open at any time, to any seat that is still in it."""

import pytest

from engines.ribbon import GAME
from engines.ribbon.events import CardReceived, CardsDealt, Finished, RibbonResigned
from engines.ribbon.truth.state import RibbonState
from tests.engines.ribbon.arrange import arranging, begin, hands, last, outcome, run
from tests.engines.ribbon.games import CLEAN, NEARLY, NEARLY_FULL, THREE, VERSUS_FULL, WORKED


def three(script: str = "purple; green") -> RibbonState:
    """Return a game with seat 2 first. Seat 0 has green, seat 1 orange, seat 2 purple."""
    state = begin(THREE, 3, first=2, eliminated="LQ")
    run(state, script)
    return state


def full_with_three(**fields: object) -> RibbonState:
    return arranging(CLEAN[:12], ["FL", "HO", "JR"], **fields)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_leaving_while_ribbons_are_chosen_calls_the_table_off(seat: int) -> None:
    state = begin(THREE, 3, first=2)
    run(state, "purple")
    assert last(state, f"{seat} leave") == [RibbonResigned(seat)]
    assert (state.phase, state.outcome, dict(GAME.prompts(state))) == ("over", None, {})


def test_leaving_while_the_solo_hand_is_chosen_calls_the_table_off() -> None:
    state = begin(CLEAN, 1, mode="solo")
    assert last(state, "0 leave") == [RibbonResigned(0)]
    assert (state.phase, state.outcome) == ("over", None)


def test_leaving_a_game_of_two_gives_it_to_the_other() -> None:
    state = begin(WORKED)
    events = last(state, "green; purple; flip 10; 0 leave")
    assert [type(event) for event in events] == [RibbonResigned, Finished]
    assert outcome(state) == ("last_untangled", (2, 1))


def test_leaving_on_the_own_first_turn_gives_the_next_seat_a_whole_turn() -> None:
    state = three()
    run(state, "2 leave")
    assert (state.turn, state.seat, state.phase) == (2, 0, "flip")
    run(state, "flip 1")
    assert (state.turn, state.seat, state.phase) == (2, 0, "arrange")


def test_leaving_out_of_turn_lets_the_present_turn_go_on() -> None:
    state = three("purple; green; flip 8; flip 9; swap 8")
    run(state, "1 leave")
    assert (state.turn, state.seat, state.phase, state.swapped) == (2, 0, "arrange", True)
    run(state, "pass")
    assert (state.turn, state.seat) == (3, 2)


def test_leaving_before_the_first_flip_out_of_turn_leaves_turn_1_a_flip_alone() -> None:
    state = three("purple; green; 1 leave; flip 8")
    assert (state.turn, state.seat, state.phase) == (2, 0, "flip")


def test_the_hand_of_a_seat_that_leaves_is_dealt_out_privately() -> None:
    state = three()
    events = last(state, "0 leave")
    assert events == [
        RibbonResigned(0),
        CardsDealt(0, (1, 2)),
        CardReceived(1, "L", only=1),
        CardReceived(2, "Q", only=2),
    ]
    assert hands(state) == ["", "RNL", "MJQ"]
    assert all(event.reveals for event in events)


def test_the_deal_of_a_hand_comes_from_the_seed_when_the_arranged_one_does_not_fit() -> None:
    state = three()
    run(state, "2 leave")
    assert state.draws == 2
    assert sorted("".join(hands(state))) == sorted("QLRNMJ")


def test_the_last_to_leave_is_second() -> None:
    state = three("purple; green; 0 leave; 2 leave")
    assert outcome(state) == ("last_untangled", (3, 1, 2))


def test_leaving_counts_positions_and_full_turns_anew() -> None:
    state = full_with_three(full_turns=7)
    run(state, "pass; pass; pass")
    assert (state.full_turns, len(state.positions)) == (10, 3)
    run(state, "1 leave")
    assert (state.full_turns, state.positions, state.begun) == (0, [], 0)


def test_a_vote_goes_on_without_a_seat_that_leaves() -> None:
    state = full_with_three()
    run(state, "tie; 1 leave")
    assert (state.phase, list(GAME.prompts(state))) == ("tie_vote", [2])
    run(state, "2 yes")
    assert outcome(state) == ("tie_agreed", (1, 3, 1))


def test_it_is_a_tie_when_all_others_asked_have_said_yes() -> None:
    state = full_with_three()
    events = last(state, "tie; 2 yes; 1 leave")
    assert isinstance(events[-1], Finished)
    assert outcome(state) == ("tie_agreed", (1, 3, 1))


def test_a_vote_is_void_when_the_seat_that_offered_leaves() -> None:
    state = full_with_three()
    run(state, "tie; 2 yes; 0 leave")
    assert (state.phase, state.seat, list(GAME.prompts(state))) == ("arrange", 1, [1])
    assert state.outcome is None
    assert GAME.view(state, None).may_offer


def test_leaving_during_the_vote_of_two_gives_the_game_to_the_other() -> None:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; tie; 1 leave")
    assert outcome(state) == ("last_untangled", (1, 2))


@pytest.mark.parametrize("script", ["0 leave", "flip 1; 0 leave", f"{NEARLY_FULL}; 1 leave"])
def test_leaving_a_team_loses_the_game_for_it(script: str) -> None:
    state = begin(NEARLY, mode="coop")
    run(state, script)
    assert outcome(state) == ("resigned", (None, None))
    assert state.outcome is not None
    assert state.outcome.won is False


def test_leaving_solo_loses_once_the_hand_is_chosen() -> None:
    state = begin(CLEAN, 1, mode="solo")
    run(state, "hand 2; leave")
    assert outcome(state) == ("resigned", (None,))
