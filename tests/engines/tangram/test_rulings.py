import pytest

from engines.game import IllegalDeal
from engines.tangram import GAME
from engines.tangram.events import Answered, Built, RoundScored, TangramResigned
from engines.tangram.moves import Decline, TangramPlace
from engines.tangram.pieces.board import TangramLaid, Water
from engines.tangram.pieces.components import TILES, TangramOptions
from engines.tangram.pieces.geometry import SQUARES
from engines.tangram.truth.state import TangramDeal, TangramState
from engines.tangram.words import board
from tests.engines.tangram.arrange import begin, city, decline_all, only, refusal, run


def describe_cards(state: TangramState) -> list[str]:
    text = "\n".join(part.text for part in board.parts(GAME.view(state, 0), ("Ann", "Bo", "Cy")))
    return [line for line in text.splitlines() if line.startswith("Card ")]


def test_a_card_counts_as_played_once_everyone_has_answered() -> None:
    state = begin(2, deck=[1])
    run(state, "0 place 1 black 0 A1")
    assert ", in play now." in describe_cards(state)[0]
    assert "already played" not in "".join(describe_cards(state))

    run(state, "1 decline 1")

    first, second, *_ = describe_cards(state)
    assert ", and already played" in first
    assert ", in play now" in second


def test_all_cards_of_the_last_round_are_in_play_together() -> None:
    state = begin(2)
    decline_all(state, 25)

    assert [", in play now" in line for line in describe_cards(state)[-3:]] == [True] * 3


def test_a_refusal_names_every_square_that_is_built() -> None:
    state = begin(1, deck=[19])
    state.cities[0] = city(black=["E2", "F2"])

    assert refusal(state, "0 place 19 black 90 D2") == "E2 and F2 are already built."


def test_others_see_that_i_have_answered_and_nothing_more() -> None:
    placed, declined = begin(3, deck=[6]), begin(3, deck=[6])
    run(placed, "1 place 6 green 90 C3")
    run(declined, "1 decline 6")

    for viewer in (None, 0, 2):
        view = GAME.view(placed, viewer)
        assert view == GAME.view(declined, viewer)
        assert view.answered == (1,)
    assert GAME.view(placed, 1).mine != GAME.view(declined, 1).mine


def test_in_the_last_round_others_see_nothing_before_all_three_are_confirmed() -> None:
    state = begin(2)
    decline_all(state, 25)
    one, two, three = state.deck[20:]
    before = GAME.view(state, 1)

    run(state, f"0 place {one} black 0 A1; 0 decline {two}; 0 decline {three}")
    assert GAME.view(state, 1) == before
    run(state, "0 done")

    assert GAME.view(state, 1).answered == (0,)


def test_an_answer_may_be_changed_until_the_step_closes_and_is_still_listed() -> None:
    state = begin(2, deck=[1])
    run(state, "0 place 1 black 0 A1")

    assert list(GAME.prompts(state)) == [1]
    assert TangramPlace(1, "green", 0, "B1") in list(GAME.moves(state, 0))
    changed = only(run(state, "0 place 1 green 0 B1"), Answered)

    assert changed.changed


def test_the_step_closes_with_the_last_answer_and_shows_all_at_once() -> None:
    state = begin(2, deck=[1])

    built = only(run(state, "1 place 1 black 0 A1; 0 place 1 green 0 G7"), Built)

    assert built.pieces == ((TangramLaid(1, "green", 0, "G7"),), (TangramLaid(1, "black", 0, "A1"),))
    assert built.reveals


def test_the_first_player_is_drawn() -> None:
    options = TangramOptions()

    assert {GAME.deal(5, options, bytes([n])).start for n in range(60)} == {0, 1, 2, 3, 4}


def test_the_side_of_a_printed_board_is_drawn() -> None:
    options = TangramOptions(boards="printed")
    dealt = {side for n in range(60) for side in GAME.deal(2, options, bytes([n])).sides or ()}

    assert len(dealt) == 10


def test_a_fountain_may_be_declined_and_is_lost() -> None:
    state = begin(1)
    decline_all(state, 4)

    run(state, "0 dry")

    assert state.fountains == [5]
    assert state.round == 2


def test_fountains_fill_half_a_square_and_must_fit() -> None:
    state = begin(1, deck=[2])
    run(state, "0 place 2 black 0 C3")
    decline_all(state, 3)

    assert refusal(state, "0 fountain C3 J") == "The top right half of C3 is already built."
    run(state, "0 fountain C3 L")

    assert state.cities[0].pieces[-1] == Water("C3", "L")


def test_in_the_last_round_tiles_go_in_any_order_and_may_not_overlap_each_other() -> None:
    state = begin(1)
    decline_all(state, 25)
    one, two, three = state.deck[20:]

    run(state, f"0 place {three} black 0 A1")

    assert "already built" in refusal(state, f"0 place {one} black 0 A1")
    assert refusal(state, "0 done").startswith("First place every tile or set it aside")
    run(state, f"0 place {three} black 0 D4; 0 place {one} black 0 A1; 0 decline {two}; 0 done")
    assert len(state.cities[0].pieces) == 2


