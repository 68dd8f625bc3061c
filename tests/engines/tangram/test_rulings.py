from random import Random

import pytest

from engines.game import IllegalDeal
from engines.tangram import GAME, moves
from engines.tangram.pieces import board
from engines.tangram.pieces.components import TILES, TangramOptions
from engines.tangram.pieces.geometry import FILL, SQUARES, TURNS, form, spots
from engines.tangram.truth.state import TangramDeal, TangramState
from engines.tangram.words import board as words
from tests.engines.tangram import arrange
from tests.often import often


def describe_cards(state: TangramState) -> list[str]:
    text = "\n".join(part.text for part in words.parts(GAME.view(state, 0), ("Ann", "Bo", "Cy")))
    return [line for line in text.splitlines() if line.startswith("Card ")]


def test_a_card_counts_as_played_once_everyone_has_answered() -> None:
    state = arrange.begin(2, deck=[1])
    arrange.run(state, "0 place 1 black 0 A1")
    assert ", in play now." in describe_cards(state)[0]
    assert "already played" not in "".join(describe_cards(state))

    arrange.run(state, "1 decline 1")

    first, second, *_ = describe_cards(state)
    assert ", already played" in first
    assert ", in play now" in second


def test_all_cards_of_the_last_round_are_in_play_together() -> None:
    state = arrange.begin(2)
    arrange.decline_all(state, 25)

    assert [", in play now" in line for line in describe_cards(state)[-3:]] == [True] * 3


def test_a_refusal_names_every_square_that_is_built() -> None:
    state = arrange.begin(1, deck=[19])
    state.cities[0] = arrange.city(black=["E2", "F2"])

    assert arrange.refusal(state, "0 place 19 black 90 D2") == "E2 and F2 are already built."


def test_others_see_that_i_have_answered_and_nothing_more() -> None:
    placed, declined = arrange.begin(3, deck=[6]), arrange.begin(3, deck=[6])
    arrange.run(placed, "1 place 6 green 90 C3")
    arrange.run(declined, "1 decline 6")

    for viewer in (None, 0, 2):
        view = GAME.view(placed, viewer)
        assert view == GAME.view(declined, viewer)
        assert view.answered == (1,)
    assert GAME.view(placed, 1).mine != GAME.view(declined, 1).mine


def test_in_the_last_round_others_see_nothing_before_all_three_are_confirmed() -> None:
    state = arrange.begin(2)
    arrange.decline_all(state, 25)
    one, two, three = state.deck[20:]
    before = GAME.view(state, 1)

    arrange.run(state, f"0 place {one} black 0 A1; 0 decline {two}; 0 decline {three}")
    assert GAME.view(state, 1) == before
    arrange.run(state, "0 done")

    assert GAME.view(state, 1).answered == (0,)


def test_an_answer_may_be_changed_until_the_step_closes_and_is_still_listed() -> None:
    state = arrange.begin(2, deck=[1])
    arrange.run(state, "0 place 1 black 0 A1")

    assert list(GAME.prompts(state)) == [1]
    assert moves.TangramPlace(1, "green", 0, "B1") in list(GAME.moves(state, 0))
    changed = arrange.only(arrange.run(state, "0 place 1 green 0 B1"), moves.Answered)

    assert changed.changed


def test_the_step_closes_with_the_last_answer_and_shows_all_at_once() -> None:
    state = arrange.begin(2, deck=[1])

    built = arrange.only(arrange.run(state, "1 place 1 black 0 A1; 0 place 1 green 0 G7"), moves.Built)

    assert built.pieces == (
        (board.TangramLaid(1, "green", 0, "G7"),),
        (board.TangramLaid(1, "black", 0, "A1"),),
    )
    assert built.reveals


def test_the_first_player_is_drawn() -> None:
    options = TangramOptions()

    assert {GAME.deal(5, options, bytes([n])).start for n in range(60)} == {0, 1, 2, 3, 4}


def test_the_side_of_a_printed_board_is_drawn() -> None:
    options = TangramOptions(boards="printed")
    dealt = {side for n in range(60) for side in GAME.deal(2, options, bytes([n])).sides or ()}

    assert len(dealt) == 10


def test_a_fountain_may_be_declined_and_is_lost() -> None:
    state = arrange.begin(1)
    arrange.decline_all(state, 4)

    arrange.run(state, "0 dry")

    assert state.fountains == [5]
    assert state.round == 2


def test_fountains_fill_half_a_square_and_must_fit() -> None:
    state = arrange.begin(1, deck=[2])
    arrange.run(state, "0 place 2 black 0 C3")
    arrange.decline_all(state, 3)

    assert arrange.refusal(state, "0 fountain C3 J") == "The top right half of C3 is already built."
    arrange.run(state, "0 fountain C3 L")

    assert state.cities[0].pieces[-1] == board.Water("C3", "L")


