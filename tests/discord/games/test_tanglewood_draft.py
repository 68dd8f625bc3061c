"""Questions of Tanglewood's panel that lead to every legal choice."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cogs.play.questions import Picks
from cogs.tanglewood import draft, panel
from engines.tanglewood import GAME
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import TanglewoodPlaceAdjacent, TanglewoodPlant
from engines.tanglewood.pieces.components import TanglewoodOptions
from engines.tanglewood.truth.state import TanglewoodState
from engines.tanglewood.words import event_lines

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")


def positions(seats: int, seed: int, every: int = 1) -> Iterator[TanglewoodState]:
    """Yield positions of a short game of random moves."""
    options, rng = TanglewoodOptions(length="short"), Random(seed)
    state = GAME.begin(seats, options, GAME.deal(seats, options, b"%d" % seed), b"%d" % seed)
    number = 0
    while prompts := GAME.prompts(state):
        if number % every == 0:
            yield state
        seat = next(iter(prompts))
        GAME.play(state, seat, rng.choice(list(GAME.moves(state, seat))))
        number += 1


def leaves(view: Any, picks: Picks = ()) -> list[Any]:
    """Return every choice that the panel's questions can reach."""
    asked = draft.next_question(view, picks)
    if asked.move is not None:
        return [asked.move]
    return [move for option in asked.options for move in leaves(view, (*asked.picks, option))]


@pytest.mark.parametrize("seats", [3, 4])
def test_the_questions_lead_to_every_legal_choice_and_to_nothing_else(seats: int) -> None:
    asked = 0
    for state in positions(seats, seed=5):
        for seat in GAME.prompts(state):
            view = GAME.view(state, seat)
            legal = choices(view)
            if view.phase != "turn" and len(legal) < 130:
                assert set(leaves(view)) == set(legal)
                asked += 1
    assert asked > 5


def test_a_choice_that_ends_the_turn_is_looked_at_twice_unless_its_button_says_so() -> None:
    twice = 0
    for state in positions(3, seed=9):
        seat = next(iter(GAME.prompts(state)))
        view = GAME.view(state, seat)
        if view.phase not in ("step", "benefit", "effect"):
            continue
        for move in choices(view):
            ends = GAME.ends_turn(view, seat, [move])
            assert draft.is_sent_at_once(view, move) is (isinstance(move, draft.TOLD_WHOLE) or not ends)
            twice += ends
    assert twice


def test_picks_that_lead_nowhere_are_forgotten_and_votes_have_a_table() -> None:
    for state in positions(3, seed=7):
        seat = next(iter(GAME.prompts(state)))
        view = GAME.view(state, seat)
        if view.phase == "effect":
            assert draft.next_question(view, ("nonsense", "x")) == draft.next_question(view, ())
            return
    raise AssertionError("no effect asked for a choice")

    state = next(positions(5, seed=8))

    table = event_lines.votes_table(GAME.view(state, None), ("A" * 32, "`", "山田", "Dee", "Eli"))

    assert len(table.splitlines()) == 15
    assert table.count("`") == 10
    assert max(len(line) for line in table.splitlines()[:-1]) <= 22


def test_the_question_says_that_a_region_ends_the_turn_if_nothing_is_confirmed() -> None:
    said = 0
    for state in positions(3, seed=9):
        seat = next(iter(GAME.prompts(state)))
        view = GAME.view(state, seat)
        if view.phase == "turn":
            continue
        asked = draft.next_question(view, ())
        final = [
            move
            for move in choices(view)
            if isinstance(move, TanglewoodPlant | TanglewoodPlaceAdjacent)
            and GAME.ends_turn(view, seat, [move])
        ]

        assert bool(panel._final(view, asked)) is bool(final)
        said += bool(final)
    assert said
