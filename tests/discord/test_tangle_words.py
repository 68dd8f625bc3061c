"""What the panels of Tangle say of positions that are arranged by hand."""

from __future__ import annotations

from cogs.tangle.panel import brings
from cogs.ui.signs import worded
from engines.tangle import GAME
from engines.tangle.moves import Place
from engines.tangle.truth.state import State
from engines.tangle.view import View
from tests.engines.tangle.arrange import begun, front, put, root, stash

NAMES = ("Ann", "Bo")


def anns(state: State) -> View:
    """What Ann knows."""
    return GAME.view(state, 0)


def line(state: State, to: str) -> str:
    """The line of a menu about a placement of Ann's."""
    return worded(brings(anns(state), NAMES, Place("B5", to)))


def test_a_space_that_is_too_dear_says_the_price_and_what_there_is() -> None:
    state = begun()
    put(state, 0, "earth", "C6")
    put(state, 0, "earth", "D11", seed="bush")
    stash(state, 0, 0, 1, 0, 2)

    assert line(state, "ME") == "can't: 2 N each, you have 0"
    assert line(state, "GR") == "can't: 1 W, 1 N each, you have 0 W and 0 N"


def test_what_would_be_gathered_is_told_of_a_space_that_is_too_dear() -> None:
    state = begun()
    put(state, 0, "earth", "C6")
    put(state, 0, "meadow", "C12", cubes=1)
    stash(state, 0, 0, 1, 0, 2)

    assert line(state, "ME") == "can't: 2 N each, you have 1; gives 1 N"


def test_what_is_kept_for_a_toll_is_told_of_a_space_that_is_too_dear() -> None:
    state = begun()
    put(state, 0, "earth", "C6")
    root(state, 1, "ME")
    front(state, 0, "landslide")
    stash(state, 0, 0, 0, 2, 0)

    assert line(state, "ME").startswith("can't: 2 N each, and you must keep 1 for the roots below")
