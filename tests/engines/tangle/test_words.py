"""Words that depend on what a turn has changed, and on what lies around."""

from __future__ import annotations

import pytest

from engines.tangle import GAME
from engines.tangle.decisions import Casting, Growing, RunningCard
from engines.tangle.truth.state import TangleState
from engines.tangle.words import board, nouns, questions
from tests.engines.tangle.arrange import begin, change, play, put, stash


@pytest.fixture
def state() -> TangleState:
    state = begin(2)
    stash(state, 0, 5, 5, 5, 5)
    return state


def closing(state: TangleState) -> str:
    return questions.closing(GAME.view(state, 0))


def test_nothing_is_planted_before_the_first_seed(state: TangleState) -> None:
    put(state, 0, "earth", "C6", "D7")
    put(state, 0, "meadow", "B8", cubes=2)
    change(state, 0, seeds=(2, 0))
    play(state, 0, "place B5 PL")
    assert closing(state) == "Plant nothing"

    play(state, 0, "plant bush C6")

    assert closing(state) == "Plant no more"


def test_nothing_is_laid_before_the_first_lake(state: TangleState) -> None:
    put(state, 0, "meadow", "C4", cubes=2)
    play(state, 0, "place B5 LA")

    assert closing(state) == "Lay nothing"


def test_an_area_says_which_spaces_it_touches_and_how_many_lakes(state: TangleState) -> None:
    view = GAME.view(state, 0)
    assert nouns.touching(view, "C6") == "beside E, TS and CE"

    put(state, 1, "lake", "C5")

    assert nouns.touching(GAME.view(state, 0), "C6") == "beside E, TS, CE and 1 lake"


def test_what_comes_later_names_no_card_without_effects_left_and_no_cast_without_a_root(
    state: TangleState,
) -> None:
    state.agenda = [Casting(1), RunningCard((), "spring_rush"), Growing(2, free=True)]
    assert "choose whether to cast enchantments, 1 cast so far" in read(state)
    assert "Spring Rush" not in read(state)

    state.agenda = [Casting(2), Growing(2, free=True)]

    assert "After that" not in read(state)


def read(state: TangleState) -> str:
    parts = board.parts(GAME.view(state, 0), ("Ann", "Bo"))
    return "\n".join(part.text for part in parts)
