from collections import Counter
from typing import Any

import msgspec
import pytest

from engines.game import IllegalDeal, IllegalSetup
from engines.ribbon import GAME
from engines.ribbon.pieces.components import CARDS, COLOURS, RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from tests.engines.ribbon.arrange import SEED, begin, hands
from tests.engines.ribbon.games import CLEAN, THREE, WORKED


def test_a_single_seat_always_plays_solo() -> None:
    assert GAME.settle(1, RibbonOptions(mode="versus", difficulty="hard")) == RibbonOptions("solo", "hard")


@pytest.mark.parametrize("seats", [2, 3])
def test_options_without_effect_get_their_default(seats: int) -> None:
    chosen = RibbonOptions("versus", "hard", "after_hand", "host")
    assert GAME.settle(seats, chosen) == RibbonOptions("versus", "easy", "after_hand", "host")
    team = RibbonOptions("coop", "hard", "after_hand", "host")
    assert GAME.settle(seats, team) == RibbonOptions("coop", "easy", "blind", "host")
    alone = RibbonOptions("solo", "medium", "random", "host")
    assert GAME.settle(1, alone) == RibbonOptions("solo", "medium", "blind", "random")


@pytest.mark.parametrize(
    ("seats", "mode", "reason"),
    [
        (0, "versus", "Ribbon Tangle is for 1 to 3 players, not 0."),
        (4, "coop", "Ribbon Tangle is for 1 to 3 players, not 4."),
        (2, "solo", "Solo is for 1 player, not 2. Choose versus or co-op."),
    ],
)
def test_seats_that_do_not_go_with_the_mode_are_refused(seats: int, mode: Any, reason: str) -> None:
    with pytest.raises(IllegalSetup) as refusal:
        GAME.settle(seats, RibbonOptions(mode=mode))
    assert str(refusal.value) == reason


def test_the_lobby_learns_how_many_seats_each_mode_takes() -> None:
    assert list(GAME.seats) == [1, 2, 3]
    assert list(GAME.seats_for(RibbonOptions())) == list(GAME.seats_for(RibbonOptions("coop"))) == [2, 3]
    assert list(GAME.seats_for(RibbonOptions("solo"))) == [1]


@pytest.mark.parametrize(
    ("seats", "options", "dealt"),
    [
        (2, {}, ["FHJ", "LOR"]),
        (3, {}, ["FO", "LJ", "HR"]),
        (2, {"mode": "coop"}, ["FHJ", "LOR"]),
        (3, {"mode": "coop"}, ["FO", "LJ", "HR"]),
        (1, {"difficulty": "easy"}, ["FHJ", "LOR"]),
        (1, {"difficulty": "medium"}, ["FO", "LJ", "HR"]),
        (1, {"difficulty": "hard"}, ["FH", "LO"]),
    ],
)
def test_cards_are_dealt_one_at_a_time_to_hands_of_the_right_size(
    seats: int, options: dict[str, Any], dealt: list[str]
) -> None:
    state = begin(CLEAN, seats, **options)
    assert hands(state) == dealt
    assert "".join(filter(None, state.beneath)) == "QIGEKBPMDNCA"
    assert state.aside == (["J", "R"] if options == {"difficulty": "hard"} else [])


def test_dealt_ribbons_go_to_the_seats_from_the_first_one_on() -> None:
    state = begin(THREE, 3, first=2, colours=("purple", "green", "orange"), ribbon_choice="random")
    assert state.ribbons == ("green", "orange", "purple")
    assert state.phase == "flip"
    two = begin(WORKED, first=1, colours=("purple", "green", "orange"), ribbon_choice="random")
    assert two.ribbons == ("green", "purple")


def test_a_seed_deals_every_seat_and_colour_about_equally_often() -> None:
    deals = [
        GAME.deal(3, RibbonOptions(ribbon_choice="random"), number.to_bytes(4, "big"))
        for number in range(600)
    ]
    assert all(sorted(deal.deck) == sorted(CARDS) for deal in deals)
    assert all(150 < count < 250 for count in Counter(deal.first for deal in deals).values())
    assert all(150 < count < 250 for count in Counter((deal.colours or ("",))[0] for deal in deals).values())
    assert Counter(deal.deck[0] for deal in deals).keys() == set(CARDS)


def test_the_host_goes_first_when_the_table_says_so() -> None:
    deals = [GAME.deal(3, RibbonOptions(first="host"), bytes([number])) for number in range(20)]
    assert {deal.first for deal in deals} == {0}


class Wrong(msgspec.Struct, frozen=True):
    """A deal that is refused, and why."""

    reason: str
    deck: str = CLEAN
    first: int = 0
    colours: tuple[Any, ...] | None = None
    eliminated: tuple[str, ...] | None = None
    seats: int = 3
    options: RibbonOptions = RibbonOptions()


@pytest.mark.parametrize(
    "wrong",
    [
        Wrong("The deck has a card that doesn't exist: Z.", deck="Z" + CLEAN[1:]),
        Wrong("The deck must have 18 cards, not 17.", deck=CLEAN[1:]),
        Wrong("The deck must have 18 cards, not 19.", deck=CLEAN + "A"),
        Wrong("The deck has the same card twice.", deck="A" + CLEAN[1:]),
        Wrong("The first seat must be 0 to 2, not 3.", first=3),
        Wrong("The first seat must be 0 to 0, not 1.", first=1, seats=1),
        Wrong(
            "With these options, the host (seat 0) goes first.", first=1, options=RibbonOptions(first="host")
        ),
        Wrong("These options don't deal ribbons, so leave out the colours.", colours=COLOURS),
        Wrong(
            "The deal must have green, orange and purple, each once.",
            options=RibbonOptions(ribbon_choice="random"),
        ),
        Wrong(
            "The deal must have green, orange and purple, each once.",
            colours=("green", "green", "purple"),
            options=RibbonOptions(ribbon_choice="random"),
        ),
        Wrong(
            "In versus for three only, the others get the cards of a player who is out.",
            eliminated=("A", "B"),
            seats=2,
        ),
        Wrong(
            "In versus for three only, the others get the cards of a player who is out.",
            eliminated=("A", "B"),
            options=RibbonOptions(mode="coop"),
        ),
        Wrong("The eliminated hand must have 2 cards, not 1.", eliminated=("A",)),
        Wrong("The eliminated hand has the same card twice.", eliminated=("A", "A")),
        Wrong("The eliminated hand has a card that doesn't exist: a.", eliminated=("a", "B")),
    ],
    ids=lambda wrong: wrong.reason,
)
def test_a_deal_that_could_not_be_dealt_is_refused_with_the_reason(wrong: Wrong) -> None:
    deal = RibbonDeal(tuple(wrong.deck), wrong.first, wrong.colours, wrong.eliminated)
    with pytest.raises(IllegalDeal) as refusal:
        GAME.begin(wrong.seats, GAME.settle(wrong.seats, wrong.options), deal, SEED)
    assert str(refusal.value) == wrong.reason
