from collections import Counter
from typing import get_args

import msgspec
import pytest

from engines.game import IllegalDeal, IllegalSetup
from engines.tesla import GAME
from engines.tesla.pieces.components import BALANCED, COMMON, Opening, TeslaOptions, Tiles, shape
from tests.engines.tesla.arrange import SEED, begin
from tests.engines.tesla.recount import assert_sound


@pytest.mark.parametrize(("seats", "opening"), [(2, "balanced"), (3, "rulebook"), (4, "rulebook")])
def test_the_usual_opening_depends_on_the_number_of_seats(seats: int, opening: Opening) -> None:
    assert GAME.settle(seats, TeslaOptions()) == TeslaOptions(opening=opening)
    assert GAME.settle(seats, TeslaOptions(opening="balanced")).opening == "balanced"
    assert GAME.settle(seats, TeslaOptions(opening="rulebook")).opening == "rulebook"


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(IllegalSetup, match=f"Tesla's Tangle is for 2 to 4 players, not {seats}."):
        GAME.settle(seats, TeslaOptions())


@pytest.mark.parametrize("tiles", get_args(Tiles))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_begins_with_the_start_tile_and_four_tiles_each(tiles: Tiles, seats: int) -> None:
    options = GAME.settle(seats, TeslaOptions(tiles=tiles))
    deal = GAME.deal(seats, options, SEED)
    state = GAME.begin(seats, options, deal, SEED)

    assert list(state.board.tiles) == ["Z50"]
    assert_sound(state.board)
    assert Counter([*deal.bag, shape(tiles).start_face]) == Counter(shape(tiles).counts)
    assert [len(hand) for hand in state.hands] == [4] * seats
    assert len(state.bag) == 120 - 1 - 4 * seats
    assert state.supplies == [COMMON.markers[seats]] * seats
    assert (state.seat, state.turn, state.phase) == (deal.first, 1, "tiles")


def test_each_draws_four_at_once_from_the_first_seat_on() -> None:
    state = begin(["01"] * 4 + ["02"] * 4 + ["03"] * 4, seats=3, first=1)

    assert state.hands == [["03"] * 4, ["01"] * 4, ["02"] * 4]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_balanced_opening(seats: int) -> None:
    state = begin([], seats=seats, first=1, opening="balanced")

    assert state.scores == [0 if seat == 1 else BALANCED.others_start for seat in range(seats)]
    assert state.may_mark == BALANCED.first_seat_first_turn_marker


def test_the_rulebooks_opening() -> None:
    state = begin([], seats=2, first=1, opening="rulebook")

    assert state.scores == [0, 0]
    assert state.may_mark


def test_every_seat_can_be_drawn_to_go_first() -> None:
    firsts = {GAME.deal(4, TeslaOptions(), str(number).encode()).first for number in range(40)}

    assert firsts == {0, 1, 2, 3}


def test_deals_that_could_not_be_dealt_are_refused() -> None:
    options = GAME.settle(2, TeslaOptions())
    deal = GAME.deal(2, options, SEED)
    for wrong, reason in [
        (msgspec.structs.replace(deal, bag=deal.bag[1:]), "The bag has 8 tiles|The bag has"),
        (msgspec.structs.replace(deal, bag=("09", *deal.bag[1:])), "The bag has an unknown tile: 09."),
        (msgspec.structs.replace(deal, first=2), "The first seat must be 0 to 1, not 2."),
        (msgspec.structs.replace(deal, first=-1), "The first seat must be 0 to 1, not -1."),
    ]:
        with pytest.raises(IllegalDeal, match=reason):
            GAME.begin(2, options, wrong, SEED)


def test_a_bag_of_the_other_shape_is_refused() -> None:
    deal = GAME.deal(2, GAME.settle(2, TeslaOptions()), SEED)

    with pytest.raises(IllegalDeal):
        GAME.begin(2, GAME.settle(2, TeslaOptions(tiles="square")), deal, SEED)
