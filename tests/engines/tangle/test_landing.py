"""Uses of a root's landing space, and reasons for having none."""

from __future__ import annotations

import pytest

from engines.tangle import GAME
from engines.tangle.legal.landing import LandingObstacle, obstacle
from engines.tangle.moves import TanglePlace
from engines.tangle.truth.state import TangleState
from tests.engines.tangle.arrange import begin, change, front, put, root, stash


def find_obstacle(state: TangleState, to: str) -> LandingObstacle | None:
    """Return why seat 0 could do nothing there."""
    return obstacle(GAME.view(state, 0), TanglePlace("B5", to))


def test_what_costs_too_much_is_told_with_its_price_and_what_there_is() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    stash(state, 0, 2, 2, 1, 2)

    assert find_obstacle(state, "ME") == LandingObstacle("price", (0, 0, 2, 0), (2, 2, 1, 2))


def test_what_the_own_tiles_give_at_once_can_be_paid_with() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    put(state, 0, "meadow", "C12", cubes=2)
    stash(state, 0, 0, 0, 0, 0)

    assert find_obstacle(state, "ME") is None


def test_what_enchantments_give_for_covering_a_root_can_be_paid_with() -> None:
    state = begin()
    put(state, 0, "earth", "D11", seed="bush")
    root(state, 1, "GR")
    stash(state, 0, 0, 1, 0, 0)
    assert find_obstacle(state, "GR") == LandingObstacle("price", (1, 0, 1, 0), (0, 1, 0, 0), kept=1)

    front(state, 0, "bold_creeper")

    assert find_obstacle(state, "GR") is None


def test_what_must_be_kept_for_a_toll_can_not_be_paid_with() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    root(state, 1, "ME")
    stash(state, 0, 0, 0, 2, 0)

    assert find_obstacle(state, "ME") == LandingObstacle("price", (0, 0, 2, 0), (0, 0, 2, 0), kept=1)


@pytest.mark.parametrize(
    ("space", "lacks"), [("ME", "place"), ("PL", "place"), ("GR", "place"), ("SP", "place"), ("GE", "place")]
)
def test_without_clean_earth_there_is_no_place_for_most_things(space: str, lacks: str) -> None:
    state = begin(4)

    result = find_obstacle(state, space)

    assert result is not None
    assert result.lacks == lacks


def test_seeds_and_tiles_may_be_what_is_missing() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    assert find_obstacle(state, "PL") == LandingObstacle("seed")

    change(state, 0, tiles=(0, 5, 0, 3))
    assert find_obstacle(state, "LA") == LandingObstacle("tile")
    assert find_obstacle(state, "CE") == LandingObstacle("tile")

    state.seeds = (0, 3)
    assert find_obstacle(state, "BS") == LandingObstacle("supply")
    assert find_obstacle(state, "TS") is None


def test_where_a_root_only_takes_something_nothing_is_in_the_way() -> None:
    state = begin(4)

    assert [space for space in ("E", "S1", "GW", "EN", "BS", "SL") if find_obstacle(state, space)] == []


def test_contained_growth_feeds_bushes_even_where_nothing_grows() -> None:
    state = begin(4)
    assert find_obstacle(state, "CG") == LandingObstacle("place")

    put(state, 0, "bush", "C6")

    assert find_obstacle(state, "CG") is None
