from typing import get_args

import msgspec
import pytest

from engines.ribbon import GAME, moves
from engines.ribbon.pieces.board import swap_cards
from engines.ribbon.truth.state import RibbonState
from tests.engines.ribbon import arrange, games


def kinds(events: list[moves.Event]) -> list[type[moves.Event]]:
    return [type(event) for event in events]


def full_with_three(**fields: object) -> RibbonState:
    return arrange.arranging(games.CLEAN[:12], ["FL", "HO", "JR"], **fields)


def test_ribbons_are_chosen_clockwise_from_the_first_seat_and_the_third_gets_the_last() -> None:
    state = arrange.begin(games.WORKED, first=1)
    assert list(GAME.prompts(state)) == [1]
    arrange.run(state, "purple")
    assert list(GAME.prompts(state)) == [0]
    assert arrange.legal(state) == [moves.ChooseRibbon("green"), moves.ChooseRibbon("orange")]
    arrange.run(state, "green")
    assert (state.turn, state.seat, state.phase) == (1, 1, "flip")
    state = arrange.begin(games.THREE, 3, first=2)
    assert arrange.last(state, "purple; green") == [
        moves.RibbonChosen(0, "green"),
        moves.RibbonChosen(1, "orange"),
    ]
    assert (state.seat, state.phase) == (2, "flip")


def test_the_events_of_a_turn_come_in_the_order_of_the_steps() -> None:
    state = arrange.begin(games.WORKED)
    arrange.run(state, "green; purple")
    assert kinds(arrange.run(state, "flip 10")) == [moves.Flipped, moves.RibbonTurnEnded]
    events = arrange.run(state, "flip 9; swap 9; exchange 10 O; pass")
    assert kinds(events) == [moves.Flipped, moves.RibbonSwapped, moves.Exchanged, moves.RibbonTurnEnded]
    assert events[2] == moves.Exchanged(1, 10, "O", "J", reveals=True)


def test_the_last_flip_says_that_the_circle_is_full_and_its_turn_is_the_first_full_one() -> None:
    state = arrange.begin(games.CLEAN)
    assert kinds(arrange.last(state, games.VERSUS_FULL.removesuffix("; pass"))) == [
        moves.Flipped,
        moves.CircleFull,
    ]
    assert state.full_turns == 0
    arrange.run(state, "pass")
    assert state.full_turns == 1


def test_a_seat_that_goes_out_names_its_own_tangles() -> None:
    state = arrange.begin(games.WORKED)
    events = arrange.last(state, games.WORKED_GAME)
    assert kinds(events) == [moves.RibbonEliminated, moves.Finished]
    assert isinstance(events[0], moves.RibbonEliminated)
    assert [tangle.label for tangle in events[0].tangles] == ["9P", "10P", "11P"]


def test_seats_that_are_out_are_skipped_and_a_player_left_alone_has_won_however_tangled() -> None:
    state = arrange.begin(games.THREE, 3, first=2, eliminated="LB")
    arrange.run(state, f"{games.FIRST_OUT}; flip 1; exchange 9 N; pass; flip 4")
    assert (state.turn, state.seat) == (4, 2)
    arrange.run(state, "pass")
    assert (state.turn, state.seat) == (5, 1)
    state = arrange.arranging("AE??????????", ["BCD", "FGH"], ribbons=("green", "green"))
    arrange.run(state, "pass")
    assert arrange.list_tangled(state) == "1G"
    assert arrange.outcome(state) == ("last_untangled", (2, 1))


def test_a_position_counts_the_cards_in_the_circle_whose_turn_it_is_and_the_hands() -> None:
    state = arrange.begin(games.CLEAN)
    arrange.run(state, f"{games.VERSUS_FULL}; pass; exchange 1 O; pass; pass")
    assert [position.seat for position in state.positions] == [0, 1, 0, 1]
    assert state.begun == 1
    state.hands[0].reverse()
    arrange.run(state, "exchange 1 Q; pass")
    assert (state.turn, state.seat, state.begun) == (17, 0, 2)