def test_in_the_last_round_tiles_go_in_any_order_and_may_not_overlap_each_other() -> None:
    state = arrange.begin(1)
    arrange.decline_all(state, 25)
    one, two, three = state.deck[20:]

    arrange.run(state, f"0 place {three} black 0 A1")

    assert "already built" in arrange.refusal(state, f"0 place {one} black 0 A1")
    assert arrange.refusal(state, "0 done").startswith("First place every tile or set it aside")
    arrange.run(state, f"0 place {three} black 0 D4; 0 place {one} black 0 A1; 0 decline {two}; 0 done")
    assert len(state.cities[0].pieces) == 2


def test_a_tile_that_only_the_own_answers_leave_no_room_for_is_still_asked() -> None:
    state = arrange.begin(1, deck=[t for t in TILES if t not in (1, 6, 19)])
    arrange.decline_all(state, 25)
    assert sorted(state.deck[20:]) == [1, 6, 19]
    state.cities[0] = arrange.city(black=[name for name in SQUARES if name not in ("A1", "A2")])

    assert GAME.view(state, 0).forced == ((19,),)
    arrange.run(state, "0 place 6 black 0 A1")

    assert moves.Decline(1) in list(GAME.moves(state, 0))
    assert not [
        move for move in GAME.moves(state, 0) if isinstance(move, moves.TangramPlace) and move.tile == 1
    ]
    arrange.run(state, "0 decline 1; 0 done")
    assert state.aside[0][-2:] == (1, 19)


def test_a_tile_that_fits_nowhere_is_declined_by_itself_and_the_log_says_so() -> None:
    state = arrange.begin(2, deck=[19, 1])
    state.cities[0] = arrange.city(black=[name for name in SQUARES if name != "A1"])

    assert list(GAME.prompts(state)) == [1]
    built = arrange.only(arrange.run(state, "1 decline 19"), moves.Built)

    assert built.forced == ((19,), ())
    assert state.aside == [(19,), (19,)]


def test_scores_begin_at_one_and_rectangles_of_any_colour_are_added() -> None:
    state = arrange.begin(1, deck=[6, 1])
    assert state.scores == [1]

    arrange.run(state, "0 place 6 black 0 A1; 0 place 1 green 0 A3")
    scored = arrange.only([*arrange.decline_all(state, 3)], moves.RoundScored)

    assert scored.scores == (4,)


def test_the_balance_scores_at_the_end_only() -> None:
    state = arrange.begin(1)

    arrange.decline_all(state, 5)

    assert state.scores == [1]


def test_other_names_of_a_turn_are_refused() -> None:
    assert "Use 0" in arrange.refusal(arrange.begin(deck=[6]), "0 place 6 black 180 A1")


def test_a_square_of_any_length_is_repeated_in_part() -> None:
    text = arrange.refusal(arrange.begin(deck=[6]), f"0 place 6 black 0 {'H' * 3000}")

    assert text == "The city has no square HHHHHHHHHHH…. Choose A1 to G7."


def test_one_whose_three_tiles_fit_nowhere_has_nothing_to_confirm() -> None:
    state = arrange.begin(2)
    arrange.decline_all(state, 25)
    state.cities[0] = arrange.city(black=SQUARES)

    assert list(GAME.prompts(state)) == [1]
    assert (
        arrange.refusal(state, "0 done")
        == "None of the 3 tiles fits your city, so you have nothing to confirm."
    )


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
    assert arrange.refusal(arrange.begin(deck=[6]), words).startswith(text)


def test_sticking_out_is_looked_at_before_overlap_and_names_the_first_square() -> None:
    state = arrange.begin(1, deck=[1, 20])
    arrange.run(state, "0 place 1 black 0 G6")

    assert arrange.refusal(state, "0 place 20 black 0 G6") == "The tile sticks out of the city at H6."


def test_a_leaver_is_not_awaited_and_comes_last() -> None:
    state = arrange.begin(3, deck=[1])
    arrange.run(state, "0 decline 1; 1 decline 1")

    events = arrange.run(state, "2 leave")

    assert [type(event) for event in events][:2] == [moves.TangramResigned, moves.Built]
    arrange.decline_all(state, 26)
    assert state.outcome is not None
    assert state.outcome.places == (1, 1, 3)


def test_the_last_one_left_has_won_and_alone_leaving_ends_the_game() -> None:
    two, one = arrange.begin(2), arrange.begin(1)

    arrange.run(two, "0 leave")
    arrange.run(one, "0 leave")

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


TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT, TOP_LEFT = FILL["7"], FILL["J"], FILL["L"], FILL["r"]
NAMES = ["Ann", "Bo", "Cy", "Dee", "Eli"]


def test_1_a_domino_covers_two_squares_and_sticks_out_in_the_last_row() -> None:
    assert arrange.covers(board.TangramLaid(6, "black", 0, "A1")) == {"A1": 15, "A2": 15}

    assert (
        arrange.refusal(arrange.begin(deck=[6]), "0 place 6 black 0 A7")
        == "The tile sticks out of the city at A8."
    )


def test_2_a_triangle_covers_half_squares() -> None:
    assert arrange.covers(board.TangramLaid(2, "black", 0, "C3")) == {"C3": TOP_RIGHT, "D3": TOP_LEFT}
    assert arrange.covers(board.TangramLaid(2, "black", 180, "C2")) == {"C2": BOTTOM_RIGHT, "D2": BOTTOM_LEFT}


def test_3_only_opposite_halves_share_a_square() -> None:
    def fit(one: str, two: str) -> bool:
        return not FILL[one] & FILL[two]

    assert fit("7", "L")
    assert not fit("7", "J")
    assert not fit("7", "r")


def test_4_the_green_slant_is_no_rotation_of_the_black_one_and_the_green_gable_is() -> None:
    def mirrored(tile: int) -> bool:
        return form(tile, "green", 0) in [form(tile, "black", turn) for turn in TURNS]

    assert not mirrored(3)
    assert mirrored(10)


def test_5_what_a_square_counts_for() -> None:
    def counts(*pieces: board.TangramLaid | board.Water) -> tuple[int, int, int]:
        built = board.City(pieces)
        whole = bin(board.full_squares(built.built)).count("1")
        return whole, board.balance(built).black, board.balance(built).green

    black, green = board.TangramLaid(2, "black", 0, "C3"), board.TangramLaid(2, "green", 180, "B3")

    assert counts(black, board.Water("C3", "L")) == (1, 1, 0)
    assert counts(board.Water("C3", "7"), board.Water("C3", "L")) == (1, 0, 0)
    assert counts(black, green) == (1, 0, 0)


@pytest.mark.parametrize("seats", [2, 4])
def test_6_who_holds_or_shares_a_card_sees_it_and_nobody_else_does(seats: int) -> None:
    state = arrange.begin(seats, start=1)
    tiles = state.deck[:4]
    holders = {2: {1: 2, 0: 3}, 4: {1: 1, 2: 2, 3: 3, 0: 3}}[seats]

    for seat in (None, *range(seats)):
        view = GAME.view(state, seat)
        seen = [card.tile for card in view.cards]
        for place in range(1, 4):
            may = seat is not None and holders[seat] == place
            assert seen[place] == (tiles[place] if may else None)


def test_7_with_five_seats_one_card_is_open_at_the_deal() -> None:
    view = GAME.view(arrange.begin(5), None)

    assert [card.where for card in view.cards] == ["up", "held", "held", "held"]
    assert [card.tile is not None for card in view.cards] == [True, False, False, False]


def test_8_only_the_last_answer_counts_and_after_closing_it_is_too_late() -> None:
    state = arrange.begin(deck=[6, 1])

    arrange.run(state, "0 place 6 black 0 A1; 0 decline 6; 0 place 6 green 90 C3; 1 decline 6")

    assert state.cities[0].pieces == (board.TangramLaid(6, "green", 90, "C3"),)
    assert arrange.refusal(state, "0 place 6 black 0 A1") == "You can't place that tile now."


def test_9_if_all_decline_everything_all_share_the_victory_with_21() -> None:
    state = arrange.begin(3)

    arrange.decline_all(state, 27)

    assert state.outcome is not None
    assert state.outcome.scores == (21, 21, 21)
    assert state.outcome.places == (1, 1, 1)


@pytest.mark.parametrize(
    ("scores", "marker", "goes_to"), [((5, 1, 5, 2), 2, 0), ((5, 1, 8, 2), 2, 2), ((5, 5, 5, 5), 1, 2)]
)
def test_10_the_start_marker(scores: tuple[int, ...], marker: int, goes_to: int) -> None:
    state = arrange.begin(4, start=marker)
    arrange.decline_all(state, 4)
    state.scores[:] = scores

    passed = arrange.only(arrange.decline_all(state), moves.MarkerPassed)

    assert (passed.seat, passed.kept) == (goes_to, goes_to == marker)
    assert state.start == goes_to


