from collections.abc import Callable

import pytest

from engines.game import IllegalMove
from engines.ribbon import GAME
from engines.ribbon.moves import (
    AnswerTie,
    ChooseHand,
    ChooseRibbon,
    Exchange,
    Flip,
    Move,
    OfferTie,
    RibbonEndTurn,
    RibbonSwap,
)
from engines.ribbon.truth.state import RibbonState
from tests.engines.conformance import encode_state
from tests.engines.ribbon.arrange import arranging, begin, run
from tests.engines.ribbon.games import CLEAN, THREE, VERSUS_FULL, WORKED


def refusal_of(state: RibbonState, move: Move, seat: int | None = None) -> str:
    """Return why a move is refused; check that the state is unchanged."""
    before = encode_state(state)
    with pytest.raises(IllegalMove) as refusal:
        GAME.play(state, state.seat if seat is None else seat, move)
    assert encode_state(state) == before
    return str(refusal.value)


def choosing() -> RibbonState:
    return begin(WORKED)


def flipping() -> RibbonState:
    state = begin(WORKED)
    run(state, "green; purple; flip 10")
    return state


def arranging_now() -> RibbonState:
    state = flipping()
    run(state, "flip 9")
    return state


def choosing_a_hand() -> RibbonState:
    return begin(CLEAN, 1, difficulty="medium")


def in_a_team() -> RibbonState:
    return arranging("QI??????????", ["FJ", "LO"], mode="coop")


def voting() -> RibbonState:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; tie")
    return state


@pytest.mark.parametrize("move", [Flip(1), RibbonEndTurn(), ChooseRibbon("green"), OfferTie(), Flip(99)])
@pytest.mark.parametrize("seat", [0, 2, -1])
def test_it_is_not_your_turn(move: Move, seat: int) -> None:
    assert refusal_of(flipping(), move, seat) == "It isn't your turn."


def test_the_seat_that_offers_a_tie_waits_for_the_answers() -> None:
    assert refusal_of(voting(), RibbonEndTurn(), 0) == "It isn't your turn."


def test_saying_yes_counts_as_an_answer() -> None:
    state = arranging(CLEAN[:12], ["FL", "HO", "JR"], full_at_start=True)
    run(state, "tie; 1 yes")
    assert refusal_of(state, AnswerTie(False), 1) == "It isn't your turn."


@pytest.mark.parametrize(
    ("state", "move", "hint"),
    [
        (choosing, Flip(1), "yet. First choose a ribbon"),
        (choosing_a_hand, Flip(1), "yet. First choose a hand"),
        (flipping, RibbonEndTurn(), "yet. First flip a card"),
        (flipping, RibbonSwap(99), "yet. First flip a card"),
        (flipping, OfferTie(), "yet. First flip a card"),
        (arranging_now, Flip(1), "now. Swap, exchange or end your turn"),
        (arranging_now, AnswerTie(True), "now. Swap, exchange or end your turn"),
        (arranging_now, ChooseHand(1), "now. Swap, exchange or end your turn"),
    ],
)
def test_a_move_of_another_phase_says_what_comes_now(
    state: Callable[[], RibbonState], move: Move, hint: str
) -> None:
    assert refusal_of(state(), move) == f"You can't do that {hint}."


def test_a_move_during_a_vote_is_told_to_answer_first() -> None:
    assert refusal_of(voting(), RibbonSwap(1), 1) == "You can't do that yet. First say yes or no to the tie."


@pytest.mark.parametrize("place", [0, 13, -1])
def test_there_is_no_such_place(place: int) -> None:
    assert refusal_of(flipping(), Flip(place)) == "There's no such place. Choose 1 to 12."
    assert refusal_of(arranging_now(), RibbonSwap(place)) == "There's no such place. Choose 1 to 12."
    assert refusal_of(arranging_now(), Exchange(place, "A")) == "There's no such place. Choose 1 to 12."


def test_the_place_is_looked_at_before_the_rest() -> None:
    state = arranging_now()
    run(state, "swap 9")
    assert refusal_of(state, RibbonSwap(13)) == "There's no such place. Choose 1 to 12."
    run(state, "exchange 9 A")
    assert refusal_of(state, Exchange(0, "Z")) == "There's no such place. Choose 1 to 12."


def test_choosing_refuses_what_is_not_there_and_what_is_taken() -> None:
    state = choosing()
    run(state, "green")
    assert refusal_of(state, ChooseRibbon("green")) == "That ribbon is taken."
    assert refusal_of(state, ChooseRibbon("teal")) == "There's no such ribbon."  # type: ignore[arg-type]


@pytest.mark.parametrize("hand", [0, 4, -1])
def test_there_is_no_such_hand(hand: int) -> None:
    assert refusal_of(choosing_a_hand(), ChooseHand(hand)) == "There's no such hand."


def test_that_card_is_already_face_up() -> None:
    assert refusal_of(flipping(), Flip(10)) == "That card is already face up."


def test_swaps_are_refused_in_the_order_of_the_list() -> None:
    state = arranging_now()
    assert refusal_of(state, RibbonSwap(3)) == "You can't swap two face-down cards."
    run(state, "swap 9")
    assert refusal_of(state, RibbonSwap(3)) == "You've already swapped this turn."
    run(state, "exchange 9 A")
    assert refusal_of(state, RibbonSwap(3)) == "You've already swapped this turn."
    other = arranging_now()
    run(other, "exchange 9 A")
    refused = "You've already exchanged a card, so you can't swap neighbours this turn."
    assert refusal_of(other, RibbonSwap(3)) == refused


def test_exchanges_are_refused_in_the_order_of_the_list() -> None:
    state = arranging_now()
    assert refusal_of(state, Exchange(1, "Z")) == "You can't exchange a face-down card."
    assert refusal_of(state, Exchange(9, "E")) == "You don't have that card."
    run(state, "exchange 9 A")
    assert refusal_of(state, Exchange(1, "Z")) == "You've already exchanged a card this turn."


def test_a_resting_solo_hand_is_told_apart_from_a_card_not_held() -> None:
    state = choosing_a_hand()
    run(state, "hand 3; flip 1; flip 2")
    assert refusal_of(state, Exchange(1, "L")) == "You can't use that hand this turn."
    assert refusal_of(state, Exchange(1, "G")) == "You don't have that card."


@pytest.mark.parametrize("state", [arranging_now, in_a_team])
def test_no_tie_can_be_offered_now(state: Callable[[], RibbonState]) -> None:
    assert refusal_of(state(), OfferTie()) == "You can't offer a tie now."


def test_nothing_goes_once_the_game_is_over() -> None:
    state = begin(WORKED)
    run(state, "green; purple; 0 leave")
    assert refusal_of(state, Flip(1)) == "The game is over."
    with pytest.raises(IllegalMove, match=r"^The game is over\.$"):
        GAME.resign(state, 1)


@pytest.mark.parametrize("seat", [0, 3, -1])
def test_only_a_seat_in_the_game_can_leave_it(seat: int) -> None:
    state = begin(THREE, 3)
    run(state, "green; purple; 0 leave" if seat == 0 else "green; purple")
    before = encode_state(state)
    with pytest.raises(IllegalMove, match="no longer in this game"):
        GAME.resign(state, seat)
    assert encode_state(state) == before
