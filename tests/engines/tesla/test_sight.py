from random import Random

import pytest

from engines.tesla import GAME
from tests.engines.conformance import encode_state
from tests.engines.tesla.arrange import arrange, begin, line, run


@pytest.mark.parametrize(
    ("viewer", "seen"), [(0, (("01",), None, None)), (2, (None, None, ("03",))), (None, (None,) * 3)]
)
def test_a_seat_sees_its_own_tiles(viewer: int | None, seen: object) -> None:
    state = arrange(scores=[0, 0, 0], hands=[["01"], ["02"], ["03"]], bag=["01-23"])
    view = GAME.view(state, viewer)

    assert view.hands == seen
    assert view.held == (1, 1, 1)
    assert (view.bag, view.bag_tiles) == (1, None)


def test_at_the_end_all_is_open() -> None:
    state = arrange(hands=[["01"], ["02"]], bag=["01-23", "03"])
    run(state, "1 leave")
    view = GAME.view(state, None)

    assert view.hands == (("01",), ())
    assert view.bag_tiles == ("01-23", "03")
    assert view.discards == ["02"]


def test_a_resampled_state_keeps_what_the_viewer_sees() -> None:
    state = begin([], seats=3)
    other = GAME.resample_hidden(state, 1, Random(4))

    assert encode_state(GAME.view(other, 1)) == encode_state(GAME.view(state, 1))
    assert other.hands[1] == state.hands[1]
    assert other.hands[0] != state.hands[0]
    assert other.bag != state.bag
    assert sorted(other.hands[0] + other.hands[2] + other.bag) == sorted(
        state.hands[0] + state.hands[2] + state.bag
    )
    assert other.seed != state.seed


def test_a_view_stays_as_it_is_when_the_game_goes_on() -> None:
    state = arrange(line(2), hands=[["03"], []])
    view = GAME.view(state, 0)
    before = encode_state(view)

    run(state, "place AB50 14; mark Z50 14")

    assert encode_state(view) == before


def test_a_turn_shows_its_changes_and_before_those_of_the_last() -> None:
    state = arrange(hands=[["03"], ["03"]])
    run(state, "place AA50 14; end")
    assert GAME.view(state, None).changes.placed == ("AA50",)
    assert not GAME.view(state, None).acted

    run(state, "place Y50 14")

    assert GAME.view(state, None).changes.placed == ("Y50",)
    assert GAME.view(state, None).acted
