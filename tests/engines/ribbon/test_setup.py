from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import msgspec
import pytest

from engines.game import IllegalDeal, IllegalSetup
from engines.ribbon import GAME
from engines.ribbon.pieces.components import (
    CARDS,
    COLOURS,
    COMPONENTS,
    FACES,
    LIMITS,
    PLACES,
    Card,
    Colour,
    Crossing,
    RibbonOptions,
    left_side,
    right_side,
)
from engines.ribbon.truth.state import RibbonDeal
from tests.engines.ribbon.arrange import SEED, begin, hands
from tests.engines.ribbon.games import CLEAN, THREE, WORKED


@pytest.mark.parametrize("seats", [2, 3])
def test_options_without_effect_get_their_default_and_one_seat_plays_solo(seats: int) -> None:
    chosen = RibbonOptions("versus", "hard", "after_hand", "host")
    assert GAME.settle(seats, chosen) == RibbonOptions("versus", "easy", "after_hand", "host")
    team = RibbonOptions("coop", "hard", "after_hand", "host")
    assert GAME.settle(seats, team) == RibbonOptions("coop", "easy", "blind", "host")
    alone = RibbonOptions("solo", "medium", "random", "host")
    assert GAME.settle(1, alone) == RibbonOptions("solo", "medium", "blind", "random")
    assert GAME.settle(1, RibbonOptions(mode="versus", difficulty="hard")) == RibbonOptions("solo", "hard")


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
def test_cards_are_dealt_one_by_one_to_hands(seats: int, options: dict[str, Any], dealt: list[str]) -> None:
    state = begin(CLEAN, seats, **options)
    assert hands(state) == dealt
    assert "".join(filter(None, state.beneath)) == "QIGEKBPMDNCA"
    assert state.aside == (["J", "R"] if options == {"difficulty": "hard"} else [])


def test_dealt_ribbons_go_round_from_the_first_seat_which_may_be_the_hosts() -> None:
    state = begin(THREE, 3, first=2, colours=("purple", "green", "orange"), ribbon_choice="random")
    assert state.ribbons == ("green", "orange", "purple")
    assert state.phase == "flip"
    two = begin(WORKED, first=1, colours=("purple", "green", "orange"), ribbon_choice="random")
    assert two.ribbons == ("green", "purple")
    deals = [GAME.deal(3, RibbonOptions(first="host"), bytes([number])) for number in range(20)]
    assert {deal.first for deal in deals} == {0}