def test_a_position_that_comes_again_may_be_offered_as_a_tie_even_with_tangles() -> None:
    state = arrange.arranging(games.CLEAN[:12], ["FHJ", "LOR"], ribbons=("green", "orange"))
    arrange.run(state, "swap 3; pass")
    assert arrange.list_tangled(state) == "2O 4O"
    assert moves.OfferTie() not in arrange.legal(state)
    state.begun = 2
    assert moves.OfferTie() in arrange.legal(state)


def test_a_third_player_votes_at_the_same_time() -> None:
    state = full_with_three()
    assert kinds(arrange.run(state, "tie")) == [moves.TieOffered]
    assert list(GAME.prompts(state)) == [1, 2]
    assert kinds(arrange.run(state, "2 yes")) == [moves.TieAnswered]
    assert list(GAME.prompts(state)) == [1]
    assert kinds(arrange.run(state, "1 yes")) == [moves.TieAnswered, moves.Finished]
    assert arrange.outcome(state) == ("tie_agreed", (1, 1, 1))


def test_the_first_no_ends_the_vote_and_a_tie_may_be_offered_again_on_the_next_turn() -> None:
    state = full_with_three()
    arrange.run(state, "tie; 1 yes; 2 no")
    assert (state.phase, list(GAME.prompts(state))) == ("arrange", [0])
    assert moves.OfferTie() not in arrange.legal(state)
    state = arrange.begin(games.CLEAN)
    arrange.run(state, f"{games.VERSUS_FULL}; tie; 1 no; pass; pass")
    assert (state.turn, state.seat) == (15, 0)
    assert moves.OfferTie() in arrange.legal(state)


def test_a_seat_that_is_out_shares_no_tie_and_its_ribbon_blocks_none() -> None:
    state = full_with_three(out=(1,), ribbons=("green", "orange", "purple"))
    arrange.run(state, "tie; 2 yes")
    assert arrange.outcome(state) == ("tie_agreed", (1, 3, 1))
    state = full_with_three(out=(0,), seat=1, ribbons=("orange", "green", "purple"))
    state.circle = swap_cards(state.circle, 3)
    assert arrange.list_tangled(state) == "2O 4O"
    assert moves.OfferTie() in arrange.legal(state)
    state.out = ()
    assert moves.OfferTie() not in arrange.legal(state)


def test_the_flip_of_the_last_card_is_forced() -> None:
    state = arrange.begin(games.CLEAN)
    arrange.run(state, games.VERSUS_FULL.rpartition("; pass; flip 12")[0])
    assert GAME.only_move(state, state.seat) is None
    arrange.run(state, "pass")
    assert GAME.only_move(state, state.seat) == moves.Flip(12)
    assert GAME.only_move(state, 1 - state.seat) is None


def grows(state: RibbonState, words: str) -> bool:
    """Return True if a step calls for a fresh post."""
    before = GAME.post_counter(state)
    arrange.run(state, words)
    assert GAME.post_counter(state) >= before
    return GAME.post_counter(state) > before


def test_the_beat_grows_with_each_ribbon_turn_and_tie_and_the_end_but_not_within_a_turn() -> None:
    state = arrange.begin(games.WORKED)
    steps = ("green", "purple", "flip 10", "flip 9", "swap 9", "pass", "0 leave")
    assert [grows(state, words) for words in steps] == [True, True, True, False, False, True, True]
    state = arrange.begin(games.CLEAN)
    arrange.run(state, games.VERSUS_FULL)
    assert [grows(state, words) for words in ("tie", "1 no", "pass")] == [True, True, True]


def test_the_hand_message_changes_with_the_hand_and_nothing_else() -> None:
    state = arrange.begin(games.WORKED)
    assert GAME.hand(state, 0) is None
    arrange.run(state, "green; purple; flip 10")
    before = [GAME.hand(state, seat) for seat in (0, 1)]
    assert None not in before
    arrange.run(state, "flip 9; swap 9")
    assert [GAME.hand(state, seat) for seat in (0, 1)] == before
    arrange.run(state, "exchange 9 A")
    assert GAME.hand(state, 0) == before[0]
    assert GAME.hand(state, 1) != before[1]


