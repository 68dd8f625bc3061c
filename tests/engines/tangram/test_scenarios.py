from random import Random

import pytest

from engines.game import IllegalDeal
from engines.tangram import GAME
from engines.tangram.events import Bonus, MarkerPassed, Revealed
from engines.tangram.pieces.board import (
    City,
    Rectangle,
    TangramLaid,
    Water,
    balance,
    full_squares,
    is_complete,
    largest_rectangle,
    score,
)
from engines.tangram.pieces.components import TILES, TangramOptions
from engines.tangram.pieces.geometry import FILL, SQUARES, TURNS, form, spots
from engines.tangram.truth.state import TangramDeal
from render.tangram import board, hand
from tests.engines.tangram.arrange import begin, block, city, covers, decline_all, only, refusal, run
from tests.engines.tangram.plain import plain_balance, plain_full, plain_rectangle, random_city
from tests.often import often

TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT, TOP_LEFT = FILL["7"], FILL["J"], FILL["L"], FILL["r"]
NAMES = ["Ann", "Bo", "Cy", "Dee", "Eli"]


def test_1_a_domino_covers_two_squares_and_sticks_out_in_the_last_row() -> None:
    assert covers(TangramLaid(6, "black", 0, "A1")) == {"A1": 15, "A2": 15}

    assert refusal(begin(deck=[6]), "0 place 6 black 0 A7") == "The tile sticks out of the city at A8."


def test_2_a_triangle_covers_half_squares() -> None:
    assert covers(TangramLaid(2, "black", 0, "C3")) == {"C3": TOP_RIGHT, "D3": TOP_LEFT}
    assert covers(TangramLaid(2, "black", 180, "C2")) == {"C2": BOTTOM_RIGHT, "D2": BOTTOM_LEFT}


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
    def counts(*pieces: TangramLaid | Water) -> tuple[int, int, int]:
        built = City(pieces)
        whole = bin(full_squares(built.built)).count("1")
        return whole, balance(built).black, balance(built).green

    black, green = TangramLaid(2, "black", 0, "C3"), TangramLaid(2, "green", 180, "B3")

    assert counts(black, Water("C3", "L")) == (1, 1, 0)
    assert counts(Water("C3", "7"), Water("C3", "L")) == (1, 0, 0)
    assert counts(black, green) == (1, 0, 0)


@pytest.mark.parametrize("seats", [2, 4])
def test_6_who_holds_or_shares_a_card_sees_it_and_nobody_else_does(seats: int) -> None:
    state = begin(seats, start=1)
    tiles = state.deck[:4]
    holders = {2: {1: 2, 0: 3}, 4: {1: 1, 2: 2, 3: 3, 0: 3}}[seats]

    for seat in (None, *range(seats)):
        view = GAME.view(state, seat)
        seen = [card.tile for card in view.cards]
        for place in range(1, 4):
            may = seat is not None and holders[seat] == place
            assert seen[place] == (tiles[place] if may else None)
    for seat in (None, *range(seats)):
        other = GAME.resample_hidden(state, seat, Random(3))
        one, two = GAME.view(state, seat), GAME.view(other, seat)
        assert board(one, NAMES).png == board(two, NAMES).png
        if seat is not None:
            mine, again = hand(one, seat, NAMES), hand(two, seat, NAMES)
            assert mine is not None
            assert again is not None
            assert mine.png == again.png


def test_7_with_five_seats_one_card_is_open_at_the_deal() -> None:
    view = GAME.view(begin(5), None)

    assert [card.where for card in view.cards] == ["up", "held", "held", "held"]
    assert [card.tile is not None for card in view.cards] == [True, False, False, False]


def test_8_only_the_last_answer_counts_and_after_closing_it_is_too_late() -> None:
    state = begin(deck=[6, 1])

    run(state, "0 place 6 black 0 A1; 0 decline 6; 0 place 6 green 90 C3; 1 decline 6")

    assert state.cities[0].pieces == (TangramLaid(6, "green", 90, "C3"),)
    assert refusal(state, "0 place 6 black 0 A1") == "You can't place that tile now."


def test_9_if_all_decline_everything_all_share_the_victory_with_21() -> None:
    state = begin(3)

    decline_all(state, 27)

    assert state.outcome is not None
    assert state.outcome.scores == (21, 21, 21)
    assert state.outcome.places == (1, 1, 1)