def test_a_seed_deals_every_seat_and_colour_about_equally_often() -> None:
    deals = [
        GAME.deal(3, RibbonOptions(ribbon_choice="random"), number.to_bytes(4, "big"))
        for number in range(600)
    ]
    assert all(sorted(deal.deck) == sorted(CARDS) for deal in deals)
    assert all(150 < count < 250 for count in Counter(deal.first for deal in deals).values())
    assert all(150 < count < 250 for count in Counter((deal.colours or ("",))[0] for deal in deals).values())
    assert Counter(deal.deck[0] for deal in deals).keys() == set(CARDS)


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
            "Only versus for three has an eliminated hand, so leave it empty.", eliminated=("A", "B"), seats=2
        ),
        Wrong(
            "Only versus for three has an eliminated hand, so leave it empty.",
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


Pattern = tuple[int, int, int]
MIRRORED: dict[Crossing, Crossing] = {"low": "low", "high": "high", "rise": "fall", "fall": "rise"}
INVERTED: dict[Crossing, Crossing] = {"low": "high", "high": "low", "rise": "fall", "fall": "rise"}


def faces() -> set[tuple[Crossing, ...]]:
    return {tuple(FACES[card].crossing(colour) for colour in COLOURS) for card in CARDS}


def edge(card: Card, side: str) -> Pattern:
    look = left_side if side == "left" else right_side
    green, orange, purple = (look(card, colour) for colour in COLOURS)
    return green, orange, purple


@cache
def clean_circles() -> Counter[frozenset[Card]]:
    """Count circles without a tangle for each choice of twelve cards.

    Turned circles count once. A circle is a closed walk from edge pattern to edge pattern in which each card
    is one step; it is counted from its first card in the order of the data file.
    """
    following = {
        pattern: [card for card in CARDS if edge(card, "left") == pattern]
        for pattern in {edge(card, "right") for card in CARDS}
    }
    counts: Counter[frozenset[Card]] = Counter()

    def extend(walk: list[Card]) -> None:
        if len(walk) == PLACES:
            counts[frozenset(walk)] += edge(walk[-1], "right") == edge(walk[0], "left")
            return
        for card in following[edge(walk[-1], "right")]:
            if card > walk[0] and card not in walk:
                extend([*walk, card])

    for card in CARDS:
        extend([card])
    return +counts


def test_there_are_eighteen_different_faces_with_signs_from_the_rim_inwards() -> None:
    assert "".join(CARDS) == "ABCDEFGHIJKLMNOPQR"
    assert len(faces()) == 18
    assert [FACES[card].signs for card in "AKM"] == ["/_^", "_^\\", "//\\"]


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_is_low_and_high_four_times_and_twists_five_times_each_way(colour: Colour) -> None:
    crossings = Counter(FACES[card].crossing(colour) for card in CARDS)
    assert crossings == {"low": 4, "high": 4, "rise": 5, "fall": 5}


@pytest.mark.parametrize(("one", "two"), [*combinations(range(3), 2)])
def test_swapping_two_colours_gives_the_same_faces(one: int, two: int) -> None:
    def swapped(face: tuple[Crossing, ...]) -> tuple[Crossing, ...]:
        cells = list(face)
        cells[one], cells[two] = cells[two], cells[one]
        return tuple(cells)

    assert {swapped(face) for face in faces()} == faces()


@pytest.mark.parametrize("change", [MIRRORED, INVERTED], ids=["left and right", "low and high"])
def test_mirroring_or_inverting_all_cards_gives_the_same_faces(change: dict[Crossing, Crossing]) -> None:
    assert {tuple(change[crossing] for crossing in face) for face in faces()} == faces()


@pytest.mark.parametrize("side", ["left", "right"])
def test_each_mixed_edge_stands_three_times_on_either_side(side: str) -> None:
    edges = Counter(edge(card, side) for card in CARDS)
    assert set(edges.values()) == {3}
    assert set(edges).isdisjoint({(0, 0, 0), (1, 1, 1)})
    assert len(edges) == 6


def test_there_are_2976_clean_circles_each_card_in_two_thirds_and_some_without_any_two() -> None:
    assert clean_circles().total() == 2976
    assert len(clean_circles()) == 186
    for card in CARDS:
        assert sum(count for cards, count in clean_circles().items() if card in cards) == 1984
    for missing in combinations(CARDS, 2):
        assert any(cards.isdisjoint(missing) for cards in clean_circles())


def test_the_hand_sizes_of_the_rulebook_use_the_deck_and_the_limits_are_house_rules() -> None:
    assert COMPONENTS.hands == {"versus": {2: 3, 3: 2}, "coop": {2: 3, 3: 2}}
    solo = {name: (hands.hands, hands.size, hands.aside) for name, hands in COMPONENTS.solo.items()}
    assert solo == {"easy": (2, 3, 0), "medium": (3, 2, 0), "hard": (2, 2, 2)}
    for sizes in COMPONENTS.hands.values():
        assert all(PLACES + seats * size == len(CARDS) for seats, size in sizes.items())
    for one in COMPONENTS.solo.values():
        assert PLACES + one.hands * one.size + one.aside == len(CARDS)
    assert (LIMITS.repetition_tie, LIMITS.repetition_offer) == (3, 2)
    assert (LIMITS.full_turns_versus, LIMITS.full_turns_coop) == (40, 24)
