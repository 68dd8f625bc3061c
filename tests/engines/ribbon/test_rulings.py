"""Rulings where the rulebook leaves a question open, one test for each."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.moves import (
    AnswerTie,
    CardReceived,
    CardsDealt,
    ChooseHand,
    ChooseRibbon,
    Exchange,
    Finished,
    Flip,
    Move,
    OfferTie,
    RibbonEliminated,
    RibbonEndTurn,
    RibbonSwap,
)
from engines.ribbon.pieces.board import swap_cards, tangles
from engines.ribbon.pieces.components import CARDS, COLOURS, FACES, left_side, right_side
from engines.ribbon.preview import would_lose
from engines.ribbon.truth.state import RibbonState
from engines.ribbon.words import board
from tests.engines.conformance import find_refusal
from tests.engines.ribbon.arrange import (
    arranging,
    begin,
    circle,
    hands,
    labels,
    last,
    legal,
    list_tangled,
    outcome,
    prolong,
    run,
)
from tests.engines.ribbon.games import CLEAN, FIRST_OUT, NEARLY, NEARLY_FULL, THREE, VERSUS_FULL, WORKED


def test_a_ribbon_has_one_side_on_each_edge_of_a_card() -> None:
    sides = {(left_side(card, colour), right_side(card, colour)) for card in CARDS for colour in COLOURS}
    assert sides == {(0, 0), (1, 1), (0, 1), (1, 0)}


def test_the_eighteen_faces_are_all_different() -> None:
    assert len({FACES[card].signs for card in CARDS}) == 18


def test_flipping_and_moving_a_card_never_turns_or_mirrors_it() -> None:
    state = arranging("A?E?????????", ["BCD", "FGH"])
    run(state, "swap 2; exchange 1 B")
    assert circle(state) == "BE??????????"
    assert list_tangled(state) == labels(tangles(("B", "E", *[None] * 10))) == "1G 1O 1P"


def test_the_order_is_flip_then_swap_then_exchange() -> None:
    state = begin(WORKED)
    run(state, "green; purple; flip 10")
    assert all(isinstance(move, Flip) for move in legal(state))
    run(state, "flip 9; swap 9")
    assert not any(isinstance(move, Flip | RibbonSwap) for move in legal(state))
    assert any(isinstance(move, Exchange) for move in legal(state))
    run(state, "exchange 9 A")
    assert legal(state) == [RibbonEndTurn()]


def test_swap_first_loses_no_result_of_the_other_order() -> None:
    start = arranging("?QIN????????", ["ABC", "DEF"])
    reached = set()
    for swap in (move.place for move in legal(start) if isinstance(move, RibbonSwap)):
        state = arranging("?QIN????????", ["ABC", "DEF"])
        run(state, f"swap {swap}")
        for exchange in (move for move in legal(state) if isinstance(move, Exchange)):
            cards = list(state.circle)
            cards[exchange.place - 1] = exchange.card
            reached.add(tuple(cards))
    for exchange in (move for move in legal(start) if isinstance(move, Exchange)):
        cards = list(start.circle)
        cards[exchange.place - 1] = exchange.card
        for place in (1, 2, 3, 4):
            assert swap_cards(cards, place) in reached


def test_a_flip_is_a_must_and_the_rest_is_free() -> None:
    state = begin(WORKED)
    run(state, "green; purple; flip 10")
    assert RibbonEndTurn() not in legal(state)
    run(state, "flip 1")
    assert RibbonEndTurn() in legal(state)


def test_only_the_first_turn_of_the_first_seat_is_a_flip_alone() -> None:
    state = begin(WORKED)
    run(state, "green; purple; flip 10; flip 9")
    assert any(isinstance(move, RibbonSwap) for move in legal(state))
    assert any(isinstance(move, Exchange) for move in legal(state))


def test_two_face_down_cards_cannot_be_swapped() -> None:
    state = arranging("????Q???????", ["ABC", "DEF"])
    assert [move for move in legal(state) if isinstance(move, RibbonSwap)] == [RibbonSwap(4), RibbonSwap(5)]


def test_the_exchanged_card_goes_to_that_hand_and_everybody_knows_it() -> None:
    state = arranging("????Q???????", ["ABC", "DEF"])
    run(state, "exchange 5 B")
    assert hands(state) == ["AQC", "DEF"]
    for viewer in (None, 1):
        assert GAME.view(state, viewer).shown == (("Q",), ())
        assert GAME.view(state, viewer).hands[0] == (None, "Q", None)


@pytest.mark.parametrize(("mode", "seen"), [("versus", (None, None, None)), ("coop", ("D", "E", "F"))])
def test_hands_are_secret_in_versus_and_open_in_coop(mode: str, seen: tuple[str | None, ...]) -> None:
    state = arranging("????Q???????", ["ABC", "DEF"], mode=mode)
    assert [GAME.view(state, viewer).hands[1] for viewer in (0, None)] == [seen, seen]


def test_somebody_elses_tangled_ribbon_waits_for_its_owners_turn() -> None:
    state = arranging("EA??????????", ["BCD", "FGH"])
    run(state, "pass")
    assert (list_tangled(state), state.out) == ("1O", ())
    assert isinstance(last(state, "flip 6; pass")[0], RibbonEliminated)


def test_a_turn_may_end_tangled_on_purpose() -> None:
    state = arranging("AE??????????", ["BCD", "FGH"])
    assert labels(would_lose(GAME.view(state, 0))) == "1G"
    assert RibbonEndTurn() in legal(state)
    run(state, "pass")
    assert outcome(state) == ("last_untangled", (2, 1))


def test_an_eliminated_hand_is_dealt_out_from_the_next_seat_on() -> None:
    state = begin(THREE, 3, first=2)
    events = last(state, FIRST_OUT)
    assert [type(event) for event in events] == [RibbonEliminated, CardsDealt, CardReceived, CardReceived]
    assert events[1] == CardsDealt(0, (1, 2))
    assert [len(hand) for hand in state.hands] == [0, 3, 3]
    assert sorted("".join(hands(state))) == sorted("BLRNMJ")


def test_a_colour_without_a_remaining_owner_means_nothing() -> None:
    state = arranging(
        "AE??????????", ["", "BCD", "FGH"], ribbons=("green", "orange", "purple"), out=(0,), seat=1
    )
    run(state, "pass")
    assert state.out == (0,)
    assert list_tangled(state) == "1G"


def test_the_third_colour_of_two_players_means_nothing() -> None:
    state = arranging("GC??????????", ["BDE", "FHI"])
    assert list_tangled(state) == "1G"
    state.ribbons = ("orange", "purple")
    run(state, "pass")
    assert state.out == ()


@pytest.mark.parametrize(("seats", "mode", "phase"), [(2, "coop", "flip"), (1, "solo", "choose_hand")])
def test_no_ribbon_is_chosen_in_coop_and_solo(seats: int, mode: str, phase: str) -> None:
    state = begin(CLEAN, seats, mode=mode)
    assert state.phase == phase
    assert state.ribbons == (None,) * seats


def test_the_advanced_choice_sees_hands_first_and_the_usual_one_does_not() -> None:
    usual, advanced = begin(WORKED), begin(WORKED, ribbon_choice="after_hand")
    assert GAME.view(usual, 0).hands[0] == (None, None, None)
    assert GAME.view(advanced, 0).hands[0] == ("E", "N", "P")


def test_in_coop_the_same_tangle_is_the_same_junction_and_colour_and_there_is_no_tie() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, f"{NEARLY_FULL}; swap 8; pass")
    assert list_tangled(state) == "7O 8O 8P 9G"
    assert state.phase == "arrange"
    assert OfferTie() not in legal(state)
    assert (state.positions, state.begun) == ([], 0)


def test_in_coop_the_softer_rule_begins_with_the_turn_that_fills_the_circle() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, NEARLY_FULL.removesuffix("; pass"))
    assert list_tangled(state) == "7G 7P"
    run(state, "pass")
    assert state.outcome is None
    run(state, "pass")
    assert outcome(state) == ("tangled", (None, None))


@pytest.mark.parametrize(
    ("lies", "step"),
    [("QIGEKBHMDNCA", "exchange 8 F"), ("QIEGKBPMDNCA", "swap 3"), ("AIGEKBPMDNCQ", "swap 12")],
)
def test_in_coop_the_game_is_won_the_moment_nothing_is_tangled(lies: str, step: str) -> None:
    state = arranging(lies, ["FJL", "ORH" if "P" in lies else "OPR"], mode="coop")
    events = run(state, step)
    assert isinstance(events[-1], Finished)
    assert events[-1].reveals
    assert outcome(state) == ("untangled", (1, 1))


def test_in_solo_the_hand_of_the_first_turn_is_usable_when_it_comes_round() -> None:
    state = begin(CLEAN, 1, mode="solo")
    run(state, "hand 1; flip 1; flip 2")
    assert GAME.view(state, 0).hand_in_use == 1
    run(state, "pass; flip 3")
    assert GAME.view(state, 0).hand_in_use == 0
    assert GAME.view(state, 0).next_hand == 1


def test_in_solo_every_hand_can_be_seen() -> None:
    assert GAME.view(begin(CLEAN, 1, difficulty="medium"), None).hands == (("F", "O"), ("L", "J"), ("H", "R"))


def test_a_tie_is_offered_only_before_the_first_step_of_a_turn_that_began_full() -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL)
    assert OfferTie() in legal(state)
    assert "You can offer a tie now." in words_for_the_mover(state)
    run(state, "swap 3")
    assert OfferTie() not in legal(state)
    assert "offer a tie" not in words_for_the_mover(state)


def words_for_the_mover(state: RibbonState) -> str:
    return "\n".join(part.text for part in board.parts(GAME.view(state, state.seat), ("Ann", "Bo")))


def test_a_game_without_end_is_a_tie_or_lost() -> None:
    versus = begin(CLEAN)
    run(versus, f"{VERSUS_FULL}; pass; pass; pass; pass")
    assert outcome(versus) == ("tie_repetition", (1, 1))
    team = begin(NEARLY, mode="coop")
    run(team, NEARLY_FULL)
    prolong(team, 23)
    assert outcome(team) == ("limit", (None, None))
    assert team.lost_by == ()


def test_a_game_lasts_about_as_long_as_the_publisher_says() -> None:
    lengths = []
    for number in range(20):
        rng = Random(number)
        state = begin("".join(rng.sample(CARDS, 18)))
        while state.phase != "over":
            view = GAME.view(state, state.seat)
            GAME.play(state, state.seat, GAME.choose(view, state.seat, rng, Strength.MEDIUM))
        lengths.append(state.turn)
    assert 6 <= sum(lengths) / len(lengths) <= 14


def refusal_of(state: RibbonState, move: Move, seat: int | None = None) -> str:
    return find_refusal(state, lambda: GAME.play(state, state.seat if seat is None else seat, move))


def flipping(then: str = "") -> RibbonState:
    state = begin(WORKED)
    run(state, f"green; purple; flip 10{then}")
    return state


def arranging_now(then: str = "") -> RibbonState:
    return flipping(f"; flip 9{then}")


def choosing_a_hand() -> RibbonState:
    return begin(CLEAN, 1, difficulty="medium")


def resting_a_hand() -> RibbonState:
    state = choosing_a_hand()
    run(state, "hand 3; flip 1; flip 2")
    return state


def voting() -> RibbonState:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; tie")
    return state


@pytest.mark.parametrize("move", [Flip(1), RibbonEndTurn(), ChooseRibbon("green"), OfferTie(), Flip(99)])
@pytest.mark.parametrize("seat", [0, 2, -1])
def test_it_is_not_your_turn(move: Move, seat: int) -> None:
    assert refusal_of(flipping(), move, seat) == "It isn't your turn."


def test_who_has_answered_a_vote_has_no_say_in_it_any_more() -> None:
    assert refusal_of(voting(), RibbonEndTurn(), 0) == "It isn't your turn."
    assert refusal_of(voting(), RibbonSwap(1), 1) == "You can't do that yet. First say yes or no to the tie."
    state = arranging(CLEAN[:12], ["FL", "HO", "JR"], full_at_start=True)
    run(state, "tie; 1 yes")
    assert refusal_of(state, AnswerTie(False), 1) == "It isn't your turn."


@pytest.mark.parametrize(
    ("state", "move", "hint"),
    [
        (partial(begin, WORKED), Flip(1), "yet. First choose a ribbon"),
        (choosing_a_hand, Flip(1), "yet. First choose a hand"),
        (flipping, RibbonEndTurn(), "yet. First flip a card"),
        (flipping, RibbonSwap(99), "yet. First flip a card"),
        (flipping, OfferTie(), "yet. First flip a card"),
        (arranging_now, Flip(1), "now. Swap, exchange or end your turn"),
        (arranging_now, AnswerTie(True), "now. Swap, exchange or end your turn"),
        (arranging_now, ChooseHand(1), "now. Swap, exchange or end your turn"),
    ],
)
def test_a_move_of_another_phase_names_ours(state: Callable[[], RibbonState], move: Move, hint: str) -> None:
    assert refusal_of(state(), move) == f"You can't do that {hint}."


@pytest.mark.parametrize("place", [0, 13, -1])
def test_there_is_no_such_place(place: int) -> None:
    assert refusal_of(flipping(), Flip(place)) == "There's no such place. Choose 1 to 12."
    assert refusal_of(arranging_now(), RibbonSwap(place)) == "There's no such place. Choose 1 to 12."
    assert refusal_of(arranging_now(), Exchange(place, "A")) == "There's no such place. Choose 1 to 12."


@pytest.mark.parametrize("hand", [0, 4, -1])
def test_there_is_no_such_hand(hand: int) -> None:
    assert refusal_of(choosing_a_hand(), ChooseHand(hand)) == "There's no such hand."


SWAPPED, EXCHANGED = "; swap 9", "; exchange 9 A"
BOTH = SWAPPED + EXCHANGED


@pytest.mark.parametrize(
    ("state", "move", "sentence"),
    [
        (flipping(), Flip(10), "That card is already face up."),
        (arranging_now(SWAPPED), RibbonSwap(13), "There's no such place. Choose 1 to 12."),
        (arranging_now(BOTH), Exchange(0, "Z"), "There's no such place. Choose 1 to 12."),
        (arranging_now(), RibbonSwap(3), "You can't swap two face-down cards."),
        (arranging_now(SWAPPED), RibbonSwap(3), "You've already swapped this turn."),
        (arranging_now(BOTH), RibbonSwap(3), "You've already swapped this turn."),
        (
            arranging_now(EXCHANGED),
            RibbonSwap(3),
            "You've already exchanged a card, so you can't swap neighbours this turn.",
        ),
        (arranging_now(), Exchange(1, "Z"), "You can't exchange a face-down card."),
        (arranging_now(), Exchange(9, "E"), "You don't have that card."),
        (arranging_now(EXCHANGED), Exchange(1, "Z"), "You've already exchanged a card this turn."),
        (resting_a_hand(), Exchange(1, "L"), "You can't use that hand this turn."),
        (resting_a_hand(), Exchange(1, "G"), "You don't have that card."),
        (arranging_now(), OfferTie(), "You can't offer a tie now."),
        (arranging("QI??????????", ["FJ", "LO"], mode="coop"), OfferTie(), "You can't offer a tie now."),
    ],
)
def test_the_first_reason_of_the_list_is_given(state: RibbonState, move: Move, sentence: str) -> None:
    assert refusal_of(state, move) == sentence


@pytest.mark.parametrize(
    ("colour", "sentence"), [("green", "That ribbon is taken."), ("teal", "There's no such ribbon.")]
)
def test_choosing_refuses_what_is_not_there_and_what_is_taken(colour: Any, sentence: str) -> None:
    state = begin(WORKED)
    run(state, "green")
    assert refusal_of(state, ChooseRibbon(colour)) == sentence
