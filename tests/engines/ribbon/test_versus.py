import pytest

from engines.ribbon import GAME
from engines.ribbon.events import (
    CardReceived,
    CardsDealt,
    CircleFull,
    Event,
    Exchanged,
    Finished,
    Flipped,
    RibbonChosen,
    RibbonEliminated,
    RibbonSwapped,
    RibbonTurnEnded,
    TieAnswered,
    TieOffered,
)
from engines.ribbon.moves import ChooseRibbon, Flip, OfferTie
from engines.ribbon.pieces.board import swap_cards
from engines.ribbon.truth.state import RibbonState
from tests.engines.ribbon.arrange import arranging, begin, last, legal, list_tangled, outcome, run
from tests.engines.ribbon.games import CLEAN, FIRST_OUT, THREE, VERSUS_FULL, WORKED, WORKED_GAME


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def full_with_three(**fields: object) -> RibbonState:
    return arranging(CLEAN[:12], ["FL", "HO", "JR"], **fields)


def test_ribbons_are_chosen_clockwise_from_the_first_seat() -> None:
    state = begin(WORKED, first=1)
    assert list(GAME.prompts(state)) == [1]
    run(state, "purple")
    assert list(GAME.prompts(state)) == [0]
    assert legal(state) == [ChooseRibbon("green"), ChooseRibbon("orange")]
    run(state, "green")
    assert (state.turn, state.seat, state.phase) == (1, 1, "flip")


def test_the_third_of_three_gets_the_last_ribbon_without_being_asked() -> None:
    state = begin(THREE, 3, first=2)
    assert last(state, "purple; green") == [RibbonChosen(0, "green"), RibbonChosen(1, "orange")]
    assert (state.seat, state.phase) == (2, "flip")


def test_the_events_of_a_turn_come_in_the_order_of_the_steps() -> None:
    state = begin(WORKED)
    run(state, "green; purple")
    assert kinds(run(state, "flip 10")) == [Flipped, RibbonTurnEnded]
    events = run(state, "flip 9; swap 9; exchange 10 O; pass")
    assert kinds(events) == [Flipped, RibbonSwapped, Exchanged, RibbonTurnEnded]
    assert events[2] == Exchanged(1, 10, "O", "J", reveals=True)


def test_the_last_flip_says_that_the_circle_is_full() -> None:
    state = begin(CLEAN)
    assert kinds(last(state, VERSUS_FULL.removesuffix("; pass"))) == [Flipped, CircleFull]


def test_a_seat_that_goes_out_names_the_tangles_of_its_own_ribbon_only() -> None:
    state = begin(WORKED)
    events = last(state, WORKED_GAME)
    assert kinds(events) == [RibbonEliminated, Finished]
    assert isinstance(events[0], RibbonEliminated)
    assert [tangle.label for tangle in events[0].tangles] == ["9P", "10P", "11P"]


def test_going_out_of_three_deals_the_hand_and_goes_on() -> None:
    events = last(begin(THREE, 3, first=2), FIRST_OUT)
    assert kinds(events) == [RibbonEliminated, CardsDealt, CardReceived, CardReceived]


def test_a_card_dealt_out_is_no_longer_marked_as_shown() -> None:
    state = begin(THREE, 3, first=2)
    run(state, FIRST_OUT.removesuffix("; pass"))
    assert state.shown[0] == ["B"]
    run(state, "pass")
    assert state.shown == [[], [], []]


def test_seats_that_are_out_are_skipped() -> None:
    state = begin(THREE, 3, first=2, eliminated="LB")
    run(state, f"{FIRST_OUT}; flip 1; exchange 9 N; pass; flip 4")
    assert (state.turn, state.seat) == (4, 2)
    run(state, "pass")
    assert (state.turn, state.seat) == (5, 1)


def test_a_player_left_alone_has_won_however_tangled() -> None:
    state = arranging("AE??????????", ["BCD", "FGH"], ribbons=("green", "green"))
    run(state, "pass")
    assert list_tangled(state) == "1G"
    assert outcome(state) == ("last_untangled", (2, 1))


@pytest.mark.parametrize(
    ("mode", "script"),
    [("versus", "green; purple; flip 10; flip 9; swap 9"), ("coop", "flip 10; flip 9; swap 9; exchange 9 A")],
)
def test_only_swaps_and_open_exchanges_can_be_undone(mode: str, script: str) -> None:
    state = begin(WORKED, mode=mode)
    harmless = [type(event) for event in run(state, script) if not event.reveals]
    assert harmless == ([RibbonSwapped] if mode == "versus" else [RibbonSwapped, Exchanged])