def test_a_player_of_a_team_uses_the_own_hand_only() -> None:
    state = arrange.begin(games.NEARLY, mode="coop")
    arrange.run(state, "flip 1; flip 2")
    assert {move.card for move in arrange.legal(state) if isinstance(move, moves.Exchange)} == set("OPR")


def test_the_flip_that_wins_says_so_in_order_and_a_lost_turn_names_its_tangles() -> None:
    events = arrange.last(arrange.begin(games.CLEAN, mode="coop"), games.FILL)
    assert [type(event) for event in events] == [moves.Flipped, moves.CircleFull, moves.Finished]
    state = arrange.begin("QAIGEKBHMDNCFOJPLR", 3, first=1, mode="coop")
    ended, finished = arrange.last(state, "flip 1; flip 2; pass")
    assert isinstance(ended, moves.RibbonTurnEnded)
    assert isinstance(finished, moves.Finished)
    assert arrange.labels(ended.tangles) == arrange.labels(finished.tangles) == "1O 1P"
    assert finished.outcome.won is False


@pytest.mark.parametrize(("difficulty", "count"), [("easy", 2), ("medium", 3), ("hard", 2)])
def test_a_solo_player_chooses_among_all_hands(difficulty: str, count: int) -> None:
    state = arrange.begin(games.CLEAN, 1, difficulty=difficulty)
    assert arrange.legal(state) == [moves.ChooseHand(hand) for hand in range(1, count + 1)]


def test_a_solo_exchange_goes_back_to_the_hand_in_use_and_a_game_ends_like_a_teams() -> None:
    state = arrange.begin(games.CLEAN, 1, difficulty="medium")
    arrange.run(state, "hand 3; flip 1; flip 2; exchange 2 O")
    assert arrange.hands(state) == ["FI", "LJ", "HR"]
    assert GAME.view(state, 0).shown == (("I",), (), ())
    won = arrange.begin(games.CLEAN, 1, mode="solo")
    arrange.run(won, f"hand 1; {games.FILL}")
    assert arrange.outcome(won) == ("untangled", (1,))
    lost = arrange.arranging("AE??????????", ["BCD", "FGH"], mode="solo")
    arrange.run(lost, "pass")
    assert arrange.outcome(lost) == ("tangled", (None,))


def three(script: str = "purple; green") -> RibbonState:
    """Return a game with seat 2 first. Seat 0 has green, seat 1 orange, seat 2 purple."""
    state = arrange.begin(games.THREE, 3, first=2, eliminated="LQ")
    arrange.run(state, script)
    return state


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_leaving_while_ribbons_are_chosen_calls_the_table_off(seat: int) -> None:
    state = arrange.begin(games.THREE, 3, first=2)
    arrange.run(state, "purple")
    assert arrange.last(state, f"{seat} leave") == [moves.RibbonResigned(seat)]
    assert (state.phase, state.outcome, dict(GAME.prompts(state))) == ("over", None, {})


def test_leaving_solo_calls_the_table_off_and_loses_once_the_hand_is_chosen() -> None:
    state = arrange.begin(games.CLEAN, 1, mode="solo")
    assert arrange.last(state, "0 leave") == [moves.RibbonResigned(0)]
    assert (state.phase, state.outcome) == ("over", None)
    state = arrange.begin(games.CLEAN, 1, mode="solo")
    arrange.run(state, "hand 2; leave")
    assert arrange.outcome(state) == ("resigned", (None,))


def test_leaving_a_game_of_two_gives_it_to_the_other_even_during_a_vote() -> None:
    state = arrange.begin(games.WORKED)
    events = arrange.last(state, "green; purple; flip 10; 0 leave")
    assert [type(event) for event in events] == [moves.RibbonResigned, moves.Finished]
    assert arrange.outcome(state) == ("last_untangled", (2, 1))
    state = arrange.begin(games.CLEAN)
    arrange.run(state, f"{games.VERSUS_FULL}; tie; 1 leave")
    assert arrange.outcome(state) == ("last_untangled", (1, 2))