@pytest.mark.parametrize(
    ("scores", "marker", "goes_to"), [((5, 1, 5, 2), 2, 0), ((5, 1, 8, 2), 2, 2), ((5, 5, 5, 5), 1, 2)]
)
def test_10_the_start_marker(scores: tuple[int, ...], marker: int, goes_to: int) -> None:
    state = begin(4, start=marker)
    decline_all(state, 4)
    state.scores[:] = scores

    passed = only(decline_all(state), MarkerPassed)

    assert (passed.seat, passed.kept) == (goes_to, goes_to == marker)
    assert state.start == goes_to


def test_11_the_last_round_asks_for_three_tiles_in_any_order_until_all_have_confirmed() -> None:
    state = begin(2)
    decline_all(state, 25)
    one, two, three = state.deck[20:]
    assert state.phase == "final"

    run(state, f"0 decline {three}; 0 place {one} black 0 A1; 0 decline {two}")
    assert list(GAME.prompts(state)) == [0, 1]
    run(state, "0 done")
    assert list(GAME.prompts(state)) == [1]
    run(state, f"1 decline {one}; 1 decline {two}; 1 decline {three}; 0 back {one}")
    assert list(GAME.prompts(state)) == [0, 1]
    run(state, f"1 done; 0 decline {one}")
    assert GAME.view(state, None).phase == "final"
    run(state, "0 done")

    assert GAME.view(state, None).phase == "fountain"
    assert state.cities[0].pieces == ()


def test_12_after_six_rounds_every_card_has_been_played_once() -> None:
    state = begin(1)
    shown = list(GAME.view(state, None).current)

    for event in decline_all(state, 27):
        if isinstance(event, Revealed):
            shown += event.tiles

    assert sorted(shown) == sorted(TILES)


def test_13_the_worked_example() -> None:
    whole = [*block("B2", "E5"), *block("F2", "F4")]
    mixed = whole[-4:]
    black, green = whole[:9], whole[9:15]
    rest = [name for name in mixed if name not in (*black, *green)]
    pieces = [TangramLaid(2, "black", 0, name) for name in rest]
    built = city(
        *[Water(name, "7") for name in rest], *[Water(name, "L") for name in rest], black=black, green=green
    )

    scored = score(built)

    assert pieces
    assert scored.rectangle == Rectangle("B2", 4, 4)
    assert scored.points + 1 == 17
    assert (scored.balance.black, scored.balance.green, scored.balance.bonus) == (9, 6, 5)


def test_14_printed_boards_differ_are_built_and_count() -> None:
    options = GAME.settle(5, TangramOptions(boards="printed"))
    for seed in range(20):
        deal = GAME.deal(5, options, bytes([seed]))
        assert deal.sides is not None
        assert len({side[0] for side in deal.sides}) == 5
    state = begin(2, deck=[1], boards="printed")
    printed = state.cities[0]
    assert printed.board == "1a"

    assert (balance(printed).black, balance(printed).green) == (1, 1)
    assert refusal(state, "0 place 1 black 0 D4") == "D4 is already built."
    with pytest.raises(IllegalDeal):
        GAME.begin(2, state.options, TangramDeal(tuple(TILES), 0, ("1a", "1b")), b"")


def test_15_a_full_city_brings_fifteen() -> None:
    state = begin(1)
    decline_all(state, 4)
    state.cities[0] = city(Water("G7", "7"), black=SQUARES[:23], green=SQUARES[23:48])
    decline_all(state, 5)

    bonus = only(run(state, "0 fountain G7 L"), Bonus)

    assert is_complete(state.cities[0])
    assert (bonus.planning, bonus.balance) == ((15,), (10,))


def test_16_alone_two_cards_lie_open_and_two_hidden() -> None:
    view = GAME.view(begin(1), 0)

    assert [card.where for card in view.cards] == ["up", "up", "down", "down"]
    assert [card.tile is None for card in view.cards] == [False, False, True, True]


@pytest.mark.parametrize(
    ("words", "squares"),
    [("place 19 black 90 F2", "H2"), ("place 19 black 0 C6", "C8"), ("place 19 black 90 G7", "H7 and I7")],
)
def test_17_beyond_the_city_is_refused_with_every_square_named(words: str, squares: str) -> None:
    assert refusal(begin(deck=[19]), f"0 {words}") == f"The tile sticks out of the city at {squares}."


@pytest.mark.slow
def test_18_bit_sets_score_like_a_plain_grid_on_many_cities() -> None:
    rng = Random(18)
    for _ in range(often(200, 2000)):
        built = random_city(rng)
        best = largest_rectangle(built.built)
        assert (0 if best is None else best.area) == plain_rectangle(built)
        assert (balance(built).black, balance(built).green) == plain_balance(built)
        assert is_complete(built) == (len(plain_full(built)) == 49)


def test_every_tile_has_its_places() -> None:
    assert all(spots(tile) for tile in TILES)