def test_a_position_counts_the_cards_in_the_circle_whose_turn_it_is_and_the_hands() -> None:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; pass; exchange 1 O; pass; pass")
    assert [position.seat for position in state.positions] == [0, 1, 0, 1]
    assert state.begun == 1
    state.hands[0].reverse()
    run(state, "exchange 1 Q; pass")
    assert (state.turn, state.seat, state.begun) == (17, 0, 2)


def test_a_position_that_comes_again_may_be_offered_as_a_tie_even_with_tangles() -> None:
    state = arranging(CLEAN[:12], ["FHJ", "LOR"], ribbons=("green", "orange"))
    run(state, "swap 3; pass")
    assert list_tangled(state) == "2O 4O"
    assert OfferTie() not in legal(state)
    state.begun = 2
    assert OfferTie() in legal(state)


def test_a_third_player_votes_at_the_same_time() -> None:
    state = full_with_three()
    assert kinds(run(state, "tie")) == [TieOffered]
    assert list(GAME.prompts(state)) == [1, 2]
    assert kinds(run(state, "2 yes")) == [TieAnswered]
    assert list(GAME.prompts(state)) == [1]
    assert kinds(run(state, "1 yes")) == [TieAnswered, Finished]
    assert outcome(state) == ("tie_agreed", (1, 1, 1))


def test_the_first_no_ends_the_vote_and_the_same_seat_goes_on() -> None:
    state = full_with_three()
    run(state, "tie; 1 yes; 2 no")
    assert (state.phase, list(GAME.prompts(state))) == ("arrange", [0])
    assert OfferTie() not in legal(state)


def test_a_declined_tie_may_be_offered_again_on_the_next_turn() -> None:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; tie; 1 no; pass; pass")
    assert (state.turn, state.seat) == (15, 0)
    assert OfferTie() in legal(state)


def test_a_tie_with_one_of_three_out_is_shared_by_the_others() -> None:
    state = full_with_three(out=(1,), ribbons=("green", "orange", "purple"))
    run(state, "tie; 2 yes")
    assert outcome(state) == ("tie_agreed", (1, 3, 1))


def test_the_ribbon_of_a_seat_that_is_out_blocks_no_tie() -> None:
    state = full_with_three(out=(0,), seat=1, ribbons=("orange", "green", "purple"))
    state.circle = swap_cards(state.circle, 3)
    assert list_tangled(state) == "2O 4O"
    assert OfferTie() in legal(state)
    state.out = ()
    assert OfferTie() not in legal(state)


def test_full_turns_are_counted_from_the_turn_that_fills_the_circle() -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL.removesuffix("; pass"))
    assert state.full_turns == 0
    run(state, "pass")
    assert state.full_turns == 1


def test_the_flip_of_the_last_card_is_forced() -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL.rpartition("; pass; flip 12")[0])
    assert GAME.only_move(state, state.seat) is None
    run(state, "pass")
    assert GAME.only_move(state, state.seat) == Flip(12)
    assert GAME.only_move(state, 1 - state.seat) is None


def grows(state: RibbonState, words: str) -> bool:
    """Return True if a step calls for a fresh post."""
    before = GAME.post_counter(state)
    run(state, words)
    assert GAME.post_counter(state) >= before
    return GAME.post_counter(state) > before


def test_the_beat_grows_with_each_ribbon_each_turn_and_the_end_but_not_within_a_turn() -> None:
    state = begin(WORKED)
    steps = ("green", "purple", "flip 10", "flip 9", "swap 9", "pass", "0 leave")

    assert [grows(state, words) for words in steps] == [True, True, True, False, False, True, True]


def test_the_beat_grows_with_an_offer_of_a_tie_and_with_its_end() -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL)

    assert [grows(state, words) for words in ("tie", "1 no", "pass")] == [True, True, True]


def test_the_hand_message_changes_with_the_hand_and_nothing_else() -> None:
    state = begin(WORKED)
    assert GAME.hand(state, 0) is None
    run(state, "green; purple; flip 10")
    before = [GAME.hand(state, seat) for seat in (0, 1)]
    assert None not in before
    run(state, "flip 9; swap 9")
    assert [GAME.hand(state, seat) for seat in (0, 1)] == before
    run(state, "exchange 9 A")
    assert GAME.hand(state, 0) == before[0]
    assert GAME.hand(state, 1) != before[1]
