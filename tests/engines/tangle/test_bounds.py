"""The bounds on the rest of a turn never exclude what a turn reaches."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import cast

import pytest

from engines.game import Seat
from engines.tangle import GAME
from engines.tangle.computer.winning import shortfall_in_reach
from engines.tangle.legal.context import Counts, counts_of
from engines.tangle.moves import Cast, Move, TakePile, TakeRow, TangleDone
from engines.tangle.pieces.components import CardId, TangleOptions
from engines.tangle.truth.state import TangleState, context_for
from tests.engines.tangle.arrange import begin, front, give, legal, play, put, root, stash
from tests.often import often

GAMES = range(often(24, 400))
LONG = 160
"""The last turn of these games: bounds don't depend on what comes later."""


def is_in_reach(state: TangleState, seat: Seat, **need: int) -> bool:
    """Return True if the bounds allow the seat these numbers, like ``trees=3``."""
    context = context_for(state, seat)
    return shortfall_in_reach(context, state.agenda, [cast(Counts, need)], counts_of(context)) is not None


def random_turns(number: int) -> Iterator[list[TangleState]]:
    """Yield the positions of each turn of a game of random moves."""
    luck = Random(number)
    seats = luck.choice((2, 2, 3, 4))
    options = GAME.settle(seats, TangleOptions(centre=luck.choice(("none", "sacrifice", "takeover"))))
    seed = number.to_bytes(4, "big")
    state = GAME.begin(seats, options, GAME.deal(seats, options, seed), seed)
    while state.turn < LONG and GAME.prompts(state):
        turn, known, positions = state.turn, Counter(state.hands[state.seat]) + Counter(state.row), []
        while state.turn == turn and (prompts := GAME.prompts(state)):
            positions.append(GAME.copy(state))
            seat = next(iter(prompts))
            move = _random_move(legal(state, seat), state.row, known, luck)
            known.subtract([move.card] if isinstance(move, Cast) else [])
            GAME.play(state, seat, move)
        yield positions


def _random_move(moves: list[Move], row: list[CardId], known: Counter[CardId], luck: Random) -> Move:
    """Choose a move, mostly one that goes on. It uses an unseen card only if it has to."""

    def is_seen(move: Move) -> bool:
        match move:
            case TakePile():
                return False
            case TakeRow(slot):
                return known[row[slot]] > 0
            case Cast(card):
                return known[card] > 0
            case _:
                return True

    seen = [move for move in moves if is_seen(move)]
    active = [move for move in seen if not isinstance(move, TangleDone)]
    return luck.choice(active if active and luck.random() < 0.85 else seen or moves)


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_whatever_a_turn_reaches_is_within_the_bounds_before(number: int) -> None:
    for positions in random_turns(number):
        seat = positions[0].seat
        for later, state in enumerate(positions):
            reached = dict(counts_of(context_for(state, seat)))
            for before in positions[:later]:
                assert is_in_reach(before, seat, **reached), (before.turn, before.agenda)


def test_a_lake_a_placement_is_the_most() -> None:
    state = begin()
    play(state, 0, "place B5 LA")

    assert is_in_reach(state, 0, lakes=1)
    assert not is_in_reach(state, 0, lakes=2)


def test_a_card_in_hand_adds_what_it_brings_if_it_can_be_paid() -> None:
    state = begin()
    give(state, 0, "spring_ghost")
    play(state, 0, "place B5 LA")
    assert is_in_reach(state, 0, lakes=2)

    stash(state, 0, 2, 2, 2, 1)

    assert not is_in_reach(state, 0, lakes=2)


def test_a_gain_on_the_way_pays_for_a_card() -> None:
    state = begin()
    give(state, 0, "spring_ghost")
    front(state, 0, "mirror_pool")
    stash(state, 0, 0, 0, 0, 0)
    play(state, 0, "place B5 LA")

    assert is_in_reach(state, 0, lakes=2)


