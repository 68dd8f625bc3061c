"""The bounds on the rest of a turn never exclude what a turn reaches."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import cast

import pytest

from engines.game import Seat
from engines.tangle import GAME
from engines.tangle.computer.search import shortfall_in_reach
from engines.tangle.legal.context import Counts, counts_of
from engines.tangle.moves import Cast, Move, TakePile, TakeRow, TangleDone
from engines.tangle.pieces.components import CardId, TangleOptions
from engines.tangle.truth.state import TangleState, context_for
from tests.engines.tangle.arrange import begin, give, legal, play, prepare, stash
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


@pytest.mark.parametrize("number", GAMES)
def test_whatever_a_turn_reaches_is_within_the_bounds_before(number: int) -> None:
    for positions in random_turns(number):
        seat = positions[0].seat
        for later, state in enumerate(positions):
            reached = dict(counts_of(context_for(state, seat)))
            for before in positions[:later]:
                assert is_in_reach(before, seat, **reached), (before.turn, before.agenda)


REACHES: dict[str, tuple[str, dict[str, int] | None, dict[str, int] | None]] = {
    "a lake a placement is the most": ("place B5 LA", {"lakes": 1}, {"lakes": 2}),
    "a card in hand adds what it brings": ("give 0 spring_ghost; place B5 LA", {"lakes": 2}, None),
    "a card adds nothing if it can't be paid": (
        "give 0 spring_ghost; place B5 LA; stash 0 2 2 2 1",
        None,
        {"lakes": 2},
    ),
    "a gain on the way pays for a card": (
        "give 0 spring_ghost; front 0 mirror_pool; stash 0 0 0 0 0; place B5 LA",
        {"lakes": 2},
        None,
    ),
    "a gain that nothing brings pays for no card": (
        "give 0 spring_ghost; front 0 berry_year; stash 0 0 0 0 0; place B5 LA",
        None,
        {"lakes": 2},
    ),
    "no more cards are cast than roots are at home": (
        "give 0 thorn_toll light_step; place B5 N",
        {"enchantments": 1},
        {"enchantments": 2},
    ),
    "a new tree brings a root for a card": (
        "put 0 sapling B6; give 0 thorn_toll light_step; place B5 GR",
        {"trees": 3, "enchantments": 2},
        None,
    ),
    "a tree takes two growths of its seed": (
        "put 0 earth B6 seed=tree; place B5 GR",
        {"saplings": 1},
        {"trees": 3},
    ),
    "a card may bring the second growth": (
        "put 0 earth B6 seed=tree; place B5 GR; give 0 spring_rush; stash 0 2 2 2 3",
        {"trees": 3},
        None,
    ),
    "meadows need clean earth and tiles of the stack": (
        "put 0 earth B6 B7; stash 0 0 0 9 0; place B5 ME",
        {"meadows": 2},
        {"meadows": 3},
    ),
    "clean earth costs its distance": ("stash 0 0 1 0 0; place B5 CE", None, {"tiles": 4}),
    "clean earth costs what discounts leave": (
        "stash 0 0 1 0 0; place B5 CE; front 0 soft_loam",
        {"tiles": 5},
        None,
    ),
    "a root back home allows a card again": (
        "root 0 N; give 0 thorn_toll light_step roots_return; place B5 W",
        {"enchantments": 2},
        None,
    ),
    "a root that left after a card takes nothing away": (
        "put 0 earth B6; give 0 second_stride thorn_toll; stash 0 2 2 2 4; place B5 N;"
        "cast second_stride; place E9 ME",
        {"meadows": 1},
        None,
    ),
    "a further placement has no bound": ("give 0 second_stride; place B5 N", {"lakes": 5}, None),
}


@pytest.mark.parametrize(("script", "reached", "beyond"), REACHES.values(), ids=REACHES)
def test_the_bounds_of_a_turn(
    script: str, reached: dict[str, int] | None, beyond: dict[str, int] | None
) -> None:
    state = prepare(script)

    assert reached is None or is_in_reach(state, 0, **reached)
    assert beyond is None or not is_in_reach(state, 0, **beyond)


def test_only_conditions_in_reach_are_estimated() -> None:
    state = begin()
    stash(state, 0, 0, 2, 0, 0)
    play(state, 0, "place B5 CE")
    context = context_for(state, 0)
    have, near, far = counts_of(context), cast(Counts, {"meadows": 1}), cast(Counts, {"tiles": 4})

    assert shortfall_in_reach(context, state.agenda, [near, far], have) == 2
    assert shortfall_in_reach(context, state.agenda, [near], have) is None


def test_the_row_counts_where_cards_are_drawn() -> None:
    state = begin(cards=["spring_ghost"], hands=False)
    state.row = ["spring_ghost", *state.row[1:]]
    play(state, 0, "place B5 EN")

    assert is_in_reach(state, 0, lakes=1)


def test_in_the_last_round_a_turn_may_win_without_a_condition() -> None:
    state = begin(round_limit=30)
    state.round = 30
    give(state, 0, "thorn_toll")
    play(state, 0, "place B5 N")

    assert is_in_reach(state, 0, lakes=5)