def test_a_tile_that_only_the_own_answers_leave_no_room_for_is_still_asked() -> None:
    state = begin(1, deck=[t for t in TILES if t not in (1, 6, 19)])
    decline_all(state, 25)
    assert sorted(state.deck[20:]) == [1, 6, 19]
    state.cities[0] = city(black=[name for name in SQUARES if name not in ("A1", "A2")])

    assert GAME.view(state, 0).forced == ((19,),)
    run(state, "0 place 6 black 0 A1")

    assert Decline(1) in list(GAME.moves(state, 0))
    assert not [move for move in GAME.moves(state, 0) if isinstance(move, TangramPlace) and move.tile == 1]
    run(state, "0 decline 1; 0 done")
    assert state.aside[0][-2:] == (1, 19)


def test_a_tile_that_fits_nowhere_is_declined_by_itself_and_the_log_says_so() -> None:
    state = begin(2, deck=[19, 1])
    state.cities[0] = city(black=[name for name in SQUARES if name != "A1"])

    assert list(GAME.prompts(state)) == [1]
    built = only(run(state, "1 decline 19"), Built)

    assert built.forced == ((19,), ())
    assert state.aside == [(19,), (19,)]


def test_scores_begin_at_one_and_rectangles_of_any_colour_are_added() -> None:
    state = begin(1, deck=[6, 1])
    assert state.scores == [1]

    run(state, "0 place 6 black 0 A1; 0 place 1 green 0 A3")
    scored = only([*decline_all(state, 3)], RoundScored)

    assert scored.scores == (4,)


def test_the_balance_scores_at_the_end_only() -> None:
    state = begin(1)

    decline_all(state, 5)

    assert state.scores == [1]


def test_green_is_the_mirror_image_of_black() -> None:
    assert {*TangramLaid(3, "green", 0, "A1").quarters.to_bytes(25, "little")} != {
        *TangramLaid(3, "black", 0, "A1").quarters.to_bytes(25, "little")
    }


def test_other_names_of_a_turn_are_refused() -> None:
    assert "Use 0" in refusal(begin(deck=[6]), "0 place 6 black 180 A1")


def test_a_square_of_any_length_is_repeated_in_part() -> None:
    text = refusal(begin(deck=[6]), f"0 place 6 black 0 {'H' * 3000}")

    assert text == "The city has no square HHHHHHHHHHH…. Choose A1 to G7."


def test_one_whose_three_tiles_fit_nowhere_has_nothing_to_confirm() -> None:
    state = begin(2)
    decline_all(state, 25)
    state.cities[0] = city(black=SQUARES)

    assert list(GAME.prompts(state)) == [1]
    assert refusal(state, "0 done") == "None of the 3 tiles fits your city, so you have nothing to confirm."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("0 place 1 black 0 A1", "You can't place that tile now."),
        ("0 place 6 black 0 H1", "The city has no square H1"),
        ("0 fountain A1 J", "Place the tile first."),
        ("0 dry", "Place the tile first."),
        ("0 done", "You confirm only in the last round"),
        ("0 back 6", "You can't take this answer back"),
        ("2 decline 6", "You're no longer in this game"),
    ],
)
def test_impossible_setups_are_refused(words: str, text: str) -> None:
    assert refusal(begin(deck=[6]), words).startswith(text)


def test_sticking_out_is_looked_at_before_overlap_and_names_the_first_square() -> None:
    state = begin(1, deck=[1, 20])
    run(state, "0 place 1 black 0 G6")

    assert refusal(state, "0 place 20 black 0 G6") == "The tile sticks out of the city at H6."


def test_a_leaver_is_not_awaited_and_comes_last() -> None:
    state = begin(3, deck=[1])
    run(state, "0 decline 1; 1 decline 1")

    events = run(state, "2 leave")

    assert [type(event) for event in events][:2] == [TangramResigned, Built]
    decline_all(state, 26)
    assert state.outcome is not None
    assert state.outcome.places == (1, 1, 3)


def test_the_last_one_left_has_won_and_alone_leaving_ends_the_game() -> None:
    two, one = begin(2), begin(1)

    run(two, "0 leave")
    run(one, "0 leave")

    assert two.outcome is not None
    assert one.outcome is not None
    assert (two.outcome.how, two.outcome.places) == ("left", (2, 1))
    assert (one.outcome.how, one.outcome.places) == ("left", (1,))


@pytest.mark.parametrize(
    "deal",
    [
        TangramDeal(tuple(TILES)[:-1], 0),
        TangramDeal((1, *tuple(TILES)[:-1]), 0),
        TangramDeal(tuple(TILES), 2),
        TangramDeal(tuple(TILES), -1),
        TangramDeal(tuple(TILES), 0, ("1a", "2a")),
    ],
)
def test_deals_that_could_not_be_dealt_are_refused(deal: TangramDeal) -> None:
    with pytest.raises(IllegalDeal):
        GAME.begin(2, TangramOptions("plain"), deal, b"")