def test_leaving_on_the_own_first_turn_gives_the_next_a_whole_turn_and_a_hand_by_the_seed() -> None:
    state = three()
    arrange.run(state, "2 leave")
    assert (state.turn, state.seat, state.phase) == (2, 0, "flip")
    arrange.run(state, "flip 1")
    assert (state.turn, state.seat, state.phase) == (2, 0, "arrange")
    assert state.draws == 2
    assert sorted("".join(arrange.hands(state))) == sorted("QLRNMJ")


def test_leaving_out_of_turn_lets_the_present_turn_go_on_and_turn_1_stays_a_flip_alone() -> None:
    state = three("purple; green; flip 8; flip 9; swap 8")
    arrange.run(state, "1 leave")
    assert (state.turn, state.seat, state.phase, state.swapped) == (2, 0, "arrange", True)
    arrange.run(state, "pass")
    assert (state.turn, state.seat) == (3, 2)
    state = three("purple; green; 1 leave; flip 8")
    assert (state.turn, state.seat, state.phase) == (2, 0, "flip")


def test_the_hand_of_a_seat_that_leaves_is_dealt_out_privately() -> None:
    state = three()
    events = arrange.last(state, "0 leave")
    assert events == [
        moves.RibbonResigned(0),
        moves.CardsDealt(0, (1, 2)),
        moves.CardReceived(1, "L", only=1),
        moves.CardReceived(2, "Q", only=2),
    ]
    assert arrange.hands(state) == ["", "RNL", "MJQ"]
    assert all(event.reveals for event in events)


def test_the_last_to_leave_is_second_and_leaving_counts_positions_and_full_turns_anew() -> None:
    state = three("purple; green; 0 leave; 2 leave")
    assert arrange.outcome(state) == ("last_untangled", (3, 1, 2))
    state = full_with_three(full_turns=7)
    arrange.run(state, "pass; pass; pass")
    assert (state.full_turns, len(state.positions)) == (10, 3)
    arrange.run(state, "1 leave")
    assert (state.full_turns, state.positions, state.begun) == (0, [], 0)


def test_a_vote_goes_on_without_a_seat_that_leaves_and_is_void_if_that_offered_it() -> None:
    state = full_with_three()
    arrange.run(state, "tie; 1 leave")
    assert (state.phase, list(GAME.prompts(state))) == ("tie_vote", [2])
    arrange.run(state, "2 yes")
    assert arrange.outcome(state) == ("tie_agreed", (1, 3, 1))
    state = full_with_three()
    events = arrange.last(state, "tie; 2 yes; 1 leave")
    assert isinstance(events[-1], moves.Finished)
    assert arrange.outcome(state) == ("tie_agreed", (1, 3, 1))
    state = full_with_three()
    arrange.run(state, "tie; 2 yes; 0 leave")
    assert (state.phase, state.seat, list(GAME.prompts(state))) == ("arrange", 1, [1])
    assert state.outcome is None
    assert GAME.view(state, None).may_offer


@pytest.mark.parametrize("script", ["0 leave", "flip 1; 0 leave", f"{games.NEARLY_FULL}; 1 leave"])
def test_leaving_a_team_loses_the_game_for_it(script: str) -> None:
    state = arrange.begin(games.NEARLY, mode="coop")
    arrange.run(state, script)
    assert arrange.outcome(state) == ("resigned", (None, None))
    assert state.outcome is not None
    assert state.outcome.won is False


MAY_BE_UNDONE = {moves.RibbonSwapped, moves.Exchanged, moves.CircleFull}


@pytest.mark.parametrize("kind", get_args(moves.Event))
def test_a_line_reveals_unless_it_may_be_taken_back(kind: type[msgspec.Struct]) -> None:
    defaults = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
    assert defaults["reveals"] == (kind not in MAY_BE_UNDONE)


def test_the_tags_are_the_words_of_the_description_and_a_dealt_hand_names_its_seats() -> None:
    assert " ".join(str(kind.__struct_config__.tag) for kind in get_args(moves.Event)) == (
        "ribbon_chosen hand_chosen flipped swapped exchanged circle_full turn_ended resigned eliminated "
        "cards_dealt card_received tie_offered tie_answered finished"
    )
    line = msgspec.to_builtins(moves.CardsDealt(0, (1, 2)))
    assert (line["from"], line["to"]) == (0, (1, 2))
