from typing import Any

import msgspec
import pytest

from engines.game import IllegalDeal, IllegalSetup
from engines.tangle import GAME
from engines.tangle.pieces.components import TangleOptions
from tests.engines.tangle.arrange import SEED, begin


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (5, {}, "Tangle with these options needs 2 to 4 players, not 5."),
        (2, {"exchange": (("SP", "takeover"),)}, "With 2 players, you can't exchange the space SP."),
        (3, {"exchange": (("MT", "takeover"),)}, "With 3 players, you can't exchange the space MT."),
        (4, {"exchange": (("CE", "takeover"),)}, "With 4 players, you can't exchange the space CE."),
        (4, {"exchange": (("?", "takeover"),)}, "With 4 players, you can't exchange the space ?."),
        (4, {"exchange": (("SP", "takeover"), ("SP", "sacrifice"))}, "You can exchange a space only once."),
        (
            4,
            {"exchange": (("SP", "takeover"), ("MT", "takeover"))},
            "You can use each alternative space only once.",
        ),
        (
            4,
            {"centre": "takeover", "exchange": (("SP", "takeover"),)},
            "You can use each alternative space only once.",
        ),
        (
            4,
            {"centre": "random", "exchange": (("SP", "takeover"), ("MT", "sacrifice"), ("S1", "hibernate"))},
            "No alternative space is left for the centre.",
        ),
    ],
)
def test_unplayable_setups_are_refused(seats: int, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(IllegalSetup) as refusal:
        GAME.settle(seats, TangleOptions(**options))
    assert str(refusal.value) == sentence


def test_exchanged_spaces_are_put_in_order() -> None:
    one = GAME.settle(4, TangleOptions(exchange=(("SP", "takeover"), ("MT", "sacrifice"))))
    assert one == GAME.settle(4, TangleOptions(exchange=(("MT", "sacrifice"), ("SP", "takeover"))))


def test_a_random_centre_is_one_of_those_left() -> None:
    options = GAME.settle(4, TangleOptions(centre="random", exchange=(("SP", "takeover"),)))
    drawn = {GAME.deal(4, options, bytes([number])).centre for number in range(40)}
    assert drawn == {"sacrifice", "hibernate"}
    deal = GAME.deal(4, options, SEED)
    assert GAME.begin(4, options, deal, SEED).centre == deal.centre
    with pytest.raises(IllegalDeal, match="no other space"):
        GAME.begin(4, options, msgspec.structs.replace(deal, centre="takeover"), SEED)


def test_a_deal_by_hand_is_checked() -> None:
    deal = GAME.deal(2, TangleOptions(), SEED)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"conditions": deal.conditions[1:]}, "The victory conditions must be all 20, each once."),
        ({"cards": (*deal.cards[1:], deal.cards[1])}, "The enchantments must be all 51, each once."),
        ({"centre": "hibernate"}, "These options draw nothing for the centre."),
    ]
    for change, sentence in wrong:
        with pytest.raises(IllegalDeal) as refusal:
            GAME.begin(2, TangleOptions(), msgspec.structs.replace(deal, **change), SEED)
        assert str(refusal.value) == sentence


def test_an_exchanged_spring_loses_its_resources_and_arrows() -> None:
    state = begin(3, exchange=(("S1", "takeover"),))
    assert "S1" not in state.resources
    GAME.play(state, 0, next(move for move in GAME.moves(state, 0) if getattr(move, "to", "") == "TS"))
    assert state.resources["E"] == (0, 3, 0, 0)


def test_the_deal_goes_round_seat_by_seat() -> None:
    deal = GAME.deal(3, TangleOptions(), SEED)
    state = GAME.begin(3, TangleOptions(), deal, SEED)
    for seat in range(3):
        assert state.conditions[seat] == deal.conditions[3 * seat : 3 * seat + 3]
        assert sorted(state.hands[seat]) == sorted(deal.cards[3 * seat : 3 * seat + 3])
    assert tuple(state.row) == deal.cards[9:12]
    assert tuple(state.pile) == deal.cards[12:]
    assert state.box == deal.conditions[9:]
