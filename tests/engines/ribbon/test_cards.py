"""The card data keeps its balance, and the rules count on it."""

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

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
    left_side,
    right_side,
)

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


def test_there_are_eighteen_different_faces() -> None:
    assert "".join(CARDS) == "ABCDEFGHIJKLMNOPQR"
    assert len(faces()) == 18


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


def test_there_are_2976_clean_circles_over_186_choices_of_cards() -> None:
    assert clean_circles().total() == 2976
    assert len(clean_circles()) == 186


@pytest.mark.parametrize("card", CARDS)
def test_each_card_is_in_two_thirds_of_the_clean_circles(card: Card) -> None:
    assert sum(count for cards, count in clean_circles().items() if card in cards) == 1984


def test_whichever_two_cards_are_missing_a_clean_circle_remains() -> None:
    for missing in combinations(CARDS, 2):
        assert any(cards.isdisjoint(missing) for cards in clean_circles())


def test_the_hand_sizes_are_those_of_the_rulebook() -> None:
    assert COMPONENTS.hands == {"versus": {2: 3, 3: 2}, "coop": {2: 3, 3: 2}}
    solo = {name: (hands.hands, hands.size, hands.aside) for name, hands in COMPONENTS.solo.items()}
    assert solo == {"easy": (2, 3, 0), "medium": (3, 2, 0), "hard": (2, 2, 2)}


def test_circle_hands_and_cards_aside_use_the_whole_deck() -> None:
    for sizes in COMPONENTS.hands.values():
        assert all(PLACES + seats * size == len(CARDS) for seats, size in sizes.items())
    for solo in COMPONENTS.solo.values():
        assert PLACES + solo.hands * solo.size + solo.aside == len(CARDS)


def test_the_limits_are_the_house_rules() -> None:
    assert (LIMITS.repetition_tie, LIMITS.repetition_offer) == (3, 2)
    assert (LIMITS.full_turns_versus, LIMITS.full_turns_coop) == (40, 24)


def test_the_signs_of_a_card_read_from_the_rim_inwards() -> None:
    assert [FACES[card].signs for card in "AKM"] == ["/_^", "_^\\", "//\\"]