def test_a_gain_that_nothing_brings_pays_for_no_card() -> None:
    state = begin()
    give(state, 0, "spring_ghost")
    front(state, 0, "berry_year")
    stash(state, 0, 0, 0, 0, 0)
    play(state, 0, "place B5 LA")

    assert not is_in_reach(state, 0, lakes=2)


def test_only_conditions_in_reach_are_estimated() -> None:
    state = begin()
    stash(state, 0, 0, 2, 0, 0)
    play(state, 0, "place B5 CE")
    context = context_for(state, 0)
    have, near, far = counts_of(context), cast(Counts, {"meadows": 1}), cast(Counts, {"tiles": 4})

    assert shortfall_in_reach(context, state.agenda, [near, far], have) == 2
    assert shortfall_in_reach(context, state.agenda, [near], have) is None


def test_no_more_cards_are_cast_than_roots_are_at_home() -> None:
    state = begin()
    give(state, 0, "thorn_toll", "light_step")
    play(state, 0, "place B5 N")

    assert is_in_reach(state, 0, enchantments=1)
    assert not is_in_reach(state, 0, enchantments=2)


def test_a_new_tree_brings_a_root_for_a_card() -> None:
    state = begin()
    put(state, 0, "sapling", "B6")
    give(state, 0, "thorn_toll", "light_step")
    play(state, 0, "place B5 GR")

    assert is_in_reach(state, 0, trees=3, enchantments=2)


def test_a_tree_takes_two_growths_of_its_seed() -> None:
    state = begin()
    put(state, 0, "earth", "B6", seed="tree")
    play(state, 0, "place B5 GR")
    assert is_in_reach(state, 0, saplings=1)
    assert not is_in_reach(state, 0, trees=3)

    give(state, 0, "spring_rush")
    stash(state, 0, 2, 2, 2, 3)

    assert is_in_reach(state, 0, trees=3)


def test_meadows_need_clean_earth_and_tiles_of_the_stack() -> None:
    state = begin()
    put(state, 0, "earth", "B6", "B7")
    stash(state, 0, 0, 0, 9, 0)
    play(state, 0, "place B5 ME")

    assert is_in_reach(state, 0, meadows=2)
    assert not is_in_reach(state, 0, meadows=3)


def test_clean_earth_costs_what_discounts_leave() -> None:
    state = begin()
    stash(state, 0, 0, 1, 0, 0)
    play(state, 0, "place B5 CE")
    assert not is_in_reach(state, 0, tiles=4)

    front(state, 0, "soft_loam")

    assert is_in_reach(state, 0, tiles=5)


def test_the_row_counts_where_cards_are_drawn() -> None:
    state = begin(cards=["spring_ghost"], hands=False)
    state.row = ["spring_ghost", *state.row[1:]]
    play(state, 0, "place B5 EN")

    assert is_in_reach(state, 0, lakes=1)


def test_a_root_back_home_allows_a_card_again() -> None:
    state = begin()
    root(state, 0, "N")
    give(state, 0, "thorn_toll", "light_step", "roots_return")
    play(state, 0, "place B5 W")

    assert is_in_reach(state, 0, enchantments=2)


def test_a_root_that_left_after_a_card_takes_nothing_away() -> None:
    state = begin()
    put(state, 0, "earth", "B6")
    give(state, 0, "second_stride", "thorn_toll")
    stash(state, 0, 2, 2, 2, 4)
    play(state, 0, "place B5 N", "cast second_stride", "place E9 ME")

    assert is_in_reach(state, 0, meadows=1)


def test_a_further_placement_has_no_bound() -> None:
    state = begin()
    give(state, 0, "second_stride")
    play(state, 0, "place B5 N")

    assert is_in_reach(state, 0, lakes=5)


def test_in_the_last_round_a_turn_may_win_without_a_condition() -> None:
    state = begin(round_limit=30)
    state.round = 30
    give(state, 0, "thorn_toll")
    play(state, 0, "place B5 N")

    assert is_in_reach(state, 0, lakes=5)
