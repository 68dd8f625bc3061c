import pytest

from engines.tangle import GAME
from engines.tangle.legal.landing import LandingObstacle, obstacle
from engines.tangle.moves import TanglePlace
from engines.tangle.truth.state import TangleState
from tests.engines.tangle.arrange import begin, change, front, put, root, stash


def find_obstacle(state: TangleState, to: str) -> LandingObstacle | None:
    return obstacle(GAME.view(state, 0), TanglePlace("B5", to))


def test_a_refusal_names_the_price_and_the_resources() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    stash(state, 0, 2, 2, 1, 2)

    assert find_obstacle(state, "ME") == LandingObstacle("price", (0, 0, 2, 0), (2, 2, 1, 2))


def test_gains_of_own_tiles_can_be_spent_at_once() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    put(state, 0, "meadow", "C12", cubes=2)
    stash(state, 0, 0, 0, 0, 0)

    assert find_obstacle(state, "ME") is None


def test_an_enchantments_gift_for_covering_a_root_can_be_spent() -> None:
    state = begin()
    put(state, 0, "earth", "D11", seed="bush")
    root(state, 1, "GR")
    stash(state, 0, 0, 1, 0, 0)
    assert find_obstacle(state, "GR") == LandingObstacle("price", (1, 0, 1, 0), (0, 1, 0, 0), kept=1)

    front(state, 0, "bold_creeper")

    assert find_obstacle(state, "GR") is None


def test_the_reserve_for_a_toll_cannot_be_spent() -> None:
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