def test_11_the_last_round_asks_for_three_tiles_in_any_order_until_all_have_confirmed() -> None:
    state = arrange.begin(2)
    arrange.decline_all(state, 25)
    one, two, three = state.deck[20:]
    assert state.phase == "final"

    arrange.run(state, f"0 decline {three}; 0 place {one} black 0 A1; 0 decline {two}")
    assert list(GAME.prompts(state)) == [0, 1]
    arrange.run(state, "0 done")
    assert list(GAME.prompts(state)) == [1]
    arrange.run(state, f"1 decline {one}; 1 decline {two}; 1 decline {three}; 0 back {one}")
    assert list(GAME.prompts(state)) == [0, 1]
    arrange.run(state, f"1 done; 0 decline {one}")
    assert GAME.view(state, None).phase == "final"
    arrange.run(state, "0 done")

    assert GAME.view(state, None).phase == "fountain"
    assert state.cities[0].pieces == ()


def test_12_after_six_rounds_every_card_has_been_played_once() -> None:
    state = arrange.begin(1)
    shown = list(GAME.view(state, None).current)

    for event in arrange.decline_all(state, 27):
        if isinstance(event, moves.Revealed):
            shown += event.tiles

    assert sorted(shown) == sorted(TILES)


def test_13_the_worked_example() -> None:
    whole = [*arrange.block("B2", "E5"), *arrange.block("F2", "F4")]
    mixed = whole[-4:]
    black, green = whole[:9], whole[9:15]
    rest = [name for name in mixed if name not in (*black, *green)]
    pieces = [board.TangramLaid(2, "black", 0, name) for name in rest]
    built = arrange.city(
        *[board.Water(name, "7") for name in rest],
        *[board.Water(name, "L") for name in rest],
        black=black,
        green=green,
    )

    scored = board.score(built)

    assert pieces
    assert scored.rectangle == board.Rectangle("B2", 4, 4)
    assert scored.points + 1 == 17
    assert (scored.balance.black, scored.balance.green, scored.balance.bonus) == (9, 6, 5)


def test_14_printed_boards_differ_are_built_and_count() -> None:
    options = GAME.settle(5, TangramOptions(boards="printed"))
    for seed in range(20):
        deal = GAME.deal(5, options, bytes([seed]))
        assert deal.sides is not None
        assert len({side[0] for side in deal.sides}) == 5
    state = arrange.begin(2, deck=[1], boards="printed")
    printed = state.cities[0]
    assert printed.board == "1a"

    assert (board.balance(printed).black, board.balance(printed).green) == (1, 1)
    assert arrange.refusal(state, "0 place 1 black 0 D4") == "D4 is already built."
    with pytest.raises(IllegalDeal):
        GAME.begin(2, state.options, TangramDeal(tuple(TILES), 0, ("1a", "1b")), b"")


def test_15_a_full_city_brings_fifteen() -> None:
    state = arrange.begin(1)
    arrange.decline_all(state, 4)
    state.cities[0] = arrange.city(board.Water("G7", "7"), black=SQUARES[:23], green=SQUARES[23:48])
    arrange.decline_all(state, 5)

    bonus = arrange.only(arrange.run(state, "0 fountain G7 L"), moves.Bonus)

    assert board.is_complete(state.cities[0])
    assert (bonus.planning, bonus.balance) == ((15,), (10,))


def test_16_alone_two_cards_lie_open_and_two_hidden() -> None:
    view = GAME.view(arrange.begin(1), 0)

    assert [card.where for card in view.cards] == ["up", "up", "down", "down"]
    assert [card.tile is None for card in view.cards] == [False, False, True, True]


@pytest.mark.parametrize(
    ("words", "squares"),
    [("place 19 black 90 F2", "H2"), ("place 19 black 0 C6", "C8"), ("place 19 black 90 G7", "H7 and I7")],
)
def test_17_beyond_the_city_is_refused_with_every_square_named(words: str, squares: str) -> None:
    assert (
        arrange.refusal(arrange.begin(deck=[19]), f"0 {words}")
        == f"The tile sticks out of the city at {squares}."
    )


def test_18_bit_sets_score_like_a_plain_grid_on_many_cities() -> None:
    rng = Random(18)
    for _ in range(often(200, 2000)):
        built = arrange.random_city(rng)
        best = board.largest_rectangle(built.built)
        assert (0 if best is None else best.area) == arrange.plain_rectangle(built)
        assert (board.balance(built).black, board.balance(built).green) == arrange.plain_balance(built)
        assert board.is_complete(built) == (len(arrange.plain_full(built)) == 49)


def test_every_tile_has_its_places() -> None:
    assert all(spots(tile) for tile in TILES)
